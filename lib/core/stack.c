/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack.c - who called: return addresses from the wrapper outwards (walk.c), and the id that
 * they have in the log.
 *
 * Most calls come from where another came from: what a walk has read is kept, and while
 * all of it is as it was, in the order in which it was read, the walk would go the same
 * way.
 */
#include "stack.h"

#include "auxv.h"
#include "bytes.h"
#include "conf.h"
#include "log-share.h"
#include "python-frames.h"
#include "stack-tree.h"
#include "sys.h"
#include "thread.h"
#include "unwind.h"
#include "walk.h"
#include "window.h"

#include <elf.h>
#include <string.h>
#include <sys/resource.h>

__thread uintptr_t iot_stack_size __attribute__((tls_model("initial-exec")));

/* Finds out where the calling thread's stack lies, unless that is known: a forked child is
   on its parent's. */
IOT_EACH IOT_COLD void iot_stack_bounds(struct iot_thread *t)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	uintptr_t tp = iot_thread_pointer(), random = iot_auxv(AT_RANDOM);
	struct rlimit rl = { 0 };

	if (here >= t->stack_low && here < t->stack_top)
		return;
	t->stack_top = t->stack_low = 0;
	if (iot_stack_size && here < tp && tp - here < iot_stack_size) {
		/* NPTL puts the thread pointer at the stack's upper end */
		t->stack_top = tp;
		t->stack_low = tp - iot_stack_size;
	} else if (here < random) {
		/* The kernel keeps at least 128 MiB below the main stack free. */
		iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_STACK, (void *)NULL, &rl);
		if (rl.rlim_cur > 64 << 20)
			rl.rlim_cur = 64 << 20;
		if (random - here < rl.rlim_cur) {
			t->stack_top = random;
			t->stack_low = random - rl.rlim_cur;
		}
	}
}

/* What every thread needs of its recorder is in one page. */
_Static_assert(IOT_THREAD_COLOUR + offsetof(struct iot_thread, vfork) <= IOT_PAGE, "a page for each thread");

/* Of the thread that had the struct before. */
void iot_memos_forget(struct iot_thread *t)
{
	for (uint32_t i = 0; i < IOT_MEMOS; i++)
		t->memo[i].frame = 0;
	iot_walking(t)->n_last = 0;
}

/* Defines stacks in t's window: the first n frames at pc, and what lies around them.  id is
   that of the innermost; the others have the ids before it, unless it is the only one. */
static IOT_EACH IOT_COLD void define(struct iot_thread *t, uint32_t id, bool only, uint32_t caller, const uintptr_t *pc,
			    uint32_t n)
{
	uint64_t *words = iot_define(t, IOT_DEF_FRAMES, IOT_FRAMES_WORDS(n));
	uint8_t *p = (uint8_t *)(words + 1);
	uintptr_t before = 0;

	words[0] = (only ? id : id - n + 1) | (uint64_t)caller << 32;
	*p++ = (uint8_t)(n | (only ? IOT_FRAMES_ONE_ID : 0));
	while (n--) {
		p = iot_frame_put(p, pc[n], before);
		before = pc[n];
	}
	while ((uintptr_t)p & 7)
		*p++ = 0;
	iot_define_done(t, (uint64_t *)p);
}

static void hash_all(uint32_t *hash, const uintptr_t *pc, uint32_t n)
{
	uint64_t h = 0x9e3779b97f4a7c15ULL;

	while (n--) {
		h = (h ^ pc[n]) * 0xff51afd7ed558ccdULL;
		h ^= h >> 32;
		hash[n] = (uint32_t)h;
	}
}

/* How many of the frames that were walked are not in the tree: the innermost, since it has
   all callers of those that are.  caller: the number of the first that is; 0: none. */
static uint32_t count_new(const struct iot_walking *w, uint32_t n, uint32_t *caller)
{
	uint32_t new = 0, most = n, at = 0, number;

	*caller = 0;
	while (new < most) {
		number = iot_tree_find(w->hash[at], w->pc + at, n - at);
		if (number) {
			*caller = number;
			most = at;
		} else {
			new = at + 1;
		}
		/* most often few are new */
		at = new + (most - new) / 8;
	}
	return new;
}

/* The id of the stack that was walked.  0: some of it is new, and was walked by the rules of
   what lay there before.  What has no room in the tree is defined each time that it comes,
   but for the same again. */
static uint32_t intern(struct iot_thread *t, uint32_t n, bool by_rules)
{
	struct iot_walking *w = iot_walking(t);
	uint32_t new, caller, id;
	bool room;

	hash_all(w->hash, w->pc, n);
	new = count_new(w, n, &caller);
	if (!new)
		return iot_tree_id(caller);
	if (by_rules && !iot_rules_hold(w->pc, n))
		return 0;
	room = iot_tree_has_room(new);
	id = __atomic_add_fetch(&iot_share->n_stacks, room ? new : 1, __ATOMIC_RELAXED);
	define(t, id, !room, caller ? iot_tree_id(caller) : 0, w->pc, new);
	/* Only now: another thread's record may refer to what it finds, and we be killed.  In
	   the child of a handler's fork the definition may have gone nowhere. */
	if (!room || t->in_use == IOT_LEFT_BEHIND)
		return id;
	do {
		new--;
		caller = iot_tree_add(w->hash[new], w->pc + new, n - new, caller, id - new);
	} while (new && caller);
	return id;
}

