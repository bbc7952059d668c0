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
	uint64_t address;

	*note = iotr_idmap_next(&notes->map, at, &address);
	if (!*note)
		return false;
	*about = (const void *)(uintptr_t)address;
	return true;
}

void iotr_notes_free(struct iotr_notes *notes)
{
	if (notes)
		iotr_idmap_free(&notes->map);
	free(notes);
}
