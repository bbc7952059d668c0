/* SPDX-License-Identifier: BSD-3-Clause */
/* anchor.c - the timebase and the kernel's clocks at one moment, for readers to tell the time. */
#include "anchor.h"

#include "log-share.h"
#include "sys.h"
#include "vdso-clock.h"

#include <time.h>

/* The log's newest, which other threads and processes store meanwhile; false if one of them
   was in the middle (iot_anchor_store). */
static bool load_latest(struct iot_anchor *a)
{
	const struct iot_anchor *latest = &iot_header->latest;

	a->ticks = __atomic_load_n(&latest->ticks, __ATOMIC_ACQUIRE);
	a->realtime = __atomic_load_n(&latest->realtime, __ATOMIC_RELAXED);
	a->monotonic = __atomic_load_n(&latest->monotonic, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return a->ticks && a->ticks == __atomic_load_n(&latest->ticks, __ATOMIC_RELAXED);
}

/*
 * Reads all three clocks as nearly at once as can be.
 */
void iot_anchor_now(struct iot_anchor *a)
{
	uint64_t best = ~0ULL;

	if (iot_unlikely(!iot_sys_allowed(SYS_clock_gettime))) {
		/* the kernel is asked where the timebase is of no use to it */
		if (!iot_header || !load_latest(a))
			*a = (struct iot_anchor){ 0 };
		return;
	}
	for (int i = 0; i < 8 && best > 4096; i++) {
		struct timespec real, mono;
		uint64_t from = iot_ticks(), to;

		iot_clock(CLOCK_REALTIME, &real);
		iot_clock(CLOCK_MONOTONIC, &mono);
		to = iot_ticks();
		if (to - from >= best)
			continue;
		best = to - from;
		a->ticks = from + best / 2;
		a->realtime = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
		a->monotonic = (uint64_t)mono.tv_sec * 1000000000u + (uint64_t)mono.tv_nsec;
	}
}

/* Into the log, where a reader may come at any moment: without ticks it is none. */
void iot_anchor_store(struct iot_anchor *to, const struct iot_anchor *a)
{
	__atomic_store_n(&to->ticks, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&to->realtime, a->realtime, __ATOMIC_RELAXED);
	__atomic_store_n(&to->monotonic, a->monotonic, __ATOMIC_RELAXED);
	__atomic_store_n(&to->ticks, a->ticks, __ATOMIC_RELEASE);
}

/* Remembers the newest anchor, for logs that are cut short.  Threads that come
   while another stores leave theirs out, unless its process was killed in the middle. */
void iot_anchor_latest(const struct iot_anchor *a)
{
	struct iot_anchor *to = &iot_header->latest;
	uint32_t by = 0;

	if (!iot_share ||
	    (!__atomic_compare_exchange_n(&iot_share->latest_by, &by, iot_each.pid, false, __ATOMIC_ACQUIRE,
					  __ATOMIC_RELAXED) &&
	     (by == iot_each.pid || !iot_sys_ended(by) ||
	      !__atomic_compare_exchange_n(&iot_share->latest_by, &by, iot_each.pid, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED))))
		return;
	if (a->ticks > __atomic_load_n(&to->ticks, __ATOMIC_RELAXED)) {
		__atomic_store_n(&to->ticks, 0, __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_RELEASE);
		iot_header->latest_sum = iot_anchor_sum(a);
		iot_anchor_store(to, a);
	}
	__atomic_store_n(&iot_share->latest_by, 0, __ATOMIC_RELEASE);
}

#define SOONEST (1ULL << 18)
#define LATEST	(1ULL << 31)

/*
 * One for a stream that begins; returns in how many ticks another is to follow (iot_rebase).  That
 * is when the log is twice as old as it is now: until then its clocks are known as well as its age
 * allows.  It is the log's newest, unless that is of when the log was half as old: to read the
 * kernel's clocks costs a forked child the page that their code lies in.
 */
uint64_t iot_anchor_first(struct iot_anchor *a)
{
	const uint64_t start = iot_header->start.ticks;
	uint64_t now = iot_ticks(), age = now > start ? now - start : 0;

	if (!load_latest(a) || a->ticks < start || (a->ticks - start < age / 2 && age > SOONEST)) {
		iot_anchor_now(a);
		iot_anchor_latest(a);
	}
	return age < SOONEST ? SOONEST : age > LATEST ? LATEST : age;
}
