/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source.c - lines of the program's source, where the source is there.
 *
 * Debugging information says which file that is, and a log may come from anybody: only what has
 * the name of a source and is a regular file is read, so that a page has no other file's text.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../stat/member.h"
#include "data.h"

#define MOST_LINES 4000
#define MOST_BYTES 160 /* of a line */
#define LONGEST_FILE (32 << 20)

struct place {
	const char *file;
	int line;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static bool is_source(const char *file)
{
	static const char *const ends[] = {"c",	  "h",	 "cc",	"hh",  "cpp", "hpp", "cxx", "hxx", "C",	 "f", "F",
					   "f90", "F90", "f95", "f03", "f08", "for", "py",  "rs",  "go", "s", "S"};
	const char *dot = strrchr(file, '.');
	size_t i;

	if (*file != '/' || !dot)
		return false;
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!strcmp(dot + 1, ends[i]))
			return true;
	return false;
}

/* NULL: it is not there, or is nothing to be read. */
static FILE *open_source(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	FILE *f;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= LONGEST_FILE && (f = fdopen(fd, "r")))
		return f;
	close(fd);
	return NULL;
}

/* Without what it is indented by. */
static void out_line(struct out *o, int number, const char *text, size_t len, bool first)
{
	while (len && strchr(" \t", *text)) {
		text++;
		len--;
	}
	while (len && strchr("\r\n\t ", text[len - 1]))
		len--;
	if (len > MOST_BYTES) {
		len = MOST_BYTES;
		while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
			len--;
	}
	out_str(o, first ? "\"" : ",\"");
	iot_out_unsigned(o, (uint64_t)number);
	out_lit(o, "\":");
	json_text(o, text, len);
}

/* n places in one file, by line. */
static void out_source(struct out *o, const struct place *place, size_t n, bool first)
{
	FILE *f = open_source(place->file);
	char *text = NULL;
	size_t size = 0, i = 0;
	bool any = false;
	ssize_t len;
	int number;

	if (!first)
		out_char(o, ',');
	json_text(o, place->file, strlen(place->file));
	out_lit(o, ":{");
	for (number = 1; f && i < n && (len = getline(&text, &size, f)) >= 0; number++) {
		if (number != place[i].line)
			continue;
		out_line(o, number, text, (size_t)len, !any);
		any = true;
		while (i < n && place[i].line == number)
			i++;
	}
	out_char(o, '}');
	free(text);
	if (f)
		fclose(f);
}

void data_sources(struct out *o, const struct iota_picture *p)
{
	struct place *place = reallocarray(NULL, p->n_nodes + 1, sizeof(*place));
	size_t i, k, n = 0;

	if (!place)
		iot_no_memory();
	for (i = 0; i < p->n_nodes && n < MOST_LINES; i++)
		if (p->node[i].file && p->node[i].line > 0 && is_source(p->node[i].file))
			place[n++] = (struct place){p->node[i].file, p->node[i].line};
	qsort(place, n, sizeof(*place), by_place);
	json_key(o, "sources");
	out_char(o, '{');
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && !strcmp(place[k].file, place[i].file); k++)
			;
		out_source(o, &place[i], k - i, !i);
	}
	out_char(o, '}');
	free(place);
}
