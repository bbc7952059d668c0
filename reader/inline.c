/* SPDX-License-Identifier: BSD-3-Clause */
/* inline.c - which functions the compiler has expanded at an address, as DWARF has it. */
#include "config.h"

#include <dwarf.h>

#include "inline.h"

/* Expanded in each other at one address, and blocks around them: compilers stop far earlier,
   a damaged file may not. */
#define MAX_CHAIN 200
#define MAX_DEPTH 1000

static const char *name_of(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	/* of a function of C++ this one says namespace and parameters as well */
	if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	return name ? name : dwarf_diename(function);
}

/* Where the expanded function was called. */
static void call_site(Dwarf_Die *function, Dwarf_Files *files, struct iotr_expanded *to)
{
	Dwarf_Attribute attr;
	Dwarf_Word n;

	if (dwarf_formudata(dwarf_attr(function, DW_AT_call_line, &attr), &n) == 0)
		to->line = (int)n;
	if (files && dwarf_formudata(dwarf_attr(function, DW_AT_call_file, &attr), &n) == 0)
		to->file = dwarf_filesrc(files, n, NULL, NULL);
}

/* Blocks and expanded functions are within the one that they belong to.  A block that has
   no address of its own may have some that do. */
static bool is_around(Dwarf_Die *die, Dwarf_Addr at)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_inlined_subroutine:
		return dwarf_haspc(die, at) > 0;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return dwarf_haspc(die, at) > 0 ||
		       !(dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges));
	default:
		return false;
	}
}

/* What was found, the outermost first. */
struct chain {
	Dwarf_Die in[MAX_CHAIN];
	size_t n;
};

static bool find(Dwarf_Die *parent, Dwarf_Addr at, struct chain *chain, unsigned int depth)
{
	Dwarf_Die die;

	if (depth > MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return false;
	do {
		bool expanded = dwarf_tag(&die) == DW_TAG_inlined_subroutine;

		if (!is_around(&die, at))
			continue;
		if (expanded && chain->n < MAX_CHAIN)
			chain->in[chain->n++] = die;
		if (find(&die, at, chain, depth + 1) || expanded)
			return true;
	} while (iotr_next_die(&die));
	return false;
}

size_t iotr_expanded_at(struct iotr_source *source, struct iotr_expanded *to, size_t max)
{
	Dwarf_Files *files = NULL;
	struct chain chain = {.n = 0};
	size_t n;

	if (!source->has_function || !find(&source->function, source->at, &chain, 0))
		return 0;
	if (dwarf_getsrcfiles(&source->unit, &files, NULL) != 0)
		files = NULL;
	n = chain.n < max ? chain.n : max;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Die *die = &chain.in[i + 1 < n ? chain.n - 1 - i : 0];

		to[i] = (struct iotr_expanded){.func = name_of(die)};
		call_site(die, files, &to[i]);
	}
	return n;
}
