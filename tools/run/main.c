/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace-run - runs a program and its children with libiotrace.so.
 *
 * It sets the environment and becomes the program, so that exit status and
 * signals are the program's own.
 */
#include "config.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/core/regex.h"
#include "../../lib/core/setting.h"
#include "../common/message.h"
#include "../common/option.h"
#include "run.h"

const char *argp_program_version = "iotrace-run (" PACKAGE_NAME ") " PACKAGE_VERSION;

enum { OPT_PATHS = 256, OPT_EXCLUDE, OPT_CALLS, OPT_PROGRAMS, OPT_STACK, OPT_STACK_BY, OPT_STACK_PATHS, OPT_BUFFER, OPT_LIMIT,
       OPT_LONGER, OPT_AFTER, OPT_UNTIL, OPT_RANKS, OPT_SAMPLE, OPT_MODE, OPT_SYSCALLS, OPT_MPI, OPT_FAULTS, OPT_CACHE, OPT_WATCH_RINGS, OPT_COLD };

static const struct argp_option options[] = {
	{"output", 'o', "DIR", 0, "Write logs to DIR, which is made if it is not there", 0},
	{"paths", OPT_PATHS, "REGEX", 0, "Record only calls on files whose absolute path matches", 0},
	{"exclude", OPT_EXCLUDE, "REGEX", 0, "Record no calls on files whose absolute path matches", 0},
	{"calls", OPT_CALLS, "LIST", 0, "Record only these calls and families: posix,stdio,...; !mem,!poll: all but these", 0},
	{"programs", OPT_PROGRAMS, "REGEX", 0, "Record only programs whose absolute path matches", 0},
	{"stack", OPT_STACK, "N", 0, "Record N callers with each call; 0: none; default: 32", 0},
	{"stack-by", OPT_STACK_BY, "WAY", 0, "Find callers in this WAY: auto, fp or tables", 0},
	{"stack-paths", OPT_STACK_PATHS, "REGEX", 0, "Record callers only for files that match", 0},
	{"buffer", OPT_BUFFER, "SIZE", 0, "Give each thread SIZE bytes of memory for records; default: 64k", 0},
	{"limit", OPT_LIMIT, "SIZE", 0, "Let no log grow beyond SIZE", 0},
	{"longer", OPT_LONGER, "TIME", 0, "Record only calls that take as long as TIME or longer, as in 10us", 0},
	{"after", OPT_AFTER, "TIME", 0, "Record only calls that begin TIME after the first call or later, as in 10s", 0},
	{"until", OPT_UNTIL, "TIME", 0, "Record only calls that begin less than TIME after the first call", 0},
	{"ranks", OPT_RANKS, "LIST", 0, "Record only these ranks of a parallel job, as in 0-3,7", 0},
	{"sample", OPT_SAMPLE, "N", 0, "Record one process in N", 0},
	{"mode", OPT_MODE, "MODE", 0, "Let MODE read the logs: 0600, 0640 or 0644", 0},
	{"syscalls", OPT_SYSCALLS, NULL, 0, "Record all system calls, libc's own and raw ones too", 0},
	{"faults", OPT_FAULTS, NULL, 0, "Record page faults on mapped files, too", 0},
	{"cache", OPT_CACHE, NULL, 0, "Record how much of what is read was in the page cache", 0},
	{"watch-rings", OPT_WATCH_RINGS, NULL, 0, "Look into io_urings all the time, and not at the program's calls alone", 0},
	{"cold", OPT_COLD, NULL, 0, "Evict the program, its libraries and the files of its arguments from the page cache first", 0},
	{"mpi", OPT_MPI, "NAME", 0, "Record calls of this MPI: openmpi, mpich or none; default: the one that the program uses", 0},
	{0},
};

/* The settings of iotrace(7) that are options, by their keys. */
static const enum iot_setting settings[] = {
	[OPT_PATHS - OPT_PATHS] = IOT_SET_PATHS,
	[OPT_EXCLUDE - OPT_PATHS] = IOT_SET_EXCLUDE,
	[OPT_CALLS - OPT_PATHS] = IOT_SET_CALLS,
	[OPT_PROGRAMS - OPT_PATHS] = IOT_SET_PROGRAMS,
	[OPT_STACK - OPT_PATHS] = IOT_SET_STACK,
	[OPT_STACK_BY - OPT_PATHS] = IOT_SET_STACK_BY,
	[OPT_STACK_PATHS - OPT_PATHS] = IOT_SET_STACK_PATHS,
	[OPT_BUFFER - OPT_PATHS] = IOT_SET_BUFFER,
	[OPT_LIMIT - OPT_PATHS] = IOT_SET_LIMIT,
	[OPT_LONGER - OPT_PATHS] = IOT_SET_LONGER,
	[OPT_AFTER - OPT_PATHS] = IOT_SET_AFTER,
	[OPT_UNTIL - OPT_PATHS] = IOT_SET_UNTIL,
	[OPT_RANKS - OPT_PATHS] = IOT_SET_RANKS,
	[OPT_SAMPLE - OPT_PATHS] = IOT_SET_SAMPLE,
	[OPT_MODE - OPT_PATHS] = IOT_SET_MODE,
};

