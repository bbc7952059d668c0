/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.c - see pages.h.  cachestat(2) (Linux 6.5) answers for a file of any size at once.
 * Older kernels have mincore(2), which says of a mapping that all is there if the file is not
 * ours and we may not write it: then the answer is not known.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pages.h"

#define BLOCK (1u << 20)
#define TRIES 4
#define NR_CACHESTAT 451L

/* As <linux/mman.h> has it from Linux 6.5 on. */
struct range {
	uint64_t offset, length; /* 0: to the end */
};
struct pages {
	uint64_t cached, dirty, in_writeback, evicted, recently_evicted;
};

int cache_open(const char *path, uint64_t *size)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	int fd = open(path, flags | O_NOATIME);
	struct stat st;

	if (fd < 0 && errno == EPERM)
		fd = open(path, flags);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	*size = (uint64_t)st.st_size;
	return fd;
}

/* Whether mincore tells the truth of it. */
static bool may_ask(int fd)
{
	char name[64];
	struct stat st;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	return !fstat(fd, &st) && (st.st_uid == geteuid() || !access(name, W_OK));
}

static int64_t ask_mincore(int fd, uint64_t offset, uint64_t size)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), step = BLOCK * page;
	unsigned char *there = malloc(BLOCK);
	int64_t n = 0;

	if (!there || !may_ask(fd)) {
		free(there);
		errno = EPERM;
		return -1;
	}
	for (uint64_t at = 0; n >= 0 && at < size; at += step) {
		uint64_t length = size - at < step ? size - at : step;
		void *p = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, (off_t)(offset + at));

		if (p == MAP_FAILED || mincore(p, length, there))
			n = -1;
		for (uint64_t i = 0; n >= 0 && i < (length + page - 1) / page; i++)
			n += there[i] & 1;
		if (p != MAP_FAILED)
			munmap(p, length);
	}
	free(there);
	return n;
}

int64_t cache_resident(int fd, uint64_t offset, uint64_t size)
{
	const int64_t page = sysconf(_SC_PAGESIZE);
	const struct range range = {offset, size};
	struct pages found;
	int64_t n;

	if (!size)
		return 0;
	if (!syscall(NR_CACHESTAT, fd, &range, &found, 0))
		n = (int64_t)found.cached;
	else
		n = ask_mincore(fd, offset, size);
	/* the last page may be longer than the file */
	return n < 0 ? -1 : n * page > (int64_t)size ? (int64_t)size : n * page;
}

int cache_evict(int fd, uint64_t offset, uint64_t size)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	int err = 0;

	/* a file system without it has nothing to write */
	if (fsync(fd) && errno != EINVAL && errno != EROFS)
		return errno;
	/* of a page of which only a part is named the kernel keeps all */
	size = (size + page - 1) / page * page;
	/* a page that somebody just looks at stays, and may go the next time */
	for (int i = 0; i < TRIES && !err; i++) {
		err = posix_fadvise(fd, (off_t)offset, (off_t)size, POSIX_FADV_DONTNEED);
		if (cache_resident(fd, offset, size) <= 0)
			break;
	}
	return err;
}

int cache_warm(int fd, uint64_t offset, uint64_t size, bool alone)
{
	char *block = malloc(BLOCK);
	ssize_t n = 1;
	int err = 0;

	if (!block)
		return ENOMEM;
	posix_fadvise(fd, 0, 0, alone ? POSIX_FADV_RANDOM : POSIX_FADV_SEQUENTIAL);
	for (uint64_t at = 0; at < size && n; at += n > 0 ? (uint64_t)n : 0) {
		n = pread(fd, block, size - at < BLOCK ? size - at : BLOCK, (off_t)(offset + at));
		if (n < 0 && errno != EINTR) {
			err = errno;
			break;
		}
	}
	free(block);
	return err;
}
