/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind.cc - calls that are left in every other way than by returning.  After
 * each a pwrite to the file "after", in nothing, and one in a callback, in it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdexcept>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int after, mode, n;
static jmp_buf env;

static void mark(void)
{
	if (pwrite(after, "x", 1, n++) != 1)
		abort();
}

static int visit(const char *, const struct stat *, int)
{
	if (pwrite(after, "in", 2, 2 * n) != 2)
		abort();
	if (mode == 1)
		throw std::runtime_error("visit");
	if (mode == 2)
		longjmp(env, 1);
	return 1;
}

static ssize_t cookie_write(void *, const char *, size_t size)
{
	if (mode == 1)
		throw std::runtime_error("cookie");
	if (mode == 2)
		longjmp(env, 1);
	return (ssize_t)size;
}

static void walk(void)
{
	try {
		if (!setjmp(env))
			ftw(".", visit, 5);
	} catch (const std::exception &) {
	}
	mark();
}

static void stream(void)
{
	static const cookie_io_functions_t fns = { nullptr, cookie_write, nullptr, nullptr };
	FILE *f = fopencookie(nullptr, "w", fns);

	setvbuf(f, nullptr, _IONBF, 0);
	try {
		if (!setjmp(env))
			fwrite("text", 1, 4, f);
	} catch (const std::exception &) {
	}
	mark();
}

static void clean(void *)
{
	mark();
}

static void *cancelled(void *arg)
{
	char c;

	pthread_cleanup_push(clean, nullptr);
	read(*(int *)arg, &c, 1);
	pthread_cleanup_pop(1);
	return nullptr;
}

static void *exits(void *)
{
	mark();
	pthread_exit(nullptr);
}

int main()
{
	int fds[2];
	pthread_t t;

	mkdir("sub", 0777);
	after = open("after", O_WRONLY | O_CREAT, 0644);
	if (after < 0 || pipe(fds))
		return 99;
	for (int i = 0; i < 300; i++) {
		mode = i % 3;
		walk();
		stream();
	}
	for (int i = 0; i < 50; i++) {
		pthread_create(&t, nullptr, cancelled, &fds[0]);
		usleep(1000);
		pthread_cancel(t);
		pthread_join(t, nullptr);
		mark();
		pthread_create(&t, nullptr, exits, nullptr);
		pthread_join(t, nullptr);
		mark();
	}
	printf("%d marks\n", n);
	return 0;
}
