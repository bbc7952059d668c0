/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ember.c - a fire that is computed cell by cell: all of it is stored at its place after each step, and
 * only the last one is wanted.
 *
 * build: iocc -static
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define CELLS	(1 << 18)
#define STEPS	40

struct fire {
	int fd;
	double *heat;
};

/* where it burns */
#define FIRST	(CELLS / 16 * 7)
#define LAST	(CELLS / 16 * 9)

static void burn(struct fire *fire)
{
	for (int i = FIRST; i < LAST; i++)
		fire->heat[i] += 0.1 * (fire->heat[i - 1] - 2 * fire->heat[i] + fire->heat[i + 1]);
}

static void keep(const struct fire *fire)
{
	if (pwrite(fire->fd, fire->heat, CELLS * sizeof(double), 0) != CELLS * (ssize_t)sizeof(double))
		err(1, "ember.state");
}

int main(void)
{
	struct fire fire = {.fd = open("ember.state", O_WRONLY | O_CREAT | O_TRUNC, 0666)};

	fire.heat = calloc(CELLS, sizeof(double));
	if (fire.fd < 0 || !fire.heat)
		err(1, "ember.state");
	fire.heat[CELLS / 2] = 1000;
	for (int step = 1; step <= STEPS; step++) {
		burn(&fire);
#ifdef FIXED
		if (step == STEPS)
#endif
			keep(&fire); /* FINDING moved-again ember.state */
	}
	return close(fire.fd) != 0;
}
