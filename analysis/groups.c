/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * groups.c - from spots to the line where a repetition is decided.
 *
 * That is, at first, the innermost line of the program.  Where this is in a function that
 * others call too, from several lines, and nearly all that the rule is about came from one of
 * those, it is that line; and so on outwards.  If the calls came from many lines, it is the
 * line of the function that they have in common.  A function that has one caller, and does it once a
 * call, does not decide either: some rules (.repeats) want the line that is in a loop (loops.c).
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "constellation.h"
#include "rules/rules.h"

#define NEARLY_ALL 95 /* percent */
#define MANY_FILES 10 /* from so many files on, a group has the directory's name */
#define OVER_AND_OVER 1000 /* calls */

bool iota_own_file(const struct iota_row *file)
{
	static const char *const not[] = {"/proc/", "/sys/",  "/dev/", "/usr/lib/", "/usr/share/",
					  "/lib/",  "/lib64/", "/etc/", "/run/",     "socket:"};
	size_t i;

	if (S_ISSOCK(file->mode) || S_ISCHR(file->mode))
		return false;
	for (i = 0; i < sizeof(not) / sizeof(not[0]); i++)
		if (file->name_len >= strlen(not[i]) &&
		    !memcmp(file->name, not[i], strlen(not[i])))
			return false;
	return true;
}

/* The spot of the call above this one's.  Spots of one file and the same lines are next to each other. */
const struct iota_spot *iota_spot_above(const struct iota_spot *spot)
{
	const struct iota_spot *s, *best = NULL;

	for IOTA_EACH_OF_LINE(s, spot)
		if (s != spot && iota_spot_v(s, IOTA_S_CARRIED) &&
		    (!best || iota_spot_v(s, IOTA_S_CARRIED) > iota_spot_v(best, IOTA_S_CARRIED)))
			best = s;
	return best;
}

/* ---- the line ---- */

static struct iota_place *place_at(const struct iota_spot *spot, unsigned level)
{
	return spot->from->chain && level < spot->from->chain->n ? spot->from->chain->at[level] : NULL;
}

/* The caller from which nearly all the weight of the spots comes.  NULL: there is no such caller. */
static const struct iota_place *heavy_caller(struct iota_spot **spot, size_t n, unsigned level)
{
	uint64_t all = 0, of_best = 0;
	const struct iota_place *best = NULL;
	size_t i, j;

	/* a majority vote: each other caller takes one away */
	for (i = 0; i < n; i++) {
		const struct iota_place *p = place_at(spot[i], level);
		uint64_t weight = spot[i]->weight;

		all += weight;
		if (p == best)
			of_best += weight;
		else if (weight > of_best) {
			best = p;
			of_best = weight - of_best;
		} else {
			of_best -= weight;
		}
	}
	for (j = 0, of_best = 0; j < n; j++)
		of_best += place_at(spot[j], level) == best ? spot[j]->weight : 0;
	return best && of_best >= iota_share(all, NEARLY_ALL) ? best : NULL;
}

bool iota_copies(const struct iota_function *f)
{
	return f->moved[0] && f->moved[1] && f->moved[0] != f->moved[1];
}

/* Does the innermost function do only this to files, and things that are as frequent?  Then it most
   likely does it once each time it is called, and its caller has the loop.  A function that opens a
   file, and then reads it in a loop, has a call that is rarer. */
static bool is_thin(const struct iota_spot *spot)
{
	const struct iota_function *f = iota_innermost(spot->from->chain);

	return !iota_spot_v(spot, IOTA_S_BENEATH) && !(spot->from->chain->way & IOTA_BY_LIBRARY) && f->caller &&
	       f->most && 2 * f->least >= f->most && !iota_copies(f);
}

/* Is there a loop on the way from this level to main(), and certainly none inside? */
static bool turns_further_out(const struct iota_spot *spot, unsigned level)
{
	const struct iota_place *p;

	while ((p = place_at(spot, ++level)) && p->turns == IOTA_TURNS_NOT)
		;
	return p && p->turns & IOTA_TURNS;
}

/* Does the caller decide how often the line is reached?  It does if the line is in no loop of its
   function. If the function's machine code is not known, it does if the function does nothing else. */
static bool is_repeated_further_out(const struct iota_rule *rule, const struct iota_spot *spot, unsigned level,
				    const struct iota_place *site)
{
	if (site->function->several)
		return true;
	if (!rule->repeats || site->turns & IOTA_TURNS)
		return false;
	return (site->turns == IOTA_TURNS_NOT && turns_further_out(spot, level)) || (!level && is_thin(spot));
}

