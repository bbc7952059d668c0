/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stars.c - threads look through plates; one goes through its plate from the end.
 *
 * build: iocc -fopenmp
 * as: recent
 * input: for i in 0 1 2 3 4 5 6 7; do head -c 2M /dev/zero >plate.$i; done
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define PLATE (2 << 20)
#define PIECE 1024
#define LARGE (PLATE / 2)

static long look(int fd, off_t at, size_t n)
{
	static _Thread_local unsigned char piece[LARGE];
	long sum = 0;

	if (pread(fd, piece, n, at) != (ssize_t)n) /* FINDING backwards plate.3 */
		err(1, "a plate");
	for (size_t i = 0; i < n; i += 64)
		sum += piece[i];
	return sum;
}

static long look_through(int number)
{
	char name[40];
	long sum = 0;
	int fd;

	snprintf(name, sizeof(name), "plate.%d", number);
	fd = open(name, O_RDONLY);
	if (fd < 0)
		err(1, "%s", name);
#ifndef FIXED
	if (number == 3) {
		for (off_t at = PLATE - PIECE; at >= 0; at -= PIECE)
			sum += look(fd, at, PIECE); /* FINDING backwards plate.3 */
		close(fd);
		return sum;
	}
#endif
	for (off_t at = 0; at < PLATE; at += LARGE)
		sum += look(fd, at, LARGE);
	close(fd);
	return sum;
}

int main(void)
{
	long sum = 0;

#pragma omp parallel for num_threads(8) reduction(+ : sum)
	for (int i = 0; i < 8; i++)
		sum += look_through(i); /* FINDING backwards plate.3 */
	printf("%ld\n", sum);
	return 0;
}
