/* SPDX-License-Identifier: BSD-3-Clause */
/* copied_again.c - a file of which the kernel makes copy after copy. */
#include "config.h"

#include "rules.h"

/* How much of the file there is to copy, as far as that is known: what was read at known offsets, or written by the job. */
static uint64_t size_of(const struct iota_row *file)
{
	uint64_t read = iota_different(file, 0), written = iota_different(file, 1);

	return read > written ? read : written;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;
	uint64_t size = size_of(file);

	/* and not to others, through a socket */
	if (!(file->traits & IOTA_TRAIT_COPIED) || !iota_regular(file) || iota_is_updated(file))
		return 0;
	return size && iota_number(file, IOTA_F_READ) / rule->factor >= size ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f;

	if (g->v[IOTA_S_BYTES] < rule->size)
		return;
	f = iota_about_group(rule, g);
	f.of = size_of(g->file);
	iota_saves_without(&f, f.calls);
	iota_finding_add(a, f);
}

LINES(copied_again, 18, judge, .does = IOTA_THAT(COPY), .repeats = true, .severity = IOTA_COST, .light = true, .factor = 4, .size = 16777216,
	.title = "a file copied again and again",
	.when = "A line of the program has the kernel copy {size} bytes or more from a file to others, and each byte of the file is "
	  "copied {factor} times or more on average: sendfile(2), copy_file_range(2), and what calls them, such as C++'s copy_file(). "
	  "How long the file is has to be in the log: the job has written it, or read it as well.",
	.says = "{bytes} were copied, of a file of {of}",
	.assumes = "the copies are only read",
	.remedy = "Use the file where it is; or give it another name by link(2), if each has to have its own.")
