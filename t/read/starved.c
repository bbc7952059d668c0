/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * starved.c LOG... - no memory for the library's n-th request, for n = 1 and on (each of the
 * first ones, then one in so many), until all goes well: each failure is told, by a message, and
 * nothing ends the process.  Linked with
 * --wrap, so that requests of the library alone fail.  Prints how many requests there are.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "iotrace/read.h"

static unsigned long n_requests, failing;

static int fails(void)
{
	return ++n_requests == failing;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
char *__real_strdup(const char *s);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(p, n, size);
}

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

struct told {
	unsigned long messages, calls, errors;
};

static void on_message(void *arg, enum iotr_severity severity, const char *file, const char *text)
{
	struct told *told = arg;

	(void)file;
	told->messages += severity == IOTR_FATAL && !strcmp(text, "out of memory");
}

/* Uses what a call refers to. */
static void look_at(struct told *told, const struct iotr_call *call)
{
	const struct iotr_stack *stack = iotr_call_stack(call);
	struct iotr_call *copy = iotr_call_copy(call);
	const struct iotr_path *path;
	size_t len;

	told->calls++;
	told->errors += !copy;
	iotr_call_free(copy);
	iotr_call_path(call, &len, &path, NULL);
	for (uint32_t i = 0; stack && i < stack->n && told->calls % 16 == 0; i++)
		iotr_log_frame(call->log, stack, i);
}

static void on_call(void *arg, const struct iotr_call *call)
{
	look_at(arg, call);
}

static void read_set(struct told *told, char **file)
{
	struct iotr_set *set = iotr_set_new(on_message, told);
	struct iotr_notes *notes = iotr_notes_new();
	const struct iotr_call *call;
	struct iotr_log *log;

	told->errors += !notes;
	if (set)
		iotr_set_symfs(set, "/");
	for (; set && *file && !iotr_set_failed(set); file++)
		iotr_set_add(set, *file);
	while (set && !iotr_set_failed(set) && (call = iotr_set_next(set))) {
		look_at(told, call);
		told->errors += notes && iotr_notes_put(notes, call->schema, told) < 0;
	}
	if (set && !iotr_set_failed(set))
		iotr_set_scan(set, on_call, told);
	for (size_t i = 0; set && !iotr_set_failed(set) && (log = iotr_set_log(set, i)); i++) {
		size_t n;
		uint32_t *ids = iotr_log_path_ids(log, &n);

		told->errors += !ids;
		free(ids);
		iotr_log_sum(log, NULL);
	}
	iotr_notes_free(notes);
	iotr_set_free(set);
}

static void follow(struct told *told, char **file)
{
	struct iotr_follow *f = iotr_follow_new(0, on_message, told);
	const struct iotr_call *call;

	if (!f)
		return;
	for (; *file; file++)
		iotr_follow_add(f, *file);
	iotr_follow_poll(f);
	while ((call = iotr_follow_next(f)))
		look_at(told, call);
	iotr_follow_stop(f);
	while ((call = iotr_follow_next(f)))
		look_at(told, call);
	iotr_follow_free(f);
}

static void pack(struct told *told, char **file)
{
	struct iotr_log *log = iotr_log_open(*file, on_message, told);
	int fd = open("/dev/null", O_WRONLY);

	if (log)
		iotr_pack(log, fd, 1);
	iotr_log_close(log);
	close(fd);
}

static int starve(const char *what, void (*use)(struct told *told, char **file), char **file)
{
	for (failing = 1;; failing += 1 + failing / 64) {
		struct told told = {0};

		n_requests = 0;
		use(&told, file);
		if (n_requests < failing) {
			printf("%s: %lu requests, %lu calls\n", what, n_requests, told.calls);
			return told.messages + told.errors != 0;
		}
		if (!told.messages && !told.errors) {
			printf("%s: nobody was told that request %lu failed\n", what, failing);
			return 1;
		}
	}
}

int main(int argc, char **argv)
{
	int status = 0;

	(void)argc;
	status |= starve("read", read_set, argv + 1);
	status |= starve("follow", follow, argv + 1);
	status |= starve("pack", pack, argv + 1);
	return status;
}
