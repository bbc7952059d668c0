/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c - what a log says, against what the program put on the board. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iotrace/read.h"
#include "step.h"

#define MAX_DEPTH 32

unsigned n_wrong;

void wrong(const char *format, ...)
{
	va_list ap;

	if (n_wrong++ > 8)
		return;
	va_start(ap, format);
	fputs("wrong: ", stdout);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
}

struct told {
	const char *when;
	bool fatal;
};

static void on_message(void *arg, enum iotr_severity severity, const char *file, const char *text)
{
	struct told *told = arg;

	(void)file;
	if (severity == IOTR_DAMAGE)
		wrong("%s: %s", told->when, text);
	else if (severity != IOTR_NOTE)
		told->fatal = true;
}

static uint64_t hash_stack(const struct iotr_call *call)
{
	const struct iotr_stack *s = iotr_call_stack(call);
	uint64_t h = 1;

	for (uint32_t i = 0; s && i < s->n; i++)
		h = (h ^ s->pc[i]) * 0x9e3779b97f4a7c15u;
	return s ? h : 0;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/*
 * Which call on the board it is, -1: none.  One that was being begun when a handler
 * came may have the time of the end of the handler's call, just before that call
 * returned: so the names count as well.
 */
static int op_of(const struct board *b, const struct seen *s)
{
	for (uint32_t at = (uint32_t)(s->owner + 1); at; at = b->op[at - 1].inside) {
		const struct op *op = &b->op[at - 1];

		if (!strcmp(op->name, s->name) && (!s->path[0] || ends_with(s->path, op->path)) &&
		    (op->size == BOARD_ANY || s->size == BOARD_ANY || op->size == s->size) &&
		    (!op->numbered || s->offset == BOARD_ANY || op->offset == s->offset))
			return (int)at - 1;
	}
	return -1;
}

/* The innermost call on the board that was in progress then; -1: none. */
static int op_at(const struct board *b, uint64_t ticks)
{
	uint32_t low = 0, high = b->n;

	while (low < high) {
		uint32_t mid = (low + high) / 2;

		if (b->op[mid].before <= ticks)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low; low = b->op[low - 1].inside)
		if (b->op[low - 1].state == OP_BEGUN || b->op[low - 1].after >= ticks)
			return (int)low - 1;
	return -1;
}

static void take(struct seen *s, const struct iotr_call *c, const struct board *b)
{
	size_t len = 0;
	const struct iotr_path *defined;
	const char *path = iotr_call_path(c, &len, &defined, NULL);

	memset(s, 0, sizeof(*s));
	s->ticks = c->ticks;
	s->start = c->start;
	s->end = c->status == IOTR_FINISHED || c->status == IOTR_ABANDONED ? c->start + c->dur
									   : UINT64_MAX;
	s->size = c->has & IOTR_HAS_SIZE ? c->size : BOARD_ANY;
	s->offset = c->has & IOTR_HAS_OFFSET ? c->offset : BOARD_ANY;
	s->has_ret = c->has & IOTR_HAS_RET;
	s->ret = s->has_ret ? c->ret : 0;
	s->stack = hash_stack(c);
	if (c->stack && !s->stack)
		wrong("a stack that the log does not define");
	s->tid = c->tid;
	s->depth = c->depth;
	s->stream = c->stream;
	s->err = c->err;
	s->fd = c->handle ? c->handle->fd : -1;
	s->status = (uint8_t)c->status;
	s->internal = c->internal;
	snprintf(s->name, sizeof(s->name), "%s", c->schema->name);
	if (path)
		snprintf(s->path, sizeof(s->path), "%s", path + (len > 39 ? len - 39 : 0));
	s->owner = op_at(b, c->ticks);
	s->op = op_of(b, s);
	/* libc makes calls only in those of the program: handlers' are simple */
	if (s->op >= 0)
		s->owner = s->op;
	else
		while (s->owner >= 0 && b->op[s->owner].inside)
			s->owner = (int)b->op[s->owner].inside - 1;
	if (s->owner >= 0) {
		s->handler = b->op[s->owner].handler;
		s->back = b->op[s->owner].state == OP_BEGUN
				  ? UINT64_MAX
				  : iotr_log_time(c->log, b->op[s->owner].after);
	}
}

struct view view_log(const void *data, size_t size, const struct board *b, const char *when)
{
	struct told told = { .when = when };
	struct iotr_log *log = iotr_log_open_mem(data, size, when, on_message, &told);
	struct iotr_set *set = iotr_set_new(on_message, &told);
	struct view v = { .readable = log };
	const struct iotr_call *c;
	size_t cap = 0;

	if (log)
		iotr_set_add_log(set, log);
	while ((c = iotr_set_next(set))) {
		if (v.n == cap) {
			cap = cap ? 2 * cap : 64;
			v.seen = realloc(v.seen, cap * sizeof(*v.seen));
			if (!v.seen)
				die("out of memory");
		}
		take(&v.seen[v.n++], c, b);
	}
	if (log && iotr_log_lost(log).calls)
		wrong("%s: %llu calls are lost", when,
		      (unsigned long long)iotr_log_lost(log).calls);
	iotr_set_free(set);
	return v;
}

void view_print(const struct view *v, size_t from, size_t to)
{
	for (size_t i = from; i < to && i < v->n; i++) {
		const struct seen *s = &v->seen[i];

		printf("#	%zu: %*s%s ticks %llu start %llu dur %lld tid %u stream %u depth %u fd %d size %lld offset %lld ret %lld status %u op %d owner %d %s\n",
		       i, (int)s->depth, "", s->name, (unsigned long long)s->ticks, (unsigned long long)s->start,
		       (long long)(s->end - s->start), s->tid, s->stream, s->depth, s->fd, (long long)s->size,
		       (long long)s->offset, (long long)s->ret, s->status, s->op, s->owner, s->path);
	}
}

static void check_values(const struct seen *s, const struct op *op, int i)
{
	if (s->status != IOTR_FINISHED && op->state == OP_DONE)
		wrong("%s %d has returned and has status %u", s->name, i, s->status);
	if (op->state == OP_LEFT && s->status != IOTR_FINISHED && s->status != IOTR_ABANDONED)
		wrong("%s %d was left and has status %u", s->name, i, s->status);
	/* past the clock's own rounding */
	if (s->end > s->back + 2)
		wrong("%s %d ends %llu ns after it returned", s->name, i,
		      (unsigned long long)(s->end - s->back));
	if (s->status != IOTR_FINISHED)
		return;
	if (op->size != BOARD_ANY && s->size != op->size)
		wrong("%s %d: size %lld, should be %lld", s->name, i, (long long)s->size, (long long)op->size);
	if (op->offset != BOARD_ANY && s->offset != op->offset &&
	    !(s->offset == BOARD_ANY && (op->unsure || op->handler)))
		wrong("%s %d: offset %lld, should be %lld", s->name, i, (long long)s->offset,
		      (long long)op->offset);
	if (op->state == OP_DONE && (uint64_t)op->ret != BOARD_ANY && (!s->has_ret || s->ret != op->ret))
		wrong("%s %d: result %lld, should be %lld", s->name, i, (long long)s->ret, (long long)op->ret);
}

/*
 * Calls of one depth follow one another; a deeper one lies within one that is
 * around it, or follows it before that has returned to the program: then a
 * handler interrupted the recorder, which had taken the time already.
 */
static void check_nesting(const struct view *v)
{
	const struct seen *last[MAX_DEPTH] = { NULL };

	for (size_t i = 0; i < v->n; i++) {
		const struct seen *s = &v->seen[i], *up;
		const char *bad = NULL;

		if (s->depth >= MAX_DEPTH) {
			wrong("%s at depth %u", s->name, s->depth);
			continue;
		}
		for (uint32_t d = s->depth; d < MAX_DEPTH; d++)
			if (last[d] && last[d]->tid == s->tid && last[d]->end > s->start + 1)
				bad = "it begins within another of its depth";
		up = s->depth ? last[s->depth - 1] : NULL;
		if (s->depth && (!up || up->tid != s->tid))
			bad = "there is no call around it";
		else if (up && s->start <= up->end && s->end > up->end + 1)
			bad = "it ends after the call around it";
		else if (up && s->start > up->end && (!s->handler || s->start > up->back))
			bad = "it begins after the call around it";
		if (bad) {
			wrong("%s (record %zu, depth %u): %s", s->name, i, s->depth, bad);
			if (n_wrong < 4)
				view_print(v, i > 4 ? i - 4 : 0, i + 4);
		}
		last[s->depth] = s;
		for (uint32_t d = s->depth + 1; d < MAX_DEPTH; d++)
			last[d] = NULL;
	}
}

void view_check(const struct view *v, const struct board *b)
{
	uint32_t *times = calloc(b->n + 1, sizeof(*times));

	if (!times)
		die("out of memory");
	for (size_t i = 0; i < v->n; i++) {
		const struct seen *s = &v->seen[i];

		if (s->op < 0) {
			if (!s->depth && !s->internal && strncmp(s->name, "thread_", 7)) {
				wrong("a %s that nobody made", s->name);
				if (n_wrong < 4)
					view_print(v, i, i + 1);
			}
			continue;
		}
		if (times[s->op]++)
			wrong("%s %d is there twice", s->name, s->op);
		check_values(s, &b->op[s->op], s->op);
	}
	for (uint32_t i = 0; i < b->n; i++)
		if (!times[i] && b->op[i].state == OP_DONE)
			wrong("%s %u is not there", b->op[i].name, i);
	check_nesting(v);
	free(times);
}
