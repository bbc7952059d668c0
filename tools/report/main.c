/* SPDX-License-Identifier: BSD-3-Clause */
/* iotrace-report - all about a job in one HTML file, to be explored in a browser. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common/whole.h"
#include "../stat/by-time.h"
#include "../stat/diff.h"
#include "page.h"

const char *argp_program_version = "iotrace-report (" PACKAGE_NAME ") " PACKAGE_VERSION;

/* Lines of tables: the page has those that count. */
struct stat_options iot_stat_options = {.findings = true, .time = true, .top = 2000};

static struct iota_picture_options picture = {
	.bins = 500, .calls = 100000, .lanes = 400, .files = 200, .points = 500, .marks = 1000, .meetings = 50};
static const char *output = "report.html", *title;
static uint64_t most_bytes = 10000000; /* of a page */

/* Runs before a change; it ends with this one. */
static struct diff compared;

enum { OPT_CALLS = 256, OPT_DIFF, OPT_SIZE, OPT_TITLE };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "What is written:", 1},
	{"diff", OPT_DIFF, "RUN", 0,
	 "Compare with that run, before a change: a log, a directory, or JSON that iotrace-stat printed; several "
	 "times: what lies within these runs is noise", 1},
	{"output", 'o', "FILE", 0, "The page; report.html if nothing is said, - for standard output", 1},
	{"title", OPT_TITLE, "TEXT", 0, "What the page is headed; the first program's name if nothing is said", 1},
	{"max-calls", OPT_CALLS, "N", 0,
	 "Show so many calls one by one, the longest; 100000 if nothing is said.  Sums are of all calls", 1},
	{"max-size", OPT_SIZE, "SIZE", 0,
	 "Make the page no larger, as in 4M; 10000000 bytes if nothing is said.  Fewer calls are shown one by one, and "
	 "times are coarser, until that is so", 1},
	{0},
};

static void add_run(const char *name)
{
	compared.run = reallocarray(compared.run, compared.n_runs + 2, sizeof(*compared.run));
	if (!compared.run)
		iot_no_memory();
	compared.run[compared.n_runs++] = name;
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	(void)state;
	switch (key) {
	case 'o':
		output = arg;
		break;
	case OPT_DIFF:
		add_run(arg);
		break;
	case OPT_SIZE:
		most_bytes = iot_option_size("--max-size", arg);
		break;
	case OPT_TITLE:
		title = arg;
		break;
	case OPT_CALLS:
		picture.calls = iot_option_number("--max-calls", arg, 0, 10000000);
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
	.args_doc = "LOG|DIRECTORY|-...",
	.doc = "Write one HTML file that shows what programs did with files: what stands out, who did what "
	       "when, files, addresses, lines.  It needs no network.\v"
	       "Exit status: 0 if all is well, 1 if a log is damaged (what is sound is shown) or no call "
	       "passes the options, 2 if a log can't be read, the page can't be written or an option is wrong.",
};

static void on_call(void *a, const struct iotr_call *call)
{
	iot_progress();
	iota_call(a, call, iot_filter_pass(call));
}

struct iota *iot_stat_analyse(struct iotr_set *set, char **logs)
{
	unsigned wanted = IOTA_FINDINGS | (iot_filter_given ? 0 : IOTA_NAMES), i;
	struct iota *a;

	iot_symfs_set(set);
	iotr_set_mute(set); /* lines are there where there are some */
	iot_logs_add(set, logs);
	iot_filter_check(set);
	if (!iotr_set_size(set))
		return NULL;
	for (i = 0; i < IOTA_N_TABLES; i++) {
		iot_stat_options.shown[i] = true;
		wanted |= IOTA_IN(i);
	}
	a = iota_new(wanted);
	iot_stat_time_begin(a, set);
	iot_progress_begin(set, true);
	iotr_set_scan(set, on_call, a);
	iot_progress_end();
	iota_end(a);
	iota_done(a, IOTA_F_SELF);
	return a;
}

/* --diff: this run with those before, as JSON. */
static struct out compare(struct iota *a, const struct iotr_set *set, const char *name)
{
	struct out json = {.fd = -1};
	unsigned t;

	if (!compared.n_runs)
		return json;
	compared.n[DIFF_BEFORE] = compared.n_runs;
	compared.n[DIFF_AFTER] = 1;
	for (t = 0; t < DIFF_N_TABLES; t++)
		compared.has[t] = true;
	compared.run[compared.n_runs] = name;
	iot_diff_read_runs(&compared, compared.n_runs);
	iot_diff_add(&compared, compared.n_runs++, a, set);
	iot_diff_match(&compared);
	iot_diff_compare(&compared, IOTA_F_SELF);
	iot_diff_json(&json, &compared);
	iot_diff_free(&compared);
	free(compared.run);
	return json;
}

/* In order, once more. */
static struct iota_picture *draw(struct iota *a, struct iotr_set *set)
{
	struct iota_picture *p = iota_picture_new(a, &picture);
	const struct iotr_call *call;

	iotr_set_rewind(set);
	iot_progress_begin(set, true);
	while ((call = iotr_set_next(set))) {
		iot_progress();
		if (iot_filter_pass(call))
			iota_picture_add(p, call);
	}
	iot_progress_end();
	iota_picture_end(p);
	return p;
}

static const char *title_of(const struct iotr_set *set)
{
	const char *prog = iotr_log_key(iotr_set_log(set, 0), "program", NULL);

	return title ? title : prog ? prog : "iotrace";
}

/* NULL: standard output. */
static void write_page(struct out *page, const char *name)
{
	page->fd = name ? open(name, O_WRONLY | O_TRUNC | O_CLOEXEC) : STDOUT_FILENO;
	if (page->fd < 0 || !iot_out_try(page) || (name && close(page->fd)))
		iot_die("can't write %s: %s", output, strerror(errno));
	iot_output_end();
}

/* Anew with less, as long as it is too large: what is left out are single calls, and how exactly
   times are known. */
static void make_page(struct out *page, struct iota *a, struct iotr_set *set, const struct out *diff)
{
	const size_t fewest_bins = 50;

	for (;;) {
		struct iota_picture *p = draw(a, set);
		struct out data = {.fd = -1};

		page->len = 0;
		report_data(&data, a, set, p, diff);
		report_page(page, &data, title_of(set));
		free(data.buf);
		iota_picture_free(p);
		if (page->len <= most_bytes || (!picture.calls && picture.bins <= fewest_bins))
			return;
		picture.calls = picture.calls < 1000 ? 0 : picture.calls / 4;
		picture.bins = picture.bins / 2 < fewest_bins ? fewest_bins : picture.bins / 2;
		picture.points = picture.points / 2 < fewest_bins ? fewest_bins : picture.points / 2;
	}
}

static void report(char **logs)
{
	struct out page = {.fd = -1}, diff;
	const char *name = strcmp(output, "-") ? iot_output_begin(output) : NULL;
	struct iotr_set *set = iot_set_new();
	struct iota *a = iot_stat_analyse(set, logs);

	if (!a)
		return;
	diff = compare(a, set, *logs);
	make_page(&page, a, set, &diff);
	write_page(&page, name);
	iot_filter_end();
	free(page.buf);
	free(diff.buf);
	iota_free(a);
	iotr_set_free(set);
}

int main(int argc, char **argv)
{
	int at = iot_options_parse(&argp, argc, argv, 0, NULL);

	iota_no_memory = iot_no_memory;
	report(argv + at);
	return iot_exit_status;
}
