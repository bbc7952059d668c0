/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python.c - the frames of a Python interpreter among those of C.
 *
 * A call of the interpreter's loop (_PyEval_EvalFrameDefault) runs a chain of Python's
 * frames, and keeps a struct of its own on the C stack, which the interpreter leads to: the
 * cframe, or from 3.13 on the frame that the chain ends with.  So the C frame in which
 * that struct lies is the one whose place these frames take: the C frame tells nothing that they
 * do not tell better.  Nothing else is believed to be the loop, whatever its name.
 *
 * Who makes a call is at rest in the interpreter, so that what its thread's state leads to
 * is whole, and stays while the C frames do.  After a signal it need not be: then there are
 * no Python frames, nor if anything is not as it should be.
 *
 * The first thread's state, in 3.11 and since, is a part of the interpreter's own data, and
 * is read as it is.  Others' may be freed by whoever ends the interpreter while they are in
 * a call: of those the kernel copies state and frames.  The code of frames it need not copy:
 * the frames keep it, and nobody takes them away from a thread that never goes on.
 */
#include "python.h"

#include "arena.h"
#include "conf.h"
#include "fetch.h"
#include "paths.h"
#include "python-frames.h"

#include <string.h>

#define MAX_STATES	 4u		/* of one thread, in different interpreters */
#define MAX_INTERPRETERS 256u
#define MAX_THREADS	 65536u
#define MAX_UNPROVEN	 64u		/* threads of what may be no interpreter, */
#define MAX_VAIN	 1000u		/* and searches there */
#define MAX_HOPS	 4096u		/* frames in a chain, those that are not shown among them */
#define PAGE		 (uint32_t)IOT_PAGE
#define KNOWN		 256u

enum { OF_THREAD, OF_GENERATOR, OF_OBJECT, OF_C_STACK, N_OWNERS };

struct group {
	uintptr_t at;			/* the struct on the C stack */
	uint32_t first, n;		/* of frame */
};

/* What a thread has for it, while it is busy. */
struct iot_python_thread {
	const struct iot_python *py;
	uintptr_t first;		/* interpreter, when states were looked for */
	uintptr_t states[MAX_STATES];
	uint32_t n_states;
	uint32_t n, n_groups;
	uint64_t hash;			/* of all that the frames are */
	struct {
		uint64_t hash;		/* of its code */
		uintptr_t code;
		uint32_t unit;
	} frame[IOT_MAX_FRAMES];
	struct {
		uint64_t hash, pc;
		uint32_t unit, turn;	/* turn 0: nothing is there */
	} known[KNOWN];			/* addresses of frames */
	struct group group[IOT_MAX_FRAMES];
	uintptr_t last;			/* the code object that was read last */
	struct iot_python_code code;
	uintptr_t low, high;		/* the thread's stack, as far as it is in use */
	bool searched;			/* for states, just now */
	bool direct;			/* the state's memory stays */
	uintptr_t window_at, window_end;	/* of which window is a copy */
	uint8_t state[IOT_PYTHON_STATE];
	uint8_t window[PAGE];
	uint64_t pc[IOT_MAX_FRAMES];
	char text[2 * IOT_NAMES];
};

/* Whether the memory there can just be read. */
static bool stays(const struct iot_python_thread *p, uintptr_t at, uint32_t n)
{
	return p->direct || (at >= p->low && at < p->high && p->high - at >= n);
}

static bool get(const struct iot_python_thread *p, void *to, uintptr_t from, uint32_t n)
{
	if (!stays(p, from, n))
		return iot_fetch(to, (const void *)from, n);
	memcpy(to, (const void *)from, n);
	return true;
}

/* A frame's beginning; NULL: it can't be read.  Frames lie close together, each above the
   one that it was called by. */
static const uint8_t *frame_at(struct iot_python_thread *p, uintptr_t at)
{
	uintptr_t from = at & -(uintptr_t)PAGE, size = at - from + IOT_PYTHON_FRAME_HEAD;

	if (stays(p, at, IOT_PYTHON_FRAME_HEAD))
		return (const uint8_t *)at;
	if (at >= p->window_at && at + IOT_PYTHON_FRAME_HEAD <= p->window_end)
		return p->window + (at - p->window_at);
	if (size > PAGE) {
		size = IOT_PYTHON_FRAME_HEAD;
		from = at;
	}
	p->window_end = 0;
	if (!iot_fetch(p->window, (const void *)from, size))
		return NULL;
	p->window_at = from;
	p->window_end = from + size;
	return p->window + (at - from);
}

/* The state at that address, if it is this thread's.  Nothing is left of it to be read once
   the interpreter ends, but for whom that is done by. */
static bool read_state(struct iot_python_thread *p, uintptr_t at)
{
	const struct iot_python *py = p->py;
	uintptr_t ends = iot_python_word((const void *)py->runtime, py->at.runtime.finalizing);

	p->direct = py->proven && at - py->runtime < py->at.runtime.size && at - py->low < py->high - py->low;
	return (!ends || ends == at) && get(p, p->state, at, IOT_PYTHON_STATE) &&
	       iot_python_word(p->state, py->at.state.thread) == iot_thread_pointer();
}

