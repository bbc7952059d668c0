/* SPDX-License-Identifier: BSD-3-Clause */
/* notes.c - what an analysis remembers about paths, descriptors and the like. */
#include "config.h"

#include <stdlib.h>

#include "starve.h"

struct iotr_notes {
	struct iotr_idmap map; /* by address */
};

struct iotr_notes *iotr_notes_new(void)
{
	return calloc(1, sizeof(struct iotr_notes));
}

void *iotr_notes_get(const struct iotr_notes *notes, const void *about)
{
	return iotr_idmap_get(&notes->map, (uintptr_t)about);
}

int iotr_notes_put(struct iotr_notes *notes, const void *about, void *note)
{
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard))
		return -1;
	iotr_idmap_put(&notes->map, (uintptr_t)about, note);
	iotr_guard_end(&guard);
	return 0;
}

bool iotr_notes_next(const struct iotr_notes *notes, size_t *at, const void **about, void **note)
{
	const struct iotr_idmap *m = &notes->map;

	for (; m->value && *at <= m->mask; ++*at) {
		if (!m->value[*at])
			continue;
		*about = (const void *)(uintptr_t)m->key[*at];
		*note = m->value[(*at)++];
		return true;
	}
	return false;
}

void iotr_notes_free(struct iotr_notes *notes)
{
	if (notes)
		iotr_idmap_free(&notes->map);
	free(notes);
}
