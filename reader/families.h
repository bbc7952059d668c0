/* SPDX-License-Identifier: BSD-3-Clause */
/* families.h - what table/families.def says of families to the reader. */
#ifndef IOTR_FAMILIES_H
#define IOTR_FAMILIES_H

#include <stdbool.h>

struct iotr_family {
	bool inside_is_libcs; /* what is called inside of its calls */
	bool prints_names;    /* of arguments */
};
struct iotr_family iotr_family_of(const char *name); /* one that is not known has neither */

#endif
