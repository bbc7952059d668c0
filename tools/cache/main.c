/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace-drop-cache and, with CACHE_WARM, iotrace-warm - the page cache gives up files, or
 * gets them.  What it then has is asked of the kernel, not taken for granted.
 */
#include "config.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/tool.h"
#include "named.h"
#include "pages.h"

#ifdef CACHE_WARM
#define NAME "iotrace-warm"
#define DOC "Read files into the page cache.\v" \
	"DIR stands for all files below it, a log for the files that it names.\n\n" \
	"Exit status: 0 if the page cache has all bytes, 1 if it lacks some or nobody can tell, 2 for trouble."
#define DONE "read in"
#define REST "missing"
#else
#define NAME "iotrace-drop-cache"
#define DOC "Evict files from the page cache.\v" \
	"DIR stands for all files below it, a log for the files that it names.\n\n" \
	"Exit status: 0 if no byte stays, 1 if some stay or nobody can tell, 2 for trouble."
#define DONE "evicted"
#define REST "staying"
#endif

const char *argp_program_version = NAME " (" PACKAGE_NAME ") " PACKAGE_VERSION;

enum { OPT_LOG = 256, OPT_RANGES };

static const struct argp_option options[] = {
	{"log", OPT_LOG, "LOG", 0, "Take the files that calls in LOG used; LOG may be a directory of logs", 0},
	{"ranges", OPT_RANGES, NULL, 0, "With --log: take only the parts of files that calls read, wrote or mapped", 0},
	{"verbose", 'v', NULL, 0, "Print a line for each file", 0},
	{0},
};

static struct {
	bool verbose, ranges;
	char **logs;
	size_t n_logs;
	uint64_t files, done, rest, gone;
} all;

