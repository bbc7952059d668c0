/* SPDX-License-Identifier: BSD-3-Clause */
/* cat-filter.c - which calls are printed. */
#include "config.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cat.h"

/* Names that the table of calls has, made from lib/calls.def: a log lists only
   those that its program could make. */
static const char *const table_names[] = {
#include "cat-names.h"
	"mpiio",
	"fortran",
};

struct name {
	char *text;
	bool known;
};

static struct name *names;
static size_t n_names;
static bool negated, have_calls;
static regex_t regex;
static bool have_regex;
static uint64_t *ids;
static size_t n_ids;

static void *more(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n, size);
	if (!p)
		iot_die("out of memory");
	return p;
}

/* Calls fn with every part of a comma list. */
static void each(const char *list, const char *option, void (*fn)(char *part, const char *option))
{
	char *copy = strdup(list), *part, *rest = copy;

	if (!copy)
		iot_die("out of memory");
	while ((part = strsep(&rest, ",")))
		if (*part)
			fn(part, option);
	free(copy);
}

static void add_name(char *part, const char *option)
{
	(void)option;
	names = more(names, n_names + 1, sizeof(*names));
	names[n_names++] = (struct name){strdup(part), false};
	if (!names[n_names - 1].text)
		iot_die("out of memory");
}

void iot_filter_calls(const char *list)
{
	bool negative;

	if (!strncmp(list, "trace=", 6))
		list += 6;
	negative = *list == '!';
	list += negative;
	if (have_calls && negative != negated)
		iot_die("-e: lists with and without ! can't be mixed");
	negated = negative;
	have_calls = true;
	if (!strcmp(list, "all"))
		have_calls = negative; /* !all is nothing, and that is what it prints */
	else if (strcmp(list, "none"))
		each(list, "-e", add_name);
	if (!strcmp(list, "all") && negative)
		negated = false;
	if (*list == '\0')
		iot_die("-e: no call is named");
}

void iot_filter_path(const char *text)
{
	int err;

	if (have_regex)
		iot_die("-P is given twice; join the expressions with |");
	err = regcomp(&regex, text, REG_EXTENDED | REG_NOSUB);
	if (err) {
		char why[200];

		regerror(err, &regex, why, sizeof(why));
		iot_die("-P: '%s' is no extended regular expression: %s", text, why);
	}
	have_regex = true;
}

static void add_id(char *part, const char *option)
{
	char *end;
	unsigned long id = strtoul(part, &end, 10);

	if (*end || end == part || !isdigit((unsigned char)*part) || id > UINT32_MAX)
		iot_die("%s: '%s' is no process or thread id", option, part);
	ids = more(ids, n_ids + 1, sizeof(*ids));
	ids[n_ids++] = id;
}

void iot_filter_ids(const char *list)
{
	each(list, "-p", add_id);
	if (!n_ids)
		iot_die("-p: no process or thread id is given");
}

/* ---- times ---- */

static bool parse_fraction(const char *s, int64_t *ns)
{
	int64_t unit = 100000000;

	*ns = 0;
	if (*s != '.')
		return *s == '\0';
	for (s++; isdigit((unsigned char)*s); s++, unit /= 10)
		*ns += unit * (*s - '0');
	return *s == '\0';
}

static bool parse_seconds(const char *s, int64_t *ns)
{
	bool minus = *s == '-';
	int64_t sec = 0, part;

	s += minus;
	if (!isdigit((unsigned char)*s) && *s != '.')
		return false;
	for (; isdigit((unsigned char)*s); s++) {
		sec = sec * 10 + (*s - '0');
		if (sec > 9000000000)
			return false;
	}
	if (!parse_fraction(s, &part))
		return false;
	*ns = sec * 1000000000 + part;
	if (minus)
		*ns = -*ns;
	return true;
}

static bool parse_date(const char *s, int64_t *ns)
{
	struct tm tm = {.tm_isdst = -1};
	char fraction[32];
	const char *end = strptime(s, "%Y-%m-%dT%H:%M:%S", &tm);
	size_t n;
	bool utc;
	int64_t part;

	if (!end)
		return false;
	n = strlen(end);
	utc = n && end[n - 1] == 'Z';
	n -= utc;
	if (n >= sizeof(fraction))
		return false;
	memcpy(fraction, end, n);
	fraction[n] = '\0';
	if (!parse_fraction(fraction, &part))
		return false;
	*ns = (int64_t)(utc ? timegm(&tm) : mktime(&tm)) * 1000000000 + part;
	return true;
}

