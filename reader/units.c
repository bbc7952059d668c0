/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * units.c - which unit of DWARF code belongs to, and which function of the unit's.
 *
 * libdw finds units by .debug_aranges alone, which clang does not make, and functions by
 * looking through the whole unit, which it gives up for some of rustc's.  Here both are
 * tables: units are listed when a module's first address is looked up, functions when
 * the first one of their unit is.  What belongs to a function at its address, as what is
 * expanded there, is left to inline.c.
 */
#include "config.h"

#include <dwarf.h>
#include <stdlib.h>

#include "log-data.h"
#include "units.h"

/* Functions are in classes in namespaces, or in other functions.  A damaged file may go on. */
#define MAX_DEPTH 200

struct code_range {
	Dwarf_Addr low, high; /* from low up to high, without it */
	Dwarf_Addr reach;     /* how far this one and all before it go */
	size_t of;	      /* whose it is */
};

/* Code, by where it begins. */
struct iotr_code_ranges {
	struct code_range *range;
	size_t n, cap;
};

struct iotr_unit {
	Dwarf_Die lines, die;
	Dwarf_Die *function;
	size_t n, cap;
	struct iotr_code_ranges code;
	bool known; /* its functions are listed */
};

/* Code that the linker dropped is left at one of these, where no code is. */
static bool is_dropped(Dwarf_Addr low)
{
	return low <= 1;
}

static void add_ranges(struct iotr_code_ranges *code, Dwarf_Die *die, size_t of)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(die, next, &base, &low, &high)) > 0) {
		if (is_dropped(low) || low >= high)
			continue;
		code->range = iotr_grow(code->range, &code->cap, code->n + 1, sizeof(*code->range));
		code->range[code->n++] = (struct code_range){.low = low, .high = high, .of = of};
	}
}

static int by_low(const void *a, const void *b)
{
	const struct code_range *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->of > y->of) - (x->of < y->of);
}

static void sort_ranges(struct iotr_code_ranges *code)
{
	Dwarf_Addr reach = 0;

	if (code->n)
		qsort(code->range, code->n, sizeof(*code->range), by_low);
	for (size_t i = 0; i < code->n; i++) {
		if (code->range[i].high > reach)
			reach = code->range[i].high;
		code->range[i].reach = reach;
	}
}

/* What has the code at that address; of several, which a linker made one of, the first. */
static const struct code_range *range_at(const struct iotr_code_ranges *code, Dwarf_Addr at)
{
	const struct code_range *found = NULL;
	size_t first = 0, end = code->n;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (code->range[middle].low <= at)
			first = middle + 1;
		else
			end = middle;
	}
	for (; first && code->range[first - 1].reach > at; first--) {
		const struct code_range *r = &code->range[first - 1];

		if (found && r->low != found->low)
			break;
		if (at < r->high)
			found = r;
	}
	return found;
}

/* A damaged file can have one behind itself. */
bool iotr_next_die(Dwarf_Die *die)
{
	const void *before = die->addr;

	return dwarf_siblingof(die, die) == 0 && (const char *)die->addr > (const char *)before;
}

static bool has_functions(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return true;
	default:
		return false;
	}
}

/* A nested function lies in the DIE of its outer one, and elsewhere in the code. */
static void add_functions(struct iotr_unit *unit, Dwarf_Die *parent, unsigned int depth)
{
	Dwarf_Die die;

	if (depth > MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram) {
			unit->function = iotr_grow(unit->function, &unit->cap, unit->n + 1,
						   sizeof(*unit->function));
			unit->function[unit->n] = die;
			add_ranges(&unit->code, &die, unit->n++);
		}
		if (has_functions(tag))
			add_functions(unit, &die, depth + 1);
	} while (iotr_next_die(&die));
}

static void list_units(struct iotr_units *units, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	units->code = iotr_alloc(sizeof(*units->code));
	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &split) == 0) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		units->unit = iotr_grow(units->unit, &units->cap, units->n + 1, sizeof(*units->unit));
		units->unit[units->n] = (struct iotr_unit){
			.lines = die,
			.die = type == DW_UT_skeleton && split.addr ? split : die,
		};
		add_ranges(units->code, &die, units->n++);
	}
	sort_ranges(units->code);
}

bool iotr_source_at(struct iotr_units *units, Dwfl_Module *mod, Dwarf_Addr at, struct iotr_source *to)
{
	Dwarf_Addr bias;
	Dwarf *dwarf = dwfl_module_getdwarf(mod, &bias);
	const struct code_range *range;
	struct iotr_unit *unit;
	Dwarf_Attribute dir;

	if (!dwarf)
		return false;
	if (!units->known)
		list_units(units, dwarf);
	units->known = true;
	at -= bias;
	range = range_at(units->code, at);
	if (!range)
		return false;
	unit = &units->unit[range->of];
	if (!unit->known) {
		add_functions(unit, &unit->die, 0);
		sort_ranges(&unit->code);
	}
	unit->known = true;
	range = range_at(&unit->code, at);
	*to = (struct iotr_source){.at = at, .lines = unit->lines, .unit = unit->die};
	to->dir = dwarf_formstring(dwarf_attr(&to->lines, DW_AT_comp_dir, &dir));
	if (range) {
		to->function = unit->function[range->of];
		to->has_function = true;
	}
	return true;
}

void iotr_units_free(struct iotr_units *units)
{
	for (size_t i = 0; i < units->n; i++) {
		free(units->unit[i].function);
		free(units->unit[i].code.range);
	}
	free(units->unit);
	if (units->code)
		free(units->code->range);
	free(units->code);
}
