/* SPDX-License-Identifier: BSD-3-Clause */
/* kinds.c - what table/kinds.def says of kinds. */
#include "config.h"

#include <string.h>

#include "schema.h"

static const struct {
	const char *name;
	uint8_t place, as, none;
} kinds[IOTR_N_KINDS] = {
#define IOT_KIND(number, id, name, place, as, none, ...) \
	[number] = {#name, IOTR_AT_##place, IOTR_AS_##as, IOTR_NONE_##none},
#define IOT_RESULT(number, id, name, ...) [number] = {#name, IOTR_AT_NONE, IOTR_AS_SIGNED, IOTR_NONE_NEVER},
#include "../table/kinds.def"
};

enum { FAILED_NEVER, FAILED_MINUS_ONE, FAILED_ZERO, FAILED_NOT_ZERO };

static const uint8_t failed[IOTR_N_KINDS] = {
#define IOT_RESULT(number, id, name, how, ...) [number] = FAILED_##how,
#define IOT_RETURN(id, name, how, ...) [IOTR_KIND_##id] = FAILED_##how,
#include "../table/kinds.def"
};

enum iotr_kind iotr_kind_of(const char *name)
{
	unsigned i;

	for (i = 1; i < IOTR_N_KINDS; i++)
		if (!strcmp(kinds[i].name, name))
			return (enum iotr_kind)i;
	return IOTR_KIND_UNKNOWN;
}

void iotr_kind_describe(struct iotr_param *p)
{
	p->place = kinds[p->kind].place;
	p->as = kinds[p->kind].as;
	p->none = kinds[p->kind].none;
}

bool iotr_result_failed(enum iotr_kind kind, int64_t ret)
{
	switch (failed[kind]) {
	case FAILED_MINUS_ONE:
		return ret == -1;
	case FAILED_ZERO:
		return ret == 0;
	case FAILED_NOT_ZERO:
		return ret != 0;
	default:
		/* a character or a line: -1 without an error is the end of the file */
		return false;
	}
}

bool iotr_as_text(enum iotr_as as)
{
	return as == IOTR_AS_PATH || as == IOTR_AS_TEXT || as == IOTR_AS_ADDRESS;
}

bool iotr_is_none(const struct iotr_param *p, uint64_t word)
{
	switch (p->none) {
	case IOTR_NONE_ZERO:
		return !word;
	case IOTR_NONE_LEAST:
		return (int32_t)word == INT32_MIN;
	case IOTR_NONE_ONES:
		return word == ~0ULL;
	default:
		return false;
	}
}
