/* SPDX-License-Identifier: BSD-3-Clause */
/* inline.h - see inline.c. */
#ifndef IOTR_INLINE_H
#define IOTR_INLINE_H

#include "units.h"

/* A function that was expanded in another one.  The strings are libdw's. */
struct iotr_expanded {
	const char *func; /* as the linker would know it, or in the source; NULL: not known */
	const char *file; /* from where it was called; NULL: not known */
	int line;	  /* 0: not known */
};

/* Those that the code at that address belongs to, the innermost first.  Of more than max, the
   outermost and max - 1 others. */
size_t iotr_expanded_at(struct iotr_source *source, struct iotr_expanded *to, size_t max);

#endif
