/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * particles.c - moves particles through a box, and writes where they are after some of the
 * steps.
 *
 * build: iocc -static
 * as: notes
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARTICLES 4000
#define STEPS     20

struct particle {
	double x, v;
};

static void put(int fd, const void *data, size_t size)
{
	const char *from = data;

	while (size) {
		ssize_t n = write(fd, from, size);

		if (n < 0)
			err(1, "write");
		from += n;
		size -= (size_t)n;
	}
}

static void move(struct particle *p, double dt)
{
	for (int i = 0; i < PARTICLES; i++) {
		p[i].x += p[i].v * dt;
		if (p[i].x < 0 || p[i].x > 1)
			p[i].v = -p[i].v;
	}
}

static void save(int fd, int step, const struct particle *p)
{
	long head[2] = {step, PARTICLES};

	put(fd, head, sizeof(head));
#ifdef FIXED
	put(fd, p, PARTICLES * sizeof(*p));
#else
	for (int i = 0; i < PARTICLES; i++)
		put(fd, &p[i], sizeof(p[i])); /* FINDING small-writes out/particles.bin */
#endif
}

int main(void)
{
	struct particle *p = calloc(PARTICLES, sizeof(*p));
	int fd;

	if (!p || mkdir("out", 0777))
		err(1, "out");
	fd = open("out/particles.bin", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0)
		err(1, "out/particles.bin");
	for (int i = 0; i < PARTICLES; i++)
		p[i].v = i * 1e-4;
	for (int step = 0; step < STEPS; step++) {
		for (int i = 0; i < 10; i++)
			move(p, 0.01);
		save(fd, step, p);
	}
	if (close(fd))
		err(1, "out/particles.bin");
	free(p);
	return 0;
}