/* The place where the spot's repetition is decided, which find_site has found. */
static struct iota_place *site_of(const struct iota_spot *spot)
{
	return place_at(spot, spot->level);
}

/* Finds the site of spots of one file that have the same innermost line. */
static void find_site(const struct iota_rule *rule, struct iota_spot **spot, size_t n)
{
	const struct iota_place *site = place_at(spot[0], 0), *caller;
	unsigned level = 0;
	size_t i;

	while (site && is_repeated_further_out(rule, spot[0], level, site) && (caller = heavy_caller(spot, n, level + 1)) &&
	       caller->function != site->function) {
		site = caller;
		level++;
	}
	for (i = 0; i < n; i++) {
		bool goes_there = place_at(spot[i], level) == site;

		spot[i]->level = goes_there ? (unsigned char)level : 0;
	}
}

/* ---- groups ---- */

static void add_to(struct iota_group *g, const struct iota_spot *spot)
{
	iota_spot_sum(g->v, spot);
	g->weight += spot->weight;
	if (!g->heaviest || spot->weight > g->heaviest->weight)
		g->heaviest = spot;
}

/* Sets the file of a group. */
static void set_file(struct iota_group *g)
{
	uint64_t weight = 0, most = 0;
	size_t i;

	for (i = 0; i < g->n; i++) {
		bool new = iota_is_first_of_file(g, i);

		g->files += new;
		weight = (new ? 0 : weight) + g->spot[i]->weight;
		if (weight > most) {
			most = weight;
			g->file = g->spot[i]->file;
		}
	}
}

static void judge_group(struct iota *a, const struct iota_rule *rule, struct iota_spot **spot,
			size_t n)
{
	struct iota_group g = {.spot = spot, .n = n};
	size_t i;

	for (i = 0; i < n; i++)
		add_to(&g, spot[i]);
	if (g.weight < rule->least && !rule->light)
		return;
	set_file(&g);
	rule->judge(a, rule, &(struct iota_evidence){.row = g.file, .group = &g});
}

static int by_place(const void *a, const void *b)
{
	return iota_place_compare(*(struct iota_place *const *)a, *(struct iota_place *const *)b);
}

/* Sorts spots by site, and keeps their order within a site.  There are few sites and many spots.  Spots
   without a site come first. */
static void sort_by_site(struct iota_spot **spot, size_t n)
{
	struct iota_spot **sorted = iota_grow(NULL, n, sizeof(struct iota_spot *));
	struct iota_place **site = NULL, *p;
	size_t n_sites = 0, cap = 0, without = 0, at, of_site, i;

	for (i = 0; i < n; i++) {
		p = site_of(spot[i]);
		if (!p) {
			without++;
		} else if (!p->spots++) {
			IOTA_ROOM(site, n_sites, cap);
			site[n_sites++] = p;
		}
	}
	if (n_sites)
		qsort(site, n_sites, sizeof(*site), by_place);
	for (i = 0, at = without; i < n_sites; i++, at += of_site) {
		of_site = site[i]->spots;
		site[i]->spots = at;
	}
	for (i = 0, at = 0; i < n; i++) {
		p = site_of(spot[i]);
		sorted[p ? p->spots++ : at++] = spot[i];
	}
	for (i = 0; i < n_sites; i++)
		site[i]->spots = 0;
	memcpy(spot, sorted, n * sizeof(*spot));
	free(sorted);
	free(site);
}

/* Does a line of the program have a file of the system asked for, or opened, over and over?  Libraries
   use such files once or a few times.  More is as wrong as with any other file: localtime(3) asks for
   the time zone's file each time. */
static bool is_made_to(const struct iota_spot *spot)
{
	const struct iota_chain *chain = spot->from->chain;

	return chain && chain->n && chain->at[0]->file && !(chain->way & IOTA_BY_MPI) && iota_regular(spot->file) &&
	       iota_spot_v(spot, IOTA_S_CALLS) >= OVER_AND_OVER;
}

/* Does the program itself look there for a file that is not there? */
static bool is_sought(const struct iota_spot *spot)
{
	const struct iota_chain *chain = spot->from->chain;

	return iota_spot_v(spot, IOTA_S_MISSING) && chain && chain->n && !(chain->way & (IOTA_BY_LIBRARY | IOTA_BY_MPI));
}

/* The rules that look at lines at all, at sockets, at files of the system, and at lines that do a kind of thing. */
struct about {
	iota_about_t all, sockets, system, does[IOTA_N_DOES];
};

static struct about about_rules(const struct iota *a)
{
	const struct iota_rule *rule;
	struct about of = {0};
	iota_about_t bit = 1;
	unsigned does;