/* Looks through all threads of all interpreters, while others come and go. */
static IOT_COLD void find_states(struct iot_python_thread *p)
{
	const struct iot_python *py = p->py;
	uint32_t n_threads = 0, max = py->proven ? MAX_THREADS : MAX_UNPROVEN;
	uintptr_t interpreter = p->first, at;
	uint8_t state[IOT_PYTHON_STATE];

	p->n_states = 0;
	p->searched = true;
	for (uint32_t i = 0; interpreter && i < MAX_INTERPRETERS; i++) {
		if (!iot_fetch(&at, (const void *)(interpreter + py->at.interpreter.threads), sizeof(at)))
			return;
		while (at && n_threads++ < max && iot_fetch(state, (const void *)at, sizeof(state))) {
			if (iot_python_word(state, py->at.state.thread) == iot_thread_pointer() &&
			    p->n_states < MAX_STATES)
				p->states[p->n_states++] = at;
			at = iot_python_word(state, py->at.state.next);
		}
		if (!iot_fetch(&interpreter, (const void *)(interpreter + py->at.interpreter.next),
			       sizeof(interpreter)))
			return;
	}
}

/* Notes a frame, if it has begun to run its function.  False: it makes no sense. */
static bool add_frame(struct iot_python_thread *p, const uint8_t *frame, uint32_t owner)
{
	const struct iot_python *py = p->py;
	uintptr_t code = iot_python_word(frame, py->at.frame.code), at = iot_python_word(frame, py->at.frame.at);
	int64_t unit;

	if (code != p->last && !iot_python_code(py, code, &p->code))
		return false;
	p->last = code;
	unit = (int64_t)(at - p->code.bytecode) >> 1;
	if (owner != OF_GENERATOR && unit < (int64_t)p->code.traceable)
		return true;
	if (unit < 0 || unit >= (int64_t)p->code.n_units)
		return false;
	p->hash = iot_python_mix(iot_python_mix(p->hash, p->code.hash), (uint64_t)unit);
	p->frame[p->n].hash = p->code.hash;
	p->frame[p->n].code = code;
	p->frame[p->n++].unit = (uint32_t)unit;
	return true;
}

/*
 * A chain, from its innermost frame on, until it ends or there are max frames.  *at: the
 * struct on the C stack if that is known; 0: it is the frame that the chain ends with.  *next: the
 * frame outside of the chain.
 */
static bool add_chain(struct iot_python_thread *p, uintptr_t frame, uint32_t max, uintptr_t *at, uintptr_t *next)
{
	const struct iot_python *py = p->py;

	for (uint32_t i = 0; frame && i < MAX_HOPS; i++) {
		const uint8_t *f = frame_at(p, frame);
		uint32_t owner = f ? f[py->at.frame.owner] : N_OWNERS;
		bool ends = owner == OF_C_STACK;

		if (owner >= N_OWNERS || (!ends && p->n < max && !add_frame(p, f, owner)))
			return false;
		ends |= py->at.frame.entry && f[py->at.frame.entry];
		*next = iot_python_word(f, py->at.frame.previous);
		if (ends && !*at)
			*at = frame;
		if (ends || (*at && p->n >= max))
			return true;
		frame = *next;
	}
	return false;
}

/* All chains of the state that was read. */
static bool add_chains(struct iot_python_thread *p, uint32_t max)
{
	const struct iot_python *py = p->py;
	const uint32_t by_cframe = py->at.state.cframe;
	uintptr_t cframe = by_cframe ? iot_python_word(p->state, by_cframe) : 0, words[3];
	uintptr_t frame = by_cframe ? 0 : iot_python_word(p->state, py->at.state.frame);

	while (p->n < max && p->n_groups < IOT_MAX_FRAMES && (by_cframe ? cframe : frame)) {
		struct group *g = &p->group[p->n_groups];

		*g = (struct group){ .at = cframe, .first = p->n };
		if (by_cframe) {
			/* the last one, in the state, runs nothing */
			if (p->high && !stays(p, cframe, sizeof(words)))
				return true;
			if (!get(p, words, cframe, sizeof(words)))
				return false;
			frame = iot_python_word(words, py->at.cframe.frame);
			cframe = iot_python_word(words, py->at.cframe.previous);
			if (!frame)
				return true;
		}
		if (!add_chain(p, frame, max, &g->at, &frame))
			return false;
		g->n = p->n - g->first;
		p->hash = iot_python_mix(p->hash, g->at);
		p->n_groups++;
	}
	return true;
}

/* The chains of all states that were found. */
static bool add_all(struct iot_python_thread *p, uint32_t max)
{
	p->last = p->code.file = 0;
	p->n = p->n_groups = 0;
	p->hash = p->py->seed;
	p->window_end = 0;
	for (uint32_t i = 0; i < p->n_states; i++)
		if (!read_state(p, p->states[i]) || !add_chains(p, max))
			return false;
	p->hash += !p->hash;
	return true;
}

