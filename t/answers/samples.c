/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples.c - takes samples of a signal and stores those that are above a threshold.
 *
 * build: iocc -static
 */
#include <err.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define SAMPLES 40000

struct sample {
	uint32_t at;
	float value;
	float slope;
	uint32_t flags;
};

static FILE *create(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		err(1, "%s", path);
#ifndef FIXED
	setvbuf(f, NULL, _IONBF, 0); /* FINDING unbuffered samples.dat */
#endif
	return f;
}

static void store(FILE *f, const struct sample *s)
{
	if (fwrite(s, sizeof(*s), 1, f) != 1) /* FINDING unbuffered samples.dat */
		err(1, "samples.dat");
}

int main(void)
{
	FILE *f = create("samples.dat");
	float before = 0;

	for (uint32_t i = 0; i < SAMPLES; i++) {
		float value = (float)(i * 2654435761u % 1000) / 1000;
		struct sample s = {i, value, value - before, value > 0.9f};

		if (value > 0.4f)
			store(f, &s);
		before = value;
	}
	if (fclose(f))
		err(1, "samples.dat");
	return 0;
}
