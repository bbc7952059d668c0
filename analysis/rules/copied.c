/* SPDX-License-Identifier: BSD-3-Clause */
/* copied.c - files that are copied, and then emptied or removed, again and again: names could change in place of bytes. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_function *f = iota_innermost(spot->from->chain);

	(void)rule;
	if (!f || !spot->is_syscall || spot->counted || !iota_regular(spot->file))
		return 0;
	if (spot->does == IOTA_DOES_COPY) /* sendfile(2) may send it to others */
		return !strcmp(spot->from->call, "copy_file_range") ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
	return iota_copies(f) ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

/* What a function reads of files that are emptied, or removed, about as often as it reads them. */
struct sources {
	uint64_t bytes, different;
	const struct iota_row *most; /* read */
	size_t files;
};

static struct sources sources_of(const struct iota *a, const struct iota_function *f, bool in_kernel)
{
	const struct iota_row *last = NULL;
	struct sources sum = {0};
	uint64_t different, bytes;
	size_t i;

	for (i = 0; i < a->spots.n; i++) {
		const struct iota_spot *s = a->spots.spot[i];

		if (s->does != (in_kernel ? IOTA_DOES_COPY : IOTA_DOES_READ) || !s->is_syscall || iota_innermost(s->from->chain) != f)
			continue;
		different = iota_different(s->file, 0);
		bytes = iota_spot_v(s, IOTA_S_BYTES);
		if (!different || bytes / different > iota_anew(s->file) + 1)
			continue;
		sum.files += s->file != last;
		last = s->file;
		sum.bytes += bytes;
		sum.different += bytes < different ? bytes : different;
		if (!sum.most || s->file->placed[0] > sum.most->placed[0])
			sum.most = s->file;
	}
	return sum;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	const struct iota_function *function = iota_innermost(g->heaviest->from->chain);
	uint64_t written = g->v[IOTA_S_BYTES];
	struct iota_finding f;
	struct sources from;
	size_t i;

	if (written < rule->size)
		return;
	from = sources_of(a, function, g->heaviest->does == IOTA_DOES_COPY);
	if (from.bytes > written + written / 100 || from.bytes < written - written / 100 || from.bytes / rule->factor < from.different)
		return;
	f = iota_about_group(rule, g);
	if (!f.below) {
		f.name = from.most->name;
		f.name_len = from.most->name_len;
		f.others = from.files ? from.files - 1 : 0;
	}
	f.bytes = written;
	f.of = from.different;
	for (i = 0; i < a->spots.n; i++)
		f.time += iota_innermost(a->spots.spot[i]->from->chain) == function ? iota_spot_count(a->spots.spot[i]) : 0;
	f.saves[0] = f.time / 2;
	f.saves[1] = f.time;
	iota_finding_add(a, f);
}

LINES(copied, 17, judge, .does = IOTA_THAT(WRITE) | IOTA_THAT(COPY), .repeats = true, .severity = IOTA_COST, .light = true,
	.factor = 4, .size = 16777216,
	.title = "files copied whole, and then emptied",
	.when = "A function of the program copies {size} bytes or more from files that are emptied, or removed, about as often as "
	  "it copies them, and of which it has read each byte {factor} times or more on average: logs that are turned, a state that is put by.",
	.says = "{bytes} were copied, from files that have {of} at a time and are emptied or removed then",
	.assumes = "what is copied is not changed, and a file can change its name",
	.remedy = "Give the file another name, rename(2), and begin a new one; or copy it less often: when it is larger.")
