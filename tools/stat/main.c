/* SPDX-License-Identifier: BSD-3-Clause */
/* iotrace-stat - sums up iotrace logs. */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "file.h"
#include "../../analysis/seeks.h"
#include "by-time.h"

const char *argp_program_version = "iotrace-stat (" PACKAGE_NAME ") " PACKAGE_VERSION;

#define MAX_JOBS 1024

enum { OPT_BY = 256, OPT_DIFF, OPT_FAIL_IF, OPT_FILE, OPT_FORMAT, OPT_RULE, OPT_RUN, OPT_SORT, OPT_TOP };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "What is reported:", 1},
	{"by", OPT_BY, "LIST", 0,
	 "Sums by call, file, process, thread, rank, region or site; time, in intervals (time=10ms: "
	 "of that length); constellation: who shares files with whom; seek: where in files each process "
	 "read and wrote; layout: files as they were first read; several of these, or all; "
	 "default: call,file",
	 1},
	{"file", OPT_FILE, "REGEX", 0,
	 "Print all about each file that matches: opens, calls, sizes, order, lines and threads", 1},
	{"sites", 'k', NULL, 0, "The same as --by=site: lines of the program", 1},
	{"sort", OPT_SORT, "KEY", 0,
	 "Print rows with the most time, bytes or calls (count) first; default: time", 1},
	{"top", OPT_TOP, "N", 0, "Print N lines of each table, 0 for all; default: 15 in text, else all", 1},
	{"rule", OPT_RULE, "RULE.THRESHOLD=VALUE", 0,
	 "Set a threshold of a finding, as in small-writes.least=500; RULE=off: no findings of that kind", 1},
	{"diff", OPT_DIFF, NULL, 0,
	 "Compare two runs, each a log, a directory, a database or saved JSON; or several runs before -- with "
	 "several behind it: differences among runs of one side are noise",
	 1},
	{"fail-if", OPT_FAIL_IF, "CONDITION", 0,
	 "With --diff: exit with 1 if CONDITION holds, as in time>+10%, write.calls>+0 or findings>0", 1},
	{"run", OPT_RUN, "RUN", 0, "Sum up this run of a database, by its name or number; default: the last one", 1},
	{"jobs", 'j', "N", 0, "Read the logs with N processes, 0: as many as there are processors", 1},
	{"human", 'H', NULL, 0, "Print bytes as 1.5K, 20M and so on", 1},
	{"format", OPT_FORMAT, "FORMAT", 0, "text (the default), json or csv", 1},
	{0},
};

static void add_table(const char *name)
{
	static const struct {
		const char *name;
		bool *option;
	} others[] = {{"all", &iot_stat_options.everything},
		      {"constellation", &iot_stat_options.constellations},
		      {"seek", &iot_stat_options.seeks},
		      {"layout", &iot_stat_options.layout}};
	unsigned i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strcmp(name, others[i].name))
			continue;
		*others[i].option = true;
		return;
	}
	if (!strcmp(name, "time") || !strncmp(name, "time=", 5)) {
		iot_stat_time_option(name[4] ? name + 5 : NULL);
		return;
	}
	for (i = 0; i < IOTA_N_TABLES; i++) {
		if (strcmp(name, iota_shapes[i].by))
			continue;
		iot_stat_options.shown[i] = true;
		return;
	}
	iot_die("--by: '%s' is none of call, file, process, thread, rank, region, site, time, "
		"constellation, seek, layout and all",
		name);
}

static void add_tables(char *list)
{
	char *name;

	while ((name = strsep(&list, ",")))
		add_table(name);
}

static void set_sort(const char *key)
{
	static const char *const keys[] = {"time", "bytes", "count", NULL};
	static const enum iota_field fields[] = {IOTA_F_SELF, IOTA_F_READ, IOTA_F_CALLS};

	iot_stat_options.sort_by = fields[iot_option_choice("--sort", key, keys)];
}

