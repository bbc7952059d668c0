/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sum.c - what the checksum of a block costs, in ns: sum BYTES.
 *
 * Of blocks that were written just before, as the recorder's are: they come from the
 * cache of the second or third level.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../include/iotrace-format.h"

#define BLOCKS 16

int main(int argc, char **argv)
{
	size_t words = (argc > 1 ? strtoul(argv[1], NULL, 0) : 65536) / 8;
	uint64_t *w = malloc(BLOCKS * words * 8 + 8), sum = 0;
	struct timespec from, to;
	const int rounds = 2000;

	if (!w || !words)
		return 1;
	for (size_t i = 0; i < BLOCKS * words; i++)
		w[i] = i * IOT_SUM_FACTOR;
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (int i = 0; i < rounds; i++)
		sum += iot_sum(0, w + (size_t)(i % BLOCKS) * words, words);
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("%.1f\n", ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / rounds);
	free(w);
	return sum == 1;
}
