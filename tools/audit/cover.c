/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cover.c - which sites have a wrapper in front.
 *
 * A function is covered if nobody refers to it but our wrappers and the
 * recorder: then whoever wants to get there comes through a wrapper.  That is
 * what `ld --wrap` cannot promise: it redirects references between object
 * files, not those within one, nor pointers made from local symbols.
 *
 * One hop further: a function that does the work of another one (glibc's
 * __fcntl64_nocancel_adjusted for fcntl) is covered by the wrapper of that one,
 * provided that this wrapper's record is about the same system call.  Such functions may
 * call each other, as liburing's do.
 */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "audit.h"

#define DEPTH_MAX 64 /* of calls among the recorder's static functions */
#define HOPS_MAX 4 /* of functions with wrappers that call each other past these */
#define UNKNOWN_NUMBER "unknown number"
#define ANY_NUMBER "?" /* the same in calls.def */

static uint32_t owner(const struct audit *a, uint32_t f)
{
	return f < FROM_KERNEL ? a->funcs[f].owner : f;
}

/* A pointer in data counts if a function can be entered where it points to. */
static bool counts(const struct audit *a, const struct ref *r)
{
	if (r->from == NOT_A_FUNC)
		return iot_audit_is_entry(a, r->target);
	return r->from == FROM_KERNEL || owner(a, r->from) != owner(a, r->to);
}

/* Does the reference come from a wrapper or the recorder? */
bool iot_audit_ref_is_ours(const struct audit *a, const struct ref *r)
{
	const struct symbol *s;

	if (r->from == FROM_KERNEL)
		return false;
	if (r->from != NOT_A_FUNC)
		return a->funcs[owner(a, r->from)].side != SIDE_PROGRAM;
	s = iot_audit_object_at(a, r->where);
	return s && !strncmp(s->name, "iot_", 4);
}

/*
 * What runs: all that the entry point leads to, and all that data points to.
 * Archives bring along functions that nothing calls.
 */
static void find_live(struct audit *a)
{
	uint32_t *todo = iot_audit_alloc(a->n_funcs, sizeof(*todo));
	uint32_t *first = iot_audit_alloc(a->n_funcs + 2, sizeof(*first));
	uint32_t *by_from = iot_audit_alloc(a->n_refs, sizeof(*by_from));
	uint32_t n = 0, i, from;
	size_t k;

	/* Counting sort by who refers: those of f end up in first[f] .. first[f + 1]. */
	for (k = 0; k < a->n_refs; k++)
		if (a->refs[k].from < FROM_KERNEL)
			first[a->refs[k].from + 2]++;
	for (i = 1; i <= a->n_funcs; i++)
		first[i + 1] += first[i];
	for (k = 0; k < a->n_refs; k++) {
		const struct ref *r = &a->refs[k];

		if (r->from < FROM_KERNEL) {
			by_from[first[r->from + 1]++] = r->to;
		} else if (!a->funcs[r->to].live && counts(a, r)) {
			a->funcs[r->to].live = true;
			todo[n++] = r->to;
		}
	}
	while (n) {
		from = todo[--n];
		for (i = first[from]; i < first[from + 1]; i++) {
			if (a->funcs[by_from[i]].live)
				continue;
			a->funcs[by_from[i]].live = true;
			todo[n++] = by_from[i];
		}
	}
	free(by_from);
	free(first);
	free(todo);
}

/* A reference that is not the function's own and may be followed one day. */
bool iot_audit_ref_matters(const struct audit *a, const struct ref *r)
{
	return counts(a, r) && (r->from >= FROM_KERNEL || a->funcs[r->from].live);
}

static bool stands_for(const struct audit *a, uint32_t g, const char *call, unsigned hops);

