/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c - what several rules ask about what a line of the program does to a file. */
#include "config.h"

#include <stdio.h>
#include <sys/stat.h>

#include "rules/rules.h"

#define NEARLY_ALL 80 /* percent */
#define BUFFER 65536  /* bytes: a buffer that collects small transfers */
#define FEW 32	      /* bytes: less than what any buffer holds */
#define ENOUGH 16     /* so many transfers show a pattern */

bool iota_waits_for_disk(const struct iota_spot *spot)
{
	return spot->does == IOTA_DOES_WRITE && spot->is_syscall && spot->file->traits & IOTA_TRAIT_SYNCED;
}

static bool are_small(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_spot_v(spot, IOTA_S_SMALL) >= iota_share(iota_spot_v(spot, IOTA_S_CALLS), rule->share);
}

bool iota_mostly_small(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->is_syscall && iota_regular(spot->file) && !iota_waits_for_disk(spot) && are_small(rule, spot);
}

bool iota_is_flush(const struct iota_spot *spot)
{
	const struct iota_spot *above = iota_spot_v(spot, IOTA_S_BENEATH) ? iota_spot_above(spot) : NULL;

	/* INQUIRE asks for the file's size, and writes the unit's buffer first */
	if (above)
		return !strncmp(above->from->call, "fflush", 6) || !strcmp(above->from->call, "FLUSH") ||
		       !strcmp(above->from->call, "INQUIRE");
	return spot->from->chain && spot->from->chain->way & IOTA_FLUSHES;
}

/* Does a seek on a C stream write what the stream's buffer holds?  See stream-seeks. */
static bool is_for_seek(const struct iota_spot *spot)
{
	const struct iota_spot *above = iota_spot_v(spot, IOTA_S_BENEATH) ? iota_spot_above(spot) : NULL;

	return above && spot->does == IOTA_DOES_WRITE && above->from->roles & IOTA_MOVES_STREAM;
}

bool iota_is_for_idle_seek(const struct iota_spot *spot)
{
	const struct iota_spot *s;
	uint64_t idle = 0;

	if (!spot->from->chain || !(spot->from->chain->way & IOTA_SEEKS) || !spot->is_syscall || spot->does != IOTA_DOES_WRITE)
		return false;
	for IOTA_EACH_OF_LINE(s, spot)
		idle += iota_spot_v(s, IOTA_S_IDLE);
	return 2 * idle >= iota_spot_v(spot, IOTA_S_CALLS);
}

/* Does a call on a stream make this call, one for one?  MPI may use the file of a stream as well. */
static bool each_carries(const struct iota_spot *spot)
{
	const struct iota_spot *above = iota_spot_v(spot, IOTA_S_BENEATH) ? iota_spot_above(spot) : NULL;

	return above && above->does == spot->does && !(spot->from->chain && spot->from->chain->way & IOTA_BY_MPI) &&
	       2 * iota_spot_v(above, IOTA_S_CARRIED) >= iota_spot_v(above, IOTA_S_CALLS);
}

/* The sum over all system calls that move bytes in the same direction, to the same file, on the same
   line: an iostream without a buffer uses both write() and writev(). */
static uint64_t of_line(const struct iota_spot *spot, enum iota_spot_field field)
{
	const struct iota_spot *s;
	uint64_t sum = 0;

	for IOTA_EACH_OF_LINE(s, spot)
		if (s->does == spot->does && s->is_syscall)
			sum += iota_spot_v(s, field);
	return sum;
}

static bool are_single(const struct iota_spot *spot)
{
	return of_line(spot, IOTA_S_ONES) > of_line(spot, IOTA_S_SMALL) / 2;
}

/* Has the C++ stream no buffer?  pubsetbuf() is no call of libc's, so the transfers have to tell.  A
   stream with a buffer seldom moves less than the buffer holds, and next to never a single byte.  A
   stream without one moves what each << or get() has. */
bool iota_lacks_filebuf(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t calls = of_line(spot, IOTA_S_CALLS);

	return spot->from->chain && spot->from->chain->way & IOTA_BY_FILEBUF && iota_mostly_small(rule, spot) &&
	       !iota_is_flush(spot) && !iota_is_for_idle_seek(spot) &&
	       of_line(spot, IOTA_S_ONES) >= calls / 10 && of_line(spot, IOTA_S_BYTES) < FEW * calls;
}

uint64_t iota_single(const struct iota_rule *rule, const struct iota_spot *spot)
{
	if (!spot->is_syscall || !iota_spot_v(spot, IOTA_S_ONES) || each_carries(spot) || iota_is_flush(spot) ||
	    !are_single(spot) || iota_lacks_filebuf(rule, spot))
		return 0;
	return of_line(spot, IOTA_S_ONES) >= iota_share(of_line(spot, IOTA_S_CALLS), rule->share)
		       ? iota_spot_v(spot, IOTA_S_ONES)
		       : 0;
}

