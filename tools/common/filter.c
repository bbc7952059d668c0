/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filter.c - which calls the user wants to see: the options, and the question for each call.  The answer
 * for a kind of call, or for a path, is kept in its mark.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tool.h"

/* The names in the table of calls, made from table/calls.def.  A log lists only the calls that its
   program could make. */
static const char *const table_names[] = {
#define IOT_FAMILY(id, name, ...) #name,
#include "../../table/families.def"
#include "filter-names.h"
};

bool iot_filter_knows(const char *call)
{
	enum {
		FAMILIES = 0
#define IOT_FAMILY(...) +1
#include "../../table/families.def"
	};
	size_t i;

	for (i = FAMILIES; i < sizeof(table_names) / sizeof(table_names[0]); i++)
		if (!strcmp(table_names[i], call))
			return true;
	return false;
}

struct name {
	char *text;
	bool known;
};

bool iot_filter_given;
bool iot_filter_passed;
static struct {
	const char *name, *value;
} *said; /* each option as it was given */
static size_t n_said;
static uint64_t min_time, min_size;
static bool only_failed, only_ok; /* -Z, -z */
static bool no_mpi_own;
static struct iot_moment from, to; /* of the window of time */
static struct name *names;
static size_t n_names;
static bool negated, have_calls;
static struct pattern {
	regex_t regex;
	bool given;
} wanted_path, excluded_path;
static uint64_t *ids;
static size_t n_ids;
static struct ranks {
	int first, last;
} *ranks;
static size_t n_ranks;

static void *more(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n, size);
	if (!p)
		iot_die("out of memory");
	return p;
}

static void add_name(char *part, const char *option)
{
	if (*part == '!' && !negated)
		iot_die("%s: names with ! and without it can't be mixed", option);
	part += *part == '!';
	names = more(names, n_names + 1, sizeof(*names));
	names[n_names++] = (struct name){strdup(part), false};
	if (!names[n_names - 1].text)
		iot_die("out of memory");
}

static void set_calls(const char *list)
{
	bool negative;

	if (!strncmp(list, "trace=", 6))
		list += 6;
	negative = *list == '!';
	list += negative;
	if (have_calls && negative != negated)
		iot_die("-e: names with ! and without it can't be mixed");
	negated = negative;
	have_calls = true;
	if (!strcmp(list, "all"))
		have_calls = negative; /* !all chooses nothing, and nothing is printed */
	else if (strcmp(list, "none"))
		iot_option_each(list, "-e", add_name);
	if (!strcmp(list, "all") && negative)
		negated = false;
	if (*list == '\0')
		iot_die("-e: no call is named");
}

static void set_pattern(struct pattern *p, const char *option, const char *text)
{
	char why[200];
	int err;

	if (p->given)
		iot_die("%s is given twice; join the expressions with |", option);
	err = regcomp(&p->regex, text, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, &p->regex, why, sizeof(why));
		iot_die("%s: '%s' is no extended regular expression: %s", option, text, why);
	}
	p->given = true;
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

static void set_ids(const char *list)
{
	iot_option_each(list, "-p", add_id);
	if (!n_ids)
		iot_die("-p: no process or thread id is given");
}

static bool parse_rank(char **s, int *rank)
{
	char *end;
	unsigned long n = strtoul(*s, &end, 10);

	if (!isdigit((unsigned char)**s) || n > INT32_MAX)
		return false;
	*s = end;
	*rank = (int)n;
	return true;
}

/* N or N-M */
static void add_ranks(char *part, const char *option)
{
	char *s = part;
	struct ranks r = {0};
	bool ok = parse_rank(&s, &r.first);

	r.last = r.first;
	if (ok && *s == '-' && s++)
		ok = parse_rank(&s, &r.last);
	if (!ok || *s || r.last < r.first)
		iot_die("%s: '%s' is no rank, nor a range of ranks as 0-3 is", option, part);
	ranks = more(ranks, n_ranks + 1, sizeof(*ranks));
	ranks[n_ranks++] = r;
}

static void set_ranks(const char *list)
{
	iot_option_each(list, "--rank", add_ranks);
	if (!n_ranks)
		iot_die("--rank: no rank is given");
}