uint32_t iot_stack_intern(struct iot_thread *t, uint32_t n)
{
	return intern(t, n, false);
}

/* Walks the stack, and keeps in m what it has read. */
static IOT_EACH IOT_COLD uint32_t find(struct iot_thread *t, struct iot_memo *m, uintptr_t frame)
{
	struct iot_walking *w = iot_walking(t);
	uint32_t n, id, turn = iot_rules_are();
	bool known;

	_Static_assert(sizeof(struct iot_walking) <= IOT_THREAD_COLOUR, "room before the struct");
	m->turn++;
	m->frame = 0;
	iot_barrier();
	m->n = 0;
	m->python = 0;
	n = iot_walk(t, m, frame, &known);
	if (iot_unlikely(iot_python != NULL))
		n = iot_python_merge(t, m, n, &known);
	if (!n)
		return 0;
	id = n == w->n_last && iot_same((const char *)w->pc, (const char *)w->last, n * 8) ? w->last_id :
											      intern(t, n, iot_config.stack_by != IOT_STACK_BY_FP);
	if (!id)
		return 0;
	if (id != w->last_id || n != w->n_last) {
		memcpy(w->last, w->pc, n * sizeof(*w->pc));
		w->n_last = n;
		w->last_id = id;
	}
	m->id = id;
	m->rules = turn;
	iot_barrier();
	if (known && m->n <= IOT_MEMO_WORDS)
		m->frame = frame;
	return id;
}

/* Any part of any frame. */
#define READS_STACK __attribute__((no_sanitize_address))

/* Where a call that returns there looks first. */
static uint32_t home(uintptr_t returns)
{
	return (uint32_t)(returns ^ returns >> 4);
}

/* Whether all words that the walk from the frame read are as they were, up to the last. */
READS_STACK static inline __attribute__((always_inline)) bool holds(const struct iot_memo *m, const uintptr_t *frame)
{
	/* another caller's: word[1] is where the wrapper returns to */
	if (m->word[1] != frame[1] || m->frame != (uintptr_t)frame || m->rules != iot_rules_are())
		return false;
	iot_barrier();
	for (uint32_t i = 0, n = m->n; i < n; i++)
		if (frame[m->at[i]] != m->word[i])
			return false;
	return true;
}

/* Which memo keeps a new walk: one that has none; else a hash of the number of walks chooses it.
   If walks gave way in turn, five callers one after the other would all find their walks gone. */
static IOT_EACH IOT_COLD struct iot_memo *vacate(struct iot_thread *t)
{
	uint32_t walks = 0;

	for (uint32_t i = 0; i < IOT_MEMOS; i++) {
		if (!t->memo[i].frame)
			return &t->memo[i];
		walks += t->memo[i].turn;
	}
	return &t->memo[(walks * walks * 0x9e3779b1u >> 16) % IOT_MEMOS];
}

/* The recorder's own affair: a handler that comes now has another one. */
READS_STACK static IOT_EACH IOT_COLD uint32_t search(struct iot_thread *t, const uintptr_t *frame)
{
	bool idle = t->state == IOT_IDLE;
	uint32_t turn = iot_rules_are(), id = 0;
	struct iot_memo *m = NULL;
	uint64_t python = 0;

	if (idle)
		iot_busy(t);
	for (uint32_t i = 0; i < IOT_MEMOS && !m; i++)
		if (holds(&t->memo[i], frame))
			m = &t->memo[i];
	/* only Python's frames may be others */
	if (m && m->python)
		python = iot_python_look(t);
	iot_walking(t)->looked = python != 0;
	if (m && python == m->python)
		id = m->id;
	if (!m)
		m = vacate(t);
	if (!id)
		id = find(t, m, (uintptr_t)frame);
	if (!id && turn != iot_rules_are())
		id = find(t, m, (uintptr_t)frame);
	if (idle)
		iot_idle(t);
	return id;
}

/* 0: it is not known.  A handler that comes meanwhile may have a walk of its own noted anywhere. */
READS_STACK uint32_t iot_stack(struct iot_thread *t, void *frame)
{
	const uintptr_t *at = frame;
	uint32_t first = home(at[1]);

	for (uint32_t i = 0; i < IOT_MEMOS; i++) {
		const struct iot_memo *m = &t->memo[(first + i) % IOT_MEMOS];
		uint32_t turn = m->turn, id = m->id;

		iot_barrier();
		if (!holds(m, at))
			continue;
		iot_barrier();
		if (iot_likely(m->turn == turn && !m->python))
			return id;
		break;
	}
	return search(t, at);
}
