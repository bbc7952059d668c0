/* SPDX-License-Identifier: BSD-3-Clause */
/* config.c - the settings of the environment, iotrace(7), read once. */
#include <string.h>

#include "anchor.h"
#include "conf.h"
#include "defaults.h"
#include "directory.h"
#include "fds.h"
#include "gate.h"
#include "host.h"
#include "log-header.h"
#include "log-share.h"
#include "lost.h"
#include "rank.h"
#include "regex.h"
#include "report.h"
#include "setting.h"
#include "sys.h"
#include "text.h"

struct iot_config iot_config;
static struct iot_regex paths, exclude, stack_paths;

static const char *given[IOT_N_SETTINGS];	/* NULL: not, or empty */

/* Whether the environment has a switch on, for those who come before the settings are
   read: what they do is no reason to read them all.  if_wrong: of a value that makes no
   sense, which is reported when all are read. */
bool iot_config_asks(enum iot_setting setting, bool if_wrong)
{
	const char *name = iot_setting_name(setting);
	const size_t n = strlen(name);
	uint64_t on = 0;

	for (char **e = iot_environ(); e && *e; e++)
		if (**e == 'I' && !strncmp(*e, name, n) && (*e)[n] == '=' && (*e)[n + 1]) {
			if (iot_setting_number(setting, *e + n + 1, &on))
				return if_wrong;
			break;
		}
	return on;
}

/* What the administrator has set, as far as it is in force. */
static struct iot_default defaults[IOT_N_SETTINGS];

const char *iot_config_default(enum iot_setting setting)
{
	return defaults[setting].value;
}

static const char *value_in(const char *entry)
{
	return entry + strcspn(entry, "=") + 1;
}

/* Returns whether the environment has names that are none of ours. */
static bool look(void)
{
	bool strange = false;

	for (char **e = iot_environ(); e && *e; e++) {
		enum iot_setting s;

		if (**e != 'I' || strncmp(*e, "IOTRACE", 7) != 0 || !strchr(*e, '='))
			continue;
		s = iot_setting_find(*e);
		if (s == IOT_NO_SETTING)
			strange = true;
		else if (!given[s] && *value_in(*e))
			given[s] = value_in(*e);
	}
	return strange;
}

/* Of names that are like a setting's. */
static void report_slips(void)
{
	for (char **e = iot_environ(); e && *e; e++) {
		enum iot_setting near = IOT_NO_SETTING;

		if (!strncmp(*e, "IOTRACE_", 8) && strchr(*e, '=') && iot_setting_find(*e) == IOT_NO_SETTING)
			near = iot_setting_near(*e);
		if (near != IOT_NO_SETTING)
			iot_report_slip(*e, iot_setting_name(near));
	}
}

static void bad(enum iot_setting s, const char *why)
{
	iot_report_setting(iot_setting_name(s), given[s], why, "; the setting is ignored");
}

static bool get_regex(enum iot_setting s, struct iot_regex *re)
{
	const char *error;

	if (!given[s])
		return false;
	error = iot_re_compile(re, given[s]);
	if (error)
		bad(s, error);
	return !error;
}

/* As it is given, or else the default. */
static uint64_t number(enum iot_setting s)
{
	const char *error = NULL;
	uint64_t v = 0;

	if (given[s] && !(error = iot_setting_number(s, given[s], &v)))
		return v;
	if (error) {
		bad(s, error);
		given[s] = NULL;
	}
	iot_setting_number(s, NULL, &v);
	return v;
}

extern __attribute__((visibility("hidden"))) const struct iot_desc __start_iot_calls[], __stop_iot_calls[];

/* Calls that IOTRACE_CALLS names, by their ids: those that are recorded, or that are not. */
static uint64_t named[(1u << IOT_CALL_BITS) / 64];
static uint32_t named_families, whole_by_name;
static bool all_but;

/* A name is a call's or that of the system call that it is: words 2 and 3 of its schema. */
static bool has_name(const struct iot_desc *d, const char *name, uint32_t len)
{
	const char *s = d->schema ? d->schema + strcspn(d->schema, " ") : "";

	for (int i = 0; i < 2 && *s == ' '; i++) {
		uint32_t n = (uint32_t)strcspn(++s, " ");

		if (n == len && !memcmp(s, name, n))
			return true;
		s += n;
	}
	return false;
}

static void note_name(const char *name, uint32_t len)
{
	for (const struct iot_desc *d = __start_iot_calls; d < __stop_iot_calls; d++) {
		if (!has_name(d, name, len))
			continue;
		named[d->id / 64] |= 1ULL << d->id % 64;
		named_families |= 1u << d->family;
	}
}

/* IOTRACE_AFTER and _UNTIL, in ticks since the log was begun; 0: not given.  What is whole
   once the first has passed, if there is no other reason to look at each call. */
static uint64_t after, until;
static uint32_t whole_after;

