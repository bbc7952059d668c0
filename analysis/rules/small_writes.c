/* SPDX-License-Identifier: BSD-3-Clause */
/* small_writes.c - writes that move little, and many of them. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_small(rule, spot) ? iota_spot_v(spot, IOTA_S_SMALL) : 0;
}

LINES(small_writes, 250, iota_judge_small, .does = IOTA_THAT(WRITE), .repeats = true,
	.severity = IOTA_COST, .least = 1000, .share = 50, .size = 4096,
	.title = "small writes",
	.when = "A line of the program makes {least} or more writes of fewer than {size} bytes, and these are at "
	  "least {share} % of its writes to the file.",
	.says = "{count} of {of} writes moved less than {size} bytes, {bytes} in all",
	.assumes = IOTA_MERGED,
	.remedy = "Collect what is written: a larger buffer, setvbuf() for a stream; of MPI, more by each call, or a larger "
		"cb_buffer_size, which is in bytes.",
	.remedy_in[IOTA_CXX] = "Give the stream a larger buffer before it opens its file, rdbuf()->pubsetbuf(), and end "
		"lines with '\\n'; or make a block of text first, and write() that.",
	.remedy_in[IOTA_FORTRAN] = "Write whole arrays with one statement, or give units larger buffers: "
		"GFORTRAN_FORMATTED_BUFFER_SIZE, GFORTRAN_UNFORMATTED_BUFFER_SIZE.",
	.remedy_in[IOTA_PYTHON] = "Collect parts in a list and write them joined, or open the file with a larger buffer: "
		"open(name, \"wb\", buffering=1 << 20).")
