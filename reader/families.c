/* SPDX-License-Identifier: BSD-3-Clause */
/* families.c - what table/families.def says of families. */
#include "config.h"

#include <string.h>

#include "families.h"

enum { ANYONE, LIBC };
enum { ARGUMENTS, NAMED };

static const struct {
	const char *name;
	struct iotr_family family;
} families[] = {
#define IOT_FAMILY(id, name, usual, inside, text, prints, heading) {#name, {inside, prints}},
#include "../table/families.def"
};

struct iotr_family iotr_family_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!strcmp(families[i].name, name))
			return families[i].family;
	return (struct iotr_family){false, false};
}
