/* SPDX-License-Identifier: BSD-3-Clause */
/* row.c - an operation that is a call of the table: made, and its result told. */
#define _GNU_SOURCE
#include "storm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

#define STORM_ROWS
#include "table.h"

static bool listed(const char *name, const char *words)
{
	const char *at = strstr(words, name);

	return at && (at == words || at[-1] == ' ') && strchr(" ", at[strlen(name)]);
}

/* Whether the features allow it. */
bool row_may(const struct row *row)
{
	if (!strcmp(row->family, "stdio"))
		return with(STDIO);
	if (!strcmp(row->family, "net"))
		return with(NET);
	if (!strcmp(row->family, "mem"))
		return with(MAPS);
	/* what comes of these differs between two runs, whatever they run under */
	return !listed(row->name, "inotify_init inotify_init1 fanotify_init timerfd_create tmpfile "
				  "open_by_handle_at name_to_handle_at getdents64 mkdtemp");
}

/* A system call and nothing besides: what may be made where little is allowed. */
bool row_is_plain(const struct row *row)
{
	return row->raw && strcmp(row->family, "stdio") && strcmp(row->family, "dir") && strcmp(row->family, "mem");
}

/* Where libc itself reads or writes what a pointer points to. */
static bool touches(const struct row *row)
{
	return !row->raw || listed(row->name, "ppoll pselect mq_open mq_unlink");
}

/* What waits may be interrupted: not by a timer's signal, which comes at any time. */
static bool may_wait(const char *name)
{
	return strstr(name, "poll") || strstr(name, "select") || strstr(name, "wait") || strstr(name, "accept") ||
	       strstr(name, "connect") || strstr(name, "recv") || strstr(name, "send") || strstr(name, "mq_");
}

