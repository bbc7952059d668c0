/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row-fields.h - the numbers of a row by name: IOTA_F_CALLS and so on, from columns.def.  Those that
 * rows of all tables have come first; each table goes on from there with its own.
 */
#ifndef IOTA_ROW_FIELDS_H
#define IOTA_ROW_FIELDS_H

enum iota_field {
#define COLUMN(whose, field, ...) OF_##whose(IOTA_F_##field)
#define OF_COMMON(f) f,
#define OF_TIMED(f)
#define OF_CALL(f)
#define OF_FILE(f)
#define OF_LIFE(f)
#define OF_REGION(f)
#define OF_SAME(f)
#include "columns.def"
	IOTA_N_COMMON,
#undef OF_COMMON
#define OF_COMMON(f)

#undef OF_CALL
#define OF_CALL(f) f,
	IOTA_F_TIME = IOTA_N_COMMON,
#include "columns.def"
	IOTA_N_CALL,
#undef OF_CALL
#define OF_CALL(f)

#undef OF_REGION
#define OF_REGION(f) f,
	IOTA_BEFORE_REGION = IOTA_F_TIME,
#include "columns.def"
	IOTA_N_REGION,
#undef OF_REGION
#define OF_REGION(f)

#undef OF_FILE
#define OF_FILE(f) f,
	IOTA_BEFORE_FILE = IOTA_N_COMMON - 1,
#include "columns.def"
	IOTA_N_FILE,
#undef OF_FILE
#define OF_FILE(f)

#undef OF_LIFE
#define OF_LIFE(f) f,
	IOTA_BEFORE_LIFE = IOTA_N_COMMON - 1,
#include "columns.def"
	IOTA_N_THREAD,
#undef OF_LIFE
#define OF_LIFE(f)

	IOTA_N_FIELDS = IOTA_N_FILE, /* the most that a row has */
#undef OF_COMMON
#undef OF_TIMED
#undef OF_CALL
#undef OF_FILE
#undef OF_LIFE
#undef OF_REGION
#undef OF_SAME
#undef COLUMN
};
_Static_assert(IOTA_N_FIELDS >= IOTA_N_CALL && IOTA_N_FIELDS >= IOTA_N_THREAD && IOTA_N_FIELDS >= IOTA_N_REGION,
	       "files have most fields");

#endif
