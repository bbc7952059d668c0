/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own.c - a program that has functions of its own by names of libc's: each does what
 * libc's does, counts its calls and writes.  own HOW makes calls of all kinds and
 * prints how often which was called, by libc or the program.
 *
 * They begin to write and count in main: libc calls some before it can write.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifndef STATIC
#include <dlfcn.h>
#endif

#define NAMES(X)                                                                           \
	X(memcpy) X(memmove) X(memset) X(memcmp) X(memchr) X(strlen) X(strnlen)            \
	X(strcmp) X(strncmp) X(strchr) X(strrchr) X(strspn) X(strcspn) X(strstr)           \
	X(strcpy) X(malloc) X(calloc) X(realloc) X(free) X(memalign) X(aligned_alloc)      \
	X(posix_memalign) X(getenv) X(clock_gettime) X(clock_nanosleep) X(gettimeofday)    \
	X(time) X(getauxval) X(environ) X(pthread_attr_getstacksize) X(__errno_location)
#define ID(name) N_##name,
enum { NAMES(ID) N };

/* has to be copied for a thread, with the recorder and without */
static __thread volatile int of_thread = 1;
static volatile int armed, sink = -1;
static unsigned long calls[N];

static void called(int which)
{
	if (!armed)
		return;
	__atomic_fetch_add(&calls[which], 1, __ATOMIC_RELAXED);
	if (write(sink, "x", 1) != 1)
		_exit(99);
}

void *memcpy(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;

	called(N_memcpy);
	while (n--)
		*t++ = *f++;
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;

	called(N_memmove);
	if (t < f)
		for (size_t i = 0; i < n; i++)
			t[i] = f[i];
	else
		while (n--)
			t[n] = f[n];
	return to;
}

