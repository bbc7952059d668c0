/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * render.c - eight processes render parts of a picture, and all need the scene.
 *
 * build: iocc
 * as: queries
 * input: head -c 6M /dev/zero >scene.bin
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 8
#define SIZE	(6 << 20)
#define PIECE	(512 << 10)

static unsigned char *scene;
static volatile unsigned sink;

static void load_scene(void)
{
	int fd = open("scene.bin", O_RDONLY);

	scene = malloc(SIZE);
	if (fd < 0 || !scene)
		err(1, "scene.bin");
	for (int at = 0; at < SIZE; at += PIECE)
		if (read(fd, scene + at, PIECE) != PIECE) /* FINDING read-by-all scene.bin */
			err(1, "scene.bin");
	close(fd);
}

static void render(int part)
{
	unsigned sum = 0;

	for (int i = part; i < SIZE; i += WORKERS * 16)
		sum += scene[i];
	sink = sum;
}

int main(void)
{
#ifdef FIXED
	load_scene();
#endif
	for (int i = 0; i < WORKERS; i++)
		if (fork() == 0) {
#ifndef FIXED
			load_scene(); /* FINDING read-by-all scene.bin */
#endif
			render(i);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