bool iota_small(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_mostly_small(rule, spot) && !iota_is_flush(spot) && !iota_is_for_idle_seek(spot) && !is_for_seek(spot) &&
	       !(each_carries(spot) && spot->file->buffering & 6) && !iota_lacks_buffer(rule, spot) &&
	       !are_single(spot) && !iota_lacks_filebuf(rule, spot);
}

void iota_judge_small(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f = iota_about_group(rule, g);

	f.bytes = g->v[IOTA_S_SMALL_BYTES];
	iota_saves_merged(a, &f, (f.bytes + BUFFER - 1) / BUFFER);
	iota_finding_add(a, f);
}

void iota_judge_without(struct iota *a, const struct iota_rule *rule, const struct iota_group *g,
			uint64_t stay)
{
	struct iota_finding f = iota_about_group(rule, g);

	iota_saves_without(&f, f.count - stay);
	iota_finding_add(a, f);
}

/* Has the C stream no buffer, like stderr?  Small calls are written at once then, and setvbuf() has not
   asked for that. */
bool iota_lacks_buffer(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->does == IOTA_DOES_WRITE && each_carries(spot) && !spot->file->buffering &&
	       !iota_names_statement(iota_spot_above(spot)->from->call) && !iota_is_flush(spot) &&
	       iota_mostly_small(rule, spot);
}

bool iota_set_buffering(const struct iota_rule *rule, const struct iota_spot *spot, int mode)
{
	return each_carries(spot) && spot->file->buffering & 1u << mode &&
	       (iota_mostly_small(rule, spot) ||
		(mode == _IOLBF && S_ISFIFO(spot->file->mode) && are_small(rule, spot)));
}

uint64_t iota_of_file(const struct iota_row *file, enum iota_does does, enum iota_spot_field field)
{
	const struct iota_spot *s;
	uint64_t sum = 0;

	for (s = file->spots; s; s = s->next_of_file)
		if (s->does == does && s->is_syscall)
			sum += iota_spot_v(s, field);
	return sum;
}

bool iota_gets_answers(const struct iota *a, const struct iota_row *pipe, uint64_t writes)
{
	const struct iota_table *files = iota_table(a, IOTA_BY_FILE);
	uint64_t answers = 0;
	size_t i;

	for (i = 0; i < files->n && S_ISFIFO(pipe->mode); i++) {
		const struct iota_row *file = files->row[i];

		if (file != pipe && file->mover[0] == pipe->mover[1] && !iota_regular(file))
			answers += iota_of_file(file, IOTA_DOES_READ, IOTA_S_CALLS);
	}
	return answers >= writes / 10 + 1;
}

/* Is the call MPI_File_preallocate()'s?  One rank reads the bytes that are there and writes them again,
   which the program has not asked for. */
static bool is_for_space(const struct iota_spot *spot)
{
	const struct iota_spot *s;

	for IOTA_EACH_OF_LINE(s, spot)
		if (!strcmp(s->from->call, "MPI_File_preallocate"))
			return true;
	return false;
}

/* What one rank reads is often needed by all ranks.  So a file has to have more bytes read than written
   to count. */
