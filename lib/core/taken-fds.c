/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taken-fds.c - descriptors that a process takes from another by pidfd_getfd.
 *
 * Whoever has taken one may move its offset, which the other process adds up from its own
 * calls.  A word in the header of that process's log tells it so, and from then on it asks
 * the kernel (iot_fds_taken).  The process has the header mapped, and who may take its
 * descriptors may read /proc/PID/maps.  All that the word can do is that the kernel is asked,
 * so it does not matter who stores it.
 */
#include "taken-fds.h"

#include "arena.h"
#include "iotrace-format.h"
#include "lend.h"
#include "maps.h"
#include "sys.h"
#include "text.h"

#include <string.h>

#define SUFFIX ".iotrace"

struct taking {
	int pidfd, tid;			/* tid: whose descriptor pidfd is */
	uint64_t pid;			/* of the process that it stands for; 0: not known, or it has ended */
	bool told;
	char *buf;
};

/* A line of the pidfd's fdinfo. */
static void find_pid(char *line, char *end, void *arg)
{
	const char *s = line + strlen("Pid:\t");
	struct taking *k = arg;

	/* -1: it has ended; 0: it can't be seen from here */
	if (end > s && !memcmp(line, "Pid:\t", strlen("Pid:\t")))
		k->pid = iot_number(&s, 10);
}

static int open_log(const char *path, uint64_t inode)
{
	const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
	struct iot_file_header h;
	struct stat st;
	int fd;

	/* whatever it is, to open it must have no effect */
	if (iot_sys_fstatat(AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode) || st.st_ino != inode)
		return -1;
	fd = iot_sys_openat(AT_FDCWD, path, flags, 0);
	if (fd >= 0 && (iot_sys_fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_ino != inode ||
			iot_syscall(SYS_pread64, (long)fd, &h, sizeof(h), 0L) != sizeof(h) ||
			memcmp(h.magic, IOT_MAGIC, sizeof(h.magic)) != 0 || h.byte_order != IOT_BYTE_ORDER ||
			h.version != IOT_FORMAT_VERSION)) {
		iot_sys_close(fd);
		fd = -1;
	}
	return fd;
}

/* A line of the process's maps: FROM-TO rw-s OFFSET DEVICE INODE PATH. */
static void tell(char *line, char *end, void *arg)
{
	/* another each time, also if two do this at once */
	const uint32_t word = (uint32_t)iot_ticks();
	struct taking *k = arg;
	const char *s = memchr(line, ' ', (size_t)(end - line));
	uint64_t inode;
	int fd;

	*end = 0;
	if (k->told || !s || end - s < (long)strlen(SUFFIX) || memcmp(s, " rw-s 0000", 10) != 0 ||
	    memcmp(end - strlen(SUFFIX), SUFFIX, strlen(SUFFIX)) != 0)
		return;
	s += strlen(" rw-s ");
	if (iot_number(&s, 16) || !(s = strchr(s + 1, ' ')))
		return;
	s++;
	inode = iot_number(&s, 10);
	s = strchr(s, '/');
	fd = s ? open_log(s, inode) : -1;
	if (fd < 0)
		return;
	k->told = iot_sys_pwrite(fd, &word, sizeof(word), offsetof(struct iot_file_header, taken)) > 0;
	iot_sys_close(fd);
}

static void find_and_tell(void *arg)
{
	struct taking *k = arg;
	char path[64];
	struct iot_text p = { .buf = path, .cap = sizeof(path) - 1 };

	iot_puts(&p, "/proc/self/task/");
	iot_putu(&p, (uint64_t)k->tid);
	iot_puts(&p, "/fdinfo/");
	iot_putu(&p, (uint64_t)k->pidfd);
	path[p.len] = 0;
	iot_maps_lines(path, k->buf, IOT_TEXT_CAP, find_pid, k);
	if (!k->pid || k->pid == iot_each.pid)
		return;
	iot_maps_of(k->pid, k->buf, IOT_TEXT_CAP, tell, k);
}

/* A descriptor of the process that pidfd stands for is the caller's, too. */
void iot_fd_taken(int pidfd)
{
	struct taking k = { .pidfd = pidfd, .tid = iot_sys_gettid(), .buf = iot_map(IOT_TEXT_CAP) };

	if (!k.buf)
		return;
	iot_unseen(find_and_tell, &k);
	iot_unmap(k.buf, IOT_TEXT_CAP);
}
