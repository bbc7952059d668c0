/* SPDX-License-Identifier: BSD-3-Clause */
/* ancestors.c - see ancestors.h. */
#include "ancestors.h"

#include "arena.h"
#include "sys.h"
#include "text.h"

#include <string.h>

#define FAR 16				/* so many generations are looked at */

uint32_t iot_read_proc(uint64_t pid, const char *name, char *buf, uint32_t cap)
{
	char path[IOT_PROC_PATH];
	uint32_t len = 0;
	long n = 1;
	int fd;

	iot_proc_path(path, pid, name);
	fd = iot_sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	for (; fd >= 0 && n > 0 && len < cap; len += n > 0 ? (uint32_t)n : 0)
		n = iot_sys_read(fd, buf + len, cap - len);
	if (fd >= 0)
		iot_sys_close(fd);
	buf[len] = 0;
	return len;
}

bool iot_proc_has_setting(uint64_t pid, const char *name, const char *value, char *buf, uint32_t cap)
{
	const uint32_t len = iot_read_proc(pid, "/environ", buf, cap);
	const size_t n = strlen(name);

	for (const char *s = buf; s < buf + len; s += strlen(s) + 1)
		if (!strncmp(s, name, n) && s[n] == '=' && !strcmp(s + n + 1, value))
			return true;
	return false;
}

static uint64_t parent_of(uint64_t pid, char *buf, uint32_t cap)
{
	const char *s;
	uint64_t parent = 0;

	iot_read_proc(pid, "/stat", buf, cap);
	s = strrchr(buf, ')');
	if (!s || strnlen(s, 5) < 5)
		return 0;
	for (s += 4; *s >= '0' && *s <= '9'; s++)
		parent = parent * 10 + (uint64_t)(*s - '0');
	return parent;
}

bool iot_ancestors(bool (*is)(uint64_t pid, char *buf, uint32_t cap, void *arg), void *arg)
{
	const uint32_t cap = IOT_TEXT_CAP - 1;
	uint64_t pid = (uint64_t)iot_syscall(SYS_getppid);
	char *buf = iot_map(IOT_TEXT_CAP);
	bool found = false;

	for (uint32_t i = 0; buf && i < FAR && pid > 1 && !found; i++) {
		found = is(pid, buf, cap, arg);
		pid = parent_of(pid, buf, cap);
	}
	if (buf)
		iot_unmap(buf, IOT_TEXT_CAP);
	return found;
}
