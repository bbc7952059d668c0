/* SPDX-License-Identifier: BSD-3-Clause */
/* searched.c - files that are looked for in many directories, where they are not. */
#include "config.h"

#include <stdlib.h>

#include "rules.h"

/* Nothing but failures: whatever is there in the end was found by another name. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	(void)rule;
	return iota_spot_v(spot, IOTA_S_MISSING) && !iota_spot_v(spot, IOTA_S_BENEATH) &&
			       iota_number(file, IOTA_F_ERRORS) == iota_number(file, IOTA_F_CALLS) &&
			       memchr(file->name, '/', file->name_len)
		       ? iota_spot_v(spot, IOTA_S_MISSING)
		       : 0;
}

struct missing {
	const char *base; /* in the path */
	size_t len;
	const struct iota_row *file;
};

static int by_base(const void *a, const void *b)
{
	const struct missing *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->base, y->base, x->len);
}

static int by_base_and_file(const void *a, const void *b)
{
	const struct missing *x = a, *y = b;
	int order = by_base(a, b);

	return order ? order : (x->file->number > y->file->number) -
				       (x->file->number < y->file->number);
}

/* How many directories the most looked for name is missing in; and how many names there
   are. */
static size_t directories(struct missing *m, size_t n, size_t *names, struct missing *most)
{
	size_t best = 0, i, j, k;

	*names = 0;
	for (i = 0; i < n; i = j) {
		for (j = k = i; j < n && !by_base(&m[i], &m[j]); j++)
			if (j == i || m[j].file != m[j - 1].file)
				k++;
		if (k - i > best) {
			best = k - i;
			*most = m[i];
		}
		++*names;
	}
	return best;
}

/* Is each asked for once, and does that cost little?  Somebody has to look once.  The longest call may have stood still. */
static bool is_once(const struct iota *a, const struct iota_rule *rule, const struct iota_group *g)
{
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < g->n; i++)
		time += g->spot[i]->counted ? 0 : iota_spot_v(g->spot[i], IOTA_S_TIME);
	time -= g->v[IOTA_S_MAX] < time ? g->v[IOTA_S_MAX] : time;
	return g->weight == g->files && time < iota_share(iota_io(a), rule->share);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct missing *m = iota_grow(NULL, g->n, sizeof(*m)), most = {0};
	size_t i, names, n;
	struct iota_finding f;

	for (i = 0; i < g->n; i++) {
		const struct iota_row *file = g->spot[i]->file;
		const char *slash = memrchr(file->name, '/', file->name_len);

		m[i] = (struct missing){slash + 1, (size_t)(file->name + file->name_len - slash - 1),
					file};
	}
	qsort(m, g->n, sizeof(*m), by_base_and_file);
	n = directories(m, g->n, &names, &most);
	free(m);
	if (n < 2 || g->files < 2 * names || is_once(a, rule, g))
		return;
	f = iota_about_group(rule, g);
	f.name = most.base;
	f.name_len = most.len;
	f.below = false;
	f.others = 0;
	f.of = n;
	iota_saves_without(&f, f.count);
	iota_finding_add(a, f);
}

LINES(searched, 260, judge, .system = true, .severity = IOTA_COST, .share = 5, .least = 10,
	.title = "a file looked for in many directories",
	.when = "A line of the program looks for files where they are not, {least} times or "
	  "more and by the same base name in several directories, as along a search path. If it asks once for each, that has "
	  "to take {share} % of the time of all I/O, without the longest call.",
	.says = "{count call} failed, in {of} directories",
	.assumes = "what is missing stays missing",
	.remedy = "Shorten the search path, put first where the file is, or remember that there "
	  "is none.")
