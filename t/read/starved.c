/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * starved.c LOG... - no memory for the n-th request, for n = 1 and on (each of the first ones,
 * then one in so many), until all goes well, whoever makes it: the library, which is linked
 * statically, zstd, or libc for them.  Only while functions are looked up those of others are
 * let be: elfutils 0.188 crashes within dwfl_module_getsrc when it gets no memory.  Each
 * failure is told, by a message, or all that is found is what it was with memory enough; and
 * nothing ends the process.  Prints how many requests there are.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "iotrace/read.h"

static unsigned long n_requests, failing;
static _Thread_local bool counting;

/* Functions are looked up: by elfutils, and by libc for that. */
static _Thread_local bool looking_up;
extern const char __executable_start, etext;

static bool fails(const void *by)
{
	const bool own = (const char *)by >= &__executable_start && (const char *)by < &etext;

	if (!counting || (looking_up && !own))
		return false;
	if (++n_requests != failing)
		return false;
	errno = ENOMEM;
	return true;
}

/* glibc's, by names that are nobody else's: those of the public ones are ours here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

void *malloc(size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, size);
}

struct told {
	unsigned long messages, calls, errors;
	uint64_t found; /* a sum over all that was */
};

static void find(struct told *told, uint64_t what)
{
	told->found = (told->found ^ what) * 0x100000001b3ULL;
}

static void find_text(struct told *told, const char *s)
{
	for (; s && *s; s++)
		find(told, (unsigned char)*s);
	find(told, 256);
}

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
	find(told, call->start ^ call->id << 32);
	for (uint32_t i = 0; stack && i < stack->n && told->calls % 16 == 0; i++) {
		const struct iotr_frame *f;

		looking_up = true;
		f = iotr_log_frame(call->log, stack, i);
		looking_up = false;
		for (; f; f = f->outer) {
			find_text(told, f->func);
			find_text(told, f->file);
			find(told, (uint64_t)f->line);
		}
	}
}

static void on_call(void *arg, const struct iotr_call *call)
{
	look_at(arg, call);
}

static void read_batches(struct told *told, struct iotr_set *set)
{
	const struct iotr_path *path[100];
	const struct iotr_batch columns = {.path = path};
	size_t n, i;

	iotr_set_rewind(set);
	while (!iotr_set_failed(set) && (n = iotr_set_batch(set, &columns, 100)))
		for (i = 0; i < n; i++)
			find_text(told, path[i] ? path[i]->name : NULL);
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
	if (set && !iotr_set_failed(set))
		read_batches(told, set);
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

struct use {
	void (*use)(struct told *told, char **file);
	char **file;
	struct told told;
};

/* In a thread of its own, which has to get all that threads keep. */
static void *in_thread(void *arg)
{
	struct use *use = arg;

	counting = true;
	use->use(&use->told, use->file);
	counting = false;
	return NULL;
}

static struct told run(struct use use)
{
	pthread_t thread;

	n_requests = 0;
	if (pthread_create(&thread, NULL, in_thread, &use) || pthread_join(thread, NULL))
		abort();
	return use.told;
}

static int starve(const char *what, void (*use)(struct told *told, char **file), char **file)
{
	const struct use once = {.use = use, .file = file};
	struct told fed;

	failing = 0;
	run(once); /* what the process gets once and keeps */
	fed = run(once);
	for (failing = 1;; failing += 1 + failing / 64) {
		struct told told = run(once);

		if (n_requests < failing) {
			printf("%s: %lu requests, %lu calls\n", what, n_requests, told.calls);
			return told.messages + told.errors != 0;
		}
		if (!told.messages && !told.errors && told.found != fed.found) {
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
