/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callers.c - who faulted.
 *
 * The kernel follows frame pointers, and takes what is in the register for one.  Where a function
 * keeps none, as memcpy does not, its caller is left out or something else is in its place.  So the
 * kernel also gives the innermost bytes of the stack, and the rules of unwind.h tell where in
 * these a caller is.  Beyond these bytes the kernel's list goes on, as long as the rules say
 * that functions keep a frame pointer, and the register is still what the kernel began with.
 *
 * The helper has tables of the modules that were there when it began.  Code that was loaded
 * later is taken at its frame pointers, if these lead to behind calls.  A frame that is not certain
 * is not there, nor are those beyond; frames that signals have interrupted are not looked for.
 */
#include "faults.h"

#include "arch-access.h"
#include "arch-unwind.h"
#include "conf.h"
#include "stack.h"
#include "thread.h"
#include "unwind.h"

#include <string.h>

/* Some functions with few variables; each fault takes so much more of its ring. */
#define BYTES 512u

/* By frame pointer, which lies beside the return address: what functions with one look like. */
#define LINK	    IOT_RULE(IOT_BY_FP, 2, 2)
#define NOWHERE	    UINT64_MAX

struct walk {
	const struct iot_fault_event *e;
	uint64_t pc, sp, fp;		/* NOWHERE: it is not known */
	uint32_t links;			/* fp is that which the kernel found behind so many; */
	bool linked;			/* or not */
};

uint32_t iot_fault_stack_size(void)
{
	return iot_config.stack_depth > 1 && iot_config.stack_by != IOT_STACK_BY_FP ? BYTES : 0;
}

static bool load(const struct walk *w, uint64_t at, uint64_t *to)
{
	const uint64_t into = at - w->e->sp;

	if (at < w->e->sp || at & 7 || into >= w->e->stack_size || w->e->stack_size - into < sizeof(*to))
		return false;
	memcpy(to, w->e->stack + into, sizeof(*to));
	return true;
}

/* Whether a call lies before that address. */
static bool is_return(const struct iot_fault_event *e, uint64_t pc)
{
	const uint8_t *code = iot_fault_code(e->pid, pc - IOT_CODE_CALL);
	uint8_t before[IOT_CODE_CALL];
	uintptr_t fn;

	if (!code)
		return false;
	memcpy(before, code, sizeof(before));
	return iot_code_calls(before, pc, &fn) || iot_code_may_call(before);
}

/* To where the frame pointer leads: by the bytes of the stack, or else by the kernel's list. */
static bool along_link(struct walk *w)
{
	const uint64_t fp = w->fp;

	if (fp < w->sp || !load(w, fp, &w->fp) || !load(w, fp + 8, &w->pc)) {
		if (!w->linked || w->links + 1 >= w->e->n)
			return false;
		w->pc = w->e->pc[w->links + 1];
		w->fp = w->sp = NOWHERE;
	} else {
		w->sp = fp + 16;
	}
	w->links++;
	return true;
}

/* By a rule that counts from a register: cfa is where the caller's frame begins. */
static bool to_frame(struct walk *w, uint64_t cfa, uint32_t slot)
{
	const uint64_t at = cfa - 8 * slot;

	if (cfa <= w->sp || !load(w, cfa - 8, &w->pc))
		return false;
	/* what lies below the stack pointer is popped already */
	if (slot == IOT_SLOT_LOST || (slot > IOT_SLOT_LOST && at >= w->sp)) {
		w->linked = false;
		if (slot == IOT_SLOT_LOST || !load(w, at, &w->fp))
			w->fp = NOWHERE;
	}
	w->sp = cfa;
	return true;
}

static bool by_rule(struct walk *w, uint64_t *room, bool first)
{
	const uint32_t rule = iot_rule(w->pc, room) & ((1u << IOT_RULE_BITS) - 1), slot = IOT_RULE_SLOT(rule);
	uint64_t cfa;

	if (rule == LINK)
		return along_link(w);
	switch (IOT_RULE_WAY(rule)) {
	case IOT_BY_SP:
		return w->sp != NOWHERE && to_frame(w, w->sp + IOT_RULE_SIZE(rule), slot);
	case IOT_BY_FP:
		return w->fp != NOWHERE && w->sp != NOWHERE && to_frame(w, w->fp + IOT_RULE_SIZE(rule), slot);
	case IOT_BY_WORD:
		if (w->fp == NOWHERE || w->sp == NOWHERE || !load(w, w->fp - IOT_RULE_SIZE(rule), &cfa) ||
		    !to_frame(w, cfa, IOT_SLOT_KEPT) || !load(w, w->fp, &w->fp))
			return false;
		w->links++;
		return true;
	case IOT_BY_CHAIN:
		/* the function that faulted may have no frame at all */
		return iot_config.stack_by == IOT_STACK_BY_AUTO && !first && along_link(w) && is_return(w->e, w->pc);
	case IOT_BY_SIGNAL:
	case IOT_AT_END:
	default:
		return false;
	}
}

uint32_t iot_fault_stack(struct iot_thread *t, const struct iot_fault_event *e)
{
	struct iot_walking *to = iot_walking(t);
	struct walk w = { .e = e, .fp = e->fp, .sp = e->sp, .linked = true };
	uint32_t n = 0;

	if (!e->n || !iot_config.stack_depth)
		return 0;
	/* as if it were a return address: readers look at what is before one */
	w.pc = to->pc[n++] = e->pc[0] + 1;
	if (iot_config.stack_by == IOT_STACK_BY_FP)
		for (; n < e->n && n < iot_config.stack_depth && is_return(e, e->pc[n]); n++)
			to->pc[n] = e->pc[n];
	else if (e->has_regs)
		while (n < iot_config.stack_depth && by_rule(&w, to->tables, n == 1) && w.pc)
			to->pc[n++] = w.pc;
	return iot_stack_intern(t, n);
}
