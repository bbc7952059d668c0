/* SPDX-License-Identifier: BSD-3-Clause */
/* small_reads.c - reads that move little, and many of them. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_small(rule, spot) ? iota_spot_v(spot, IOTA_S_SMALL) : 0;
}

LINES(small_reads, 240, iota_judge_small, .does = IOTA_THAT(READ), .repeats = true,
	.severity = IOTA_COST, .least = 1000, .share = 50, .size = 4096,
	.title = "small reads",
	.when = "A line of the program makes {least} or more reads of fewer than {size} bytes, and these are at "
	  "least {share} % of its reads of the file. A read that meets the end of the file does not count as small.",
	.says = "{count} of {of} reads moved less than {size} bytes, {bytes} in all",
	.assumes = IOTA_MERGED,
	.remedy = "Read more at once: a larger buffer, setvbuf() for a stream; of MPI, more by each call.",
	.remedy_in[IOTA_CXX] = "Give the stream a larger buffer before it opens its file, rdbuf()->pubsetbuf(), or "
		"read() a large block and take that apart.",
	.remedy_in[IOTA_FORTRAN] = "Read whole arrays with one statement, or give units larger buffers: "
		"GFORTRAN_FORMATTED_BUFFER_SIZE, GFORTRAN_UNFORMATTED_BUFFER_SIZE.",
	.remedy_in[IOTA_PYTHON] = "Read more at once, f.read(1 << 20) for instance, or open the file with a larger buffer: "
		"open(name, \"rb\", buffering=1 << 20).")
