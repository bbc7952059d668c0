/* SPDX-License-Identifier: BSD-3-Clause */
/* iotrace-export - writes calls of iotrace logs in formats of other tools. */
#include "config.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "export.h"

const char *argp_program_version = "iotrace-export (" PACKAGE_NAME ") " PACKAGE_VERSION;

enum { OPT_TO = 256, OPT_APPEND, OPT_FROM_RUN, OPT_NO_LOGS, OPT_RUN };

static const char to_help[] = "The format, one of: "
#define ROW(name, text) text
#define OTHER_ROW(name, text) ", " text
#include "tools/export/formats.list"
	;

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "What is written:", 1},
	{"to", OPT_TO, "FORMAT", 0, to_help, 1},
	{"output", 'o', "FILE", 0, "Write to FILE, which may be a directory; an old one stays until the new one is complete", 1},
	{"append", OPT_APPEND, NULL, 0, "Add the logs to those that a database has, as another run", 1},
	{"run", OPT_RUN, "NAME", 0, "Call the run NAME in the database", 1},
	{"no-logs", OPT_NO_LOGS, NULL, 0, "Keep no logs in the database, by which other tools read the database as logs", 1},
	{"from-run", OPT_FROM_RUN, "RUN", 0, "Take this run of a database that is read, by its name or number; default: the last one", 1},
	{0},
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_TO:
		/* --to=TIME is a filter; no time begins with a letter, and every format does */
		if (isalpha((unsigned char)*arg))
			iot_export_options.format = iot_export_format(arg);
		else
			iot_filter_to(arg);
		break;
	case 'o':
		iot_export_options.output = iot_option_file("--output", arg);
		break;
	case OPT_APPEND:
		iot_export_options.append = true;
		break;
	case OPT_FROM_RUN:
		iot_logs_run = arg;
		break;
	case OPT_NO_LOGS:
		iot_export_options.no_logs = true;
		break;
	case OPT_RUN:
		iot_export_options.run = arg;
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
	.args_doc = "--to=FORMAT -o FILE LOG|DIRECTORY|DATABASE|-...",
	.doc = "Write the calls of iotrace logs in formats that other tools read.\v"
	       "Exit status: 0 if all is well, 1 if a log is damaged (what is sound is written) or "
	       "no call passes the options, 2 if a log can't be read, FILE can't be written, or an option is wrong.",
};

/* ---- thread by thread ---- */

static void counted(void *arg, const struct iota_sample *s)
{
	(void)arg;
	iot_export_options.format->call(s);
}

static void on_call(void *a, const struct iotr_call *call)
{
	bool wanted = iot_filter_pass(call);

	iot_progress();
	iota_call(a, call, wanted);
	if (!wanted && iot_export_options.format->left_out)
		iot_export_options.format->left_out(call);
}

static void scan(struct iotr_set *set, struct iota *a)
{
	iota_watch(a, counted, NULL);
	iotr_set_scan(set, on_call, a);
	iota_end(a);
	iota_done(a, IOTA_F_SELF);
}

/* ---- by start ---- */

static void read_by_start(struct iotr_set *set, struct iota *a)
{
	const struct iotr_call *call;
	struct iota_sample s;

	iot_filter_choose(set);
	while ((call = iotr_set_next(set))) {
		iot_progress();
		if (!iot_filter_pass(call))
			continue;
		iota_sample(a, &s, call);
		iot_export_options.format->call(&s);
	}
}

static bool is_file(const char *name, const struct stat *file)
{
	struct stat st;

	return stat(name, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* A log is no place for its own calls. */
static void check_output(const struct iotr_set *set, char **logs)
{
	struct stat out;
	size_t i;

	if (stat(iot_export_options.output, &out) < 0 || !S_ISREG(out.st_mode))
		return;
	for (i = 0; i < iotr_set_size(set); i++)
		if (is_file(iotr_log_file(iotr_set_log(set, i)), &out))
			iot_die("%s: is one of the logs that are read; give another name with -o", iot_export_options.output);
	for (; *logs; logs++)
		if (is_file(*logs, &out))
			iot_die("%s: is the database that is read; give another name with -o", iot_export_options.output);
}

static void export(char **logs)
{
	const struct format *format = iot_export_options.format;
	struct iotr_set *set = iot_set_new();
	struct iota *a;

	iot_symfs_set(set);
	iot_logs_add(set, logs);
	iot_filter_check(set);
	if (!iotr_set_size(set))
		return;
	check_output(set, logs);
	/* which names are of one file is known only if all calls come */
	a = iota_new(iot_filter_given ? format->tables & ~IOTA_NAMES : format->tables);
	format->begin(iot_export_options.output, set, a);
	iot_progress_begin(set, true);
	if (format->by_thread)
		scan(set, a);
	else
		read_by_start(set, a);
	iot_progress_end();
	if (iotr_set_failed(set))
		iot_no_memory();
	format->end(set, a);
	iot_filter_end();
	iota_free(a);
	iotr_set_free(set);
}

/* What is about databases goes with no other format. */
static void check_database(void)
{
	const struct export_options *o = &iot_export_options;
	const char *given = o->append ? "--append" : o->run ? "--run" : o->no_logs ? "--no-logs" : NULL;

	if (given && !o->format->appends)
		iot_die("%s: --to=%s is no database", given, o->format->name);
}

int main(int argc, char **argv)
{
	int at;

	signal(SIGXFSZ, SIG_IGN); /* writing fails then, and that is said */
	iota_no_memory = iot_no_memory;
	iot_export_options.argv = argv;
	at = iot_options_parse(&argp, argc, argv, 0, NULL);
	if (!iot_export_options.format)
		iot_die("give --to=FORMAT; --help lists the formats");
	if (!iot_export_options.output)
		iot_die("give -o FILE");
	check_database();
	export(argv + at);
	return iot_exit_status;
}