/* ---- options ---- */

enum { OPT_FROM = 1000, OPT_TO, OPT_RANK, OPT_SYMFS, OPT_NO_MPI_OWN,
       OPT_MIN_TIME, OPT_MIN_SIZE, OPT_EXCLUDE };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "Which calls are taken:", 2},
	{"calls", 'e', "LIST", 0,
	 "Only these calls, system calls or families, as in open,stdio; !LIST: all but these", 2},
	{"path", 'P', "REGEX", 0, "Only calls on paths that match", 2},
	{"exclude", OPT_EXCLUDE, "REGEX", 0, "No calls on paths that match", 2},
	{"pid", 'p', "LIST", 0, "Only these processes or threads", 2},
	{"rank", OPT_RANK, "LIST", 0, "Only these ranks of a parallel job, as in 0,4-7", 2},
	{"failed", 'Z', NULL, 0, "Only calls that failed", 2},
	{"successful", 'z', NULL, 0, "Only calls that succeeded", 2},
	{"from", OPT_FROM, "TIME", 0,
	 "Only calls that began at that time or later: seconds since the log was begun, @seconds "
	 "since the epoch, or YYYY-MM-DDThh:mm:ss",
	 2},
	{"to", OPT_TO, "TIME", 0, "Only calls that began before that time", 2},
	{"min-time", OPT_MIN_TIME, "TIME", 0, "Only calls that took as long as TIME or longer, as in 10ms", 2},
	{"min-size", OPT_MIN_SIZE, "SIZE", 0, "Only calls that asked for SIZE bytes or more, as in 64K",
	 2},
	{"no-mpi-own", OPT_NO_MPI_OWN, NULL, 0, "No calls that MPI makes for itself", 2},
	{"symfs", OPT_SYMFS, "DIR", 0,
	 "Look for the executables and libraries of stacks in DIR, as if DIR was /", 3},
	{0},
};

static const char *symfs;

