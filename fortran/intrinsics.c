/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intrinsics.c - FGETC, FPUTC and what else GNU Fortran has in imitation of C, as
 * functions and as subroutines.  A subroutine calls the function, which must not be
 * recorded then.  Where they stand in the source the compiler does not tell the runtime.
 *
 * FLUSH is a FLUSH; without an argument it is all units'.
 */
#include <limits.h>

#include "gfortran.h"
#include "desc_FGET.h"
#include "desc_FGETC.h"
#include "desc_FLUSH.h"
#include "desc_FPUT.h"
#include "desc_FPUTC.h"
#include "desc_FSEEK.h"
#include "desc_FTELL.h"

/* Whether the call in progress is one of these: a subroutine's function is called. */
static bool within(void)
{
	const struct iot_thread *t = iot_mine();
	uint32_t id;

	if (!t || t->state != IOT_IDLE || !t->depth || t->depth > IOT_MAX_SLOTS ||
	    !iot_slots(t)[t->depth - 1].start)
		return false;
	id = iot_slots(t)[t->depth - 1].call & ((1u << IOT_CALL_BITS) - 1);
	return id == IOT_DESC_NAME(FGETC).id || id == IOT_DESC_NAME(FPUTC).id || id == IOT_DESC_NAME(FGET).id ||
	       id == IOT_DESC_NAME(FPUT).id;
}

/* Units that the program was given, of which transfers have had none: where their first
   character lies, and where the kernel had the descriptor behind the last. */
static struct given {
	int64_t first, after;
} given[3];

/* A character that is read or written.  met: its unit, if transfers have had it. */
struct character {
	struct iot_call call;
	const char *met;
	int32_t unit;
	bool reads;
	int64_t before, shift;
	int64_t fresh;			/* where a unit stood that no transfer has had */
	struct given *given;
};

static int64_t where(const struct character *x)
{
	struct iot_f_where w;

	if (!x->met)
		return iot_f_fresh(x->unit);
	if (!iot_f_alone(x->met))
		return -1;
	w = iot_f_where(x->met, x->unit, x->reads);
	/* what was read ahead for formats it throws away */
	return w.record;
}

/* Of a descriptor that the program came with, and that may stand anywhere.  The first
   character, for which the unit's buffer is empty, is where the kernel has it now; others
   follow, unless somebody has moved the descriptor since. */
static int64_t where_given(struct character *x)
{
	int64_t now = iot_f_raw_pos(x->call.fd, x->reads);
	struct given *g;

	if (x->call.fd < 0)
		return -1;
	x->given = g = &given[x->call.fd];
	if (!x->fresh)
		g->first = x->reads || !iot_f_in_common(x->call.fd) ? now : -1;
	else if (x->fresh < 0 || now != g->after)
		g->first = -1;
	return g->first < 0 ? -1 : g->first + x->fresh;
}

static void begin(struct character *x, const struct iot_desc *desc, int32_t unit, bool reads, void *frame)
{
	*x = (struct character){ .met = iot_f_met(unit), .unit = unit, .reads = reads };
	x->call.t = NULL;
	x->fresh = x->met ? -1 : iot_f_fresh(unit);
	if (within() || !iot_f_enter(&x->call, desc, NULL, iot_f_fd(unit), frame))
		return;
	x->before = x->met || x->call.fd > 2 ? where(x) : where_given(x);
	if (x->met && x->before >= 0)
		x->shift = iot_f_shift(x->met, x->before, reads, false);
}

/* status: 0, or what went wrong, of which -1 is the end of a file, too */
static void end(struct character *x, int status)
{
	uint64_t at = x->before >= 0 && x->before + x->shift >= 0 ? (uint64_t)(x->before + x->shift) : IOT_UNKNOWN;
	uint64_t words[] = { (uint64_t)x->unit, at, (uint64_t)(long)status };
	int was = errno;

	if (x->fresh >= 0)
		iot_f_stands(x->unit, x->fresh + !status);
	if (!x->call.t)
		return;
	if (x->given)
		x->given->after = iot_f_raw_pos(x->call.fd, x->reads);
	iot_leave_status(&x->call, status ? -!x->reads : 1, 0, words, IOT_ST_FINISHED);
	x->call.t = NULL;
	errno = was;
}

