/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.c - gives a fuzzing target the files that are named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		uint8_t *data = NULL;
		size_t n = 0, got;

		if (!f) {
			perror(argv[i]);
			return 1;
		}
		do {
			data = realloc(data, n + 65536);
			if (!data)
				return 1;
			got = fread(data + n, 1, 65536, f);
			n += got;
		} while (got);
		fclose(f);
		/* at an address of its own, so that reading past the end shows */
		uint8_t *exact = malloc(n ? n : 1);

		if (!exact)
			return 1;
		memcpy(exact, data, n);
		LLVMFuzzerTestOneInput(exact, n);
		free(exact);
		free(data);
		printf("ok %d - %s\n", i, argv[i]);
	}
	printf("1..%d\n", argc - 1);
	return 0;
}
