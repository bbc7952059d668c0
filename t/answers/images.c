/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * images.c - finds the images of a collection that have a certain colour.
 *
 * build: iocc
 * as: gate
 * input: mkdir images; for i in $(seq 300); do head -c 64K /dev/zero >images/$i; done
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define IMAGES 300
#define SIZE   65536

static unsigned char pixels[SIZE];

static int has_colour(int image, unsigned char colour)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "images/%d", image);
	fd = open(path, O_RDONLY); /* FINDING leaked images images/~ */
	if (fd < 0 || read(fd, pixels, SIZE) != SIZE)
		err(1, "%s", path);
	for (int i = 0; i < SIZE; i++)
		if (pixels[i] == colour) {
#ifdef FIXED
			close(fd);
#endif
			return 1;
		}
	close(fd);
	return 0;
}

int main(void)
{
	int n = 0;

	for (int i = 1; i <= IMAGES; i++)
		n += has_colour(i, 0);
	printf("%d images\n", n);
	return 0;
}
