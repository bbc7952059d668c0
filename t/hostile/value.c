/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * value.c - random arguments, good and bad, by kind.  What they are is noted in the draw
 * for people to read; on the board nothing of it shows.
 */
#define _GNU_SOURCE
#include "storm.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

FILE *streams[N_STREAMS];
DIR *dirs[N_DIRS];
struct extent extents[4];

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Where wrappers look at what a pointer points to. */
static bool want_bad(struct draw *d)
{
	return pick(d, 12) == 0 && with(BADPTR);
}

const char *some_path(struct draw *d)
{
	static const char *const paths[] = {
		"a", "b", "c", "d", "e", "d/x", "d/y", "d/sub", "ln", "d/../a", "./b", "a", "b",
		"none/x", "", "a/x", "d/", ".",
	};
	static char too_long[300], longer[5000];
	unsigned n = pick(d, COUNT(paths) + 2);

	if (n < COUNT(paths)) {
		note(d, "\"%s\"", paths[n]);
		return paths[n];
	}
	if (n == COUNT(paths)) {
		memset(too_long, 'q', sizeof(too_long) - 1);
		note(d, "\"qqq...\" (%zu)", sizeof(too_long) - 1);
		return too_long;
	}
	for (size_t i = 0; i < sizeof(longer) - 1; i++)
		longer[i] = i % 20 ? 'w' : '/';
	note(d, "\"/www...\" (%zu)", sizeof(longer) - 1);
	return longer;
}

int some_fd(struct draw *d)
{
	static const int odd[] = { -1, AT_FDCWD, INT_MAX, INT_MIN, 1023, 1024, 1025, 500, 0, 1, 2, 77 };
	unsigned n = pick(d, 48);
	int fd = n < COUNT(odd) ? odd[n] : 3 + (int)(n % 11);

	if (fd > 1020 && fd < 1030 && !with(LOGNUMBER))
		fd = 1022;

	note(d, "%d", fd);
	return fd;
}

static long some_size(struct draw *d)
{
	static const long sizes[] = {
		0, 1, 2, 7, 61, 100, 512, 4095, 4096, 4097, 5000, 16384, 65536,
		LONG_MAX, LONG_MIN, -1, INT_MAX, 1L << 31, 1L << 32,
	};
	unsigned n = pick(d, 60);
	long size = n < COUNT(sizes) ? sizes[n] : (long)(n * 3);

	note(d, "%ld", size);
	return size;
}

static long some_offset(struct draw *d)
{
	static const long offsets[] = { 0, 0, 1, 7, 100, 4095, 4096, 5000, 100000, -1, LONG_MAX, LONG_MIN, 1L << 40 };
	long offset = offsets[pick(d, COUNT(offsets))];

	note(d, "%ld", offset);
	return offset;
}

static long one_of(struct draw *d, const long *list, unsigned n)
{
	long v = list[pick(d, n)];

	note(d, "%#lx", v);
	return v;
}
#define ONE_OF(d, ...) one_of(d, (const long[]){ __VA_ARGS__ }, COUNT(((const long[]){ __VA_ARGS__ })))

static struct iovec *some_iov(struct draw *d)
{
	struct iovec *iov = (struct iovec *)scratch(d, 4 * sizeof(*iov));
	char *data = scratch(d, 4096);

	note(d, "{");
	for (int i = 0; i < 4; i++) {
		iov[i].iov_base = data + pick(d, 300);
		iov[i].iov_len = pick(d, 400);
		switch (pick(d, 16)) {
		case 0:
			iov[i].iov_base = (void *)bad_pointer(d);
			break;
		case 1:
			iov[i].iov_len = some_size(d);
			break;
		case 2:
			iov[i].iov_len = 0;
			break;
		}
		note(d, " %zd", iov[i].iov_len);
	}
	note(d, " }");
	return iov;
}

static long some_addr(struct draw *d)
{
	struct sockaddr_un *un = (struct sockaddr_un *)scratch(d, sizeof(*un));
	static const char *const names[] = { "sock", "a", "none/sock", "sock2" };

	memset(un, 0, sizeof(*un));
	un->sun_family = pick(d, 10) ? AF_UNIX : 99;
	strcpy(un->sun_path, names[pick(d, COUNT(names))]);
	note(d, "{%d, \"%s\"}", un->sun_family, un->sun_path);
	return (long)un;
}

