/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h - what the functions that judge have in common; each is in a file of its own. */
#ifndef IOTA_RULES_H
#define IOTA_RULES_H

#include "../spots.h"

/*
 * What stands out: all findings that there are, a file each, which ends with its row:
 *	RULE(name, number, judge, ...)	whose judge is handed what .over says, one after the other
 *	LINES(name, number, judge, ...)	over groups of spots (groups.c) that weigh .least or more, with .light
 *					any; weigh() says which, and how much
 * judge is a function of the file, or one that several rules have in common (below).
 * The name is the file's, and with - for _ the finding's id.  Rules judge in the order of their numbers:
 * the time of a call that one has counted, those behind it don't count again.  Thresholds stand in the row
 * and nowhere else.  .does, .roles and .calls say what kinds of lines and calls the rule is about at all: a job has
 * millions of lines and files, and most rules are about few of them.  .remedy_in[] has what is to be
 * done in words of a language, where .remedy names calls that it does not have.  .when is what the man page says of the finding, which make takes from here, .says
 * is printed of each.  What may stand in braces there is explained in words.c.
 * table/rows.awk makes rules.list of all of them, for judge.c.
 */
#define RULE(name, number, judges, ...)                                                            \
	extern const struct iota_rule iota_rule_##name;                                            \
	const struct iota_rule iota_rule_##name = {.judge = judges, __VA_ARGS__};
#define LINES(name, number, judges, ...) \
	RULE(name, number, judges, .weigh = weigh, .over = IOTA_OVER_LINES, __VA_ARGS__)

/* What a rule is about, for .does: a line that does something else is not weighed. */
#define IOTA_THAT(what) (1u << IOTA_DOES_##what)

/* With .repeats, one call alone is no fault: the finding is at the line of the loop, which may be that of the
   caller of a helper.  Without, the line that makes the call is the one to change, whoever calls its function
   and how often: a flush, a sync, the opening of a file. */

/* What iota_saves_merged() reckons with. */
#define IOTA_MERGED "a byte costs as much as in large calls of this run, or 0.1 to 1 ns if there are none"

/* A finding about a row, with nothing in it yet. */
static inline struct iota_finding iota_about(const struct iota_rule *rule,
					     const struct iota_row *row)
{
	return (struct iota_finding){.rule = rule, .name = row->name, .name_len = row->name_len};
}

/* Percent of a number. */
static inline uint64_t iota_share(uint64_t of, uint64_t percent)
{
	return of / 100 * percent + of % 100 * percent / 100;
}

/* ---- of what rules about lines ask (lines.c) ---- */

/* Does each of the calls wait until the disk has what it writes? */
bool iota_waits_for_disk(const struct iota_spot *spot);
/* The syncs, or calls that are such, after little; and what is to be said of a group of them. */
uint64_t iota_weigh_syncs(const struct iota_rule *rule, const struct iota_spot *spot);
iota_judge_fn iota_judge_syncs;
/* Does the line do it to this file so seldom that it is for each of several? */
static inline bool iota_is_synced_once(const struct iota_spot *spot)
{
	return iota_spot_v(spot, IOTA_S_CALLS) < 4;
}
/* Are most of the calls small, and does it matter? */
bool iota_mostly_small(const struct iota_rule *rule, const struct iota_spot *spot);
/* The same of system calls that read, or write, of which no other rule knows why. */
bool iota_small(const struct iota_rule *rule, const struct iota_spot *spot);
/* Is it made by what flushes a stream; once or more for each call above it? */
bool iota_is_flush(const struct iota_spot *spot);
/* Does a C++ stream write it since it is moved to where it is? */
bool iota_is_for_idle_seek(const struct iota_spot *spot);
/* The single bytes, if these are most of what is moved there. */
uint64_t iota_single(const struct iota_rule *rule, const struct iota_spot *spot);
iota_judge_fn iota_judge_small;
/* Does a C++ stream make it that has no buffer? */
bool iota_lacks_filebuf(const struct iota_rule *rule, const struct iota_spot *spot);
/* Does a stream of C's make it that has no buffer from the start? */
bool iota_lacks_buffer(const struct iota_rule *rule, const struct iota_spot *spot);
/* Is it beneath a stream whose buffering setvbuf(3) has set so, and are most of its calls small? */
bool iota_set_buffering(const struct iota_rule *rule, const struct iota_spot *spot, int mode);

/* The group's calls are a finding; a fix makes no more than so many of them. */
void iota_judge_without(struct iota *a, const struct iota_rule *rule, const struct iota_group *g,
			uint64_t stay);

/* Does a process of MPI's transfer by it without the others, at an offset of its own? */
bool iota_independent(const char *call);
/* Or at the offset that all share? */
bool iota_shares_pointer(const char *call);