static bool is_out_of_time(void)
{
	uint64_t since;

	if (!after && !until)
		return false;
	since = iot_ticks() - iot_header->start.ticks;
	if (since < after)
		return true;
	if (until)
		return since >= until;
	if (__atomic_load_n(&iot_config.whole, __ATOMIC_RELAXED) != whole_after) {
		__atomic_store_n(&iot_config.whole, whole_after, __ATOMIC_RELAXED);
		iot_log_open_gate(whole_after);
		iot_config_settle();
	}
	return false;
}

/* Threads may pause and resume at the same time: whoever sets the families last has seen
   the last count. */
void iot_config_settle(void)
{
	uint32_t n;

	do {
		n = __atomic_load_n(&iot_pauses, __ATOMIC_SEQ_CST);
		__atomic_store_n(&iot_whole, iot_config.whole & (n ? 1u << IOT_USER : ~0U), __ATOMIC_SEQ_CST);
		__atomic_store_n(&iot_families, iot_config.families & (n ? 1u << IOT_USER : ~0U), __ATOMIC_SEQ_CST);
		iot_log_gate(!n);
	} while (n != __atomic_load_n(&iot_pauses, __ATOMIC_SEQ_CST));
}

/* How many ticks the timebase has in that time, as far as 200 us tell. */
static uint64_t ticks_in(uint64_t ns)
{
	struct iot_anchor a, b;
	uint64_t rate;

	iot_anchor_now(&a);
	do
		iot_anchor_now(&b);
	while (b.monotonic - a.monotonic < 200000 && b.monotonic > a.monotonic);
	if (b.monotonic <= a.monotonic)
		return ns;
	rate = ((b.ticks - a.ticks) << 20) / (b.monotonic - a.monotonic);
	return (ns >> 20) * rate + ((ns & 0xfffff) * rate >> 20);
}

/* What depends on a call's time takes each by the slow way: no family is whole. */
static void get_times(void)
{
	const uint64_t longer = number(IOT_SET_LONGER), from = number(IOT_SET_AFTER), to = number(IOT_SET_UNTIL);

	if (!longer && !from && !to)
		return;
	iot_config.longer = longer ? ticks_in(longer) : 0;
	after = from ? ticks_in(from) : 0;
	until = to ? ticks_in(to) : 0;
	whole_after = longer ? 0 : iot_config.whole;
	iot_config.whole = 0;
}

IOT_COLD bool iot_config_wants(const struct iot_desc *desc)
{
	if (desc->family != IOT_USER && is_out_of_time()) {
		iot_leave_out();
		return false;
	}
	return iot_families >> desc->family & 1 &&
	       (whole_by_name >> desc->family & 1 || (named[desc->id / 64] >> desc->id % 64 & 1) != all_but);
}

static void get_calls(void)
{
	enum { ASKED, RECORDED };
	const uint32_t usual = 0
#define IOT_FAMILY(id, name, usual, ...) | (uint32_t)(usual) << IOT_##id
#include "../../table/families.def"
		;
	struct iot_setting_calls calls = { .all_but = true };
	const char *error;

	/* the whole list is looked at before a name is noted */
	if (given[IOT_SET_CALLS] && (error = iot_setting_calls(given[IOT_SET_CALLS], &calls, NULL)))
		bad(IOT_SET_CALLS, error);
	else if (calls.has_names)
		iot_setting_calls(given[IOT_SET_CALLS], &calls, note_name);
	all_but = calls.all_but;
	iot_config.families = all_but ? usual & ~calls.families : calls.families;
	iot_config.whole = iot_config.families & (all_but ? ~named_families : ~0u);
	if (!all_but)
		iot_config.families |= named_families;
	/* what is within a call of MPI-IO is not the program's */
	if (iot_config.whole >> IOT_MPI & 1) {
		iot_config.families |= 1u << IOT_MPIIO;
		iot_config.whole |= 1u << IOT_MPIIO;
	}
	whole_by_name = iot_config.whole;
	/* what is looked at takes each call by the slow way */
	if (iot_config.cache)
		iot_config.whole &= ~(1u << IOT_POSIX);
	get_times();
	iot_config_settle();
}

static bool program_selected(void)
{
	static struct iot_regex programs;

	if (!get_regex(IOT_SET_PROGRAMS, &programs))
		return true;
	return iot_re_search(&programs, iot_exe(), strlen(iot_exe()));
}

/* Of ranks those that are asked for, and one process in so many. */
static bool process_selected(void)
{
	const uint64_t sample = number(IOT_SET_SAMPLE), pid = (uint64_t)iot_sys_getpid();
	const char *error = NULL;
	bool in = true;

	if (given[IOT_SET_RANKS])
		error = iot_setting_ranks(given[IOT_SET_RANKS], (uint32_t)iot_rank.rank, &in);
	if (error)
		bad(IOT_SET_RANKS, error);
	if (iot_rank.rank >= 0)
		return in && (uint32_t)iot_rank.rank % sample == 0;
	return (pid * 0x9e3779b97f4a7c15ULL >> 33) % sample == 0;
}

