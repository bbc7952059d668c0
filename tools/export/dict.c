/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dict.c - numbers for what comes again: texts, stacks, whatever bytes there are.
 *
 * A hash with chains.
 */
#include "config.h"

#include <stdlib.h>

#include "export.h"

struct dict_entry {
	struct dict_entry *next;
	uint64_t hash, number;
	size_t len;
	char bytes[];
};

static void grow(struct dict *d)
{
	size_t size = d->size ? d->size * 2 : 256, i;
	struct dict_entry **slot = calloc(size, sizeof(struct dict_entry *)), *e, *next;

	if (!slot)
		iot_no_memory();
	for (i = 0; i < d->size; i++)
		for (e = d->slot[i]; e; e = next) {
			next = e->next;
			e->next = slot[e->hash & (size - 1)];
			slot[e->hash & (size - 1)] = e;
		}
	free(d->slot);
	d->slot = slot;
	d->size = size;
}

void iot_dict_free(struct dict *d)
{
	struct dict_entry *e, *next;
	size_t i;

	for (i = 0; i < d->size; i++)
		for (e = d->slot[i]; e; e = next) {
			next = e->next;
			free(e);
		}
	free(d->slot);
	d->slot = NULL;
	d->size = d->n = 0;
}

uint64_t *iot_dict(struct dict *d, const void *bytes, size_t len, bool *is_new)
{
	uint64_t hash = iota_hash(bytes, len);
	struct dict_entry *e;

	for (e = d->size ? d->slot[hash & (d->size - 1)] : NULL; e; e = e->next)
		if (e->hash == hash && e->len == len && !memcmp(e->bytes, bytes, len)) {
			*is_new = false;
			return &e->number;
		}
	if (d->most && d->n == d->most)
		iot_dict_free(d);
	if (d->n >= d->size)
		grow(d);
	e = malloc(sizeof(*e) + len);
	if (!e)
		iot_no_memory();
	*e = (struct dict_entry){d->slot[hash & (d->size - 1)], hash, 0, len};
	memcpy(e->bytes, bytes, len);
	d->slot[hash & (d->size - 1)] = e;
	d->n++;
	*is_new = true;
	return &e->number;
}
