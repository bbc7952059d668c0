/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unrecorded.c - a program that can have no log, say since the disk is full, as may be true of
 * hundreds that a recorded one begins.  The nearest process that it comes from, and
 * that was to write to the same directory, has either a log, where the program counts as a lost
 * call, or had none either, and is marked.  The mark is a mapping with a name: so it goes
 * with the process, and needs no disk.
 */
#include "unrecorded.h"

#include "ancestors.h"
#include "arena.h"
#include "host.h"
#include "log-share.h"
#include "lost.h"
#include "sigbus.h"
#include "sys.h"
#include "text.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define MARK "iotrace-no-log"
#define DIRECTORY "IOTRACE_DIR"

/* For look(). */
struct search {
	const char *dir;
	uint64_t reason;
	bool said;
};

/* NULL: it is not in the environment, or does not say the same directory wherever it is set. */
static const char *directory(void)
{
	char **e = iot_environ_first();

	while (e && *e && strncmp(*e, DIRECTORY "=", sizeof(DIRECTORY)))
		e++;
	if (!e || !*e || (*e)[sizeof(DIRECTORY)] != '/' || strchr(*e, '%'))
		return NULL;
	return *e + sizeof(DIRECTORY);
}

static bool is_log(const struct iot_file_header *h)
{
	return !memcmp(h->magic, IOT_MAGIC, sizeof(h->magic)) && h->byte_order == IOT_BYTE_ORDER &&
	       h->version == IOT_FORMAT_VERSION;
}

/* It need not be what it was when the process mapped it. */
static bool is_own_file(int fd, uint64_t inode)
{
	struct stat st;

	return !iot_sys_fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_ino == inode &&
	       st.st_uid == (uid_t)iot_syscall(SYS_geteuid) && st.st_size >= IOT_HEADER_SIZE;
}

/* Returns whether something is lost there. */
static bool count(struct iot_file_header *h, struct search *s)
{
	if (!is_log(h))
		return false;
	iot_header = h;
	/* for as long as it is mapped, the file may be cut short */
	iot_bus_start();
	s->said = IOT_COUNT(h->lost_reason);
	iot_lost(1, s->reason);
	iot_header = NULL;
	return true;
}

static bool count_in(const char *path, uint64_t inode, struct search *s)
{
	const int fd = iot_sys_openat(AT_FDCWD, path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	struct iot_file_header *h = NULL;
	bool counted = false;
	long error;

	if (fd < 0)
		return false;
	if (is_own_file(fd, inode))
		h = iot_map_shared(IOT_HEADER_SIZE, fd, 0, &error);
	iot_sys_close(fd);
	if (h) {
		counted = count(h, s);
		iot_unmap_shared(h, IOT_HEADER_SIZE);
	}
	return counted;
}

/* "FROM-TO rw-s OFFSET DEVICE INODE PATH": the beginning of a log that the process writes. */
static bool count_in_line(char *line, struct search *s)
{
	const char *at = strchr(line, ' ');
	const size_t n = strlen(line);
	uint64_t inode;

	if (!at || n < 8 || strcmp(line + n - 8, ".iotrace") || strncmp(at, " rw-s ", 6))
		return false;
	at += 6;
	if (iot_number(&at, 16) || !(at = strchr(at + 1, ' ')))
		return false;
	at++;
	inode = iot_number(&at, 10);
	at = strchr(at, '/');
	return at && count_in(at, inode, s);
}

static bool look(uint64_t pid, char *buf, uint32_t cap, void *arg)
{
	struct search *s = arg;
	char *line, *end;

	if (!iot_proc_has_setting(pid, DIRECTORY, s->dir, buf, cap))
		return false;
	iot_read_proc(pid, "/maps", buf, cap);
	s->said = strstr(buf, "/memfd:" MARK " ");
	for (line = buf; !s->said && (end = strchr(line, '\n')); line = end + 1) {
		*end = 0;
		if (count_in_line(line, s))
			return true;
	}
	return s->said;
}

/* A file without a byte, which no limit on sizes forbids, is enough for the name. */
static void mark(void)
{
	const int fd = (int)iot_syscall(SYS_memfd_create, MARK, 1L /* MFD_CLOEXEC */);
	long error;
	void *p;

	if (fd < 0)
		return;
	p = iot_map_shared(IOT_PAGE, fd, 0, &error);
	/* who reads all memory there is must not meet its end */
	if (p)
		iot_syscall(SYS_mprotect, p, IOT_PAGE, (long)PROT_NONE);
	iot_sys_close(fd);
}

bool iot_unrecorded(uint64_t reason)
{
	struct search s = { .dir = directory(), .reason = reason };

	if (s.dir && !iot_ancestors(look, &s))
		mark();
	return s.said;
}