/* SECONDS since the process started, @SECONDS since the epoch, or a date. */
void iot_limit_parse(struct limit *l, const char *option, const char *text)
{
	bool ok;

	l->given = true;
	l->absolute = true;
	if (*text == '@') {
		ok = parse_seconds(text + 1, &l->ns);
	} else if (strchr(text, 'T')) {
		ok = parse_date(text, &l->ns);
	} else {
		ok = parse_seconds(text, &l->ns);
		l->absolute = false;
	}
	if (!ok)
		iot_die("%s: '%s' is no time; give seconds, @seconds since the epoch, or "
			"YYYY-MM-DDThh:mm:ss",
			option, text);
}

/* ---- checks ---- */

static bool is_named(const struct iot_schema *s)
{
	bool found = false;
	size_t i;

	for (i = 0; i < n_names; i++) {
		if (strcmp(names[i].text, s->name) && strcmp(names[i].text, s->family) &&
		    (!s->syscall || strcmp(names[i].text, s->syscall)))
			continue;
		names[i].known = true;
		found = true;
	}
	return found;
}

void iot_filter_check(const struct iot_set *set)
{
	size_t i, j;
	struct iot_schema *s;

	if (!have_calls)
		return;
	for (i = 0; i < iot_set_size(set); i++)
		for (j = 0; (s = iot_log_schema(iot_set_log(set, i), j)); j++)
			iot_call_notes(s)->pass = is_named(s) != negated;
	for (i = 0; i < n_names; i++) {
		for (j = 0; !names[i].known && j < sizeof(table_names) / sizeof(table_names[0]);
		     j++)
			names[i].known = !strcmp(names[i].text, table_names[j]);
		if (!names[i].known)
			iot_die("-e: '%s' is no call, system call or family of calls; see "
				"iotrace-calls(7)",
				names[i].text);
	}
}

/* ---- calls ---- */

static bool matches(const char *s, size_t n)
{
	regmatch_t m = {0, (regoff_t)n};

	return regexec(&regex, s, 1, &m, REG_STARTEND) == 0;
}

static bool path_matches(const struct iot_path *path)
{
	struct path_notes *n = iot_path_notes(path);

	if (!n->matches)
		n->matches = matches(path->name, path->len) ? 1 : -1;
	return n->matches > 0;
}

static bool handle_matches(const struct iot_handle *h)
{
	return h && h->path && path_matches(h->path);
}

/* Any of the call's paths will do: its descriptors' and its arguments. */
static bool call_matches(const struct iot_call *call)
{
	const struct iot_schema *s = call->schema;
	unsigned i;

	if (handle_matches(call->handle))
		return true;
	for (i = 0; i < s->n_params; i++) {
		const struct iot_value *v = &call->value[i];

		if (v->type == IOT_VAL_PATH && path_matches(v->path))
			return true;
		if (v->type == IOT_VAL_HANDLE && handle_matches(v->handle))
			return true;
		if (v->type == IOT_VAL_PAIR &&
		    (handle_matches(v->pair[0]) || handle_matches(v->pair[1])))
			return true;
		if (v->type == IOT_VAL_BYTES &&
		    (s->param[i].kind == IOT_KIND_PATH || s->param[i].kind == IOT_KIND_RELPATH) &&
		    matches(v->bytes, v->len))
			return true;
	}
	return false;
}

static bool id_matches(const struct iot_call *call)
{
	size_t i;

	for (i = 0; i < n_ids; i++)
		if (ids[i] == call->pid || ids[i] == call->tid)
			return true;
	return false;
}

static int64_t moment(const struct limit *l, const struct iot_call *call)
{
	return l->absolute ? l->ns : (int64_t)iot_log_start(call->log) + l->ns;
}

bool iot_filter_pass(const struct iot_call *call)
{
	const struct options *o = &iot_options;

	if (have_calls &&
	    (call->schema->flags & IOT_CALL_UNKNOWN ? !negated
						    : !iot_call_notes(call->schema)->pass))
		return false;
	if (n_ids && !id_matches(call))
		return false;
	if (o->failed && !iot_call_failed(call))
		return false;
	if (o->ok && (call->status != IOT_FINISHED || iot_call_failed(call)))
		return false;
	if (o->from.given && (int64_t)call->start < moment(&o->from, call))
		return false;
	if (o->to.given && (int64_t)call->start >= moment(&o->to, call))
		return false;
	return !have_regex || call_matches(call);
}
