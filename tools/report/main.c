/* SPDX-License-Identifier: BSD-3-Clause */
/* iotrace-report - all about a job in one HTML file, to be explored in a browser. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common/whole.h"
#include "db.h"
#include "serve.h"

const char *argp_program_version = "iotrace-report (" PACKAGE_NAME ") " PACKAGE_VERSION;

static const char *output;
static bool serve;
static uint16_t port; /* 0: any */

static bool together;

enum { OPT_CALLS = 256, OPT_DIFF, OPT_NO_SOURCE, OPT_RUN, OPT_SERVE, OPT_SIZE, OPT_TITLE, OPT_TOGETHER };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "What is written:", 1},
	{"diff", OPT_DIFF, "RUN", 0,
	 "Compare with RUN, before a change: a log, a directory, JSON that iotrace-stat printed, a database, or a "
	 "run of the database that is shown.  Given several times: differences among these runs are noise", 1},
	{"no-source", OPT_NO_SOURCE, NULL, 0, "Leave out lines of the program's source, which a page has where the source is there", 1},
	{"output", 'o', "FILE", 0, "Write the page to FILE, - for standard output; default: report.html", 1},
	{"run", OPT_RUN, "RUN", 0, "Show this run of a database, by its name or number; default: the last one", 1},
	{"serve", OPT_SERVE, "PORT", OPTION_ARG_OPTIONAL,
	 "Write no page, but serve it to browsers on this host, with single calls of all logs, and follow programs that "
	 "run.  The server listens at PORT of 127.0.0.1, or at any that is free", 1},
	{"together", OPT_TOGETHER, NULL, 0,
	 "Take two logs or directories as one job.  Without this option they are two runs, which are compared, if the "
	 "first had ended when the second began", 1},
	{"title", OPT_TITLE, "TEXT", 0, "Head the page with TEXT; default: the name of the first program", 1},
	{"max-calls", OPT_CALLS, "N", 0,
	 "Show the N longest calls one by one; default: 100000.  Sums are of all calls", 1},
	{"max-size", OPT_SIZE, "SIZE", 0,
	 "Make the page no larger than SIZE, as in 4M; default: 10000000 bytes.  A page that is too large shows fewer "
	 "calls one by one, and coarser times", 1},
	{0},
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	(void)state;
	switch (key) {
	case 'o':
		output = iot_option_file("--output", arg);
		break;
	case OPT_DIFF:
		report_compare_with(arg);
		break;
	case OPT_NO_SOURCE:
		report_options.sources = false;
		break;
	case OPT_RUN:
		iot_logs_run = arg;
		break;
	case OPT_SERVE:
		serve = true;
		port = arg ? (uint16_t)iot_option_number("--serve", arg, 1, 65535) : 0;
		break;
	case OPT_SIZE:
		report_options.most_bytes = iot_option_size("--max-size", arg);
		break;
	case OPT_TITLE:
		report_options.title = arg;
		break;
	case OPT_TOGETHER:
		together = true;
		break;
	case OPT_CALLS:
		report_options.picture.calls = iot_option_number("--max-calls", arg, 0, 10000000);
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
	.args_doc = "LOG|DIRECTORY|-...\nBEFORE AFTER\nDATABASE...",
	.doc = "Write one HTML file that shows what programs did with files: what stands out, who did what "
	       "when, files, addresses, lines.  It needs no network.\v"
	       "Exit status: 0 if all is well, 1 if a log is damaged (what is sound is shown) or no call "
	       "passes the options, 2 if a log can't be read, the page can't be written or an option is wrong.",
};

/* NULL: standard output. */
static void write_page(struct out *page, const char *name)
{
	page->fd = name ? open(name, O_WRONLY | O_TRUNC | O_CLOEXEC) : STDOUT_FILENO;
	if (page->fd < 0 || !iot_out_try(page) || (name && close(page->fd)))
		iot_die("can't write %s: %s", output, strerror(errno));
	iot_output_end();
}

static void write_report(char **logs)
{
	struct out page = {.fd = -1};
	struct report r;
	const char *name;

	if (!output)
		output = "report.html";
	name = strcmp(output, "-") ? iot_output_begin(output) : NULL;
	if (!report_make(&r, logs))
		return;
	report_page(&page, &r.data, r.title, 0);
	write_page(&page, name);
	iot_filter_end();
	free(page.buf);
	report_free(&r);
}

static void serve_logs(char **logs)
{
	size_t i;

	if (output)
		iot_die("--serve writes no page: leave out --output=%s", output);
	for (i = 0; logs[i]; i++)
		if (!strcmp(logs[i], "-"))
			iot_die("-: standard input can't be read again while it is served; name the log");
	report_serve(logs, port);
}

int main(int argc, char **argv)
{
	int at = iot_options_parse(&argp, argc, argv, 0, NULL);
	char **logs;

	iota_no_memory = iot_no_memory;
	logs = together ? argv + at : report_two_runs(argv + at);
	if (serve)
		serve_logs(logs);
	else
		write_report(logs);
	return iot_exit_status;
}