	for (rule = a->rules; rule->id; rule++, bit <<= 1) {
		if (!rule->weigh || rule->off)
			continue;
		of.all |= bit;
		of.sockets |= rule->sockets ? bit : 0;
		of.system |= rule->system ? bit : 0;
		for (does = 0; does < IOTA_N_DOES; does++)
			of.does[does] |= !rule->does || rule->does >> does & 1 ? bit : 0;
	}
	return of;
}

/* The rules that may be about an origin.  Names are compared once for all files. */
static iota_about_t rules_of(const struct iota *a, const struct iota_origin *from, iota_about_t all)
{
	const struct iota_rule *rule;
	iota_about_t bit = 1;

	for (rule = a->rules; rule->id; rule++, bit <<= 1)
		if (all & bit && ((rule->calls && !rule->calls(from->call)) || (rule->roles && !(rule->roles & from->roles))))
			all &= ~bit;
	return all;
}

/* about has a bit for each such rule, of which there are at most 64. */
static void weigh_by(const struct iota_rule *rule, uint64_t about, const struct iota_spot *spot, uint32_t number, struct iota_matter *matter)
{
	struct iota_matter *m;
	unsigned i;

	for (; about; about &= about - 1) {
		i = (unsigned)__builtin_ctzll(about);
		if (!rule[i].weigh(&rule[i], spot))
			continue;
		m = &matter[i];
		IOTA_ROOM(m->spot, m->n, m->cap);
		m->spot[m->n++] = number;
	}
}

/* any: rules for whatever that file is. */
static void weigh_spot(const struct iota *a, const struct about *of, iota_about_t any, uint32_t number, struct iota_matter *matter)
{
	const struct iota_spot *spot = a->spots.spot[number];
	const iota_about_t about = spot->from->rules & of->does[spot->does] & any;

	weigh_by(a->rules, (uint64_t)about, spot, number, matter);
	weigh_by(a->rules + 64, (uint64_t)(about >> 64), spot, number, matter + 64);
}

/* Whose file this is, is asked once for the file's spots, which are next to each other. */
struct iota_matter *iota_rules_about_spots(struct iota *a)
{
	const struct about of = about_rules(a);
	const struct iota_row *file = NULL;
	struct iota_matter *matter;
	iota_about_t any = 0, here;
	size_t i;

	for (i = 0; i < a->spots.n_origins; i++)
		a->spots.origin[i]->rules = rules_of(a, a->spots.origin[i], of.all);
	for (i = 0; a->rules[i].id; i++)
		;
	matter = iota_grow(NULL, i + 1, sizeof(*matter));
	memset(matter, 0, (i + 1) * sizeof(*matter));
	for (i = 0; i < a->spots.n; i++) {
		const struct iota_spot *spot = a->spots.spot[i];

		if (spot->file != file)
			any = S_ISSOCK(spot->file->mode) ? of.sockets : iota_own_file(spot->file) ? of.all : 0;
		file = spot->file;
		here = any ? any : is_made_to(spot) ? of.all : is_sought(spot) ? of.system : 0;
		if (iota_spot_v(spot, IOTA_S_CALLS) && here)
			weigh_spot(a, &of, here, (uint32_t)i, matter);
	}
	return matter;
}

void iota_judge_groups(struct iota *a, const struct iota_rule *rule, const struct iota_matter *matter)
{
	struct iota_spot **of_rule = matter->n ? iota_grow(NULL, matter->n, sizeof(struct iota_spot *)) : NULL;
	size_t n = 0, i, j;

	for (i = 0; i < matter->n; i++) {
		struct iota_spot *spot = a->spots.spot[matter->spot[i]];

		spot->weight = rule->weigh(rule, spot);
		if (spot->weight) /* a spot without weight was counted by another rule */
			of_rule[n++] = spot;
	}
	/* spots are sorted by file, and then by innermost line */
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && of_rule[j]->file == of_rule[i]->file &&
				place_at(of_rule[j], 0) == place_at(of_rule[i], 0);
		     j++)
			;
		find_site(rule, of_rule + i, j - i);
	}
	if (n)
		sort_by_site(of_rule, n);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && site_of(of_rule[j]) == site_of(of_rule[i]); j++)
			;
		judge_group(a, rule, of_rule + i, j - i);
	}
	free(of_rule);
}

/* ---- what is found in one ---- */

size_t iota_directory(const char *name, size_t len)
{
	while (len && name[len - 1] != '/')
		len--;
	return len;
}

