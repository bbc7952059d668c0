/* SPDX-License-Identifier: BSD-3-Clause */
/* element_wise.c - arrays that Fortran statements move element by element. */
#include "config.h"

#include "rules.h"

/* What is as much work for the runtime to read as a statement is. */
#define WORK 1024 /* bytes */

/* Does the runtime read much more than is asked for, since each statement reads elsewhere?  Then
   that is what costs. */
static bool is_elsewhere(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	return spot->does == IOTA_DOES_READ && iota_number(file, IOTA_F_READ) / rule->factor > iota_spot_v(spot, IOTA_S_BYTES) &&
	       iota_number(file, IOTA_F_READ) / iota_spot_v(spot, IOTA_S_CALLS) >= WORK;
}

/* Do statements move this much of the file each, on average?  Then those that move little have what belongs to arrays
   that others move. */
static uint64_t mean_of_file(const struct iota_spot *spot)
{
	const struct iota_spot *s;
	uint64_t calls = 0, bytes = 0;

	for (s = spot->file->spots; s; s = s->next_of_file)
		if (s->does == spot->does && iota_names_statement(s->from->call)) {
			calls += iota_spot_v(s, IOTA_S_CALLS);
			bytes += iota_spot_v(s, IOTA_S_BYTES);
		}
	return calls ? bytes / calls : 0;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t calls = iota_spot_v(spot, IOTA_S_CALLS);
	bool of_all = iota_spot_v(spot, IOTA_S_RAW) == calls || iota_spot_v(spot, IOTA_S_NONADVANCING) == calls;

	return of_all && iota_spot_mean(spot) < rule->size && mean_of_file(spot) < rule->size &&
			       !is_elsewhere(rule, spot)
		       ? calls
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule,
		  const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f = iota_about_group(rule, g);

	iota_saves_without(&f, f.count - (f.count + 99) / 100);
	if (!g->v[IOTA_S_RAW])
		iota_saves_text(&f, f.bytes);
	iota_finding_add(a, f);
}

LINES(element_wise, 160, judge, .repeats = true, .severity = IOTA_COST, .least = 1000, .factor = 4, .size = 64,
	.title = "arrays element by element",
	.when = "A line of a Fortran program executes {least} or more statements that transfer fewer than "
	  "{size} bytes on average, as do all statements on the file, and are unformatted, or do not end the record "
	  "(ADVANCE=\\(aqNO\\(aq). Those that read elsewhere each time, so that {factor} times as many bytes are read as they ask for, are left out.",
	.says = "{count} statements moved {bytes}",
	.assumes = "one statement for 100 elements would do",
	.remedy = "Transfer whole arrays: WRITE (unit) a; for direct access, longer records.")