static void get_dir(void)
{
	const char *dir = given[IOT_SET_DIR];
	struct iot_text x = { .buf = iot_config.dir, .cap = sizeof(iot_config.dir) - 1 };

	iot_config.dir_given = dir;
	if (!iot_config.dir_given || *dir != '/') {
		long n = iot_syscall(SYS_getcwd, iot_config.dir, sizeof(iot_config.dir) - 2);

		x.len = n > 1 ? (uint32_t)n - 1 : 0;
		if (iot_config.dir_given)
			iot_puts(&x, "/");
	}
	if (iot_config.dir_given)
		iot_directory_put(&x, dir);
	iot_config.dir[x.len] = 0;
}

/* Whether the environment asks for more than the administrator allows; 0 is no limit. */
static bool is_more(enum iot_setting s)
{
	uint64_t most = 0, v = 0;

	if (iot_setting_number(s, defaults[s].value, &most) || iot_setting_number(s, given[s], &v))
		return false;
	return s == IOT_SET_LIMIT ? v - 1 > most - 1 : v > most;
}

/* Of environment and administrator, what counts.  What does not, nobody finds. */
static void settle(enum iot_setting s)
{
	struct iot_default *d = &defaults[s];

	if (d->value && given[s] && strcmp(given[s], d->value) != 0) {
		if (d->final || (d->most && is_more(s))) {
			iot_report_setting(iot_setting_name(s), given[s],
					   d->final ? "the administrator has set it" : "more than the administrator allows",
					   "; that value counts");
		} else {
			d->value = NULL;
		}
	}
	if (d->value)
		given[s] = d->value;
}

static bool read_all(void)
{
	static const uint16_t modes[] = { 0600, 0640, 0644 };
	bool strange = look();

	/* who wants no log has none, whatever the administrator wants */
	if (given[IOT_SET_ON] && !number(IOT_SET_ON))
		return false;
	iot_defaults_read(defaults);
	for (enum iot_setting s = 0; s < IOT_N_SETTINGS; s++)
		settle(s);
	if (!number(IOT_SET_ON) || !program_selected())
		return false;
	iot_rank_find(iot_environ());
	if (strange)
		report_slips();
	if (!process_selected())
		return false;
	get_dir();
	iot_config.mode = modes[number(IOT_SET_MODE)];
	iot_config.stack_depth = (uint32_t)number(IOT_SET_STACK);
	iot_config.stack_by = (uint32_t)number(IOT_SET_STACK_BY);
	iot_config.buffer = (uint32_t)(number(IOT_SET_BUFFER) + IOT_ALIGN - 1) & ~(IOT_ALIGN - 1u);
	iot_config.merge = number(IOT_SET_MERGE);
	iot_config.mpi_poll = number(IOT_SET_MPI_POLL);
	/* iot_no_memory has looked at it before: here for what is wrong with it */
	iot_config.memory = number(IOT_SET_MEMORY);
	iot_config.limit = number(IOT_SET_LIMIT);
	iot_config.drop = number(IOT_SET_ON_SLOW);
	iot_config.has_paths = get_regex(IOT_SET_PATHS, &paths);
	iot_config.has_exclude = get_regex(IOT_SET_EXCLUDE, &exclude);
	iot_config.has_stack_paths = get_regex(IOT_SET_STACK_PATHS, &stack_paths);
	iot_config.syscalls = number(IOT_SET_SYSCALLS);
	iot_config.faults = number(IOT_SET_FAULTS);
	iot_config.cache = number(IOT_SET_CACHE);
	iot_config.watch_rings = number(IOT_SET_WATCH_RINGS);
	get_calls();
	return true;
}

/*
 * Returns false if this process is not to be traced.  A forked child goes by what
 * its parent read: the same directory, wherever it was when it forked, and not a
 * word more about bad values.
 */
bool iot_config_read(void)
{
	static bool known, on;

	if (!known) {
		on = read_all();
		known = true;
	}
	return on;
}

/* What the settings say of a path: IOT_FD_* bits. */
uint32_t iot_config_path(const char *path, uint32_t n)
{
	uint32_t flags = 0;

	if ((iot_config.has_paths && !iot_re_search(&paths, path, n)) ||
	    (iot_config.has_exclude && iot_re_search(&exclude, path, n)))
		flags |= IOT_FD_UNTRACED;
	if (iot_config.has_stack_paths && !iot_re_search(&stack_paths, path, n))
		flags |= IOT_FD_NOSTACK;
	return flags;
}

static void put_setting(struct iot_text *x, const char *name, const char *equals, const char *value)
{
	iot_puts(x, "setting ");
	iot_puts(x, name);
	iot_puts(x, equals);
	iot_put_escaped(x, value, strlen(value));
	iot_puts(x, "\n");
}

void iot_config_text(struct iot_text *x)
{
	for (char **e = iot_environ(); e && *e; e++) {
		enum iot_setting s = **e == 'I' ? iot_setting_find(*e) : IOT_NO_SETTING;

		if (!strncmp(*e, "IOTRACE", 7) && s != IOT_SET_FOUND && (s == IOT_NO_SETTING || !iot_config_default(s)))
			put_setting(x, "", "", *e);
	}
	for (enum iot_setting s = 0; s < IOT_N_SETTINGS; s++)
		if (iot_config_default(s))
			put_setting(x, iot_setting_name(s), "=", iot_config_default(s));
}