static void set_symfs(const char *dir)
{
	struct stat st;

	if (stat(dir, &st) < 0)
		iot_die("--symfs=%s: %s", dir, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		iot_die("--symfs=%s: not a directory", dir);
	symfs = dir;
}

void iot_symfs_set(struct iotr_set *set)
{
	if (symfs)
		iotr_set_symfs(set, symfs);
}

/* Notes that the option was given, for iot_filter_end and iot_filter_each. */
static void note_given(int key, const char *value)
{
	const struct argp_option *o = options;

	while (o->key != key)
		o++;
	said = more(said, n_said + 1, sizeof(*said));
	said[n_said].name = o->name;
	said[n_said++].value = value ? value : "";
}

void iot_filter_each(void fn(void *arg, const char *value), void *arg, const char *name)
{
	size_t i;

	for (i = 0; i < n_said; i++)
		if (!strcmp(said[i].name, name))
			fn(arg, said[i].value);
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	(void)state;
	switch (key) {
	case 'e':
		set_calls(arg);
		break;
	case 'P':
		set_pattern(&wanted_path, "-P", arg);
		break;
	case OPT_EXCLUDE:
		set_pattern(&excluded_path, "--exclude", arg);
		break;
	case 'p':
		set_ids(arg);
		break;
	case OPT_RANK:
		set_ranks(arg);
		break;
	case 'Z':
		only_failed = true;
		break;
	case 'z':
		only_ok = true;
		break;
	case OPT_FROM:
		from = iot_option_moment("--from", arg);
		break;
	case OPT_TO:
		to = iot_option_moment("--to", arg);
		break;
	case OPT_MIN_TIME:
		min_time = iot_option_duration("--min-time", arg);
		break;
	case OPT_MIN_SIZE:
		min_size = iot_option_size("--min-size", arg);
		break;
	case OPT_NO_MPI_OWN:
		no_mpi_own = true;
		break;
	case OPT_SYMFS:
		set_symfs(arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	iot_filter_given = true;
	note_given(key, arg);
	if (only_failed && only_ok)
		iot_die("-Z and -z together leave nothing");
	return 0;
}

void iot_filter_to(char *time)
{
	on_option(OPT_TO, time, NULL);
}

const struct argp iot_filter_argp = {.options = options, .parser = on_option};

/* ---- checks ---- */

static bool is_named(const struct iotr_schema *s)
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

void iot_filter_check(const struct iotr_set *set)
{
	size_t i, j;
	struct iotr_schema *s;

	if (!have_calls)
		return;
	for (i = 0; i < iotr_set_size(set); i++)
		for (j = 0; (s = iotr_log_schema(iotr_set_log(set, i), j)); j++)
			s->mark = is_named(s) != negated;
	for (i = 0; i < n_names; i++) {
		for (j = 0; !names[i].known && j < sizeof(table_names) / sizeof(table_names[0]);
		     j++)
			names[i].known = !strcmp(names[i].text, table_names[j]);
		if (!names[i].known && !iotr_is_syscall(names[i].text))
			iot_die("-e: '%s' is no call, system call or family of calls; see "
				"iotrace-calls(7)",
				names[i].text);
	}
}

/* May calls of this schema pass, or does iotrace-cat look at them besides?  It looks at syscall(2)'s,
   any of which may pass.  The reader asks this, so that blocks without such calls need not be read. */
static bool may_pass(void *arg, const struct iotr_schema *s)
{
	(void)arg;
	if (s->flags & IOTR_CALL_UNKNOWN)
		return negated;
	return s->mark || iotr_schema_is_any(s) || s->flags & IOTR_CALL_OPS;
}

/* Limits that count from a log's beginning differ from log to log: these are tested call by call. */
void iot_filter_seek(struct iotr_set *set, uint64_t from_ns)
{
	uint64_t to_ns = UINT64_MAX;

	if (from.given && from.absolute && from.ns > 0 && (uint64_t)from.ns > from_ns)
		from_ns = (uint64_t)from.ns;
	if (to.given && to.absolute)
		to_ns = to.ns > 0 ? (uint64_t)to.ns : 0;
	iotr_set_seek(set, from_ns, to_ns);
}

/* The limit as ns since the epoch, for a log that begins at that time. */
static int64_t moment(const struct iot_moment *l, int64_t begun)
{
	return l->absolute ? l->ns : begun + l->ns;
}

void iot_filter_window(int64_t begun, int64_t *first, int64_t *behind)
{
	if (from.given)
		*first = moment(&from, begun) - begun;
	if (to.given)
		*behind = moment(&to, begun) - begun;
}

/* ---- calls ---- */

static bool matches(const struct pattern *p, const char *s, size_t n)
{
	regmatch_t m = {0, (regoff_t)n};

	return regexec(&p->regex, s, 1, &m, REG_STARTEND) == 0;
}

/* What is remembered of a path, in pairs of bits: whether it was asked about, and the answer. */
enum { WANTED = 1, EXCLUDED = 4 };

/* Does the path match?  The pattern is tried once for each path.  The object is the log's and const to
   us, but this field is ours. */
static bool path_matches(const struct pattern *p, const struct iotr_path *path)
{
	int asked = p == &excluded_path ? EXCLUDED : WANTED;

	if (!(path->mark & asked))
		((struct iotr_path *)path)->mark |= asked | (matches(p, path->name, path->len) ? asked << 1 : 0);
	return path->mark & asked << 1;
}

static bool handle_matches(const struct pattern *p, const struct iotr_handle *h)
{
	return h && h->path && path_matches(p, h->path);
}

/* Does any path of the call match, of its descriptors or its arguments? */
static bool call_matches(const struct pattern *p, const struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;
	unsigned i;

	if (handle_matches(p, call->handle))
		return true;
	for (i = 0; i < s->n_params; i++) {
		const struct iotr_value *v = &call->value[i];

		if (v->type == IOTR_VAL_PATH && path_matches(p, v->path))
			return true;
		if (v->type == IOTR_VAL_HANDLE && handle_matches(p, v->handle))
			return true;
		if (v->type == IOTR_VAL_PAIR &&
		    (handle_matches(p, v->pair[0]) || handle_matches(p, v->pair[1])))
			return true;
		if (v->type == IOTR_VAL_BYTES &&
		    (s->param[i].kind == IOTR_KIND_PATH || s->param[i].kind == IOTR_KIND_RELPATH) &&
		    matches(p, v->bytes, v->len))
			return true;
	}
	return false;
}

static bool path_may_pass(void *arg, const struct iotr_path *path)
{
	(void)arg;
	return path_matches(&wanted_path, path);
}

static bool id_matches(uint32_t pid, uint32_t tid)
{
	size_t i;

	for (i = 0; i < n_ids; i++)
		if (ids[i] == pid || ids[i] == tid)
			return true;
	return false;
}

static bool rank_matches(const struct iotr_log *log)
{
	int rank = iotr_log_rank(log, NULL);
	size_t i;

	for (i = 0; i < n_ranks; i++)
		if (rank >= ranks[i].first && rank <= ranks[i].last)
			return true;
	return false;
}

/* Has the log a thread that -p names?  A thread that recorded no usage can't be found in this list. */
static bool has_id(const struct iotr_log *log)
{
	struct iotr_usage usage;
	size_t at = 0, n = 0;
	uint32_t pid, tid;

	for (; iotr_log_usage_next(log, &at, &pid, &tid, &usage); n++)
		if (id_matches(pid, tid))
			return true;
	return n < iotr_log_threads(log);
}

/* May calls of this process pass?  All processes of a log pass together: one may end what another began. */
static bool log_may_pass(void *arg, const struct iotr_log *log, const struct iotr_process *process)
{
	static const struct iotr_log *last;
	static bool answer;

	(void)arg;
	(void)process;
	if (log != last)
		answer = (!n_ranks || rank_matches(log)) && (!n_ids || has_id(log));
	last = log;
	return answer;
}

void iot_filter_choose(struct iotr_set *set)
{
	if (have_calls)
		iotr_set_calls(set, may_pass, NULL);
	if (n_ids || n_ranks)
		iotr_set_processes(set, log_may_pass, NULL);
	if (wanted_path.given)
		iotr_set_any_paths(set, path_may_pass, NULL);
}

/* Is the call one of -e's?  -e may also name the system call that syscall(2) makes. */
static bool is_wanted(const struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;
	const char *name = iotr_call_is_any(call) ? iotr_call_syscall(call) : NULL;
	size_t i;

	if (s->flags & IOTR_CALL_UNKNOWN)
		return negated;
	for (i = 0; name && i < n_names; i++)
		if (!strcmp(names[i].text, name))
			return !negated;
	return s->mark;
}

static bool passes(const struct iotr_call *call)
{
	int64_t begun = (int64_t)iotr_log_start(call->log);

	if (have_calls && !is_wanted(call))
		return false;
	if (no_mpi_own && call->mpi_own)
		return false;
	if (n_ids && !id_matches(call->pid, call->tid))
		return false;
	if (n_ranks && !rank_matches(call->log))
		return false;
	if (only_failed && !iotr_call_failed(call))
		return false;
	if (only_ok && (call->status != IOTR_FINISHED || iotr_call_failed(call)))
		return false;
	if (from.given && (int64_t)call->start < moment(&from, begun))
		return false;
	if (to.given && (int64_t)call->start >= moment(&to, begun))
		return false;
	if (min_time && (!iotr_call_has_dur(call) || call->dur < min_time))
		return false;
	if (min_size && (!(call->has & IOT_HAS_SIZE) || call->size < min_size))
		return false;
	if (excluded_path.given && call_matches(&excluded_path, call))
		return false;
	return !wanted_path.given || call_matches(&wanted_path, call);
}

bool iot_filter_test(const struct iotr_call *call)
{
	bool pass = passes(call);

	if (pass && !iot_filter_passed)
		iot_filter_passed = true;
	return pass;
}

void iot_filter_end(void)
{
	struct out given = {.fd = -1};
	size_t i;

	if (!iot_filter_given || iot_filter_passed)
		return;
	for (i = 0; i < n_said; i++) {
		out_str(&given, i ? ", --" : "--");
		out_str(&given, said[i].name);
	}
	iot_complain(STATUS_LESS, NULL, "no call passes %.*s", (int)given.len, given.buf);
	free(given.buf);
}
