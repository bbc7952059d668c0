/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * user.c - what the program tells us itself, by iotrace.h.
 *
 * A region is a call in progress that one function begins and another ends.  It
 * is bound to no frame, since programs have begin and end in functions of their
 * own: its slot's frame is IOT_NO_FRAME, above all others.  It ends by its end, or
 * with a region or call around it, or with its thread.
 *
 * What is open is known by name and place in `regions`, per thread, in memory that a
 * forked child finds as it was.  A thread has that from its first region until it ends:
 * thread-local storage for it would cost each thread of every program a page.  A handler
 * that comes in between leaves it as it found it, if its begins have ends.
 */
#include <string.h>

#include "arena.h"
#include "attach.h"
#include "conf.h"
#include "hooks.h"
#include "lost.h"
#include "paths.h"
#include "wrap.h"
#include "desc_mark.h"
#include "desc_pause.h"
#include "desc_region.h"
#include "desc_resume.h"

#define IOTRACE_RECORDER_
#include "iotrace.h"

#ifdef IOT_DYNAMIC
void iot_user(int what, const char *text) __attribute__((visibility("default")));
#else
void iot_user(int what, const char *text) __attribute__((visibility("hidden")));
#endif

struct region {
	struct iot_thread *t;
	uint64_t start;
	uint32_t place;
	char name[44];			/* as much as is compared */
};
static struct iot_pool tables = { .size = IOT_MAX_SLOTS * sizeof(struct region) };
static __thread struct region *regions;	/* IOT_MAX_SLOTS of them; NULL: there was none yet */
static __thread uint32_t n_open;
static __thread uint32_t n_deep;	/* that found no slot, inside of these */

static bool is_open(const struct region *r)
{
	return r->t && r->t->state != IOT_NEW && r->place < r->t->depth &&
	       iot_slots(r->t)[r->place].start == r->start;
}

/* Regions that ended with a call around them. */
static void forget_closed(void)
{
	while (n_open && !is_open(&regions[n_open - 1]))
		n_open--;
}

/* The thread has ended, and its regions. */
void iot_regions_gone(void)
{
	n_open = 0;
	iot_barrier();
	iot_pool_disown(&tables, &regions);
}

/* Its slot: name, and no frame that it could be missed by. */
static void fill_slot(struct iot_thread *t, uint32_t place, const char *name)
{
	uint32_t id;

	iot_busy(t);
	id = iot_name_intern(t, name);
	iot_slots(t)[place].frame = IOT_NO_FRAME;
	iot_slots(t)[place].name = id;
	iot_idle(t);
}

static void begin(const char *name, void *frame)
{
	struct iot_call c;
	struct region r;
	uint32_t at;

	if (!iot_enter(&c, &IOT_DESC_NAME(region), 0, -1, frame))
		return;
	forget_closed();
	if (c.depth >= IOT_MAX_SLOTS || n_open == IOT_MAX_SLOTS || !iot_pool_own(&tables, &regions)) {
		c.t->depth = c.depth;
		n_deep++;
		iot_lost(1, IOT_LOST_DEPTH);
		return;
	}
	fill_slot(c.t, c.depth, name);
	r = (struct region){ .t = c.t, .start = c.start, .place = c.depth };
	memcpy(r.name, name, strnlen(name, sizeof(r.name) - 1));
	/* a handler before the last store may have used this place */
	at = n_open;
	n_open = at + 1;
	iot_barrier();
	regions[at] = r;
	iot_barrier();
	n_open = at + 1;
}

static struct region *find(const struct iot_thread *t, const char *name)
{
	for (uint32_t i = n_open; i > 0; i--) {
		struct region *r = &regions[i - 1];

		if (r->t == t && is_open(r) && (!name || !strncmp(r->name, name, sizeof(r->name) - 1)))
			return r;
	}
	return NULL;
}

static void end(const char *name)
{
	struct iot_thread *t = iot_mine();
	struct region *r;
	struct iot_call c = { .desc = &IOT_DESC_NAME(region), .frame = IOT_NO_FRAME, .offset = IOT_UNKNOWN,
			      .generation = iot_each.generation, .fd = -1 };
	char own[sizeof(r->name)];
	uint64_t word;

	if (!t || t->state != IOT_IDLE)
		t = iot_attach_slow(t);
	if (!t)
		return;
	if (n_deep && (t->depth >= IOT_MAX_SLOTS || n_open == IOT_MAX_SLOTS)) {
		n_deep--;
		return;
	}
	n_deep = 0;
	r = find(t, name);
	if (!r)
		return;
	c.t = t;
	c.depth = r->place;
	c.start = r->start;
	c.stack = iot_slots(t)[r->place].stack;
	/* from here on a handler's region may take this one's place */
	memcpy(own, r->name, sizeof(own));
	word = (uintptr_t)own;
	iot_barrier();
	n_open = (uint32_t)(r - regions);
	iot_leave_status(&c, 0, 0, &word, IOT_ST_FINISHED);
}

/* Before a fork, t is NULL.  In the child, which is in the same regions, t is the
   busy recorder that its forking thread begins with: from now on, for all it knows. */
IOT_EACH void iot_regions_again(struct iot_thread *t)
{
	if (!t) {
		forget_closed();
		return;
	}
	for (uint32_t i = 0; i < n_open; i++) {
		struct region *r = &regions[i];
		uint32_t name = iot_name_intern(t, r->name);
		struct iot_slot *slot = &iot_slots(t)[r->place];

		if (r->place < t->outer)
			t->outer = r->place;
		r->t = t;
		r->start = iot_ticks();
		*slot = (struct iot_slot){ .call = IOT_ID_region, .frame = IOT_NO_FRAME,
					   .name = name };
		iot_barrier();
		slot->start = r->start;
	}
}

static void event(const struct iot_desc *desc, const char *text, void *frame)
{
	uint64_t word = (uintptr_t)text;
	struct iot_call c;

	if (iot_enter(&c, desc, 0, -1, frame))
		iot_leave(&c, 0, &word);
}

/* Recording goes on when every pause has its resume. */
static void pause_by(int by)
{
	uint32_t n = __atomic_load_n(&iot_pauses, __ATOMIC_SEQ_CST);

	do {
		if (n + (uint32_t)by == ~0U)
			return;
	} while (!__atomic_compare_exchange_n(&iot_pauses, &n, n + (uint32_t)by, false,
					      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
	iot_config_settle();
}

void iot_user(int what, const char *text)
{
	void *frame = __builtin_frame_address(0);
	struct iot_thread *t = iot_self;

	switch (what) {
	case IOTRACE_BEGIN_:
		begin(text ? text : "", frame);
		break;
	case IOTRACE_END_:
		end(text);
		break;
	case IOTRACE_MARK_:
		event(&IOT_DESC_NAME(mark), text, frame);
		break;
	case IOTRACE_PAUSE_:
		event(&IOT_DESC_NAME(pause), NULL, frame);
		/* the first of all: what is recorded has to be known */
		if (t || iot_attach_slow(NULL))
			pause_by(1);
		break;
	case IOTRACE_RESUME_:
		pause_by(-1);
		event(&IOT_DESC_NAME(resume), NULL, frame);
		break;
	}
}