/* Up to t's number of frames.  anew: the states are looked for again.  False: what is there
   can't be told. */
static bool collect(struct iot_thread *t, struct iot_python_thread *p, const struct iot_python *py, bool anew)
{
	uintptr_t first = iot_python_word((const void *)py->runtime, py->at.runtime.interpreters);
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	bool old = p->py != py || p->first != first || !p->n_states || anew;

	p->searched = false;
	p->py = py;
	p->first = first;
	p->low = p->high = 0;
	if (here >= t->stack_low && here < t->stack_top) {
		p->low = here;
		p->high = t->stack_top;
	}
	if (old)
		find_states(p);
	return add_all(p, t->stack_depth);
}

/* What the frames of busy t now are the same by; 0: that can't be told. */
uint64_t iot_python_look(struct iot_thread *t)
{
	const struct iot_python *py = __atomic_load_n(&iot_python, __ATOMIC_ACQUIRE);

	return py && t->python && collect(t, t->python, py, false) ? t->python->hash : 0;
}

/* The chain that the loop runs whose C frame lies there; NULL: none, or nobody knows. */
static const struct group *group_in(const struct iot_python_thread *p, uintptr_t low, uintptr_t high)
{
	const struct group *found = NULL;

	for (uint32_t i = 0; i < p->n_groups; i++) {
		if (p->group[i].at < low || p->group[i].at >= high)
			continue;
		if (found)
			return NULL;
		found = &p->group[i];
	}
	return found && found->n ? found : NULL;
}

/* The address of frame i; 0: its code is not there now. */
static uint64_t address_of(struct iot_thread *t, struct iot_python_thread *p, uint32_t i)
{
	uint64_t hash = p->frame[i].hash;
	uint32_t unit = p->frame[i].unit, at = (uint32_t)(hash ^ unit) % KNOWN;

	if (p->known[at].hash == hash && p->known[at].unit == unit && p->known[at].turn == iot_python_turn)
		return p->known[at].pc;
	if (!iot_python_code(p->py, p->frame[i].code, &p->code) || p->code.hash != hash)
		return 0;
	p->known[at].hash = hash;
	p->known[at].unit = unit;
	p->known[at].turn = iot_python_turn;
	return p->known[at].pc = iot_python_address(t, p->py, &p->code, unit, p->text);
}

/* Puts chains in the place of C frames; returns how many frames there are now. */
static uint32_t merge(struct iot_thread *t, struct iot_python_thread *p, const struct iot_walking *w, uint32_t n,
		      bool *any)
{
	uint32_t n_all = 0;

	for (uint32_t i = 0; i < n && n_all < t->stack_depth; i++) {
		const struct group *g = group_in(p, w->sp[i], w->sp[i + 1]);

		*any |= g != NULL;
		if (!g)
			p->pc[n_all++] = w->pc[i];
		for (uint32_t k = 0; g && k < g->n && n_all < t->stack_depth; k++) {
			p->pc[n_all] = address_of(t, p, g->first + k);
			if (!p->pc[n_all++])
				return 0;
		}
	}
	return n_all;
}

static bool is_in(const struct iot_python *py, const uintptr_t *pc, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (pc[i] - py->low < py->high - py->low)
			return true;
	return false;
}

/*
 * Puts Python's frames among the n that busy t has just walked.  Returns how many they are
 * then.  m->python gets what iot_python_look has to return again; *known is made false if what it
 * finds another time may be something else.
 */
uint32_t iot_python_merge(struct iot_thread *t, struct iot_memo *m, uint32_t n, bool *known)
{
	struct iot_python *py = __atomic_load_n(&iot_python, __ATOMIC_ACQUIRE);
	struct iot_walking *w = iot_walking(t);
	struct iot_python_thread *p;
	bool told = false, any = false;
	uint32_t merged = 0;

	if (!py || w->interrupted || iot_config.stack_by == IOT_STACK_BY_FP || !is_in(py, w->pc, n))
		return n;
	p = iot_map_once(&t->python, sizeof(*p));
	/* the states that are known may be those of a thread that was here before */
	for (int i = 0; p && i < 2 && !any && !(i && p->searched); i++) {
		told = (!i && w->looked) || collect(t, p, py, i);
		merged = told ? merge(t, p, w, n, &any) : 0;
	}
	*known &= told;
	if (!any || !merged) {
		if (!py->proven && ++py->vain > MAX_VAIN)
			__atomic_store_n(&iot_python, NULL, __ATOMIC_RELAXED);
		return n;
	}
	py->proven = true;
	m->python = p->hash;
	memcpy(w->pc, p->pc, merged * sizeof(*w->pc));
	return merged;
}

/* All that others refer to weakly is linked with this, which nobody calls. */
void iot_python_here(void)
{
	iot_host_python(&(struct iot_python_symbols){ 0 });
}
