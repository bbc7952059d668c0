/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.c - one of two libraries, with SIZE bytes in a frame, that write while they are
   loaded, bound and unloaded.  */
#include <fcntl.h>
#include <unistd.h>

static int writes(void)
{
	volatile char room[SIZE];
	int fd = open("/dev/null", O_WRONLY), n = (int)write(fd, "bound", 5);

	room[0] = 0;
	close(fd);
	return n + room[0];
}

static int chosen(int (*fn)(void))
{
	return fn() + writes();
}

/* the resolver, which runs in the loader when the function is called first */
static int (*choose(void))(int (*)(void))
{
	writes();
	return chosen;
}

int one_of_them(int (*fn)(void)) __attribute__((ifunc("choose")));
int run(int (*fn)(void));

int run(int (*fn)(void))
{
	return one_of_them(fn);
}

__attribute__((constructor)) static void loaded(void)
{
	writes();
}

__attribute__((destructor)) static void unloaded(void)
{
	writes();
}
