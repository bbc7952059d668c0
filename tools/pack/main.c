/* SPDX-License-Identifier: BSD-3-Clause */
/* iotrace-pack - makes logs small, and packed ones what they were. */
#include "config.h"

#include <argp.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pack.h"

const char *argp_program_version = "iotrace-pack (" PACKAGE_NAME ") " PACKAGE_VERSION;

/* ---- the logs of the command line, all listed before the first is packed ---- */

struct listed {
	char *file;
	bool in_directory;
};
static struct listed *logs;
static size_t n_logs;

static void list_one(void *unused, const char *file, bool in_directory)
{
	struct listed *grown = reallocarray(logs, n_logs + 1, sizeof(*logs));
	char *copy = strdup(file);

	(void)unused;
	if (!grown || !copy)
		iot_die("out of memory");
	logs = grown;
	logs[n_logs++] = (struct listed){copy, in_directory};
}

static void process_all(void)
{
	if (n_logs > 1 && !iot_options.unpack && !iot_options.list)
		iot_options.mapped = iotr_mapped_look();
	for (size_t i = 0; i < n_logs; i++) {
		iot_process(logs[i].file, logs[i].in_directory);
		free(logs[i].file);
	}
	iot_outputs_settle();
	iotr_mapped_free(iot_options.mapped);
	free(logs);
}

enum { OPT_FORCE = 256, OPT_LEVEL };

static const struct argp_option options[] = {
	{"unpack", 'd', NULL, 0, "Unpack logs: make them what they were", 0},
	{"list", 'l', NULL, 0, "Print how many calls packed logs hold, and how small they became", 0},
	{"keep", 'k', NULL, 0, "Keep the log that was packed or unpacked", 0},
	{"output", 'o', "FILE", 0, "Write to FILE, and keep the log", 0},
	{"stdout", 'c', NULL, 0, "Write to standard output, and keep the log", 0},
	{"level", OPT_LEVEL, "N", 0, "zstd's level, 1 (fast) to 19 (small); default 3", 0},
	{"force", OPT_FORCE, NULL, 0, "Pack logs of running processes as well, and keep them", 0},
	{0},
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	(void)state;
	switch (key) {
	case 'd':
		iot_options.unpack = true;
		break;
	case 'l':
		iot_options.list = true;
		break;
	case 'k':
		iot_options.keep = true;
		break;
	case 'o':
		iot_options.output = iot_option_file("--output", arg);
		break;
	case 'c':
		iot_options.to_stdout = true;
		break;
	case OPT_LEVEL:
		iot_options.level = (int)iot_option_number("--level", arg, 1, 19);
		break;
	case OPT_FORCE:
		iot_options.force = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN; /* main takes arguments from there */
	}
	return 0;
}

static const struct argp_child children[] = {
	{&iot_logs_argp, 0, NULL, 0},
	{0},
};

static const struct argp argp = {
	.children = children,
	.options = options,
	.parser = on_option,
	.args_doc = "LOG|DIRECTORY|-...",
	.doc = "Pack iotrace logs: X.iotrace becomes X.packed.iotrace, which every tool reads, and "
	       "which --unpack turns into the same bytes again.\v"
	       "Exit status: 0 if all is well, 1 if a log was left as it is (it is damaged, no "
	       "log, "
	       "or still being written), 2 if a file can't be read or written or an option is "
	       "wrong.",
};

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Says what is wrong with the options, if something is. */
static const char *contradiction(int n, const char *first)
{
	const struct pack_options *o = &iot_options;

	if (o->unpack && o->list)
		return "-d and -l together make no sense";
	if (o->output && o->to_stdout)
		return "-o and -c together make no sense";
	if ((o->output || o->to_stdout) && (n > 1 || is_directory(first)))
		return "-o and -c take one log, not many";
	if (o->to_stdout && isatty(STDOUT_FILENO))
		return "-c: standard output is a terminal; send it to a file, or use -o FILE";
	return NULL;
}

/* What one log took is there for the next one: a page that the system has back it has to clear
   anew, which took half of the time of small logs. */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

int main(int argc, char **argv)
{
	const char *wrong;
	int at = iot_options_parse(&argp, argc, argv, 0, NULL);

	wrong = contradiction(argc - at, argv[at]);
	if (wrong)
		iot_die("%s", wrong);
	setvbuf(stdout, NULL, _IOLBF, 0);
	keep_memory();
	iot_logs_each(argv + at, list_one, NULL);
	process_all();
	if (fflush(stdout) != 0 || ferror(stdout))
		iot_die("can't write to standard output: %s", strerror(errno));
	return iot_exit_status;
}