static struct msghdr *some_msg(struct draw *d, struct msghdr *msg)
{
	memset(msg, 0, sizeof(*msg));
	msg->msg_iov = some_iov(d);
	msg->msg_iovlen = pick(d, 10) ? pick(d, 5) : ONE_OF(d, 2000, 1025, -1, 1024, LONG_MAX);
	if (pick(d, 12) == 0)
		msg->msg_iov = (struct iovec *)bad_pointer(d);
	if (pick(d, 4) == 0) {
		msg->msg_control = scratch(d, 128);
		memset(msg->msg_control, 0, 128);
		msg->msg_controllen = pick(d, 2) ? 64 : 0;
	}
	note(d, " n=%zd", (size_t)msg->msg_iovlen);
	return msg;
}

static long some_time(struct draw *d)
{
	struct timespec *t = (struct timespec *)scratch(d, sizeof(*t));

	*t = (struct timespec){ 0, pick(d, 3) ? 0 : 300 };
	if (pick(d, 16) == 0)
		t->tv_nsec = -1;
	note(d, "{0, %ld}", t->tv_nsec);
	return (long)t;
}

static bool is(const char *name, const char *words)
{
	size_t n = strlen(name);

	for (const char *p = words; (p = strstr(p, name)); p += n)
		if ((p == words || p[-1] == ' ') && (p[n] == 0 || p[n] == ' '))
			return true;
	return false;
}

/* Pointers to memory that libc or the kernel fills or reads: of which nothing is known but
 * what the parameter is called.  None may make a call wait for ever. */
static long some_pointer(struct draw *d, const char *name)
{
	if (is(name, "timeout tmo"))
		return pick(d, 20) ? some_time(d) : bad_pointer(d) ?: some_time(d);
	if (pick(d, 10) == 0)
		return bad_pointer(d);
	if (is(name, "sigmask mask")) {
		char *set = scratch(d, 128);

		/* the timer's would interrupt a wait, or not, as it happens */
		memset(set, 0, 128);
		if (!strcmp(name, "sigmask"))
			sigaddset((sigset_t *)set, SIGALRM);
		note(d, "{}");
		return (long)set;
	}
	if (is(name, "addrlen optlen")) {
		int *n = (int *)scratch(d, sizeof(*n));

		*n = pick(d, 6) ? 110 : -1;
		note(d, "{%d}", *n);
		return (long)n;
	}
	note(d, "data");
	return (long)scratch(d, 4096);
}

static long some_int(struct draw *d, const struct row *row, const char *name)
{
	if (!strcmp(row->name, "lockf"))
		return ONE_OF(d, 0, 2, 3, 99, -1);
	if (is(name, "timeout"))
		return ONE_OF(d, 0, 0, 1);
	if (!strcmp(row->name, "fanotify_init"))
		return ONE_OF(d, 2, 3, 0x80000000);
	if (!strcmp(name, "options"))
		return ONE_OF(d, 0, 1, 0x40000000, 99);
	if (!strcmp(name, "level"))
		return ONE_OF(d, SOL_SOCKET, SOL_SOCKET, 0, 99);
	if (!strcmp(name, "optname"))
		return ONE_OF(d, SO_REUSEADDR, SO_SNDBUF, SO_PASSCRED, SO_TYPE, SO_ERROR, SO_ACCEPTCONN, 999);
	if (!strcmp(row->name, "epoll_create") || !strcmp(name, "maxevents"))
		return ONE_OF(d, 0, 1, 4, 8, -1, INT_MAX);
	if (!strcmp(row->name, "signalfd"))
		return ONE_OF(d, -1, -1, 3, 5, O_CLOEXEC, O_NONBLOCK);
	if (!strcmp(row->name, "ungetc"))
		return ONE_OF(d, 'u', 255, -1, 0);
	return ONE_OF(d, 0, 1, 2, 3, O_CLOEXEC, O_NONBLOCK, -1, 4, 6, 100, INT_MAX);
}

