/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace-drop-cache and, with CACHE_WARM, iotrace-warm - the page cache gives up files, or
 * gets them.  What it then has is asked of the kernel, not taken for granted.
 */
#include "config.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/message.h"
#include "../common/option.h"
#include "../common/out.h"
#include "pages.h"

#ifdef CACHE_WARM
#define NAME "iotrace-warm"
#define DOC "Read files into the page cache.\v" \
	"Of a directory, all files below it are read.  Exit status: 0 if all bytes are there, 1 if some are " \
	"not or it is not known, 2 for trouble."
#define DONE "read in"
#define REST "missing"
#else
#define NAME "iotrace-drop-cache"
#define DOC "Have the page cache give up files.\v" \
	"Of a directory, it gives up all files below it.  Exit status: 0 if no byte stays, 1 if some stay or " \
	"it is not known, 2 for trouble."
#define DONE "evicted"
#define REST "staying"
#endif

const char *argp_program_version = NAME " (" PACKAGE_NAME ") " PACKAGE_VERSION;

static const struct argp_option options[] = {
	{"verbose", 'v', NULL, 0, "Print a line for each file", 0},
	{0},
};

static struct {
	bool verbose;
	uint64_t files, done, rest;
} all;

static struct out out = {.fd = STDOUT_FILENO};

static void put_bytes(uint64_t done, uint64_t rest)
{
	iot_out_unsigned(&out, done);
	out_lit(&out, " bytes " DONE ", ");
	iot_out_unsigned(&out, rest);
	out_lit(&out, " " REST "\n");
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	(void)state;
	if (key != 'v')
		return ARGP_ERR_UNKNOWN;
	all.verbose = true;
	return 0;
}

static const struct argp argp = {
	.options = options,
	.parser = on_option,
	.args_doc = "FILE|DIR...",
	.doc = DOC,
};

/* What changed, and what did not, of a file with that many bytes in the cache before. */
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
		iot_out_plain(&out, path, strlen(path));
		out_lit(&out, ": ");
		put_bytes(done, rest);
	}
}

static void treat(const char *path)
{
	uint64_t size;
	int fd = cache_open(path, &size);
	int64_t before, after;
	int err;

	if (fd < 0) {
		iot_complain(STATUS_TROUBLE, path, "%s", errno == EINVAL ? "is no regular file" : strerror(errno));
		return;
	}
	before = cache_resident(fd, size);
#ifdef CACHE_WARM
	err = cache_warm(fd);
#else
	err = cache_evict(fd, size);
#endif
	after = cache_resident(fd, size);
	if (err)
		iot_complain(STATUS_TROUBLE, path, "%s", strerror(err));
	if (before < 0 || after < 0) {
		iot_complain(STATUS_LESS, path, "what the cache has of it the kernel tells only who may write it");
	} else {
		all.files++;
		count(path, size, before, after);
	}
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

	if (at == argc)
		iot_die("no file is given (--help says more)");
	for (; at < argc; at++) {
		if (stat(argv[at], &st))
			iot_complain(STATUS_TROUBLE, argv[at], "%s", strerror(errno));
		else if (!S_ISDIR(st.st_mode))
			treat(argv[at]);
		else if (nftw(argv[at], on_entry, 32, FTW_PHYS))
			iot_complain(STATUS_TROUBLE, argv[at], "%s", strerror(errno));
	}
	if (all.files) {
		iot_out_unsigned(&out, all.files);
		out_str(&out, all.files == 1 ? " file: " : " files: ");
		put_bytes(all.done, all.rest);
	}
	iot_out_flush(&out);
	if (all.rest && iot_exit_status < STATUS_LESS)
		iot_exit_status = STATUS_LESS;
	return iot_exit_status;
}
