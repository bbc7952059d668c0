/* SPDX-License-Identifier: BSD-3-Clause */
/* unbuffered.c - streams without a buffer. */
#include "config.h"

#include <stdio.h>

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_set_buffering(rule, spot, _IONBF) || iota_lacks_filebuf(rule, spot) ||
			       iota_lacks_buffer(rule, spot)
		       ? iota_spot_v(spot, IOTA_S_SMALL) : 0;
}

LINES(unbuffered, 120, iota_judge_small, .severity = IOTA_COST, .least = 1000, .share = 50, .size = 4096,
	.title = "a stream without a buffer",
	.when = "A stream that setvbuf(3) has left without a buffer, or that has none from the start, as stderr, makes "
	  "{least} or more system calls from one line, and at least {share} % of them move fewer than "
	  "{size} bytes; or one of C++ does, and its calls show that it has no buffer.",
	.says = "{count} of {of} calls moved less than {size} bytes, {bytes} in all, since the "
	  "stream has no buffer",
	.assumes = IOTA_MERGED,
	.remedy = "Let the stream have its buffer: no setvbuf() with _IONBF. stderr has none unless setvbuf() gives "
		"it one, _IOFBF; or give what is to be kept a stream of its own.",
	.remedy_in[IOTA_CXX] = "Let the stream have its buffer: no rdbuf()->pubsetbuf(nullptr, 0).",
	.remedy_in[IOTA_FORTRAN] = "Let units have their buffers: no GFORTRAN_UNBUFFERED_ALL or "
		"GFORTRAN_UNBUFFERED_PRECONNECTED.",
	.remedy_in[IOTA_PYTHON] = "Let the file have its buffer: no buffering=0.")
