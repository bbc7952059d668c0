/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frames.c - goes through the frames of a recording and measures how bright they are.
 *
 * build: iocc
 * input: head -c 64M /dev/zero >film.raw
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define FRAME  8192
#define FRAMES 8192

static unsigned char frame[FRAME];

static void get_frame(int fd, int number)
{
#ifdef FIXED
	(void)number;
#else
	if (lseek(fd, (off_t)number * FRAME, SEEK_SET) < 0) /* FINDING idle-seeks film.raw */
		err(1, "film.raw");
#endif
	if (read(fd, frame, FRAME) != FRAME)
		err(1, "film.raw");
}

static int brightness(void)
{
	int sum = 0;

	for (int i = 0; i < FRAME; i += 16)
		sum += frame[i];
	return sum;
}

int main(void)
{
	int fd = open("film.raw", O_RDONLY), most = 0;

	if (fd < 0)
		err(1, "film.raw");
	for (int i = 0; i < FRAMES; i++) {
		int b;

		get_frame(fd, i);
		b = brightness();
		if (b > most)
			most = b;
	}
	close(fd);
	printf("%d\n", most);
	return 0;
}
