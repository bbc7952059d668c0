/* SPDX-License-Identifier: BSD-3-Clause */
/* iotrace-cat - prints the calls of iotrace logs. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../analysis/analysis.h"
#include "cat.h"

const char *argp_program_version = "iotrace-cat (" PACKAGE_NAME ") " PACKAGE_VERSION;

enum { OPT_FORMAT = 256, OPT_OFFSETS, OPT_BLOCKED, OPT_ABOUT, OPT_RUN };

static const char formats_help[] =
#define ROW(name, text) text " (the default)"
#define OTHER_ROW(name, text) ", " text
#include "tools/cat/formats.list"
	;

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "What is printed of a call:", 1},
	{"format", OPT_FORMAT, "FORMAT", 0, formats_help, 1},
	{"paths", 'y', NULL, 0, "Print the path beside a descriptor", 1},
	{"stacks", 'k', NULL, 0, "Print the stack beneath a call", 1},
	{"offsets", OPT_OFFSETS, NULL, 0,
	 "Print the file offset of calls that have no such argument", 1},
	{"about", OPT_ABOUT, NULL, 0,
	 "Print, instead of calls, what is known of the machine, of file systems and files, and what "
	 "threads used",
	 1},
	{"time", 't', NULL, 0,
	 "Print the time of day; twice: date and nanoseconds; three times: seconds since the epoch",
	 1},
	{"relative", 'd', NULL, 0, "Print the seconds since the call before", 1},
	{"since-start", 's', NULL, 0, "Print the seconds since the log of the process was begun", 1},
	{"follow", 'f', NULL, 0,
	 "Go on with the calls of programs that still run, and print long calls while they "
	 "are in progress",
	 1},
	{"run", OPT_RUN, "RUN", 0, "Print this run of a database, by its name or number; default: the last one", 1},
	{"blocked", OPT_BLOCKED, "TIME", 0, "Follow, and print calls in progress that take longer than TIME; default: 1s", 1},
	{0},
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_FORMAT:
		iot_options.format = iot_format_named(arg);
		break;
	case 'y':
		iot_options.paths = true;
		break;
	case 'k':
		iot_options.stacks = true;
		break;
	case OPT_OFFSETS:
		iot_options.offsets = true;
		break;
	case 't':
		iot_options.clock++;
		break;
	case 'd':
		iot_options.relative = true;
		break;
	case 's':
		iot_options.since_start = true;
		break;
	case 'f':
		iot_options.follow = true;
		break;
	case OPT_ABOUT:
		iot_options.about = true;
		break;
	case OPT_RUN:
		iot_logs_run = arg;
		break;
	case OPT_BLOCKED:
		iot_options.blocked = iot_option_duration("--blocked", arg);
		iot_options.follow = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	(void)state;
	return 0;
}

static const struct argp argp = {
	.options = options,
	.children = iot_logs_children,
	.parser = on_option,
	.args_doc = "LOG|DIRECTORY|DATABASE|-...",
	.doc = "Print the calls of iotrace logs, merged by time.\v"
	       "Exit status: 0 if all is well, 1 if a log is damaged (what is sound is printed) or "
	       "no call passes the options, 2 if a log can't be read or an option is wrong.",
};

static void cat(char **path)
{
	struct iotr_set *set = iot_set_new();
	const struct iotr_call *call;
	struct iota_ops ops = {0};

	iota_no_memory = iot_no_memory;
	iot_symfs_set(set);
	iot_logs_add(set, path);
	iot_filter_check(set);
	if (iot_options.about) {
		iot_cat_about(set);
		iot_out_flush(&iot_stdout);
		iotr_set_free(set);
		return;
	}
	iot_filter_choose(set);
	iot_begin(set);
	iot_progress_begin(set, false);
	while ((call = iotr_set_next(set))) {
		bool wanted = iot_filter_pass(call);

		iota_ops_see(&ops, call, wanted);
		iot_unseen_see(call);
		if (wanted)
			iot_print_call(call);
		iot_progress();
	}
	iot_progress_end();
	iot_end(set);
	iot_list_operations(&ops);
	iota_ops_free(&ops);
	iot_unseen_tell();
	iotr_set_free(set);
}

int main(int argc, char **argv)
{
	int at;

	iot_options.format = iot_formats[0];
	at = iot_options_parse(&argp, argc, argv, 0, NULL);
	iot_format_check();
	if (iot_options.about && iot_options.follow)
		iot_die("--about: prints what logs say now, and does not follow; leave out -f");
	iot_out_need(&iot_stdout, 1 << 18);
	if (iot_options.follow)
		iot_cat_follow(argv + at);
	else
		cat(argv + at);
	iot_notes_free();
	return iot_exit_status;
}
