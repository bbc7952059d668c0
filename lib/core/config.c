/* SPDX-License-Identifier: BSD-3-Clause */
/* config.c - the settings of the environment, iotrace(7), read once. */
#include <string.h>

#include "iot.h"
#include "regex.h"
#include "setting.h"
#include "sys.h"

struct iot_config iot_config;
static struct iot_regex paths, exclude, stack_paths;

const char *iot_getenv(const char *name)
{
	size_t n = strlen(name);

	for (char **e = iot_environ(); e && *e; e++)
		if (!memcmp(*e, "IOTRACE", 7) && !strncmp(*e, name, n) && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

/* One line on stderr: what was wrong, with what, and what happens now. */
void iot_report(const char *what, const char *detail, const char *then)
{
	char line[1024];
	struct iot_text x = { .buf = line, .cap = sizeof(line) - 1 };

	iot_puts(&x, "iotrace: ");
	iot_puts(&x, what);
	iot_puts(&x, detail);
	iot_puts(&x, then);
	line[x.len++] = '\n';
	iot_sys_write(2, line, x.len);
}

static void bad(const char *name, const char *value, const char *why)
{
	char detail[256];
	struct iot_text x = { .buf = detail, .cap = sizeof(detail) - 1 };

	iot_puts(&x, name);
	iot_puts(&x, "=");
	/* a long one must leave room for what is wrong with it */
	iot_put_escaped(&x, value, strnlen(value, 30));
	iot_puts(&x, value[strnlen(value, 30)] ? "...: " : ": ");
	iot_puts(&x, why);
	detail[x.len] = 0;
	iot_report(detail, "", "; the setting is ignored");
}

static bool get_regex(const char *name, struct iot_regex *re)
{
	const char *value = iot_getenv(name), *error;

	if (!value || !*value)
		return false;
	error = iot_re_compile(re, value);
	if (error)
		bad(name, value, error);
	return !error;
}

/* Returns false, and leaves *to alone, if it is not given or bad. */
static bool get_number(const char *name, uint64_t *to)
{
	const char *value = iot_getenv(name), *error;

	if (!value || !*value)
		return false;
	error = iot_setting_number(name, value, to);
	if (error)
		bad(name, value, error);
	return !error;
}

static uint32_t get_families(void)
{
	const char *value = iot_getenv("IOTRACE_CALLS"), *error;
	uint32_t mask = (1u << IOT_MPI) - 1;

	if (value && *value) {
		error = iot_setting_families(value, &mask);
		if (error)
			bad("IOTRACE_CALLS", value, error);
	}
	/* what is within a call of MPI-IO is not the program's */
	return mask >> IOT_MPI & 1 ? mask | 1u << IOT_MPIIO : mask;
}

static void get_stack_by(void)
{
	const char *value = iot_getenv("IOTRACE_STACK_BY"), *error;

	iot_config.stack_by = IOT_STACK_BY_AUTO;
	if (value && *value && (error = iot_setting_stack_by(value, &iot_config.stack_by)))
		bad("IOTRACE_STACK_BY", value, error);
}

static bool program_selected(void)
{
	static struct iot_regex programs;

	if (!get_regex("IOTRACE_PROGRAMS", &programs))
		return true;
	return iot_re_search(&programs, iot_exe(), strlen(iot_exe()));
}

static void get_dir(void)
{
	const char *dir = iot_getenv("IOTRACE_DIR");
	struct iot_text x = { .buf = iot_config.dir, .cap = sizeof(iot_config.dir) - 1 };

	iot_config.dir_given = dir && *dir;
	if (!iot_config.dir_given || *dir != '/') {
		long n = iot_syscall(SYS_getcwd, iot_config.dir, sizeof(iot_config.dir) - 2);

		x.len = n > 1 ? (uint32_t)n - 1 : 0;
		if (iot_config.dir_given)
			iot_puts(&x, "/");
	}
	if (iot_config.dir_given)
		iot_puts(&x, dir);
	iot_config.dir[x.len] = 0;
}

static bool read_all(void)
{
	const char *value = iot_getenv("IOTRACE");
	uint64_t v;

	if (value && !strcmp(value, "off"))
		return false;
	if (value && *value && strcmp(value, "on") != 0)
		bad("IOTRACE", value, "either on or off");
	if (!program_selected())
		return false;
	iot_rank_find(iot_environ());
	get_dir();
	iot_config.stack_depth = 16;
	if (get_number("IOTRACE_STACK", &v))
		iot_config.stack_depth = (uint32_t)v;
	get_stack_by();
	iot_config.buffer = 65536;
	if (get_number("IOTRACE_BUFFER", &v))
		iot_config.buffer = (uint32_t)(v + IOT_ALIGN - 1) & ~(IOT_ALIGN - 1u);
	iot_config.merge = 0;
	if (get_number("IOTRACE_MERGE", &v))
		iot_config.merge = v;
	if (get_number("IOTRACE_MPI_POLL", &v))
		iot_config.mpi_poll = v;
	/* iot_no_memory has looked at it before: here for what is wrong with it */
	iot_config.memory = 0;
	if (get_number("IOTRACE_MEMORY", &v))
		iot_config.memory = v;
	iot_config.limit = 0;
	if (get_number("IOTRACE_LIMIT", &v))
		iot_config.limit = v;
	value = iot_getenv("IOTRACE_ON_SLOW");
	iot_config.drop = value && !strcmp(value, "drop");
	if (value && *value && !iot_config.drop && strcmp(value, "wait") != 0)
		bad("IOTRACE_ON_SLOW", value, "either wait or drop");
	iot_config.has_paths = get_regex("IOTRACE_PATHS", &paths);
	iot_config.has_exclude = get_regex("IOTRACE_EXCLUDE", &exclude);
	iot_config.has_stack_paths = get_regex("IOTRACE_STACK_PATHS", &stack_paths);
	iot_config.syscalls = 0;
	if (get_number("IOTRACE_SYSCALLS", &v))
		iot_config.syscalls = v;
	iot_families = iot_config.families = get_families();
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
