/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve-calls.c - calls one by one, from the logs themselves, a part at a time.
 *
 * An answer ends after so many calls, or when time is over; "next" says where the next one goes on.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "../../analysis/watch.h"
#include "../cat/cat.h"
#include "db.h"
#include "serve.h"

/* What may be asked for, besides limit, after and stacks: as the options of these names. */
static const struct {
	const char *name;
	bool is_switch;
} parameters[] = {
	{"calls", false}, {"path", false},     {"exclude", false},    {"pid", false},
	{"rank", false},  {"failed", true},    {"successful", true},  {"from", false},
	{"to", false},    {"min-time", false}, {"min-size", false},   {"no-mpi-own", true},
};

static char *copy(const char *s)
{
	char *c = strdup(s);

	if (!c)
		iot_no_memory();
	return c;
}

static bool parse_switch(const char *value, bool *on)
{
	*on = !value || !*value || !strcmp(value, "1");
	return *on || !strcmp(value, "0");
}

static const char *add_option(struct calls_query *q, const char *name, bool is_switch, const char *value)
{
	static const char no_switch[] = "is a switch: 1, 0 or nothing";
	bool on = true;

	if (is_switch && !parse_switch(value, &on))
		return no_switch;
	if (!on)
		return NULL;
	if (!is_switch && !value)
		return "has no value";
	if (q->n > MOST_PARAMETERS)
		return "is one too many";
	if (asprintf(&q->argument[q->n], "--%s%s%s", name, is_switch ? "" : "=", is_switch ? "" : value) < 0)
		iot_no_memory();
	q->n++;
	return NULL;
}

const char *calls_parameter(struct calls_query *q, const char *name, const char *value)
{
	char **known = !strcmp(name, "limit") ? &q->limit : !strcmp(name, "after") ? &q->after :
		       !strcmp(name, "site")  ? &q->site  : NULL;
	size_t i;

	if (!q->n)
		q->argument[q->n++] = copy(program_invocation_short_name);
	if (known && (*known || !value))
		return *known ? "is there twice" : "has no value";
	if (known) {
		*known = copy(value);
		return NULL;
	}
	if (!strcmp(name, "stacks"))
		return parse_switch(value, &q->stacks) ? NULL : "is a switch: 1, 0 or nothing";
	for (i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++)
		if (!strcmp(parameters[i].name, name))
			return add_option(q, name, parameters[i].is_switch, value);
	return "is no parameter of calls; see iotrace-report(1)";
}

void calls_free(struct calls_query *q)
{
	while (q->n)
		free(q->argument[--q->n]);
	free(q->limit);
	free(q->after);
	free(q->site);
}

static struct place parse_place(const char *text)
{
	struct place p = {0};
	char *end;

	if (!text)
		return p;
	errno = 0;
	p.start = strtoull(text, &end, 10);
	if (end > text && *end == '.' && end[1] >= '0' && end[1] <= '9')
		p.n = strtoull(end + 1, &end, 10);
	if (end == text || *end || errno || *text < '0' || *text > '9')
		iot_die("after: '%s' is not what next said before", text);
	return p;
}

/* Made by that line of the program, as /api/v1/sites names it; NULL: any. */
static const char *wanted_site;
static struct iota *sites;

/* Stacks have the analysis's notes where the list would have its own, which are as good as new each time. */
static void out_with_site(struct out *o, const struct iotr_call *call)
{
	struct iotr_stack *stack = (struct iotr_stack *)iotr_call_stack(call);
	void *user = stack ? stack->user : NULL;

	if (stack)
		stack->user = NULL;
	iot_format_json.call(o, call);
	if (!stack)
		return;
	if (stack->drop)
		stack->drop(stack->user);
	stack->user = user;
	stack->drop = NULL;
}

static void out_call(struct out *o, const struct iotr_call *call, bool first)
{
	out_str(o, first ? "\n" : ",\n");
	if (wanted_site)
		out_with_site(o, call);
	else
		iot_format_json.call(o, call);
	o->len--; /* its end of line */
}

static bool is_wanted(const struct iotr_call *call)
{
	const struct iota_row *row;

	if (!iot_filter_pass(call))
		return false;
	if (!wanted_site)
		return true;
	row = iota_site_of(sites, call);
	return row && strlen(wanted_site) == row->name_len && !memcmp(wanted_site, row->name, row->name_len);
}

/* From there on, up to limit calls that are wanted.  False: that was all; else at is where to go on. */
static bool list_calls(struct out *o, struct iotr_set *set, struct place *at, uint64_t limit)
{
	const uint64_t behind = at->n;
	const struct iotr_call *call;
	uint64_t seen = 0, n = 0, passed = 0; /* passed: that began at at->start */
	struct timespec since;

	clock_gettime(CLOCK_MONOTONIC, &since);
	for (; (call = iotr_set_next(set)); seen++) {
		bool is_first = !n;

		if (seen % 4096 == 4095 && work_seconds(&since) > MOST_SECONDS) {
			if (call->start != at->start)
				*at = (struct place){call->start, 0};
			return true;
		}
		if (!is_wanted(call))
			continue;
		if (call->start == at->start && passed < behind && is_first) {
			passed++;
			continue;
		}
		if (n == limit)
			return true;
		if (call->start != at->start)
			*at = (struct place){call->start, 0};
		at->n++;
		n++;
		out_call(o, call, is_first);
	}
	return false;
}

static struct iotr_set *open_logs(const struct calls_query *q)
{
	struct iotr_set *set = iot_set_new();

	iot_symfs_set(set);
	iotr_set_mute(set);
	iot_logs_add(set, q->logs);
	if (!iotr_set_size(set))
		iot_die("no log can be read");
	iot_filter_check(set);
	iot_filter_choose(set);
	return set;
}

static bool list_of_logs(struct out *o, struct calls_query *q, struct place *at, uint64_t limit)
{
	struct iotr_set *set = open_logs(q);

	wanted_site = q->site;
	if (wanted_site)
		sites = iota_new(0);
	iot_trouble = STATUS_TROUBLE;
	iot_options.stacks = q->stacks;
	iot_filter_seek(set, at->start);
	return list_calls(o, set, at, limit);
}

static bool list_of_database(struct out *o, struct calls_query *q, struct place *at, uint64_t limit)
{
	iot_filter_check(iot_set_new());
	return report_db_calls(o, q, at, limit);
}

int calls_answer(void *arg, const int *out)
{
	struct calls_query *q = arg;
	struct out o = {.fd = -1};
	struct place at;
	uint64_t limit;
	bool more;

	iot_trouble = STATUS_REFUSED;
	if (q->n)
		argp_parse(&iot_filter_argp, q->n, (char **)q->argument, ARGP_NO_HELP, NULL, NULL);
	limit = q->limit ? iot_option_number("limit", q->limit, 1, 10000) : 1000;
	at = parse_place(q->after);
	out_lit(&o, "{\"calls\":[");
	more = (report_db_of(q->logs) ? list_of_database : list_of_logs)(&o, q, &at, limit);
	if (more) {
		out_lit(&o, "],\"next\":\"");
		iot_out_unsigned(&o, at.start);
		out_char(&o, '.');
		iot_out_unsigned(&o, at.n);
		out_lit(&o, "\"}\n");
	} else {
		out_lit(&o, "],\"next\":null}\n");
	}
	work_write(out[0], &o);
	return iot_exit_status;
}