/* The directory that all files of the group have in common. */
static size_t common_directory(const struct iota_group *g)
{
	const struct iota_row *first = g->spot[0]->file;
	size_t len = first->name_len, i, j;

	for (i = 1; i < g->n; i++) {
		const struct iota_row *file = g->spot[i]->file;

		for (j = 0; j < len && j < file->name_len && file->name[j] == first->name[j]; j++)
			;
		len = j;
	}
	len = iota_directory(first->name, len);
	return len > 1 ? len - 1 : 0;
}

/* Counts all calls that the spot's calls make, on the same lines. */
static uint64_t count_beneath(const struct iota_spot *spot)
{
	struct iota_spot *s;
	uint64_t time = 0;

	for IOTA_EACH_OF_LINE(s, spot)
		if (iota_spot_v(s, IOTA_S_BENEATH))
			time += iota_spot_count(s);
	return time;
}

bool iota_maps(const char *call)
{
	return !strcmp(call, "mmap") || !strcmp(call, "mmap64");
}

/* A call is a statement of Fortran if its name is in capitals. */
bool iota_names_statement(const char *call)
{
	return *call && call[strspn(call, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

static uint64_t statements_in(const struct iota_spot *spot)
{
	return spot && iota_names_statement(spot->from->call) ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

/* The number of Fortran statements that the group's calls are, or that make these. */
static uint64_t statements_of(const struct iota_group *g)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < g->n; i++)
		n += statements_in(g->spot[i]) + statements_in(iota_spot_above(g->spot[i]));
	return n;
}

/* The time of calls that no finding has counted, of those above them, and of all beneath those: a
   Fortran statement does each time what it does besides moving bytes. */
static uint64_t time_of(const struct iota_group *g)
{
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < g->n; i++) {
		const struct iota_spot *above = iota_spot_above(g->spot[i]);

		time += iota_spot_count(g->spot[i]);
		if (!g->spot[i]->is_syscall)
			time += count_beneath(g->spot[i]);
		if (above && iota_spot_v(g->spot[i], IOTA_S_BENEATH))
			time += iota_spot_count((struct iota_spot *)above) + count_beneath(above);
	}
	return time;
}

uint64_t iota_spot_count(struct iota_spot *spot)
{
	uint64_t time = spot->counted ? 0 : iota_spot_v(spot, IOTA_S_TIME);

	spot->counted = true;
	return time;
}

/* How many threads do this at the same time, on average: the sum of their spans, by the span of all.  A
   thread may have several spots at once.  If one thread has most of the time of nearly all, the others
   matter little. */
static double at_once(const struct iota_group *g)
{
	const uint64_t *v = g->v;
	uint64_t time = iota_spot_v(g->heaviest, IOTA_S_TIME), most = iota_spot_v(g->heaviest, IOTA_S_MOST);
	uint64_t all = v[IOTA_S_LAST] - (UINT64_MAX - v[IOTA_S_BEFORE]);
	double n = all ? (double)v[IOTA_S_SPANS] / (double)all : 1, threads = (double)iota_threads(v);

	if (2 * time >= v[IOTA_S_TIME] && most)
		threads = fmin(threads, (double)time / (double)most);
	return fmax(1, fmin(n, threads));
}

/* The call that most of the rest of the group is, if it has several; NULL. */
static const char *second_call(const struct iota_group *g)
{
	const struct iota_spot *best = NULL;
	size_t i;

	for (i = 0; i < g->n; i++)
		if (strcmp(g->spot[i]->from->call, g->heaviest->from->call) && (!best || g->spot[i]->weight > best->weight))
			best = g->spot[i];
	return best ? best->from->call : NULL;
}

struct iota_finding iota_about_group(const struct iota_rule *rule, const struct iota_group *g)
{
	struct iota_finding f = iota_about(rule, g->file);
	size_t directory = g->files >= MANY_FILES ? common_directory(g) : 0;

	if (directory) {
		f.name = g->spot[0]->file->name;
		f.name_len = directory;
		f.below = true;
	} else if (iota_is_nameless(g->file)) {
		f.name = NULL;
		f.name_len = 0;
	} else if (g->files) {
		f.others = g->files - 1;
	}
	f.call = g->heaviest->from->call;
	f.also = second_call(g);
	f.chain = g->heaviest->from->chain;
	f.level = g->heaviest->level;
	f.count = g->weight;
	f.of = f.calls = g->v[IOTA_S_CALLS];
	f.files = g->files;
	f.does = g->heaviest->does;
	f.bytes = g->v[IOTA_S_BYTES];
	f.time = time_of(g);
	f.statements = statements_of(g);
	f.longest = g->v[IOTA_S_MAX];
	f.at_once = at_once(g);
	f.threads = g->v[IOTA_S_THREADS];
	return f;
}