static long make(const struct row *row, const long *a, bool raw)
{
	if (raw)
		return syscall(row->sys, a[0], a[1], a[2], a[3], a[4], a[5]);
	return row->call(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
}

/* New descriptors that someone could wait for must not block. */
static void unblock(const struct row *row, const long *a, long r)
{
	const int *fds = NULL;

	if (row->result == RESULT_fd &&
	    listed(row->name, "socket accept accept4 eventfd signalfd epoll_create epoll_create1 mq_open"))
		fcntl((int)r, F_SETFL, O_NONBLOCK);
	for (int i = 0; i < row->n_params; i++)
		if (row->params[i].kind == KIND_pipefds)
			fds = (const int *)a[i];
	if (fds && r == 0) {
		fcntl(fds[0], F_SETFL, O_NONBLOCK);
		fcntl(fds[1], F_SETFL, O_NONBLOCK);
	}
}

static void keep_result(const struct row *row, const long *a, long r)
{
	for (int i = 0; i < row->n_params; i++) {
		if (row->params[i].kind == KIND_FILE && listed(row->name, "fclose pclose freopen freopen64"))
			for (int j = 0; j < N_STREAMS; j++)
				streams[j] = (long)streams[j] == a[i] && !(row->result == RESULT_FILE && r) ? NULL : streams[j];
		if (row->params[i].kind == KIND_DIR && !strcmp(row->name, "closedir"))
			for (int j = 0; j < N_DIRS; j++)
				dirs[j] = (long)dirs[j] == a[i] ? NULL : dirs[j];
	}
	if (!r)
		return;
	/* glibc reads wide characters of such a stream through a NULL pointer */
	if (!strcmp(row->name, "open_memstream"))
		fwide((FILE *)r, -1);
	if (row->result == RESULT_FILE && strcmp(row->name, "freopen") && strcmp(row->name, "freopen64"))
		keep_stream((FILE *)r);
	for (int j = 0; row->result == RESULT_DIR && j < N_DIRS; j++)
		if (!dirs[j]) {
			dirs[j] = (DIR *)r;
			break;
		}
	for (unsigned j = 0; row->result == RESULT_map && r != -1 && j < 4; j++)
		if (!extents[j].at || (long)extents[j].at == a[0]) {
			extents[j] = (struct extent){ (char *)r, strcmp(row->name, "mremap") ? a[1] : a[2] };
			break;
		}
	for (unsigned j = 0; !strcmp(row->name, "munmap") && j < 4; j++)
		if (extents[j].at && (long)extents[j].at == a[0])
			extents[j].at = NULL;
}

/* Bytes that the call fetched, by a letter's sum: what else is there may be a number of
 * the kernel's. */
static unsigned fetched(const struct row *row, const long *a, long r)
{
	unsigned sum = 0;

	if (r <= 0 || r > 65536 || !listed(row->name, "read pread recv recvfrom readlink readlinkat getxattr fgetxattr"))
		return 0;
	for (int i = 0; i < row->n_params; i++)
		for (long j = 0; row->params[i].kind == KIND_buf && j < r; j++) {
			char c = ((const char *)a[i])[j];

			sum = sum * 31 + (c >= 'a' && c <= 'z' ? c : 0);
		}
	return sum;
}

static void tell(const struct op *op, const struct row *row, const long *a, long r, int error, bool raw)
{
	const char *as = raw ? "syscall " : "";
	unsigned sum = fetched(row, a, r);

	switch (row->result) {
	case RESULT_void:
		say(op, "%s%s %s", as, row->name, error_name(error));
		break;
	case RESULT_map:
	case RESULT_FILE:
	case RESULT_DIR:
	case RESULT_dirent:
		say(op, "%s%s = %s %s", as, row->name, r == 0 ? "NULL" : r == -1 ? "-1" : "set", error_name(error));
		break;
	case RESULT_text:
	case RESULT_cwd:
		say(op, "%s%s = %zd %s", as, row->name, raw ? r : r ? (long)strlen((char *)r) : -1L, error_name(error));
		break;
	case RESULT_wtext:
		say(op, "%s%s = %zd %s", as, row->name, r ? (long)wcslen((wchar_t *)r) : -1L, error_name(error));
		break;
	case RESULT_pid:
		say(op, "%s%s = %s %s", as, row->name, r > 0 ? "pid" : r ? "-1" : "0", error_name(error));
		break;
	case RESULT_pos:
	case RESULT_bytes:
	case RESULT_long:
	case RESULT_items:
		if (!strcmp(row->name, "telldir"))
			r = 0;
		say(op, "%s%s = %ld %s %x", as, row->name, r, error_name(error), sum);
		break;
	default:
		say(op, "%s%s = %d %s", as, row->name, (int)r, error_name(error));
	}
}

/* In a child: a pointer may be the end of it. */
static bool shielded(const struct op *op)
{
	pid_t pid = fork();

	if (pid > 0)
		wait_for(op, "shield", pid);
	else if (pid < 0)
		say(op, "shield: %s", error_name(errno));
	else
		signal(SIGSEGV, SIG_DFL);
	return pid == 0;
}

/* A result as the log has it; -1: an address. */
static long as_number(const struct row *row, long r)
{
	if (row->result == RESULT_FILE || row->result == RESULT_DIR)
		return -1;
	return row->result == RESULT_bytes || row->result == RESULT_pos || row->result == RESULT_long ? r : (int)r;
}

void row_run(const struct op *op, bool only_show)
{
	const struct row *row = &rows[op->row];
	struct draw d = { .state = op->seed };
	bool raw, child = false, hold = may_wait(row->name);
	long a[7] = { 0 }, r;

	values_fresh(&d);
	raw = pick(&d, 6) == 0 && with(RAW) && row->raw;
	for (int i = 0; i < row->n_params; i++) {
		note(&d, "%s", i ? ", " : "");
		a[i] = value(&d, row, i, a);
		if ((row->params[i].kind == KIND_FILE || row->params[i].kind == KIND_DIR) && !a[i] && !only_show &&
		    strcmp(row->name, "fflush")) {
			say(op, "%s: no stream", row->name);
			return;
		}
	}
	if (only_show) {
		printf("%s%s(%s)\n", raw ? "syscall " : "", row->name, d.text);
		return;
	}
	if (!raw && touches(row) && (d.bad || !strcmp(row->family, "stdio")) && d.bad) {
		if (!shielded(op))
			return;
		child = true;
	}
	if (hold)
		always_hold(true);
	errno = 0;
	r = make(row, a, raw);
	{
		int error = errno;

		if (hold)
			always_hold(false);
		tell(op, row, a, r, error, raw);
		if (row->n_params && row->params[0].kind == KIND_fd)
			place_tell(op, row->name, (int)a[0], a[3], as_number(row, r));
	}
	if (child)
		_exit(0);
	unblock(row, a, r);
	if (!raw || row->result == RESULT_map)
		keep_result(row, a, r);
}