/* The runtime's functions; unit NULL: of standard input or output. */
#define FUNCTION(row, name, unit, reads, params, args)                                     \
	extern int real_##name params __asm__("__real__gfortran_" #name);                  \
	int wrap_##name params __asm__("__wrap__gfortran_" #name);                         \
	int wrap_##name params                                                             \
	{                                                                                  \
		struct character x;                                                        \
		int ret;                                                                   \
											   \
		begin(&x, &IOT_DESC_NAME(row), unit, reads, __builtin_frame_address(0));   \
		ret = real_##name args;                                                    \
		end(&x, ret);                                                              \
		return ret;                                                                \
	}                                                                                  \
	IOT_EXPORT(_gfortran_##name)

/* And subroutines, with a status of that type, which the program need not want. */
#define SUBROUTINE(row, name, type, unit, reads, params, args)                             \
	extern void real_##name params __asm__("__real__gfortran_" #name);                 \
	void wrap_##name params __asm__("__wrap__gfortran_" #name);                        \
	void wrap_##name params                                                            \
	{                                                                                  \
		struct character x;                                                        \
		type none, *status = wanted ? wanted : &none;                              \
											   \
		begin(&x, &IOT_DESC_NAME(row), unit, reads, __builtin_frame_address(0));   \
		real_##name args;                                                          \
		end(&x, (int)*status);                                                     \
	}                                                                                  \
	IOT_EXPORT(_gfortran_##name)

#define OF_UNIT(row, name, reads)                                                          \
	FUNCTION(row, name, *unit, reads, (const int *unit, char *c, size_t len), (unit, c, len)) \
	OF_UNIT_SUB(row, name##_i1_sub, int8_t, reads)                                     \
	OF_UNIT_SUB(row, name##_i2_sub, int16_t, reads)                                    \
	OF_UNIT_SUB(row, name##_i4_sub, int32_t, reads)                                    \
	OF_UNIT_SUB(row, name##_i8_sub, int64_t, reads)
#define OF_UNIT_SUB(row, name, type, reads)                                                \
	SUBROUTINE(row, name, type, *unit, reads, (const int *unit, char *c, type *wanted, size_t len), \
		   (unit, c, status, len))
#define STANDARD(row, name, unit, reads)                                                   \
	FUNCTION(row, name, unit, reads, (char *c, size_t len), (c, len))                  \
	STANDARD_SUB(row, name##_i1_sub, int8_t, unit, reads)                              \
	STANDARD_SUB(row, name##_i2_sub, int16_t, unit, reads)                             \
	STANDARD_SUB(row, name##_i4_sub, int32_t, unit, reads)                             \
	STANDARD_SUB(row, name##_i8_sub, int64_t, unit, reads)
#define STANDARD_SUB(row, name, type, unit, reads)                                         \
	SUBROUTINE(row, name, type, unit, reads, (char *c, type *wanted, size_t len), (c, status, len))

OF_UNIT(FGETC, fgetc, true)
OF_UNIT(FPUTC, fputc, false)
STANDARD(FGET, fget, 5, true)
STANDARD(FPUT, fput, 6, false)

extern int64_t real_ftell(int *) __asm__("__real__gfortran_ftell");
int64_t wrap_ftell(int *) __asm__("__wrap__gfortran_ftell");

extern void real_fseek_sub(int *, int64_t *, int *, int *) __asm__("__real__gfortran_fseek_sub");
void wrap_fseek_sub(int *, int64_t *, int *, int *) __asm__("__wrap__gfortran_fseek_sub");

/* Where a successful FSEEK has left a unit.  The runtime has a file's end of its own: it is
   asked.  It throws away then what it has read ahead for formats, but for a unit that no
   transfer has had there is nothing of that.  Transfers know where others stand. */
static int64_t sought(int *unit, int64_t offset, int whence)
{
	int was = errno;
	int64_t at;

	if (!whence)
		return offset;
	if (iot_f_met(*unit) || iot_f_fresh(*unit) < 0)
		return -1;
	at = real_ftell(unit);
	errno = was;
	return at;
}

void wrap_fseek_sub(int *unit, int64_t *offset, int *whence, int *wanted)
{
	struct iot_call c IOT_CLEANUP;
	int none, *status = wanted ? wanted : &none;

	if (!iot_f_enter(&c, &IOT_DESC_NAME(FSEEK), NULL, iot_f_fd(*unit), __builtin_frame_address(0))) {
		real_fseek_sub(unit, offset, whence, status);
	} else {
		const uint64_t words[] = { (uint64_t)*unit, (uint64_t)*offset, (uint64_t)*whence };
		int was;

		real_fseek_sub(unit, offset, whence, status);
		was = errno;
		iot_leave_status(&c, *status, 0, words, IOT_ST_FINISHED);
		c.t = NULL;
		errno = was;
	}
	iot_f_stands(*unit, *status ? -1 : sought(unit, *offset, *whence));
}
IOT_EXPORT(_gfortran_fseek_sub)

static void tell(int64_t (*ask)(void *real, int *unit, void *to), void *real, int *unit, void *to,
		 int64_t *ret, void *frame)
{
	const uint64_t words[] = { (uint64_t)*unit };
	struct iot_call c IOT_CLEANUP;
	int was;

	if (!iot_f_enter(&c, &IOT_DESC_NAME(FTELL), NULL, iot_f_fd(*unit), frame)) {
		*ret = ask(real, unit, to);
		return;
	}
	*ret = ask(real, unit, to);
	was = errno;
	iot_leave_status(&c, *ret, 0, words, IOT_ST_FINISHED);
	c.t = NULL;
	errno = was;
}

#define TELL_SUB(name, type)                                                               \
	extern void real_##name(int *, type *) __asm__("__real__gfortran_" #name);         \
	void wrap_##name(int *, type *) __asm__("__wrap__gfortran_" #name);                \
	static int64_t ask_##name(void *real, int *unit, void *to)                         \
	{                                                                                  \
		((void (*)(int *, type *))real)(unit, to);                                 \
		return *(type *)to;                                                        \
	}                                                                                  \
	void wrap_##name(int *unit, type *to)                                              \
	{                                                                                  \
		int64_t ret;                                                               \
											   \
		tell(ask_##name, (void *)real_##name, unit, to, &ret, __builtin_frame_address(0)); \
	}                                                                                  \
	IOT_EXPORT(_gfortran_##name)

TELL_SUB(ftell_i1_sub, int8_t)
TELL_SUB(ftell_i2_sub, int16_t)
TELL_SUB(ftell_i4_sub, int32_t)
TELL_SUB(ftell_i8_sub, int64_t)

static int64_t ask_ftell(void *real, int *unit, void *to)
{
	(void)to;
	return ((int64_t(*)(int *))real)(unit);
}

int64_t wrap_ftell(int *unit)
{
	int64_t ret;

	tell(ask_ftell, (void *)real_ftell, unit, NULL, &ret, __builtin_frame_address(0));
	return ret;
}
IOT_EXPORT(_gfortran_ftell)

static bool flush(struct iot_call *c, const int64_t *unit, void *frame)
{
	return iot_f_enter(c, &IOT_DESC_NAME(FLUSH), NULL, unit ? iot_f_fd((int32_t)*unit) : -1, frame);
}

static void flushed(struct iot_call *c, const int64_t *unit)
{
	uint64_t words[] = { 0, unit ? (uint64_t)*unit : (uint64_t)(long)INT_MIN, 0 };
	int was = errno;

	iot_leave_status(c, 0, 0, words, IOT_ST_FINISHED);
	c->t = NULL;
	errno = was;
}

#define FLUSH_SUB(name, type)                                                              \
	extern void real_##name(type *) __asm__("__real__gfortran_" #name);                \
	void wrap_##name(type *) __asm__("__wrap__gfortran_" #name);                       \
	void wrap_##name(type *unit)                                                       \
	{                                                                                  \
		struct iot_call c IOT_CLEANUP;                                             \
		int64_t number = unit ? *unit : 0, *which = unit ? &number : NULL;         \
		bool recorded = flush(&c, which, __builtin_frame_address(0));              \
											   \
		real_##name(unit);                                                         \
		if (recorded)                                                              \
			flushed(&c, which);                                                \
	}                                                                                  \
	IOT_EXPORT(_gfortran_##name)

FLUSH_SUB(flush_i4, int32_t)
FLUSH_SUB(flush_i8, int64_t)
