/* SPDX-License-Identifier: BSD-3-Clause */
/* inline.c - which functions the compiler has expanded at an address, as DWARF has it. */
#include "config.h"

#include <dwarf.h>
#include <stdlib.h>

#include "inline.h"

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

/* The scopes around the innermost one as they lie in the code; dwarf_getscopes alone
   has them, for an expanded function, as they lie in the source. */
static int scopes_at(Dwfl_Module *mod, Dwarf_Addr at, Dwarf_Die **scope, Dwarf_Die **unit)
{
	Dwarf_Die innermost;
	Dwarf_Addr bias;
	int n;

	*scope = NULL;
	*unit = dwfl_module_addrdie(mod, at, &bias);
	if (!*unit)
		return 0;
	n = dwarf_getscopes(*unit, at - bias, scope);
	if (n <= 0)
		return 0;
	innermost = (*scope)[0];
	free(*scope);
	*scope = NULL;
	n = dwarf_getscopes_die(&innermost, scope);
	return n > 0 ? n : 0;
}

size_t iotr_expanded_at(Dwfl_Module *mod, Dwarf_Addr at, struct iotr_expanded *to, size_t max)
{
	Dwarf_Files *files = NULL;
	Dwarf_Die *scope, *unit;
	int n = scopes_at(mod, at, &scope, &unit);
	size_t found = 0;

	if (n && dwarf_getsrcfiles(unit, &files, NULL) != 0)
		files = NULL;
	for (int i = 0; i < n && found < max; i++) {
		int tag = dwarf_tag(&scope[i]);

		if (tag == DW_TAG_subprogram)
			break;
		if (tag != DW_TAG_inlined_subroutine)
			continue;
		to[found] = (struct iotr_expanded){.func = name_of(&scope[i])};
		call_site(&scope[i], files, &to[found++]);
	}
	free(scope);
	return found;
}