/* Do most of its calls fail?  Then that is what there is to say: see failed. */
bool iota_mostly_fails(const struct iota_spot *spot);
/* How often each of its bytes that was read, or 1: written, was so on average; 0: none was. */
uint64_t iota_times(const struct iota_row *file, unsigned direction);
/* Are its bytes written more than once?  Then they may well be read again. */
bool iota_is_updated(const struct iota_row *file);
/* Of the finding's bytes, the share that is none of the different ones: moved again. */
double iota_moved_again(const struct iota_finding *f);
/* How many different bytes of the group's files were moved; and how many in all, if that is not NULL. */
uint64_t iota_different_of(const struct iota_group *g, unsigned direction, uint64_t *all);
/* What all system calls have that move to or from the file, also those within libc. */
uint64_t iota_of_file(const struct iota_row *file, enum iota_does does, enum iota_spot_field field);
/* Does who writes that often to a pipe get as many answers? */
bool iota_gets_answers(const struct iota *a, const struct iota_row *pipe, uint64_t writes);

/* Does one process alone move so much of the file in that direction that others could share it? */
uint64_t iota_by_one(const struct iota_rule *rule, const struct iota_spot *spot, unsigned direction);

/* Do transfers of little not follow each other?  And in which way? */
bool iota_jumps(const struct iota_rule *rule, const struct iota_spot *spot);
bool iota_goes_back(const struct iota_spot *spot);
bool iota_strides(const struct iota_spot *spot);
iota_judge_fn iota_judge_jumps;

/* The time that other calls of the program took that did this to the group's files. */
uint64_t iota_count_others(const struct iota_group *g, enum iota_does does);
/* And of all that was done to them: opening, closing, removing. */
uint64_t iota_count_all(const struct iota_group *g);
/* How often the file was opened so that what it had is gone; and is so much, or more, written each time? */
uint64_t iota_emptied(const struct iota_row *file);
/* How many calls of these roles (enum iota_role) the file had, but those that failed. */
uint64_t iota_succeeded(const struct iota_row *file, unsigned roles);
bool iota_is_made_anew(const struct iota_row *file, uint64_t size);
/* How often what the file had was gone, or its name may have become another file's. */
uint64_t iota_anew(const struct iota_row *file);
/* The descriptors that it opens and nobody closes; and what is to be said of them: of a rule with .is_cause if calls
   failed since there could be no more, of one without if none did. */
uint64_t iota_weigh_leaks(const struct iota_rule *rule, const struct iota_spot *spot);
iota_judge_fn iota_judge_leaks;
/* Does it stand for all calls that are on no file? */
bool iota_is_no_file(const struct iota_row *file);
/* How often the file was closed; and without those of which is known which line had opened it. */
uint64_t iota_closed(const struct iota_row *file);
uint64_t iota_closed_unknown(const struct iota_row *file);

/* ---- of what rules ask that find a line with most of the time, whatever it does (lines.c) ---- */

/* Does it work on files, and not wait for others? */
bool iota_is_work(const struct iota_spot *spot);
uint64_t iota_io(const struct iota *a); /* ns, of all calls */
/* Does it take .share % of that or more, and one part in .share of the run, with no other finding half as dear? */
bool iota_costs_most(const struct iota *a, const struct iota_rule *rule, const struct iota_group *g);

/* ---- of what each process does (by-all.c) ---- */

/* Has each of several processes moved about all that there is of the spot's file: .share % of them or more? */
bool iota_is_moved_by_all(const struct iota_rule *rule, const struct iota_spot *spot, unsigned direction);
/* Of a group of such: .of are the processes, .bytes what each of them moved. */
struct iota_finding iota_about_all(const struct iota *a, const struct iota_rule *rule, const struct iota_group *g,
				   unsigned direction);

/* ---- of what rules about ranks ask (ranks.c) ---- */

const struct iota_row *iota_process(const struct iota *a, uint32_t number); /* NULL: there is none */
bool iota_is_rank(const struct iota *a, uint32_t process); /* by its number */
/* Is it a socket by which a rank is sent messages, in MPI's own way? */
bool iota_is_between_ranks(const struct iota *a, const struct iota_row *file);
uint64_t iota_threads_of(const struct iota *a, uint32_t process);
/* How many ranks there are, if it is one. */
uint64_t iota_ranks_beside(const struct iota *a, uint32_t process);
uint64_t iota_moved(const struct iota_row *file, unsigned direction); /* bytes */
/* Do other ranks move next to nothing, in all files, beside what one moves in this one? */
bool iota_moves_alone(const struct iota *a, const struct iota_rule *rule, const struct iota_row *file,
		      unsigned direction);
/* How many threads begin with the same function, and are there together, of which one alone moves
   nearly all of what is moved, in all files; 0: it is not so.  user: how long they compute, ns. */
uint64_t iota_team_of(const struct iota *a, const struct iota_rule *rule, const struct iota_row *file,
		      unsigned direction, uint64_t *user);
/* What MPI handed from rank to rank: most of it to all, or to each its part? */
enum iota_handed {
	IOTA_HANDED_UNSEEN, /* its messages are not in the log */
	IOTA_HANDED_TO_ALL,
	IOTA_HANDED_IN_PARTS,
};
enum iota_handed iota_handed_out(const struct iota *a);
/* Does all that is read of it come when it has been written, and is that as much?  Then one has made what all need: they
   read it, or one does and hands it out, but not in parts. */
bool iota_is_for_others(const struct iota *a, const struct iota_row *file);

#endif
