/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve-lists.c - tables without an end, a page after another: files, sites and so on.
 *
 * The child that sums up the logs writes them as text (struct report), which stays in a file without
 * a name: the server knows where each hundredth row begins.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "serve.h"

enum { MOST_LISTS = 16, STRIDE = 100, NAME = 24 };

static const char *text;
static size_t text_size;
static struct list {
	char name[NAME];
	const char **at; /* each STRIDEth row */
	size_t n;	 /* rows */
	const char *end;
} lists[MOST_LISTS];
static size_t n_lists;

static void forget(void)
{
	while (n_lists)
		free(lists[--n_lists].at);
	if (text)
		munmap((void *)text, text_size);
	text = NULL;
}

static void add_row(struct list *l, const char *row)
{
	if (l->n % STRIDE == 0) {
		size_t n = l->n / STRIDE;

		/* twice as many at 1, 2, 4, ... */
		if (!(n & (n - 1)))
			l->at = reallocarray(l->at, n ? 2 * n : 1, sizeof(*l->at));
		if (!l->at)
			iot_no_memory();
		l->at[n] = row;
	}
	l->n++;
}

void lists_take(int fd)
{
	const char *at, *end, *next;
	struct stat st;
	struct list *l = NULL;

	forget();
	if (fstat(fd, &st) < 0 || !st.st_size)
		return;
	text_size = (size_t)st.st_size;
	text = mmap(NULL, text_size, PROT_READ, MAP_SHARED, fd, 0);
	if (text == MAP_FAILED) {
		text = NULL;
		return;
	}
	for (at = text, end = text + text_size; at < end && (next = memchr(at, '\n', (size_t)(end - at))); at = next + 1) {
		if (*at == '[' && n_lists < MOST_LISTS) {
			l = &lists[n_lists++];
			*l = (struct list){.end = next + 1};
			snprintf(l->name, sizeof(l->name), "%.*s", (int)(next - at) - 1, at + 1);
		} else if (l) {
			add_row(l, at);
			l->end = next + 1;
		}
	}
}

bool lists_has(const char *name)
{
	size_t i;

	for (i = 0; i < n_lists; i++)
		if (!strcmp(lists[i].name, name))
			return true;
	return false;
}

static bool number(const char *s, uint64_t least, uint64_t most, uint64_t *n)
{
	char *end;

	if (!s)
		return true;
	errno = 0;
	*n = strtoull(s, &end, 10);
	return *s >= '0' && *s <= '9' && !*end && !errno && *n >= least && *n <= most;
}

static const char *row_at(const struct list *l, size_t i)
{
	const char *at = i < l->n ? l->at[i / STRIDE] : l->end;
	size_t k;

	for (k = i % STRIDE; i < l->n && k; k--)
		at = (const char *)memchr(at, '\n', (size_t)(l->end - at)) + 1;
	return at;
}

const char *lists_answer(struct out *o, const char *name, const char *limit, const char *after, uint64_t generation)
{
	uint64_t n = 1000, first = 0, i;
	const struct list *l = lists;
	const char *at, *next;

	while (strcmp(l->name, name))
		l++;
	if (!number(limit, 1, 10000, &n))
		return "limit: is no number from 1 to 10000";
	if (!number(after, 0, UINT64_MAX, &first))
		return "after: is not what next said before";
	first = first < l->n ? first : l->n;
	n = n < l->n - first ? n : l->n - first;
	out_lit(o, "{\"");
	out_str(o, name);
	out_lit(o, "\":[");
	for (i = 0, at = row_at(l, first); i < n; i++, at = next + 1) {
		next = memchr(at, '\n', (size_t)(l->end - at));
		out_str(o, i ? ",\n" : "\n");
		iot_out_bytes(o, at, (size_t)(next - at));
	}
	out_lit(o, "],\"total\":");
	iot_out_unsigned(o, l->n);
	out_lit(o, ",\"generation\":");
	iot_out_unsigned(o, generation);
	out_lit(o, ",\"next\":");
	if (first + n < l->n) {
		out_char(o, '"');
		iot_out_unsigned(o, first + n);
		out_lit(o, "\"}\n");
	} else {
		out_lit(o, "null}\n");
	}
	return NULL;
}
