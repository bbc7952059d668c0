/* SPDX-License-Identifier: BSD-3-Clause */
/* list-parts FILE... - the rows of parts.c's table: what a link may add, as it has been built. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "whole.h"

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		uint64_t bytes = iot_whole_bytes(argv[i]);

		if (!bytes) {
			fprintf(stderr, "list-parts: %s is not whole (remove it, and make again)\n", argv[i]);
			return 1;
		}
		printf("{ \"%s\", %" PRIu64 " },\n", argv[i], bytes);
	}
	return fflush(stdout) != 0;
}