void *memset(void *to, int c, size_t n)
{
	called(N_memset);
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = (char)c;
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;

	called(N_memcmp);
	for (; n; n--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

void *memchr(const void *s, int c, size_t n)
{
	called(N_memchr);
	for (const unsigned char *p = s; n--; p++)
		if (*p == (unsigned char)c)
			return (void *)p;
	return NULL;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	called(N_strlen);
	while (s[n])
		n++;
	return n;
}

size_t strnlen(const char *s, size_t max)
{
	size_t n = 0;

	called(N_strnlen);
	while (n < max && s[n])
		n++;
	return n;
}

static int compare(const char *a, const char *b, size_t n)
{
	for (; n && *a && *a == *b; n--)
		a++, b++;
	return n ? (unsigned char)*a - (unsigned char)*b : 0;
}

int strcmp(const char *a, const char *b)
{
	called(N_strcmp);
	return compare(a, b, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t n)
{
	called(N_strncmp);
	return compare(a, b, n);
}

char *strchr(const char *s, int c)
{
	called(N_strchr);
	while (*s && *s != (char)c)
		s++;
	return *s == (char)c ? (char *)s : NULL;
}

char *strrchr(const char *s, int c)
{
	const char *found = NULL;

	called(N_strrchr);
	do
		if (*s == (char)c)
			found = s;
	while (*s++);
	return (char *)found;
}

static int is_in(char c, const char *set)
{
	while (*set && *set != c)
		set++;
	return *set != 0;
}

size_t strspn(const char *s, const char *set)
{
	size_t n = 0;

	called(N_strspn);
	while (s[n] && is_in(s[n], set))
		n++;
	return n;
}

size_t strcspn(const char *s, const char *set)
{
	size_t n = 0;

	called(N_strcspn);
	while (s[n] && !is_in(s[n], set))
		n++;
	return n;
}

char *strstr(const char *s, const char *part)
{
	size_t n = 0;

	called(N_strstr);
	while (part[n])
		n++;
	for (; *s; s++)
		if (!compare(s, part, n))
			return (char *)s;
	return n ? NULL : (char *)s;
}

char *strcpy(char *to, const char *from)
{
	called(N_strcpy);
	for (char *t = to; (*t++ = *from++);)
		;
	return to;
}

/* Memory that is not used again. */
static char heap[16 << 20] __attribute__((aligned(4096)));
static size_t used;

static void *allocate(size_t align, size_t n)
{
	size_t at = __atomic_fetch_add(&used, n + align + 16, __ATOMIC_RELAXED);

	at = (at + 16 + align - 1) & -align;
	if (at + n > sizeof(heap))
		return NULL;
	*(size_t *)(void *)(heap + at - 16) = n;
	return heap + at;
}

void *malloc(size_t n)
{
	called(N_malloc);
	return allocate(16, n);
}

void *calloc(size_t n, size_t size)
{
	called(N_calloc);
	return allocate(16, n * size);
}

void *realloc(void *was, size_t n)
{
	char *p = allocate(16, n), *from = was;

	called(N_realloc);
	for (size_t i = 0; from && i < n && i < ((size_t *)was)[-2]; i++)
		p[i] = from[i];
	return p;
}

void free(void *p)
{
	called(N_free);
	(void)p;
}

void *memalign(size_t align, size_t n)
{
	called(N_memalign);
	return allocate(align, n);
}

void *aligned_alloc(size_t align, size_t n)
{
	called(N_aligned_alloc);
	return allocate(align, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
	called(N_posix_memalign);
	*p = allocate(align, n);
	return 0;
}

extern char **__environ;

char *getenv(const char *name)
{
	size_t n = 0;

	called(N_getenv);
	while (name[n])
		n++;
	for (char **e = __environ; e && *e; e++)
		if (!compare(*e, name, n) && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

/* A clock of a test that has its own time */
static long long ticks;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	called(N_clock_gettime);
	(void)clock;
	*now = (struct timespec){ .tv_sec = 1000 + __atomic_fetch_add(&ticks, 1, __ATOMIC_RELAXED) };
	return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
	called(N_clock_nanosleep);
	(void)clock, (void)flags, (void)t, (void)left;
	return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	called(N_gettimeofday);
	(void)zone;
	*now = (struct timeval){ .tv_sec = 1000 };
	return 0;
}

time_t time(time_t *to)
{
	called(N_time);
	if (to)
		*to = 1000;
	return 1000;
}

unsigned long getauxval(unsigned long type)
{
	called(N_getauxval);
	return type == 23 ? 1 : 0;	/* AT_SECURE: a lie */
}

/* To C it is a variable. */
long own_environ(void) __asm__("environ");
long own_environ(void)
{
	called(N_environ);
	return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size)
{
	called(N_pthread_attr_getstacksize);
	(void)attr;
	*size = 1;
	return 0;
}

#if defined(STATIC) && !defined(MUSL)
extern __thread int real_errno __asm__("errno");

int *__errno_location(void)
{
	called(N___errno_location);
	return &real_errno;
}
#elif !defined(STATIC)
int *__errno_location(void)
{
	static int *(*real)(void);

	called(N___errno_location);
	if (!real)
		real = (int *(*)(void))dlsym(RTLD_NEXT, "__errno_location");
	return real();
}
#endif

/* --- what it does with them ------------------------------------------------ */

static void must(int holds)
{
	if (!holds)
		_exit(97);
}

static void *in_thread(void *arg)
{
	int fd = open("thread", O_RDWR | O_CREAT, 0644);

	must(of_thread == 1);
	for (int i = 0; i < 100; i++)
		must(pwrite(fd, "thread", 6, 6 * i) == 6);
	close(fd);
	return arg;
}

static void streams(void)
{
	char line[200];
	FILE *f = fopen("stream", "w+");
	int n = 0;

	must(f != NULL);
	for (int i = 0; i < 300; i++)
		fprintf(f, "line %d of the stream, which is as long as it is\n", i);
	fputs("the last\n", f);
	rewind(f);
	while (fgets(line, sizeof(line), f))
		n++;
	must(n == 301 && !fclose(f));
	must(!fopen("nowhere/at/all", "r") && errno == ENOENT);
}

static void names(void)
{
	char name[40];
	struct stat st;
	DIR *dir;

	for (int i = 0; i < 300; i++) {
		int fd, n = 0;

		for (int v = i + 1000; v; v /= 10)
			name[n++] = (char)('0' + v % 10);
		name[n] = 0;
		fd = open(name, O_WRONLY | O_CREAT, 0644);
		must(fd >= 0 && write(fd, name, (size_t)n) == n && !fstat(fd, &st) && !close(fd));
		must(!stat(name, &st) && !rename(name, "renamed") && !unlink("renamed"));
	}
	dir = opendir(".");
	must(dir != NULL);
	while (readdir(dir))
		;
	must(!closedir(dir) && !mkdir("made", 0755) && !rmdir("made"));
	must(chdir("/") == 0 && open("no such file", O_RDONLY) < 0);
}

static void children(char *self)
{
	char *argv[] = { self, (char *)"again", NULL };
	int status;
	pid_t pid = fork();

	if (!pid) {
		int fd = open("/dev/null", O_WRONLY);

		must(write(fd, "child", 5) == 5);
		execv(self, argv);
		_exit(96);
	}
	must(waitpid(pid, &status, 0) == pid && status == 0);
}

static void others(void)
{
	char from[] = "a vector", to[20];
	struct iovec v[2] = { { from, 4 }, { from + 4, 4 } };
	struct pollfd p = { .events = POLLIN };
	int two[2];

	must(!socketpair(AF_UNIX, SOCK_STREAM, 0, two) && writev(two[0], v, 2) == 8);
	p.fd = two[1];
	must(poll(&p, 1, 0) == 1 && recv(two[1], to, sizeof(to), 0) == 8);
	close(two[0]), close(two[1]);
	must(!pipe(two) && write(two[1], "x", 1) == 1 && read(two[0], to, 1) == 1);
	must(write(-1, "x", 1) == -1 && errno == EBADF);
	must(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
}

int main(int argc, char **argv)
{
	static const char *const name[] = {
#define NAME(name) #name,
		NAMES(NAME)
	};
	pthread_attr_t attr;
	pthread_t thread;
	int fd;

	sink = open("/dev/null", O_WRONLY);
	armed = 1;
	fd = open("data", O_RDWR | O_CREAT, 0644);
	for (int i = 0; i < 20000; i++)
		must(pwrite(fd, "data", 4, i * 5) == 4);
	if (argc > 1 && argv[1][0] == 'a')
		return 0;
	streams();
	must(!pthread_attr_init(&attr) && !pthread_attr_setstacksize(&attr, 256 << 10));
	must(!pthread_create(&thread, &attr, in_thread, NULL) && !pthread_join(thread, NULL));
	others();
	names();
	children(argv[0]);
	armed = 0;
	for (int i = 0; i < N; i++)
		printf("%s %lu\n", name[i], calls[i]);
	return 0;
}