static void put_bytes(uint64_t done, uint64_t rest)
{
	iot_out_unsigned(&iot_stdout, done);
	out_lit(&iot_stdout, " bytes " DONE ", ");
	iot_out_unsigned(&iot_stdout, rest);
	out_lit(&iot_stdout, " " REST "\n");
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	(void)state;
	switch (key) {
	case 'v':
		all.verbose = true;
		return 0;
	case OPT_RANGES:
		all.ranges = true;
		return 0;
	case OPT_LOG:
		/* with NULL behind the last */
		all.logs = reallocarray(all.logs, all.n_logs + 2, sizeof(*all.logs));
		if (!all.logs)
			iot_no_memory();
		all.logs[all.n_logs++] = arg;
		all.logs[all.n_logs] = NULL;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = on_option,
	.args_doc = "FILE|DIR...\n--log=LOG...",
	.doc = DOC,
};

/* Bytes of these parts that are in the cache; -1: not known. */
static int64_t resident(int fd, const struct cache_part *part, size_t n)
{
	int64_t sum = 0, one;

	for (size_t i = 0; i < n; i++) {
		one = cache_resident(fd, part[i].start, part[i].end - part[i].start);
		if (one < 0)
			return -1;
		sum += one;
	}
	return sum;
}

/* What changed, and what did not, of size bytes of which so many were in the cache before. */
static void count(const char *path, uint64_t size, int64_t before, int64_t after)
{
#ifdef CACHE_WARM
	uint64_t done = after > before ? (uint64_t)(after - before) : 0, rest = size - (uint64_t)after;
#else
	uint64_t done = before > after ? (uint64_t)(before - after) : 0, rest = (uint64_t)after;

	(void)size;
#endif
	all.done += done;
	all.rest += rest;
	if (all.verbose) {
		iot_out_plain(&iot_stdout, path, strlen(path));
		out_lit(&iot_stdout, ": ");
		put_bytes(done, rest);
	}
}

static int change(int fd, const struct cache_part *part, size_t n, bool whole)
{
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
#ifdef CACHE_WARM
		err = cache_warm(fd, part[i].start, part[i].end - part[i].start, !whole);
#else
		err = cache_evict(fd, part[i].start, part[i].end - part[i].start);
	(void)whole;
#endif
	return err;
}

static void treat_parts(int fd, const char *path, const struct cache_part *part, size_t n, bool whole)
{
	int64_t before = resident(fd, part, n), after;
	int err = change(fd, part, n, whole);
	uint64_t size = 0;

	after = resident(fd, part, n);
	for (size_t i = 0; i < n; i++)
		size += part[i].end - part[i].start;
	if (err)
		iot_complain(STATUS_TROUBLE, path, "%s", strerror(err));
	if (before < 0 || after < 0) {
		iot_complain(STATUS_LESS, path, "the kernel does not say how much of it is in the page cache; it tells those who may write the file");
	} else {
		all.files++;
		count(path, size, before, after);
	}
}

static int open_or_complain(const char *path, uint64_t *size)
{
	int fd = cache_open(path, size);

	if (fd < 0)
		iot_complain(STATUS_TROUBLE, path, "%s", errno == EINVAL ? "is no regular file" : strerror(errno));
	return fd;
}

static void treat(const char *path)
{
	struct cache_part whole = {0, 0};
	int fd = open_or_complain(path, &whole.end);

	if (fd < 0)
		return;
	treat_parts(fd, path, &whole, 1, true);
	close(fd);
}

/* As far as the file goes today. */
static size_t cut(struct cache_part *to, const struct cache_part *part, size_t n, uint64_t size)
{
	size_t i;

	for (i = 0; i < n && part[i].start < size; i++)
		to[i] = (struct cache_part){part[i].start, part[i].end < size ? part[i].end : size};
	return i;
}

static void treat_named(const char *path, const struct cache_part *part, size_t n)
{
	struct cache_part *cut_to;
	struct stat st;
	uint64_t size;
	int fd;

	/* programs remove files; what they name may be of another machine, too */
	if (stat(path, &st) && errno == ENOENT) {
		all.gone++;
		return;
	}
	if (!n) {
		treat(path);
		return;
	}
	fd = open_or_complain(path, &size);
	if (fd < 0)
		return;
	cut_to = reallocarray(NULL, n, sizeof(*cut_to));
	if (!cut_to)
		iot_no_memory();
	treat_parts(fd, path, cut_to, cut(cut_to, part, n, size), false);
	free(cut_to);
	close(fd);
}

/* Below a directory, what is no regular file has no pages to speak of. */
static int on_entry(const char *path, const struct stat *st, int what, struct FTW *at)
{
	(void)at;
	if (what == FTW_DNR || what == FTW_NS)
		iot_complain(STATUS_TROUBLE, path, "%s", strerror(errno));
	else if (what == FTW_F && S_ISREG(st->st_mode))
		treat(path);
	return 0;
}

int main(int argc, char **argv)
{
	int at = iot_options_parse(&argp, argc, argv, 0, NULL);
	struct stat st;

	if (at == argc && !all.n_logs)
		iot_die("no file is given (--help says more)");
	if (all.ranges && !all.n_logs)
		iot_die("--ranges is about the files of a log: give --log=LOG, too");
	if (all.n_logs)
		cache_named_each(all.logs, !all.ranges, treat_named);
	if (all.gone)
		iot_say(NULL, "%" PRIu64 " of the files that the log names %s gone", all.gone, all.gone == 1 ? "is" : "are");
	for (; at < argc; at++) {
		if (stat(argv[at], &st))
			iot_complain(STATUS_TROUBLE, argv[at], "%s", strerror(errno));
		else if (!S_ISDIR(st.st_mode))
			treat(argv[at]);
		else if (nftw(argv[at], on_entry, 32, FTW_PHYS))
			iot_complain(STATUS_TROUBLE, argv[at], "%s", strerror(errno));
	}
	if (all.files) {
		iot_out_unsigned(&iot_stdout, all.files);
		out_str(&iot_stdout, all.files == 1 ? " file: " : " files: ");
		put_bytes(all.done, all.rest);
	}
	iot_out_flush(&iot_stdout);
	if (all.rest && iot_exit_status < STATUS_LESS)
		iot_exit_status = STATUS_LESS;
	return iot_exit_status;
}