static long some_mapping(struct draw *d, const struct row *row, int i)
{
	struct extent *x = &extents[pick(d, COUNT(extents))];

	if (!strcmp(row->name, "mmap")) {
		note(d, "NULL");
		return 0;
	}
	if (i == 0) {
		if (!x->at || pick(d, 8) == 0)
			return ONE_OF(d, 8, -1, -4096, 0x800000000000);
		note(d, "extents[%d]", (int)(x - extents));
		return (long)x->at;
	}
	return (long)scratch(d, 4096);
}

/* One argument.  before: those to the left of it. */
long value(struct draw *d, const struct row *row, int i, const long *before)
{
	const struct param *p = &row->params[i];

	switch (p->kind) {
	case KIND_fd:
	case KIND_fd2:
		return some_fd(d);
	case KIND_dirfd:
		if (pick(d, 3)) {
			note(d, "AT_FDCWD");
			return AT_FDCWD;
		}
		return some_fd(d);
	case KIND_path:
	case KIND_relpath:
		if (want_bad(d))
			return bad_pointer(d);
		if (!strncmp(row->name, "mkfifo", 6) || !strncmp(row->name, "mknod", 5)) {
			note(d, "\"fifo\"");
			return (long)"fifo";
		}
		if (!strncmp(row->name, "mk", 2) && strstr(row->name, "temp")) {
			note(d, "\"bad\"");
			return (long)strcpy(scratch(d, 16), "bad");
		}
		return (long)some_path(d);
	case KIND_link:
		return want_bad(d) ? bad_pointer(d) : (long)some_path(d);
	case KIND_fmode: {
		static const char *const modes[] = { "r", "w", "a", "r+", "w+", "a+", "rb", "wx", "re", "", "q", "r,ccs=UTF-8" };
		const char *mode;

		if (want_bad(d))
			return bad_pointer(d);
		mode = modes[pick(d, COUNT(modes))];
		note(d, "\"%s\"", mode);
		return (long)mode;
	}
	case KIND_str:
		if (want_bad(d))
			return bad_pointer(d);
		if (!strncmp(row->name, "mq", 2) || !strncmp(row->name, "shm", 3)) {
			note(d, "\"/none/x\"");
			return (long)(pick(d, 2) ? "/none/x" : "");
		}
		note(d, "\"user.storm\"");
		return (long)"user.storm";
	case KIND_text:
		if (want_bad(d))
			return bad_pointer(d);
		note(d, "\"a text\\n\"");
		return (long)(pick(d, 4) ? "a text\n" : "");
	case KIND_buf:
	case KIND_stat:
	case KIND_statx:
		if (strstr(row->name, "putws")) {
			note(d, "L\"wide\\n\"");
			return (long)L"wide \u00e4\n";
		}
		if (pick(d, 10) == 0)
			return bad_pointer(d);
		note(d, "data");
		return (long)scratch(d, 70000);
	case KIND_size:
	case KIND_itemsize:
	case KIND_items:
		if (!strcmp(row->family, "mem")) {
			struct extent *x = NULL;

			for (unsigned j = 0; j < COUNT(extents); j++)
				if (i > 0 && extents[j].at && (long)extents[j].at == before[0])
					x = &extents[j];
			if (x && strcmp(row->name, "mremap")) {
				note(d, "%zu", x->size);
				return x->size;
			}
			return ONE_OF(d, 4096, 8192, 20000, 0, -1);
		}
		if (p->kind != KIND_size)
			return ONE_OF(d, 1, 1, 2, 7, 100, 0, 4096);
		return some_size(d);
	case KIND_offset:
		return some_offset(d);
	case KIND_long:
		/* space that doesn't count as the file's size has no limit but the disk's, which is others' too */
		if (!strcmp(row->name, "fallocate") && before[1] & 1)
			return ONE_OF(d, 0, 1, 100, 5000, 1L << 20, -1, LONG_MIN);
		return some_offset(d);
	case KIND_locklen:
	case KIND_flock:
		return some_offset(d);
	case KIND_ptr:
	case KIND_tspec:
	case KIND_tval:
	case KIND_moment:
		if (!strcmp(row->family, "mem"))
			return some_mapping(d, row, i);
		return some_pointer(d, p->name);
	case KIND_int:
	case KIND_clock:
	case KIND_eventfdflags:
	case KIND_signalfdflags:
	case KIND_timerfdflags:
	case KIND_timerflags:
	case KIND_inotifyflags:
	case KIND_epollflags:
	case KIND_remapflags:
	case KIND_waitflags:
	case KIND_msecs:
	case KIND_lockfcmd:
		return some_int(d, row, p->name);
	case KIND_uint:
	case KIND_watchmask:
	case KIND_memfdflags:
	case KIND_pidfdflags:
	case KIND_treeflags:
		if (!strcmp(row->name, "close_range") && i < 2)
			return ONE_OF(d, 3, 5, 9, 20, 100, 0x7fffffff, 0xffffffff, 1024);
		if (!strncmp(row->name, "fanotify", 8))
			return ONE_OF(d, 2, 3, 0x80000000);
		return ONE_OF(d, 0, 0, 1, 2, 4, 0x80000, 0x800, 0x80000000, 0xffffffff);
	case KIND_ulong:
		if (!strcmp(row->name, "mremap"))
			return ONE_OF(d, 4096, 0, 8192);
		return ONE_OF(d, 0, 1, 3, 1024, 1025, -1);
	case KIND_oflags: {
		static const long more[] = {
			0, 0, O_CREAT, O_CREAT, O_CREAT | O_EXCL, O_TRUNC, O_APPEND, O_NONBLOCK, O_CLOEXEC,
			O_DIRECTORY, O_NOFOLLOW, O_PATH, O_TMPFILE, O_SYNC, O_NOATIME, 0x40000000,
		};
		long flags = pick(d, 4) | O_NONBLOCK;

		flags |= more[pick(d, COUNT(more))] | more[pick(d, COUNT(more))];
		note(d, "%#lo", flags);
		return flags;
	}
	case KIND_accmode:
		return ONE_OF(d, 0, 1, 2, 4, 7, 8, -1);
	case KIND_mode:
		return ONE_OF(d, 0600, 0666, 0777, 0, 04755, 01777, -1);
	case KIND_atflags:
		return ONE_OF(d, 0, 0, 0, AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH, AT_REMOVEDIR, AT_EACCESS, AT_SYMLINK_FOLLOW, -1);
	case KIND_whence:
		return ONE_OF(d, SEEK_SET, SEEK_SET, SEEK_CUR, SEEK_END, SEEK_DATA, SEEK_HOLE, 9, -1);
	case KIND_fcntl: {
		long cmd = ONE_OF(d, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_GETPIPE_SZ, F_GETOWN,
				  F_GETLK, F_SETLK, F_OFD_GETLK, F_GET_SEALS, 9999, -1);
		return cmd;
	}
	case KIND_ioctl:
		return ONE_OF(d, 0x541b, 0x5401, 0x5413, 0x5451, 0x5450, 0x5460, 0, -1, 0x80086601);
	case KIND_prot:
		return ONE_OF(d, PROT_READ, PROT_READ | PROT_WRITE, PROT_NONE, PROT_EXEC | PROT_READ, -1);
	case KIND_mapflags:
		return ONE_OF(d, MAP_PRIVATE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED, MAP_PRIVATE, 0,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, MAP_SHARED_VALIDATE);
	case KIND_fallocmode:
		return ONE_OF(d, 0, 1, 2, 3, 16, -1);
	case KIND_advice:
		return ONE_OF(d, 0, 1, 2, 3, 4, 5, 8, 14, 15, 99);
	case KIND_msyncflags:
		return ONE_OF(d, 1, 2, 4, 5, -1);
	case KIND_lockop:
		return ONE_OF(d, LOCK_SH | LOCK_NB, LOCK_EX | LOCK_NB, LOCK_UN | LOCK_NB, LOCK_NB, -1);
	case KIND_rwflags:
		return ONE_OF(d, 0, 0, 1, 2, 4, 8, 16, 0x1000, -1);
	case KIND_spliceflags:
		return ONE_OF(d, 2, 2, 3, 6, 10, -1);
	case KIND_renameflags:
		return ONE_OF(d, 0, 1, 2, 3, 4, -1);
	case KIND_statxmask:
		return ONE_OF(d, 0, 0x7ff, 0xfff, -1);
	case KIND_syncrange:
		return ONE_OF(d, 0, 1, 2, 7, -1);
	case KIND_xattrflags:
		return ONE_OF(d, 0, 1, 2, 3, -1);
	case KIND_epollop:
		return ONE_OF(d, EPOLL_CTL_ADD, EPOLL_CTL_DEL, EPOLL_CTL_MOD, 0, -1);
	case KIND_domain:
		return ONE_OF(d, AF_UNIX, AF_UNIX, AF_UNIX, 99, -1);
	case KIND_socktype:
		return ONE_OF(d, SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET, SOCK_STREAM | SOCK_NONBLOCK, SOCK_DGRAM | SOCK_CLOEXEC, 99);
	case KIND_shuthow:
		return ONE_OF(d, 0, 1, 2, 3, -1);
	case KIND_msgflags:
		return ONE_OF(d, MSG_DONTWAIT, MSG_DONTWAIT | MSG_PEEK, MSG_DONTWAIT | MSG_TRUNC, MSG_DONTWAIT | MSG_NOSIGNAL,
			      MSG_DONTWAIT | MSG_WAITALL, MSG_DONTWAIT | 0x40000000);
	case KIND_uid:
	case KIND_gid:
		return ONE_OF(d, 0, 0, 1, 65534, -1);
	case KIND_pid:
		note(d, "getpid()");
		return pick(d, 4) ? getpid() : ONE_OF(d, 0, -1, INT_MAX);
	case KIND_dev:
		note(d, "0");
		return 0;
	case KIND_iov:
		return want_bad(d) ? bad_pointer(d) : (long)some_iov(d);
	case KIND_iovcnt:
		return ONE_OF(d, 1, 1, 2, 3, 4, 4, 0, -1, 1025, INT_MAX);
	case KIND_offp: {
		long *offset;

		if (pick(d, 2)) {
			note(d, "NULL");
			return 0;
		}
		if (want_bad(d))
			return bad_pointer(d);
		offset = (long *)scratch(d, sizeof(*offset));
		*offset = some_offset(d);
		return (long)offset;
	}
	case KIND_pipefds:
		return want_bad(d) ? bad_pointer(d) : (long)scratch(d, 8);
	case KIND_addr:
		return want_bad(d) ? bad_pointer(d) : some_addr(d);
	case KIND_addrlen:
		return ONE_OF(d, sizeof(struct sockaddr_un), sizeof(struct sockaddr_un), 7, 2, 0, 200, -1);
	case KIND_msg:
		return want_bad(d) ? bad_pointer(d) : (long)some_msg(d, (struct msghdr *)scratch(d, sizeof(struct msghdr)));
	case KIND_mmsg: {
		struct mmsghdr *m;

		if (want_bad(d))
			return bad_pointer(d);
		m = (struct mmsghdr *)scratch(d, 3 * sizeof(*m));
		for (int j = 0; j < 3; j++)
			some_msg(d, &m[j].msg_hdr);
		return (long)m;
	}
	case KIND_mmsgcnt:
		return ONE_OF(d, 1, 2, 3, 0);
	case KIND_pfds: {
		struct pollfd *fds;

		if (want_bad(d))
			return bad_pointer(d);
		fds = (struct pollfd *)scratch(d, 4 * sizeof(*fds));
		for (int j = 0; j < 4; j++)
			fds[j] = (struct pollfd){ some_fd(d), POLLIN | POLLOUT, 0 };
		return (long)fds;
	}
	case KIND_nset:
		/* of sets for more the kernel reads what its table of descriptors has room for, and the
		   log's makes that larger */
		return with(LOGNUMBER) ? ONE_OF(d, 0, 1, 5, 12, 64, 1024, -1) : ONE_OF(d, 0, 1, 5, 12, 64, 64, -1);
	case KIND_nfds:
		return ONE_OF(d, 0, 1, 2, 3, 4, -1, 1 << 20);
	case KIND_FILE: {
		int n = pick(d, N_STREAMS);

		note(d, "streams[%d]", n);
		return (long)streams[n];
	}
	case KIND_DIR: {
		int n = pick(d, N_DIRS);

		note(d, "dirs[%d]", n);
		return (long)dirs[n];
	}
	case KIND_byte:
		return ONE_OF(d, 'x', '\n', 0, 255, 'y', -1);
	}
	return 0;
}