/* Whether all who refer to the function are ours, or functions that stand for the call. */
static bool only_ours_refer(const struct audit *a, const struct func *f, const char *call, unsigned hops, bool *wrapper)
{
	bool any = false;
	uint32_t i;

	for (i = f->first_ref; i < f->first_ref + f->n_refs; i++) {
		const struct ref *r = &a->refs[i];

		if (!iot_audit_ref_matters(a, r))
			continue;
		any = true;
		if (!iot_audit_ref_is_ours(a, r)) {
			if (!hops || r->from >= FROM_KERNEL || !stands_for(a, r->from, call, hops - 1))
				return false;
			*wrapper = true;
			continue;
		}
		if (wrapper && r->from < FROM_KERNEL &&
		    a->funcs[owner(a, r->from)].side == SIDE_WRAPPER)
			*wrapper = true;
	}
	return any;
}

/*
 * What has the name of a wrapper is one if it calls the recorder; else it is a
 * function that the program has itself, or libc's.
 */
static void find_wrappers(struct audit *a)
{
	size_t i;

	for (i = 0; i < a->n_refs; i++) {
		const struct ref *r = &a->refs[i];
		struct func *f;

		if (r->from >= FROM_KERNEL || a->funcs[r->to].side != SIDE_RECORDER)
			continue;
		f = &a->funcs[owner(a, r->from)];
		if (f->may_wrap && f->side == SIDE_PROGRAM) {
			f->side = SIDE_WRAPPER;
			a->n_wrappers++;
		}
	}
}

static bool is_wrapped(const struct audit *a, const struct func *f)
{
	uint32_t i;

	for (i = f->first_symbol; i < f->first_symbol + f->n_symbols; i++)
		if (iot_audit_is_wrapped(a->symbols[i].name))
			return true;
	return false;
}

/*
 * Static functions of the recorder need not be called iot_*.  A local function
 * to which only the recorder refers is one: static functions of the program's
 * or of libc's cannot be reached from other object files.  (Hidden ones become
 * local in static-pie executables; of these, a wrapper calls only what it
 * wraps, which has a name in the table.)
 */
static void find_recorder(struct audit *a)
{
	bool more = true;
	size_t i, pass;

	for (pass = 0; more && pass < DEPTH_MAX; pass++) {
		more = false;
		for (i = 0; i < a->n_funcs; i++) {
			struct func *f = &a->funcs[i];

			if (f->side != SIDE_PROGRAM || !f->local || !f->live || f->owner != i ||
			    is_wrapped(a, f) || !only_ours_refer(a, f, NULL, 0, NULL))
				continue;
			f->side = SIDE_RECORDER;
			more = true;
		}
	}
}

static bool stands_for(const struct audit *a, uint32_t g, const char *call, unsigned hops)
{
	const struct func *f = &a->funcs[owner(a, g)];
	bool wrapper = false;
	uint32_t i;

	for (i = f->first_symbol; i < f->first_symbol + f->n_symbols; i++)
		if (iot_audit_wraps(a->symbols[i].name, call))
			return only_ours_refer(a, f, call, hops, &wrapper) && wrapper;
	/* a static function of those that do */
	return f->local && f->side == SIDE_PROGRAM && only_ours_refer(a, f, call, hops, &wrapper) && wrapper;
}

/* Is G what a wrapper calls, and that wrapper's record one of this call?  Or is G only called by
   such a function, and has such a record itself? */
bool iot_audit_stands_for(const struct audit *a, uint32_t g, const char *call)
{
	return stands_for(a, g, call, HOPS_MAX);
}

static enum verdict judge(const struct audit *a, struct group *g)
{
	const char *call = strcmp(g->call, UNKNOWN_NUMBER) ? g->call : ANY_NUMBER;
	const struct func *f = &a->funcs[g->func];
	bool covered = true;
	uint32_t i;

	if (!f->live)
		return V_UNUSED;
	for (i = f->first_ref; covered && i < f->first_ref + f->n_refs; i++) {
		const struct ref *r = &a->refs[i];

		/* Sorted by who refers: once is enough. */
		if (i > f->first_ref && r->from < FROM_KERNEL && r->from == r[-1].from)
			continue;
		covered = !iot_audit_ref_matters(a, r) || iot_audit_ref_is_ours(a, r) ||
			  (r->from < FROM_KERNEL && iot_audit_stands_for(a, r->from, g->call));
	}
	if (covered)
		return V_BEHIND;
	for (i = f->first_symbol; i < f->first_symbol + f->n_symbols && !g->reason; i++)
		g->reason = iot_audit_inline_reason(a->symbols[i].name, call);
	return g->reason ? V_INLINE : V_UNCOVERED;
}

