/* SPDX-License-Identifier: BSD-3-Clause */
/* strided.c - files of which parts are taken at equal distances. */
#include "config.h"

#include "rules.h"

/* Whoever goes through the same pieces from the start for each thing that is sought reads too often, in whatever steps:
   see reread. */
static bool is_sought(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->does == IOTA_DOES_READ && iota_times(spot->file, 0) >= rule->factor && !iota_is_updated(spot->file);
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_jumps(rule, spot) && !iota_goes_back(spot) && iota_strides(spot) && !is_sought(rule, spot)
		       ? iota_spot_v(spot, IOTA_S_JUMPS)
		       : 0;
}

LINES(strided, 210, iota_judge_jumps, .light = true, .repeats = true, .severity = IOTA_COST, .least = 1000, .share = 50, .factor = 8, .size = 65536,
	.title = "small pieces at equal distances",
	.when = "The same as backwards, but nearly all of these lie at the same distance from the last one. A file "
	  "of which each byte is read {factor} times or more on average is left out: see reread.",
	.says = "{count} of {of} reads and writes lie at equal distances, {bytes} in all",
	.assumes = "what lies between is read too, and costs little",
	.remedy = "Change the order of loops or of the data, or read what lies between as well, "
	  "in large parts.",
	.remedy_in[IOTA_FORTRAN] = "Change the order of loops or of dimensions, so that the first index, by which arrays "
		"are stored, is the innermost; or read what lies between as well, as one array.")
