/* SPDX-License-Identifier: BSD-3-Clause */
/* inline.h - see inline.c. */
#ifndef IOTR_INLINE_H
#define IOTR_INLINE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

/* A function that was expanded in another one.  The strings are libdw's. */
struct iotr_expanded {
	const char *func; /* as the linker would know it, or in the source; NULL: not known */
	const char *file; /* from where it was called; NULL: not known */
	int line;	  /* 0: not known */
};

/* Those that the code at that address belongs to, the innermost first: at most max. */
size_t iotr_expanded_at(Dwfl_Module *mod, Dwarf_Addr at, struct iotr_expanded *to, size_t max);

#endif