static void set_format(const char *name)
{
	static const char *const names[] = {[STAT_TEXT] = "text", [STAT_JSON] = "json", [STAT_CSV] = "csv", NULL};

	iot_stat_options.format = iot_option_choice("--format", name, names);
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	(void)state;
	switch (key) {
	case OPT_BY:
		add_tables(arg);
		break;
	case OPT_FILE:
		iot_stat_file_option(arg);
		break;
	case 'k':
		add_table("site");
		break;
	case OPT_SORT:
		set_sort(arg);
		break;
	case OPT_TOP:
		iot_stat_options.top = iot_option_number("--top", arg, 0, SIZE_MAX);
		if (!iot_stat_options.top)
			iot_stat_options.top = SIZE_MAX;
		iot_stat_options.top_given = true;
		break;
	case OPT_DIFF:
		iot_stat_options.diff = true;
		break;
	case OPT_FAIL_IF:
		iot_diff_fail_if(arg);
		break;
	case OPT_RULE:
		iot_stat_rule(arg);
		break;
	case OPT_RUN:
		iot_logs_run = arg;
		break;
	case 'j':
		iot_stat_jobs = iot_option_number("--jobs", arg, 0, MAX_JOBS);
		if (!iot_stat_jobs)
			iot_stat_jobs = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
		break;
	case 'H':
		iot_stat_options.human = true;
		break;
	case OPT_FORMAT:
		set_format(arg);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = options,
	.children = iot_logs_children,
	.parser = on_option,
	.args_doc = "LOG|DIRECTORY|DATABASE|-...\n--diff BEFORE AFTER\n--diff BEFORE... -- AFTER...",
	.doc = "Sum up iotrace logs: which calls, files and lines of the program cost what.\v"
	       "Exit status: 0 if all is well, 1 if a log is damaged (what is sound is counted), "
	       "no call passes the options, or a condition of --fail-if is met, 2 if a log can't be read or an option is wrong.",
};

/* All about files, in place of the tables. */
static void print_files(struct iota *a, struct iotr_set *set)
{
	struct iota_details *d = iot_stat_file_read(a, set);

	if (iot_stat_options.format == STAT_JSON)
		iot_stat_file_json(&iot_stdout, d);
	else
		iot_stat_file_text(&iot_stdout, d);
	iota_details_free(d);
}

static void report(char **logs)
{
	struct iotr_set *set = iot_set_new();
	struct iota *a = iot_stat_analyse(set, logs);

	if (!a)
		return;
	if (iot_stat_file_given())
		print_files(a, set);
	else if (iot_stat_options.format == STAT_JSON)
		iot_stat_json(a, set);
	else if (iot_stat_options.format == STAT_CSV)
		iot_stat_csv(a);
	else
		iot_stat_text(a, set);
	iot_out_flush(&iot_stdout);
	iot_filter_end();
	iota_free(a);
	iotr_set_free(set);
}

/* How many arguments are behind --, which getopt moves before all that are no options. */
static size_t count_behind(int argc, char **argv)
{
	int i = 1;

	while (i < argc && strcmp(argv[i], "--") != 0)
		i++;
	return i < argc ? (size_t)(argc - i - 1) : SIZE_MAX;
}

static void compare(char **run, size_t n, size_t behind)
{
	const struct stat_options *o = &iot_stat_options;

	if (o->time || o->constellations || o->seeks || o->layout || iot_stat_file_given())
		iot_die("--diff: compares no %s", iot_stat_file_given() ? "--file"
						  : o->time		? "--by=time"
						  : o->constellations	? "--by=constellation"
						  : o->seeks		? "--by=seek"
									: "--by=layout");
	if (behind == SIZE_MAX && n != 2)
		iot_die("--diff: give two runs, or several with -- between those before and those after");
	if (behind != SIZE_MAX && (!behind || behind >= n))
		iot_die("--diff: there is no run %s --", behind ? "before" : "behind");
	if (iot_stat_options.format != STAT_TEXT && !iot_stat_options.top_given)
		iot_stat_options.top = SIZE_MAX;
	iot_stat_diff(run, behind == SIZE_MAX ? 1 : n - behind, iot_stat_options.format, iot_stat_options.sort_by);
}

int main(int argc, char **argv)
{
	size_t behind = count_behind(argc, argv);
	int at;

	if (iot_stat_ranks_begin)
		iot_stat_ranks_begin(argc, argv);
	at = iot_options_parse(&argp, argc, argv, 0, NULL);
	iota_no_memory = iot_no_memory;
	if (iot_diff_conditions && !iot_stat_options.diff)
		iot_die("--fail-if: needs --diff and a run to compare with");
	if (iot_stat_options.diff)
		compare(argv + at, (size_t)(argc - at), behind);
	else
		report(argv + at);
	return iot_exit_status;
}
