/* SPDX-License-Identifier: BSD-3-Clause */
/* leaked.c - descriptors that nobody closes. */
#include "config.h"

#include "rules.h"

RULE(leaked, 30, iota_judge_leaks, .weigh = iota_weigh_leaks, .over = IOTA_OVER_LINES, .severity = IOTA_FAULT, .least = 10,
	.title = "descriptors never closed",
	.when = "A line of the program opens files that nobody closes, {least} times or more, and there are "
	  "descriptors enough.  Files that are kept open, such as the last ones that were used, do not count: "
	  "others that the line opened were used again, or closed, after as many openings by the thread as these have been idle for.",
	.says = "{count} descriptors were never closed",
	.remedy = "Close each file, also where the function returns early.",
	.remedy_in[IOTA_CXX] = "Let a stream be local, whose destructor closes it; call close() where a descriptor is "
		"kept.",
	.remedy_in[IOTA_FORTRAN] = "CLOSE each unit, also where the subroutine returns early.",
	.remedy_in[IOTA_PYTHON] = "Open files by \"with\", which closes them, also on an exception.")
