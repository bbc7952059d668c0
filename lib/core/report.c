/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - see report.h. */
#include "report.h"

#include "arena.h"
#include "host.h"
#include "rank.h"
#include "sys.h"
#include "text.h"

#include <string.h>
#include <time.h>

/*
 * To standard error, if that takes it at once: the program may not be killed or stopped for our
 * lines, nor wait.  With signals blocked a terminal stops nobody (SIGTTOU).  A pipe that
 * nobody reads and a file at its limit leave a signal behind, which is taken back; where one
 * waits already, it could not be told from ours.
 */
static void say(const char *line, uint32_t n)
{
	const uint64_t ours = IOT_SIGNAL(SIGPIPE) | IOT_SIGNAL(SIGXFSZ);
	const uint64_t signals = iot_sys_block_signals();
	struct timespec now = { 0 };
	uint64_t wait = ours;
	unsigned long set = 1ul << 2;	/* poll(2) takes no descriptor if the limit is 0 */

	if (signals != ~0ULL && iot_sys_allowed(SYS_rt_sigtimedwait) &&
	    iot_syscall(SYS_rt_sigpending, &wait, sizeof(wait)) == 0 && !(wait & ours) &&
	    iot_syscall(SYS_pselect6, 3L, (void *)NULL, &set, (void *)NULL, &now, (void *)NULL) == 1 &&
	    iot_sys_write(2, line, n) < 0) {
		now = (struct timespec){ 0 };
		iot_syscall(SYS_rt_sigtimedwait, &ours, (void *)NULL, &now, sizeof(ours));
	}
	iot_sys_restore_signals(signals);
}

void iot_report(const char *what, const char *detail, const char *then)
{
	char line[1024];
	struct iot_text x = { .buf = line, .cap = sizeof(line) - 1 };

	iot_puts(&x, "iotrace: ");
	iot_puts(&x, what);
	iot_puts(&x, detail);
	iot_puts(&x, then);
	line[x.len++] = '\n';
	say(line, x.len);
}

/* --- once for a job -------------------------------------------------------- */

/* A file of /proc/PID; returns how many bytes there are.  buf has room for one more. */
static uint32_t read_proc(uint64_t pid, const char *name, char *buf, uint32_t cap)
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

static bool has_setting(const char *env, uint32_t len, const char *name, const char *value)
{
	const size_t n = strlen(name);

	for (const char *s = env; s < env + len; s += strlen(s) + 1)
		if (!strncmp(s, name, n) && s[n] == '=' && !strcmp(s + n + 1, value))
			return true;
	return false;
}

/* buf has the maps of a process. */
static bool has_log(const char *maps)
{
	return strstr(maps, ".iotrace\n");
}

static uint64_t parent_of(uint64_t pid, char *buf, uint32_t cap)
{
	const char *s;
	uint64_t parent = 0;

	read_proc(pid, "/stat", buf, cap);
	s = strrchr(buf, ')');
	if (!s || strnlen(s, 5) < 5)
		return 0;
	for (s += 4; *s >= '0' && *s <= '9'; s++)
		parent = parent * 10 + (uint64_t)(*s - '0');
	return parent;
}

/* Whether somebody else of the job has said it, who has the same in the environment; name
   NULL: who has anything there. */
static bool is_said(const char *name, const char *value)
{
	const uint32_t cap = IOT_TEXT_CAP - 1;
	uint64_t pid = (uint64_t)iot_syscall(SYS_getppid);
	bool said = false;
	char *buf;

	iot_rank_find(iot_environ());
	if (iot_rank.rank > 0)
		return true;
	buf = iot_map(IOT_TEXT_CAP);
	for (uint32_t i = 0; buf && i < 16 && pid > 1 && !said; i++) {
		said = (!name || has_setting(buf, read_proc(pid, "/environ", buf, cap), name, value)) &&
		       read_proc(pid, "/maps", buf, cap) && has_log(buf);
		pid = parent_of(pid, buf, cap);
	}
	if (buf)
		iot_unmap(buf, IOT_TEXT_CAP);
	return said;
}

void iot_report_once(const char *what, const char *detail, const char *then)
{
	if (!is_said(NULL, NULL))
		iot_report(what, detail, then);
}

void iot_report_setting(const char *name, const char *value, const char *why, const char *then)
{
	char detail[256];
	struct iot_text x = { .buf = detail, .cap = sizeof(detail) - 1 };

	if (is_said(name, value))
		return;
	iot_puts(&x, name);
	iot_puts(&x, "=");
	/* a long one must leave room for what is wrong with it */
	iot_put_escaped(&x, value, strnlen(value, 30));
	iot_puts(&x, value[strnlen(value, 30)] ? "...: " : ": ");
	iot_puts(&x, why);
	detail[x.len] = 0;
	iot_report(detail, "", then);
}

void iot_report_slip(const char *entry, const char *name)
{
	char slip[40];
	struct iot_text x = { .buf = slip, .cap = sizeof(slip) - 1 };
	const size_t n = strcspn(entry, "=");

	iot_putn(&x, entry, n);
	slip[x.len] = 0;
	if (!is_said(slip, entry + n + 1))
		iot_report(slip, " is no setting; the nearest is ", name);
}