/* What is wrong with a value; NULL: nothing. */
static const char *wrong_with(enum iot_setting setting, const char *value)
{
	static struct iot_regex re;
	uint64_t v;
	struct iot_setting_calls calls;
	bool in;

	switch (iot_setting_kind(setting)) {
	case IOT_IS_REGEX:
		return iot_re_compile(&re, value);
	case IOT_IS_RANKS:
		return iot_setting_ranks(value, 0, &in);
	case IOT_IS_CALLS:
		return iot_setting_calls(value, &calls, NULL);
	default:
		return iot_setting_number(setting, value, &v);
	}
}

static void set_option(int key, const char *value)
{
	const enum iot_setting setting = settings[key - OPT_PATHS];
	const char *wrong = *value ? wrong_with(setting, value) : NULL;
	const struct argp_option *o = options;

	while (o->key != key)
		o++;
	if (wrong)
		iot_run_die(EXIT_OURS, "--%s=%s: %s", o->name, value, wrong);
	iot_run_set(iot_setting_name(setting), value);
}

struct asked {
	const char *mpi;	/* --mpi */
	bool cold;
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	struct asked *asked = state->input;

	switch (key) {
	case 'o':
		iot_run_set_directory(arg);
		break;
	case OPT_SYSCALLS:
		iot_run_set("IOTRACE_SYSCALLS", "1");
		break;
	case OPT_MPI:
		asked->mpi = arg;
		break;
	case OPT_FAULTS:
		iot_run_set("IOTRACE_FAULTS", "1");
		break;
	case OPT_CACHE:
		iot_run_set("IOTRACE_CACHE", "1");
		break;
	case OPT_WATCH_RINGS:
		iot_run_set("IOTRACE_WATCH_RINGS", "1");
		break;
	case OPT_COLD:
		asked->cold = true;
		break;
	case ARGP_KEY_NO_ARGS:
		iot_run_die(EXIT_OURS, "no program is given (--help says more)");
	default:
		if (key < OPT_PATHS || key > OPT_MODE)
			return ARGP_ERR_UNKNOWN;
		set_option(key, arg);
	}
	return 0;
}

static const struct argp argp = {
	.options = options,
	.parser = on_option,
	.args_doc = "PROGRAM [ARGUMENT...]",
	.doc = "Run a dynamic executable and record its I/O calls and those of its children.\v"
	       "Options are settings of iotrace(7), and override the environment.  "
	       "Exit status: the program's; 127 if it is not found, 126 if it can't be run, "
	       "125 if an option is wrong.",
};

int main(int argc, char **argv)
{
	struct iot_run_program program = {0};
	struct asked asked = {0};
	const char *mpi;
	char cwd[4096];
	char *path;
	int at;

	iot_trouble = EXIT_OURS;
	at = iot_options_parse(&argp, argc, argv, ARGP_IN_ORDER, &asked);
	path = iot_run_find(argv[at]);
	if (!path && (errno == ENOENT || errno == ENOTDIR))
		iot_run_die(EXIT_NOT_FOUND, "%s: not found", *argv[at] ? argv[at] : "''");
	if (!path)
		iot_run_die(EXIT_NO_EXEC, "%s: %s", argv[at], strerror(errno));
	/* children may be elsewhere, and their logs are to be here as well */
	if (!getenv("IOTRACE_DIR") && !iot_run_site_has("IOTRACE_DIR") && getcwd(cwd, sizeof(cwd)))
		iot_run_set_literal(cwd, "");
	iot_run_ask();
	program.find_mpi = !asked.mpi;
	iot_run_look(path, &program);
	if (program.asan)
		iot_run_allow_sanitizer();
	if (asked.mpi)
		mpi = iot_run_mpi_named(asked.mpi);
	else
		mpi = program.mpi ? program.mpi : iot_run_mpi_around();
	iot_run_preload(mpi);
	if (asked.cold)
		iot_run_cold(path, &program, argv + at);
	iot_run_tell_found(path, &program);
	execv(path, argv + at);
	/* a script without a first line, which shells run; what is no script they spoil */
	if (errno == ENOEXEC && !iot_run_is_elf(path))
		execvp(argv[at], argv + at);
	iot_run_die(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NO_EXEC, "%s: %s", argv[at], strerror(errno));
}