/* One site making one of the calls that it may make. */
struct item {
	struct group group;
	uint64_t addr;
};

static int compare_items(const void *x, const void *y)
{
	const struct item *a = x, *b = y;
	int c;

	if (a->group.func != b->group.func)
		return a->group.func < b->group.func ? -1 : 1;
	c = strcmp(a->group.call, b->group.call);
	return c ? c : a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* What the site's k-th possible number means; false: no I/O. */
static bool name_call(const struct site *s, uint8_t k, char *call, size_t size)
{
	const char *name;

	if (s->entry != BY_SYSCALL)
		snprintf(call, size, "%s", s->entry == BY_INT80 ? "int 0x80" : "sysenter");
	else if (!s->n_numbers)
		snprintf(call, size, UNKNOWN_NUMBER);
	else if (!iot_audit_syscall_is_io(s->numbers[k]))
		return false;
	else if ((name = iot_audit_syscall_name(s->numbers[k])))
		snprintf(call, size, "%s", name);
	else
		snprintf(call, size, "number %u", s->numbers[k]);
	return true;
}

static struct item *list_items(struct audit *a, size_t *n_items)
{
	struct item *items = NULL;
	size_t i, n = 0;
	uint8_t k;

	for (i = 0; i < a->n_sites; i++) {
		const struct site *s = &a->sites[i];
		uint32_t f = owner(a, s->func);
		bool io = false;

		if (a->funcs[f].side != SIDE_PROGRAM) {
			a->n_recorder_sites++;
			continue;
		}
		for (k = 0; k < (s->n_numbers ? s->n_numbers : 1); k++) {
			struct item it = {.group.func = f, .addr = s->addr};

			if (!name_call(s, k, it.group.call, sizeof(it.group.call)))
				continue;
			items = iot_audit_grow(items, n, sizeof(it));
			items[n++] = it;
			io = true;
		}
		a->n_other_sites += !io;
	}
	if (n)
		qsort(items, n, sizeof(*items), compare_items);
	*n_items = n;
	return items;
}

static int compare_groups(const void *x, const void *y, void *arg)
{
	const struct audit *audit = arg;
	const struct group *a = x, *b = y;
	const char *an = audit->funcs[a->func].name, *bn = audit->funcs[b->func].name;
	int c;

	if (a->verdict != b->verdict)
		return a->verdict < b->verdict ? -1 : 1;
	c = strcmp(an ? an : "", bn ? bn : "");
	if (!c && a->func != b->func)
		return a->func < b->func ? -1 : 1;
	return c ? c : strcmp(a->call, b->call);
}

static void make_groups(struct audit *a, const struct item *items, size_t n_items)
{
	struct group *g = NULL;
	size_t i;

	a->group_sites = iot_audit_alloc(n_items, sizeof(*a->group_sites));
	for (i = 0; i < n_items; i++) {
		if (!g || g->func != items[i].group.func || strcmp(g->call, items[i].group.call)) {
			a->groups = iot_audit_grow(a->groups, a->n_groups, sizeof(*g));
			g = &a->groups[a->n_groups++];
			*g = items[i].group;
			g->first_site = i;
			g->verdict = judge(a, g);
		}
		a->group_sites[i] = items[i].addr;
		g->n_sites++;
	}
	if (a->n_groups)
		qsort_r(a->groups, a->n_groups, sizeof(*g), compare_groups, a);
}

/* Sites with this verdict. */
size_t iot_audit_count(const struct audit *a, enum verdict v)
{
	size_t i, n = 0;

	for (i = 0; i < a->n_groups; i++)
		if (a->groups[i].verdict == v)
			n += a->groups[i].n_sites;
	return n;
}

void iot_audit_cover(struct audit *a)
{
	struct item *items;
	size_t n;

	find_live(a);
	find_wrappers(a);
	find_recorder(a);
	items = list_items(a, &n);
	make_groups(a, items, n);
	free(items);
}
