/* SPDX-License-Identifier: BSD-3-Clause */
/* iotrace-pack - makes logs small, and packed ones what they were. */
#include "config.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/screen.h"
#include "pack.h"

#define SUFFIX ".iotrace"
#define PACKED ".packed" SUFFIX
#define PIECE (128u << 10) /* what is copied and compared at once */

const char *argp_program_version = "iotrace-pack (" PACKAGE_NAME ") " PACKAGE_VERSION;

static bool keep, unpack, list, force, to_stdout;
static const char *output;
static int level = 3;
static struct iotr_mapped *mapped; /* NULL: one log has to be packed */

static bool ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

/* What the other form of it is called; NULL: nobody knows. */
static char *other_name(const char *file)
{
	const char *from = unpack ? PACKED : SUFFIX, *to = unpack ? SUFFIX : PACKED;
	char *name = NULL;

	if (output)
		return strdup(output);
	if (ends_in(file, from) &&
	    asprintf(&name, "%.*s%s", (int)(strlen(file) - strlen(from)), file, to) >= 0)
		return name;
	iot_complain(STATUS_TROUBLE, file, "has no name that ends in %s; use -o FILE", from);
	return NULL;
}

/* Do both logs have the same bytes? */
static bool same_bytes(struct iotr_log *a, struct iotr_log *b)
{
	static char x[PIECE], y[PIECE];
	uint64_t off = 0, size = iotr_log_size(a);
	size_t n;

	if (iotr_log_size(b) != size)
		return false;
	for (; off < size; off += n) {
		uint64_t in_b = iotr_log_data(b, off);

		off = iotr_log_data(a, off);
		if (in_b < off)
			off = in_b;
		if (off >= size)
			break;
		n = iotr_log_read(a, x, sizeof(x), off);
		if (!n || iotr_log_read(b, y, n, off) != n || memcmp(x, y, n) != 0)
			return false;
	}
	/* it may have grown meanwhile */
	return iotr_log_read(a, x, 1, size) == 0;
}

/* Reads what was written and compares it with what it came from. */
static bool check(struct iotr_log *log, const struct output *o)
{
	int fd = dup(o->fd);
	struct iotr_log *back =
		fd < 0 ? NULL : iotr_log_open_bytes(fd, o->name, iot_on_message, NULL);
	bool same = back && same_bytes(log, back);

	if (!same)
		iot_complain(STATUS_TROUBLE, iotr_log_file(log), "the log changed while it was read; it is kept as it is");
	iotr_log_close(back);
	return same;
}

static bool all_zero(const char *p, size_t n)
{
	return !p[0] && !memcmp(p, p + 1, n - 1);
}

static int write_at(int fd, const char *p, size_t n, uint64_t off, bool sparse)
{
	while (n) {
		ssize_t done = sparse ? pwrite(fd, p, n, (off_t)off) : write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		p += done;
		n -= (size_t)done;
		off += (uint64_t)done;
	}
	return 0;
}

/* The log's own bytes, with holes for zeroes where that can be. */
static int write_bytes(struct iotr_log *log, int fd, bool sparse)
{
	static char buf[PIECE];
	uint64_t off, size = iotr_log_size(log);
	size_t n, page, at;

	for (off = 0; off < size; off += n) {
		if (sparse)
			off = iotr_log_data(log, off);
		if (off >= size)
			break;
		n = iotr_log_read(log, buf, sizeof(buf), off);
		if (!n) {
			errno = EIO;
			return -1;
		}
		for (at = 0; at < n; at += page) {
			page = sparse && n - at > IOT_ALIGN ? IOT_ALIGN : n - at;
			if (sparse && all_zero(buf + at, page))
				continue;
			if (write_at(fd, buf + at, page, off + at, sparse) < 0)
				return -1;
		}
	}
	return sparse ? ftruncate(fd, (off_t)size) : 0;
}

static int convert(struct iotr_log *log, int fd, bool sparse)
{
	return unpack ? write_bytes(log, fd, sparse) : iotr_pack(log, fd, level);
}

/* Into a file of its own. */
static void to_file(struct iotr_log *log, const char *file, const struct stat *st, bool remove)
{
	char *name = other_name(file);
	struct output o = {.fd = -1};
	bool failed;

	if (!name || iot_output_open(&o, name) < 0) {
		free(name);
		return;
	}
	failed = convert(log, o.fd, true) < 0;
	if (iotr_log_damaged(log))
		iot_complain(STATUS_LESS, file, "is kept, since it is damaged");
	else if (failed)
		iot_complain(STATUS_TROUBLE, name, "can't be written: %s",
			     errno == ENOSYS ? "this iotrace was built without zstd"
					     : strerror(errno));
	else if (check(log, &o))
		iot_output_finish(&o, st, remove ? file : NULL);
	iot_output_close(&o);
	free(name);
}

