/* SPDX-License-Identifier: BSD-3-Clause */
/* unprefetched.c - slow reads, each of which the program waits for before it computes. */
#include "config.h"

#include "rules.h"

#define NS_A_MS 1000000

/* Of what libc reads unseen, the call above it has the time. */
static bool reads(const struct iota_spot *spot)
{
	return spot->does == IOTA_DOES_READ &&
	       (spot->is_syscall || 2 * iota_spot_v(spot, IOTA_S_CARRIED) >= iota_spot_v(spot, IOTA_S_CALLS));
}

/* Copies from the page cache are no slower than those of a thread that reads ahead. */
static bool is_slow(const struct iota_rule *rule, uint64_t bytes, uint64_t time)
{
	return bytes / rule->size < time / NS_A_MS;
}

/* The kernel knows what comes next if reads are in order.  Where they are not, the program may know, if what it reads
   are parts such as tiles, and not an index that tells where to go on. */
static bool may_be_known(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_spot_v(spot, IOTA_S_JUMPS) <= iota_share(iota_spot_v(spot, IOTA_S_LOCATED), rule->share) ||
	       (iota_spot_mean(spot) >> 10 >= rule->factor && !(spot->file->traits & IOTA_TRAIT_ANNOUNCED));
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return reads(spot) && !spot->counted && iota_regular(spot->file) &&
			       is_slow(rule, iota_spot_v(spot, IOTA_S_BYTES), iota_spot_v(spot, IOTA_S_TIME)) &&
			       may_be_known(rule, spot)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const uint64_t *v = e->group->v;
	struct iota_finding f;

	/* of several threads, another may be the one that computes */
	if (v[IOTA_S_HIDES] < rule->time || iota_threads_of(a, e->group->file->mover[0]) != 1)
		return;
	f = iota_about_group(rule, e->group);
	f.saves[1] = v[IOTA_S_HIDES] < f.time ? v[IOTA_S_HIDES] : f.time;
	f.saves[0] = f.saves[1] > f.longest ? (f.saves[1] - f.longest) / 10 * 9 : 0;
	iota_finding_add(a, f);
}

LINES(unprefetched, 310, judge, .repeats = true, .severity = IOTA_COST, .least = 8, .share = 10, .factor = 16, .size = 1000000, .time = 100000000,
	.title = "slow reads that computing waits for",
	.when = "A line of the program makes {least} or more reads in a file, of fewer than {size} bytes a millisecond, as "
	  "from a disk. Less than {share} % of them do not begin where the last one ended, or they have {factor} KiB or more on "
	  "average, and nothing told the kernel what will be read (POSIX_FADV_WILLNEED). "
	  "Between them its thread is in no call for long enough to have had {time} or more of that read "
	  "meanwhile. Its process has no other thread, and no other finding has these calls.",
	.says = "{count} of {of} reads, {bytes} in all, each of which the thread waits for before it computes",
	.assumes = "the disk, and a processor, are free meanwhile",
	.remedy = "Have the next part read while this one is computed: by posix_fadvise() with "
	  "POSIX_FADV_WILLNEED, by another thread, or by aio_read() into a second buffer.",
	.remedy_in[IOTA_CXX] = "Have the next part read while this one is computed, by another thread: std::async().",
	.remedy_in[IOTA_FORTRAN] = "Have the next part read while this one is computed: READ with ASYNCHRONOUS='YES' into a "
		"second array, and WAIT.",
	.remedy_in[IOTA_PYTHON] = "Have the next part read while this one is computed, by a thread: "
		"concurrent.futures.ThreadPoolExecutor.")
