/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow-disk.c - IOTRACE_ON_SLOW: a log's disk that makes those wait who write there.
 *
 * A write to a file can't be given up once it was begun, nor does every file system tell
 * beforehand whether it would wait (RWF_NOWAIT).  So with drop one thread finds out by
 * waiting.  While it does the others write nothing, and after it nobody does for nine
 * times as long: a tenth of the time is the most that the disk can take of a program.
 *
 * Only full windows are dropped.  What begins, a log, the first window of a thread for
 * which none is free, waits: else all of its calls would be lost.
 */
#include "slow-disk.h"

#include "conf.h"
#include "log-share.h"
#include "vdso-clock.h"

#include <time.h>

#define MS    1000000u
#define SLOW  (10 * MS)			/* what takes less long is not slow */
#define REST  9u
#define STUCK (10000ull * MS)		/* whoever takes longer may have been killed meanwhile */

static uint64_t now(void)
{
	return iot_clock_ns(CLOCK_MONOTONIC);
}

/* Whether nobody is to write now.  A process may have a clock of its own: what makes no
   sense is not believed. */
bool iot_log_is_slow(void)
{
	uint64_t at, began, until;

	if (iot_likely(!iot_config.drop) || !iot_share)
		return false;
	at = now();
	began = __atomic_load_n(&iot_share->write_began, __ATOMIC_RELAXED);
	until = __atomic_load_n(&iot_share->slow_until, __ATOMIC_RELAXED);
	return (began && at - began > SLOW && at - began < STUCK) || until - at - 1 < REST * STUCK;
}

/* Before a write; returns what iot_log_written needs. */
uint64_t iot_log_writes(void)
{
	uint64_t at, was = 0;

	if (iot_likely(!iot_config.drop))
		return 0;
	at = now();
	if (!__atomic_compare_exchange_n(&iot_share->write_began, &was, at, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED) &&
	    at - was >= STUCK)
		__atomic_compare_exchange_n(&iot_share->write_began, &was, at, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
	return at;
}

void iot_log_written(uint64_t began)
{
	uint64_t at, took;

	if (iot_likely(!began))
		return;
	at = now();
	took = at - began < STUCK ? at - began : STUCK;
	if (took > SLOW)
		__atomic_store_n(&iot_share->slow_until, at + REST * took, __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(&iot_share->write_began, &began, 0, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}
