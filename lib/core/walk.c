/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk.c - a stack from the wrapper's frame outwards.
 *
 * Where a frame's caller is follows from its return address (unwind.h): where the code
 * keeps a frame pointer that is read off it, elsewhere it is counted from the stack
 * pointer.  Code that no table knows is taken at its frame pointer, if that leads to
 * behind a call; IOTRACE_STACK_BY says otherwise.  A frame that is not certain is not
 * there, nor are those beyond.
 *
 * Even so any of that may be wrong.  Nothing is read that does not lie in the part of the
 * stack, between the wrapper's own frame and the stack's top, that must be mapped, and
 * each frame lies further out than the one before.
 */
#include "walk.h"

#include "arch-unwind.h"
#include "conf.h"
#include "fetch.h"
#include "sys.h"
#include "thread.h"
#include "unwind.h"

#include <signal.h>
#include <string.h>

/* So far beyond what is known to be there a word of an unknown stack may lie. */
#define MAX_FRAME (1UL << 16)

/* The frame that a walk has come to: what its function's registers were, or will be when
   it is returned to. */
struct walk {
	struct iot_memo *memo;		/* what it reads is noted there */
	uintptr_t frame;		/* where it began */
	uintptr_t top;			/* what is readable ends there */
	uintptr_t pc, sp, fp;
	bool known;			/* the stack is one that stays, */
	bool by_page;			/* or ends nobody knows where */
	uintptr_t stopped;		/* this pc is no return address */
};

/* As many more pages as are there. */
static IOT_COLD bool reaches(struct walk *w, uintptr_t at)
{
	for (char c; at >= w->top - 7; w->top += IOT_PAGE)
		if (!w->by_page || at - w->top >= MAX_FRAME || !iot_fetch(&c, (const void *)w->top, 1))
			return false;
	return true;
}

static inline void note(struct iot_memo *m, uint32_t n, uintptr_t frame, uintptr_t at, uintptr_t word)
{
	m->at[n] = (uint16_t)((at - frame) / 8);
	m->word[n] = word;
}

/* A word of the stack.  What a frame pointer leads to may be any part of any frame. */
static __attribute__((no_sanitize_address)) bool load(struct walk *w, uintptr_t at, uintptr_t *to)
{
	struct iot_memo *m = w->memo;

	if (iot_unlikely(at < w->sp || at & 7 || (at >= w->top - 7 && !reaches(w, at))))
		return false;
	*to = *(const uintptr_t *)at;
	if (m->n < IOT_MEMO_WORDS)
		note(m, m->n, w->frame, at, *to);
	m->n++;
	return true;
}

/* To where the words there say that something was interrupted, maybe on another stack. */
static IOT_COLD bool go_to(struct walk *w, const struct iot_thread *t, uintptr_t sp_at, uintptr_t pc_at)
{
	uintptr_t from = w->sp, sp, word;
	char byte;

	if (!load(w, sp_at, &sp) || !load(w, pc_at, &w->pc))
		return false;
	w->sp = sp;
	w->stopped = w->pc;
	if (sp > from && (sp < w->top || reaches(w, sp)))
		return true;
	/* nothing more is read, unless it is there */
	w->top = 8;
	w->known = w->by_page = false;
	if (sp >= t->stack_low && sp < t->stack_top && iot_fetch(&word, (const void *)sp, sizeof(word))) {
		w->top = t->stack_top;
	} else if (iot_fetch(&byte, (const void *)sp, 1)) {
		w->by_page = true;
		w->top = (sp | (IOT_PAGE - 1)) + 1;
	}
	return true;
}

/* A signal's frame lies at sp. */
static IOT_COLD bool interrupted(struct walk *w, const struct iot_thread *t)
{
	const uintptr_t *context = (const uintptr_t *)w->sp;

	/* as if it had been a call */
	return load(w, (uintptr_t)&context[IOT_CONTEXT_FP], &w->fp) &&
	       go_to(w, t, (uintptr_t)&context[IOT_CONTEXT_SP], (uintptr_t)&context[IOT_CONTEXT_PC]) &&
	       (w->stopped = ++w->pc);
}

/* To where the frame pointer points, in code that may have none. */
static bool along_chain(struct walk *w)
{
	uintptr_t at = w->fp;

	if (!load(w, at, &w->fp) || !load(w, at + 8, &w->pc))
		return false;
	w->sp = at + 16;
	return true;
}

/* The same in code that no table knows.  Where a thread was stopped, and not in a call, its
   function may have no frame at all. */
static IOT_COLD bool beyond_tables(struct walk *w, struct iot_thread *t)
{
	uintptr_t pc = w->pc, at = w->sp, fp = w->fp;
	bool stopped = pc == w->stopped;
	uint64_t *room = iot_walking(t)->tables;

	if (iot_config.stack_by != IOT_STACK_BY_AUTO)
		return false;
	if (along_chain(w) && iot_calls(w->pc, pc, stopped, room))
		return true;
	w->sp = at;
	w->fp = fp;
	if (!stopped || !load(w, at, &w->pc) || !iot_calls(w->pc, pc, true, room))
		return false;
	w->sp = at + 8;
	return true;
}