static void list_log(struct iotr_log *log, const struct stat *st)
{
	static bool headed;
	struct out name = {.fd = -1};
	double packed = (double)st->st_size, calls = (double)iotr_log_packed_calls(log);
	size_t columns = 61, width = iot_screen_width();

	if (!headed)
		printf("%12s %14s %12s %10s %7s  %s\n", "packed", "unpacked", "calls", "bytes/call",
		       "ratio", "log");
	headed = true;
	iot_out_end_of(&name, iotr_log_file(log), strlen(iotr_log_file(log)),
		       width > columns ? width - columns : 0);
	printf("%12llu %14llu %12llu %10.2f %7.2f  %.*s\n", (unsigned long long)st->st_size,
	       (unsigned long long)iotr_log_size(log),
	       (unsigned long long)iotr_log_packed_calls(log), calls > 0 ? packed / calls : 0.0,
	       (double)iotr_log_size(log) / packed, (int)name.len, name.buf);
	free(name.buf);
}

static bool is_log(struct iotr_log *log)
{
	char magic[sizeof(IOT_MAGIC) - 1];

	if (iotr_log_read(log, magic, sizeof(magic), 0) == sizeof(magic) &&
	    (!memcmp(magic, IOT_MAGIC, sizeof(magic)) ||
	     !memcmp(magic, IOT_JOB_MAGIC, sizeof(magic))))
		return true;
	iot_complain(STATUS_LESS, iotr_log_file(log), "is no iotrace log");
	return false;
}

/* Does one of its processes still run?  Then it may not be removed. */
static bool is_written(const char *file)
{
	struct iotr_log *log = iotr_log_open(file, NULL, NULL);
	uint32_t writer = log ? iotr_log_writer_among(log, mapped) : 0;

	if (writer && !force)
		iot_complain(STATUS_LESS, file,
			     "seems to be written by process %u still; wait for it, or use --force",
			     writer);
	iotr_log_close(log);
	return writer;
}

static void process_log(struct iotr_log *log, const char *file, const struct stat *st)
{
	bool written;

	if (!unpack && !is_log(log))
		return;
	written = !unpack && is_written(file);
	if (written && !force)
		return;
	if (!to_stdout)
		to_file(log, file, st, !keep && !output && !written);
	else if (convert(log, STDOUT_FILENO, false) < 0 && !iotr_log_damaged(log))
		iot_die("can't write to standard output: %s", strerror(errno));
}

/* one_of_many: in a directory, those that need nothing done need no word either. */
static void process(const char *file, bool one_of_many)
{
	/* O_NONBLOCK: a FIFO by that name must not make us wait. */
	int fd = !strcmp(file, "-") ? iot_logs_stdin()
				    : open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct iotr_log *log;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		iot_complain(STATUS_TROUBLE, file,
			     fd < 0 ? "can't be opened: %s" : "is no log: not a regular file",
			     strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	log = iotr_log_open_bytes(fd, file, iot_on_message, NULL);
	if (!log)
		return;
	if (iotr_log_packed(log) != (unpack || list)) {
		if (!one_of_many)
			iot_complain(STATUS_LESS, file,
				     unpack || list ? "is not packed" : "is packed already");
	} else if (list) {
		list_log(log, &st);
	} else {
		process_log(log, file, &st);
	}
	iotr_log_close(log);
}

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
	if (n_logs > 1 && !unpack && !list)
		mapped = iotr_mapped_look();
	for (size_t i = 0; i < n_logs; i++) {
		process(logs[i].file, logs[i].in_directory);
		free(logs[i].file);
	}
	iot_outputs_settle();
	iotr_mapped_free(mapped);
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
		unpack = true;
		break;
	case 'l':
		list = true;
		break;
	case 'k':
		keep = true;
		break;
	case 'o':
		output = arg;
		break;
	case 'c':
		to_stdout = true;
		break;
	case OPT_LEVEL:
		level = (int)iot_option_number("--level", arg, 1, 19);
		break;
	case OPT_FORCE:
		force = true;
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
	if (unpack && list)
		return "-d and -l together make no sense";
	if (output && to_stdout)
		return "-o and -c together make no sense";
	if ((output || to_stdout) && (n > 1 || is_directory(first)))
		return "-o and -c take one log, not many";
	if (to_stdout && isatty(STDOUT_FILENO))
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
