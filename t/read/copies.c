/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copies.c LOG... - copies of all calls say, once all is read, what the calls said.
 * Prints "CALLS calls, VALUES strings", or what differs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iotrace/read.h"

struct kept {
	struct iotr_call *copy;
	char *text;
};

static size_t n_strings;

static void put(FILE *f, const struct iotr_value *v)
{
	fprintf(f, " %d", (int)v->type);
	switch (v->type) {
	case IOTR_VAL_BYTES:
		n_strings++;
		fprintf(f, "=%u:", v->len);
		fwrite(v->bytes, 1, v->len, f);
		break;
	case IOTR_VAL_WORD:
		fprintf(f, "=%llu", (unsigned long long)v->word);
		break;
	case IOTR_VAL_PATH:
		fprintf(f, "=%s", v->path->name);
		break;
	default:
		break;
	}
}

static char *text_of(const struct iotr_call *c)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		exit(99);
	fprintf(f, "%llu %s %llu %llu %u %u %d", (unsigned long long)c->id, c->schema->name,
		(unsigned long long)c->start, (unsigned long long)c->dur, c->tid, c->depth,
		(int)c->status);
	put(f, &c->entry);
	for (unsigned i = 0; i < c->schema->n_params; i++)
		put(f, &c->value[i]);
	if (fclose(f))
		exit(99);
	return text;
}

int main(int argc, char **argv)
{
	struct iotr_set *set = iotr_set_new(NULL, NULL);
	const struct iotr_call *c;
	struct kept *kept = NULL;
	size_t n = 0;

	for (int i = 1; i < argc; i++)
		if (iotr_set_add(set, argv[i]) < 0)
			return 2;
	while ((c = iotr_set_next(set))) {
		kept = realloc(kept, (n + 1) * sizeof(*kept));
		if (!kept)
			return 99;
		kept[n].copy = iotr_call_copy(c);
		kept[n++].text = text_of(c);
	}
	printf("%zu calls, %zu strings\n", n, n_strings);
	for (size_t i = 0; i < n; i++) {
		char *now = text_of(kept[i].copy);

		if (strcmp(now, kept[i].text) != 0) {
			printf("was: %s\nis:  %s\n", kept[i].text, now);
			return 1;
		}
		free(now);
		free(kept[i].text);
		iotr_call_free(kept[i].copy);
	}
	free(kept);
	iotr_set_free(set);
	return 0;
}
