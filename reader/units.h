/* SPDX-License-Identifier: BSD-3-Clause */
/* units.h - see units.c. */
#ifndef IOTR_UNITS_H
#define IOTR_UNITS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>

struct iotr_unit;

/* Those of a module.  All zero: not looked at yet. */
struct iotr_units {
	struct iotr_unit *unit;
	size_t n, cap;
	struct iotr_code_ranges *code;
	bool known;
};

/* What DWARF has of an address. */
struct iotr_source {
	Dwarf_Addr at;	    /* the address as DWARF counts */
	Dwarf_Die lines;    /* the unit that has the lines */
	Dwarf_Die unit;	    /* the unit that has the functions, which may lie in a file of its own */
	Dwarf_Die function; /* if has_function */
	bool has_function;
	const char *dir; /* where the compiler ran, which relative names start from; NULL: not known */
};

/* Is there anything about that address of the module? */
bool iotr_source_at(struct iotr_units *units, Dwfl_Module *mod, Dwarf_Addr at, struct iotr_source *to);
/* To the next one of the same parent, if there is one. */
bool iotr_next_die(Dwarf_Die *die);
void iotr_units_free(struct iotr_units *units);

#endif
