/* SPDX-License-Identifier: BSD-3-Clause */
/* searched.c - files that are looked for in many directories, where they are not. */
#include "config.h"

#include <stdlib.h>

#include "rules.h"

struct missing {
	const struct iota_row *row;
	const char *base; /* in the row's name */
	size_t len;
};

static int by_base(const void *a, const void *b)
{
	const struct missing *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->base, y->base, x->len);
}

/* What has a directory in its name, and nothing but failures. */
static size_t find_missing(const struct iota_table *files, struct missing *m)
{
	size_t i, n = 0;

	for (i = 0; i < files->n; i++) {
		const struct iota_row *row = files->row[i];
		const char *slash = memrchr(row->name, '/', row->name_len);

		if (!slash || !row->v[IOTA_F_ERRORS] ||
		    row->v[IOTA_F_ERRORS] != row->v[IOTA_F_CALLS])
			continue;
		m[n++] = (struct missing){
			.row = row,
			.base = slash + 1,
			.len = (size_t)(row->name + row->name_len - slash - 1),
		};
	}
	return n;
}

void iota_rule_searched(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_table *files = iota_table(a, IOTA_BY_FILE);
	struct missing *m = iota_grow(NULL, files->n + 1, sizeof(*m));
	size_t n = find_missing(files, m), i, j;

	(void)e;
	if (n)
		qsort(m, n, sizeof(*m), by_base);
	for (i = 0; i < n; i = j) {
		struct iota_finding f = {.rule = rule, .name = m[i].base, .name_len = m[i].len};

		for (j = i; j < n && !by_base(&m[i], &m[j]); j++) {
			f.count += m[j].row->v[IOTA_F_CALLS];
			f.time += m[j].row->v[IOTA_F_SELF];
		}
		f.of = j - i;
		if (f.of >= rule->least)
			iota_finding_add(a, f);
	}
	free(m);
}
