/* SPDX-License-Identifier: BSD-3-Clause */
/* polled.c - calls that find nothing, again and again, until another thread has done something. */
#include "config.h"

#include "rules.h"

/* How often threads wrote the file that have none of these bits; 0 if one wrote it that has. */
static uint64_t written_by_others(const struct iota_row *file, uint64_t threads)
{
	const struct iota_spot *s;
	uint64_t n = 0;

	for (s = file->spots; s; s = s->next_of_file) {
		if (s->does != IOTA_DOES_WRITE || !s->is_syscall)
			continue;
		if (iota_spot_v(s, IOTA_S_THREADS) & threads)
			return 0;
		n += iota_spot_v(s, IOTA_S_CALLS);
	}
	return n;
}

/* Who asks for a file's attributes while another one writes it learns something new once for each write. */
static uint64_t asked_in_vain(const struct iota_spot *spot)
{
	uint64_t written, calls = iota_spot_v(spot, IOTA_S_CALLS);

	if (calls < 2 || !(spot->from->roles & IOTA_ASKS))
		return 0;
	written = written_by_others(spot->file, iota_spot_v(spot, IOTA_S_THREADS));
	return written && written < calls ? calls - written : 0;
}

/* Reads that found nothing, but for those by which a reader learns that it has come to the end: one each time
   that the file is opened, one of a pipe. */
static uint64_t read_in_vain(const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;
	uint64_t vain = iota_spot_v(spot, IOTA_S_VAIN), ends = 1;

	if (iota_regular(file) && iota_number(file, IOTA_F_READ) && iota_number(file, IOTA_F_OPENS))
		ends = iota_number(file, IOTA_F_OPENS);
	return vain > ends ? vain - ends : 0;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t vain = read_in_vain(spot) + asked_in_vain(spot);

	if (iota_is_no_file(spot->file) && iota_spot_v(spot, IOTA_S_WAITS))
		return 0; /* it only passes the time */
	if (spot->from->chain && spot->from->chain->way & IOTA_BY_MPI)
		return 0;
	return !iota_spot_v(spot, IOTA_S_BENEATH) && vain >= iota_share(iota_spot_v(spot, IOTA_S_CALLS), rule->share) ? vain : 0;
}

/* Whoever is waited for takes as long as before: what is saved is the processor's time, not the run's. */
static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (iota_is_between_ranks(a, e->group->file))
		return;
	f = iota_about_group(rule, e->group);
	if (iota_is_no_file(e->group->file))
		f.name = NULL;
	iota_finding_add(a, f);
}

LINES(polled, 15, judge, .repeats = true, .sockets = true, .severity = IOTA_COST, .least = 1000, .share = 80,
	.title = "polling: calls that find nothing",
	.when = "A line of the program makes {least} or more reads of which at least {share} % find nothing: they are at "
	  "the end of the file, and the reader has been told so since it was opened, or nothing has come through a pipe or a socket that does not block. Or as "
	  "many calls of poll(2), select(2) or epoll_wait(2) end without a descriptor that has something. Or it asks that "
	  "often for the attributes of a file that another thread or process writes, and {share} % of these calls or "
	  "more are more than there were writes. The sockets of MPI's ranks are left out.",
	.says = "{count} of {of} calls found nothing new",
	.remedy = "Wait until there is something: poll() for a pipe or a socket, without a time limit; inotify(7) for a file that another "
	  "process writes, or a pipe in its place. The run becomes no shorter, but the processor is free meanwhile.")