/* From where w->pc is a return address to its caller. */
static bool by_rule(struct walk *w, struct iot_thread *t)
{
	uint32_t rule = iot_rule(w->pc, iot_walking(t)->tables), slot = IOT_RULE_SLOT(rule);
	uintptr_t cfa = w->sp + IOT_RULE_SIZE(rule), fp = w->fp;

	switch (IOT_RULE_WAY(rule)) {
	case IOT_BY_SP:
		break;
	case IOT_BY_FP:
		cfa = w->fp + IOT_RULE_SIZE(rule);
		break;
	case IOT_BY_WORD:
		if (!load(w, w->fp - IOT_RULE_SIZE(rule), &cfa) || !load(w, w->fp, &fp))
			return false;
		slot = IOT_SLOT_KEPT;
		break;
	case IOT_BY_SIGNAL:
		iot_walking(t)->interrupted = true;
		return interrupted(w, t);
	case IOT_BY_CHAIN:
		return beyond_tables(w, t);
	case IOT_AT_END:
	default:
		return false;
	}
	if (cfa <= w->sp || !load(w, cfa - 8, &w->pc))
		return false;
	/* what lies below the stack pointer a signal came behind the pop of: fp has it */
	if (slot > IOT_SLOT_LOST && cfa - 8 * slot >= w->sp && !load(w, cfa - 8 * slot, &fp))
		return false;
	w->fp = slot == IOT_SLOT_LOST ? 0 : fp;
	w->sp = cfa;
	return true;
}

/* The way of most frames: their rules were looked up before, by the stack or the frame
   pointer, and their words lie where the stack is known to be.  by_rule would do the same;
   it goes on from the first that is another.  n: how many return addresses there are, the
   last one w's.  Returns how many there are then. */
static __attribute__((no_sanitize_address)) uint32_t by_known_rules(struct walk *w, struct iot_thread *t, uint32_t n)
{
	struct iot_memo *m = w->memo;
	uintptr_t pc = w->pc, sp = w->sp, fp = w->fp, end = w->top - 7, caller;
	uint32_t words = m->n, room = words < IOT_MEMO_WORDS ? (IOT_MEMO_WORDS - words) / 2 : 0;
	uint32_t most = t->stack_depth - n < room ? t->stack_depth - n : room; /* each notes two words at most */
	uintptr_t *to = &iot_walking(t)->pc[n], *last = to + most;

	for (; to < last; *to++ = pc = caller) {
		uint32_t rule = iot_rule_known(pc), slot = IOT_RULE_SLOT(rule);
		uintptr_t cfa = sp + IOT_RULE_SIZE(rule), at;

		if (IOT_RULE_WAY(rule) != IOT_BY_SP) {
			cfa = fp + IOT_RULE_SIZE(rule);
			if (iot_unlikely(IOT_RULE_WAY(rule) != IOT_BY_FP || cfa & 7 || cfa <= sp))
				break;
		}
		at = cfa - 8 * slot;
		if (iot_unlikely(cfa - 8 >= end || at < sp))
			break;
		caller = *(const uintptr_t *)(cfa - 8);
		if (iot_unlikely(!caller || iot_is_came_back(caller)))
			break;
		note(m, words++, w->frame, cfa - 8, caller);
		if (slot > IOT_SLOT_LOST) {
			fp = *(const uintptr_t *)at;
			note(m, words++, w->frame, at, fp);
		} else if (slot == IOT_SLOT_LOST) {
			fp = 0;
		}
		sp = cfa;
	}
	w->pc = pc;
	w->sp = sp;
	w->fp = fp;
	m->n = words;
	return (uint32_t)(to - iot_walking(t)->pc);
}

/* A stack that we don't know: its page is there, or it is the one for signals. */
static IOT_COLD void on_other_stack(struct walk *w)
{
	stack_t alt = { .ss_flags = SS_DISABLE };

	w->known = false;
	w->by_page = true;
	w->top = (w->frame | (IOT_PAGE - 1)) + 1;
	iot_syscall(SYS_sigaltstack, (void *)NULL, &alt);
	if (alt.ss_flags & SS_ONSTACK && w->frame - (uintptr_t)alt.ss_sp < alt.ss_size) {
		w->by_page = false;
		w->top = (uintptr_t)alt.ss_sp + alt.ss_size;
	}
}

/* As many return addresses as t is to have, from a wrapper's frame on.  known: whether
   memory that was read stays while the frame is there, and the memo says where it lies. */
uint32_t iot_walk(struct iot_thread *t, struct iot_memo *m, uintptr_t frame, bool *known)
{
	struct walk w = { .memo = m, .frame = frame, .top = t->stack_top, .sp = frame, .fp = frame, .known = true };
	bool by_fp = iot_config.stack_by == IOT_STACK_BY_FP, goes_on;
	struct iot_walking *to = iot_walking(t);
	/* one more for Python: where the last one ends */
	uint32_t n = 0, depth = t->stack_depth, max = depth + (iot_python != NULL);

	to->interrupted = false;
	if (iot_unlikely(frame < t->stack_low || frame >= w.top))
		on_other_stack(&w);
	goes_on = along_chain(&w);
	/* one that was made up: lib/dispatch walks from there */
	if (iot_unlikely(goes_on && w.pc == (uintptr_t)iot_sigreturn))
		goes_on = go_to(&w, t, w.sp, w.sp + 8);
	while (goes_on && w.pc) {
		/* the frame before that was made up by caller.c; it has no frame pointer */
		if (iot_unlikely(iot_is_came_back(w.pc) && n)) {
			n -= !by_fp;
		} else {
			to->sp[n] = w.sp;
			to->pc[n++] = w.pc;
		}
		/* which notes no sp */
		if (!by_fp && n && max == depth)
			n = by_known_rules(&w, t, n);
		goes_on = n < max && (by_fp ? along_chain(&w) : by_rule(&w, t));
	}
	if (iot_unlikely(n > depth))
		n = depth;
	else
		to->sp[n] = 0;
	*known = w.known && w.sp - frame <= IOT_MEMO_REACH;
	return n;
}
