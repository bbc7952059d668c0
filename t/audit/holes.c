/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * System calls that no wrapper can see, if HOLES is defined; the same I/O
 * through libc otherwise.
 */
#include <fcntl.h>
#include <unistd.h>

#ifdef HOLES
static __attribute__((noinline, noclone)) long raw_read(int fd, void *buf, unsigned long n)
{
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "0"(0), "D"(fd), "S"(buf), "d"(n)
			 : "rcx", "r11", "memory");
	return r;
}

/* What it calls is decided by its caller. */
static __attribute__((noinline, noclone)) long raw_any(long number, long a1)
{
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "0"(number), "D"(a1) : "rcx", "r11", "memory");
	return r;
}

/* libc's, of which calls.def has no row. */
int delete_module(const char *name, unsigned int flags);
int (*table[])(const char *, unsigned int) = { delete_module };
#else
#define raw_read	read
#define raw_any(n, a)	close(a)
int (*table[])(const char *, const char *) = { link };
#endif

int main(int argc, char **argv)
{
	int fd = open(argv[0], O_RDONLY);
	char c;

	if (fd < 0 || raw_read(fd, &c, 1) != 1 || c != 0x7f)
		return 1;
	if (argc > 2)
		return table[argc - 3](argv[1], argv[2]);
	return raw_any(argc > 1 ? 0 : 3, fd) != 0;
}
