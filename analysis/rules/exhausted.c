/* SPDX-License-Identifier: BSD-3-Clause */
/* exhausted.c - descriptors that nobody closes, until there are no more. */
#include "config.h"

#include "rules.h"

RULE(exhausted, 28, iota_judge_leaks, .weigh = iota_weigh_leaks, .over = IOTA_OVER_LINES, .severity = IOTA_FAULT, .is_cause = true, .least = 10,
	.title = "descriptors never closed, until there are no more",
	.when = "A line of the program opens files that nobody closes, {least} times or more, and calls fail since there "
	  "can be no more descriptors (EMFILE, ENFILE). It comes before what costs most.",
	.says = "{count} descriptors were never closed, and {of} calls failed for want of one",
	.remedy = "Close each file, also where the function returns early. A higher limit (ulimit -n) only puts it off.",
	.remedy_in[IOTA_CXX] = "Let a stream be local, whose destructor closes it; call close() where a descriptor is "
		"kept.",
	.remedy_in[IOTA_FORTRAN] = "CLOSE each unit, also where the subroutine returns early.",
	.remedy_in[IOTA_PYTHON] = "Open files by \"with\", which closes them, also on an exception.")