uint64_t iota_by_one(const struct iota_rule *rule, const struct iota_spot *spot, unsigned direction)
{
	uint64_t least = direction ? rule->size : rule->size * rule->factor;

	return spot->is_syscall && spot->does == (direction ? IOTA_DOES_WRITE : IOTA_DOES_READ) &&
			       !(spot->file->movers & 1u << direction) && iota_regular(spot->file) &&
			       iota_moved(spot->file, direction) >= least && !is_for_space(spot)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

bool iota_independent(const char *call)
{
	static const char *const how[] = {"", "_at", "_c", "_at_c"};
	size_t i;

	if (strncmp(call, "MPI_File_", 9))
		return false;
	call += 9;
	call += *call == 'i';
	if (strncmp(call, "read", 4) && strncmp(call, "write", 5))
		return false;
	call += *call == 'r' ? 4 : 5;
	for (i = 0; i < sizeof(how) / sizeof(how[0]); i++)
		if (!strcmp(call, how[i]))
			return true;
	return false;
}

bool iota_shares_pointer(const char *call)
{
	return !strncmp(call, "MPI_File_", 9) && (strstr(call, "_shared") || strstr(call, "_ordered"));
}

/* Does the line go straight on, and jump only over bytes that other lines move again and again? */
static bool is_led_away(const struct iota_spot *spot)
{
	if (iota_spot_v(spot, IOTA_S_OWN) < iota_share(iota_spot_v(spot, IOTA_S_JUMPS), NEARLY_ALL))
		return false;
	return spot->file->rare->stays && 2 * spot->file->rare->stays >= iota_spot_v(spot, IOTA_S_JUMPS);
}

bool iota_jumps(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t located = iota_spot_v(spot, IOTA_S_LOCATED);

	return spot->is_syscall && located >= ENOUGH && !iota_is_flush(spot) && !iota_stays(spot) && !is_led_away(spot) &&
	       iota_spot_v(spot, IOTA_S_JUMPS) > iota_share(located, rule->share) &&
	       iota_spot_mean(spot) < rule->size;
}

bool iota_goes_back(const struct iota_spot *spot)
{
	return iota_spot_v(spot, IOTA_S_BACK) >= iota_share(iota_spot_v(spot, IOTA_S_JUMPS), NEARLY_ALL);
}

bool iota_strides(const struct iota_spot *spot)
{
	return iota_spot_v(spot, IOTA_S_STRIDED) >= iota_share(iota_spot_v(spot, IOTA_S_JUMPS), NEARLY_ALL) &&
	       iota_spot_v(spot, IOTA_S_OWN) < iota_spot_v(spot, IOTA_S_JUMPS) / 2 + 1;
}

/* The bytes that would be moved if each were moved once. */
static uint64_t once(const struct iota_group *g, uint64_t bytes)
{
	uint64_t different = iota_owned_bytes(g->file->seen[g->heaviest->does == IOTA_DOES_WRITE]);

	return g->files == 1 && different && different < bytes ? different : bytes;
}

void iota_judge_jumps(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f;
	uint64_t bytes;

	if (g->v[IOTA_S_LOCATED] < rule->least)
		return;
	f = iota_about_group(rule, g);
	f.of = g->v[IOTA_S_LOCATED];
	f.time += iota_count_others(g, IOTA_DOES_SEEK);
	bytes = f.bytes;
	f.bytes = once(g, bytes);
	iota_saves_merged(a, &f, (f.bytes + BUFFER - 1) / BUFFER);
	f.bytes = bytes;
	iota_finding_add(a, f);
}

/* The time of all lines of the group's files, or of those that do this. */
static uint64_t count(const struct iota_group *g, bool all, enum iota_does does)
{
	uint64_t time = 0;
	struct iota_spot *s;
	size_t i;

	for (i = 0; i < g->n; i++)
		for (s = iota_is_first_of_file(g, i) ? g->spot[i]->file->spots : NULL; s; s = s->next_of_file)
			time += all || s->does == does ? iota_spot_count(s) : 0;
	return time;
}

bool iota_mostly_fails(const struct iota_spot *spot)
{
	return 2 * iota_spot_v(spot, IOTA_S_ERRORS) > iota_spot_v(spot, IOTA_S_CALLS);
}

uint64_t iota_times(const struct iota_row *file, unsigned direction)
{
	uint64_t different = iota_different(file, direction);

	return different ? file->placed[direction] / different : 0;
}

bool iota_is_updated(const struct iota_row *file)
{
	return file->seen[1] && file->placed[1] > 2 * iota_different(file, 1);
}

double iota_moved_again(const struct iota_finding *f)
{
	return 1 - (double)f->of / (double)f->bytes;
}

uint64_t iota_count_others(const struct iota_group *g, enum iota_does does)
{
	return count(g, false, does);
}

uint64_t iota_count_all(const struct iota_group *g)
{
	return count(g, true, IOTA_DOES_OTHER);
}

uint64_t iota_emptied(const struct iota_row *file)
{
	const struct iota_spot *s;
	uint64_t n = 0;

	for (s = file->spots; s; s = s->next_of_file)
		n += iota_spot_v(s, IOTA_S_EMPTIED);
	return n;
}

uint64_t iota_succeeded(const struct iota_row *file, unsigned roles)
{
	const struct iota_spot *s;
	uint64_t n = 0;

	for (s = file->spots; s; s = s->next_of_file)
		n += s->from->roles & roles ? iota_spot_v(s, IOTA_S_CALLS) - iota_spot_v(s, IOTA_S_ERRORS) : 0;
	return n;
}

uint64_t iota_anew(const struct iota_row *file)
{
	return iota_emptied(file) + iota_succeeded(file, IOTA_RESIZES | IOTA_UNNAMES);
}

bool iota_is_made_anew(const struct iota_row *file, uint64_t size)
{
	uint64_t emptied = iota_emptied(file);

	return emptied && emptied >= iota_number(file, IOTA_F_OPENS) / 2 && iota_number(file, IOTA_F_WRITTEN) / size >= emptied;
}

bool iota_is_no_file(const struct iota_row *file)
{
	return file->name_len == strlen(IOTA_NO_FILE) && !memcmp(file->name, IOTA_NO_FILE, file->name_len);
}

uint64_t iota_closed(const struct iota_row *file)
{
	return file->closed;
}

uint64_t iota_closed_unknown(const struct iota_row *file)
{
	uint64_t closed = iota_closed(file), known = file->known;

	return closed > known ? closed - known : 0; /* known includes what exit(3) closes, which is in no record */
}

uint64_t iota_weigh_leaks(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t opened = iota_spot_v(spot, IOTA_S_OPENED), closed;

	(void)rule;
	if (!opened || !iota_regular(spot->file))
		return 0;
	if (spot->from->chain && spot->from->chain->way & IOTA_BY_MPI)
		return 0; /* MPI closes the files that it opened, or keeps them for itself */
	closed = iota_spot_v(spot, IOTA_S_CLOSED) + iota_spot_v(spot, IOTA_S_HELD) + iota_closed_unknown(spot->file);
	return opened > closed ? opened - closed : 0;
}

/* A leak has no time of its own.  What the program does in place of a failed open costs time, and is a
   finding of its own, whose cause is the leak. */
void iota_judge_leaks(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	uint64_t n = a->spots.refused;
	struct iota_finding f;

	if (!n == rule->is_cause)
		return;
	f = iota_about_group(rule, e->group);
	f.of = n ? n : f.of;
	f.time = 0;
	iota_finding_add(a, f);
}

/* Is a system call of the same line this call's sync?  Then the system call counts, which tells how long
   the sync took. */
static bool is_beneath(const struct iota_spot *spot)
{
	const struct iota_spot *s;

	if (spot->is_syscall)
		return false;
	for IOTA_EACH_OF_LINE(s, spot)
		if (s->does == IOTA_DOES_SYNC && iota_spot_v(s, IOTA_S_BENEATH))
			return true;
	return false;
}

uint64_t iota_weigh_syncs(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	if (iota_is_no_file(spot->file)) /* sync(2) */
		return spot->does == IOTA_DOES_SYNC ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
	if (iota_waits_for_disk(spot))
		return iota_spot_mean(spot) < rule->size ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
	return spot->does == IOTA_DOES_SYNC && !is_beneath(spot) && iota_number(file, IOTA_F_SYNCS) &&
			       iota_number(file, IOTA_F_WRITTEN) / iota_number(file, IOTA_F_SYNCS) < rule->size
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static uint64_t written(const struct iota *a)
{
	uint64_t total[IOTA_N_COMMON];

	iota_total(a, IOTA_BY_FILE, total);
	return total[IOTA_F_WRITTEN];
}

#define OF_A_CHANGE 3 /* files: a database syncs its journal and the directory for each change, too */

void iota_judge_syncs(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	bool all = iota_is_no_file(g->file);
	struct iota_finding f;

	if (g->files <= OF_A_CHANGE && g->weight < rule->least * g->files)
		return;
	if (all && written(a) / rule->size >= g->weight)
		return;
	f = iota_about_group(rule, g);
	f.bytes = all ? written(a) : iota_number(g->file, IOTA_F_WRITTEN);
	if (all)
		f.name = NULL;
	iota_saves_without(&f, f.calls - (f.calls + rule->factor - 1) / rule->factor);
	iota_finding_add(a, f);
}

bool iota_is_work(const struct iota_spot *spot)
{
	return spot->does != IOTA_DOES_WAIT && spot->does != IOTA_DOES_START && spot->does != IOTA_DOES_FAULT &&
	       !iota_spot_v(spot, IOTA_S_WAITS);
}

uint64_t iota_io(const struct iota *a)
{
	uint64_t total[IOTA_N_COMMON];

	iota_total(a, IOTA_BY_CALL, total);
	return total[IOTA_F_IO];
}

/* The time of other rules' findings, except those that are information. */
static uint64_t time_of_others(const struct iota *a, const struct iota_rule *rule)
{
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < a->n_findings; i++)
		if (a->findings[i].rule->severity != IOTA_INFO && a->findings[i].rule != rule)
			time += a->findings[i].time;
	return time;
}

bool iota_costs_most(const struct iota *a, const struct iota_rule *rule, const struct iota_group *g)
{
	uint64_t time = 0, longest = 0, max;
	size_t i;

	for (i = 0; i < g->n; i++) {
		if (g->spot[i]->counted)
			continue;
		time += iota_spot_v(g->spot[i], IOTA_S_TIME);
		max = iota_spot_v(g->spot[i], IOTA_S_MAX);
		longest = max > longest ? max : longest;
	}
	/* the longest call may have waited for a processor, and is no part of what is repeated */
	time -= longest < time ? longest : time;
	return time && time >= iota_share(iota_io(a), rule->share) && time >= a->run_time / rule->share &&
	       time_of_others(a, rule) <= time / 2;
}
