/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kill.c - what the log would hold if the program were killed, at each instruction.
 *
 * After an instruction that changed the log, it is read as it is.  All that was
 * seen is kept, and compared with the log of the whole run: it must be the
 * beginning of that, with calls unfinished where they were, and with those
 * finished that had returned.  While the kernel writes a block it can be killed
 * half-way: that is played too.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "iotrace-format.h"
#include "iotrace/read.h"
#include "step.h"

struct moment {
	struct view view;
	uint32_t n_done;
	uint64_t step;
};

static struct moment *moments;
static size_t n_moments, cap_moments;
static uint64_t n_steps, n_changes, n_torn;

static int fd = -1;
static const uint8_t *map;
static uint8_t *copy;
static size_t size;

int find_log(const struct run *run)
{
	DIR *dir = opendir(run->logs);
	const struct dirent *e;
	int found = -1;

	while (dir && found < 0 && (e = readdir(dir)))
		if (strstr(e->d_name, ".iotrace"))
			found = openat(dirfd(dir), e->d_name, O_RDONLY | O_CLOEXEC);
	if (dir)
		closedir(dir);
	return found;
}

/* The file may be there now, or have grown. */
static void look(const struct run *run)
{
	struct stat st;

	if (fd < 0)
		fd = find_log(run);
	if (fd < 0 || fstat(fd, &st) < 0 || (size_t)st.st_size == size)
		return;
	if (size)
		munmap((void *)map, size);
	copy = realloc(copy, (size_t)st.st_size);
	if (!copy)
		die("out of memory");
	memset(copy + size, 0, (size_t)st.st_size - size);
	size = (size_t)st.st_size;
	map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		die("the log cannot be mapped");
}

/* A log of this process, that is not begun yet, can hold no call. */
static void check_readable(const struct view *v, const struct board *b)
{
	if (!v->readable && b->n_done)
		wrong("step %llu: the log cannot be read", (unsigned long long)n_steps);
}

static bool same(const struct seen *a, const struct seen *b)
{
	return a->ticks == b->ticks && a->tid == b->tid && a->depth == b->depth &&
	       a->stream == b->stream && a->status == b->status && a->size == b->size &&
	       a->offset == b->offset && a->has_ret == b->has_ret && a->ret == b->ret &&
	       a->err == b->err && a->fd == b->fd && a->stack == b->stack &&
	       a->internal == b->internal && !strcmp(a->name, b->name) && !strcmp(a->path, b->path);
}

static bool same_view(const struct view *a, const struct view *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!same(&a->seen[i], &b->seen[i]))
			return false;
	return true;
}

static void keep(struct run *run)
{
	char when[40];
	struct view v;
	struct moment *m = n_moments ? &moments[n_moments - 1] : NULL;

	snprintf(when, sizeof(when), "step %llu", (unsigned long long)n_steps);
	v = view_log(copy, size, run->board, when);
	check_readable(&v, run->board);
	if (m && m->n_done == run->board->n_done && same_view(&m->view, &v)) {
		free(v.seen);
		return;
	}
	if (n_moments == cap_moments) {
		cap_moments = cap_moments ? 2 * cap_moments : 256;
		moments = realloc(moments, cap_moments * sizeof(*moments));
		if (!moments)
			die("out of memory");
	}
	moments[n_moments++] = (struct moment){ v, run->board->n_done, n_steps };
}

/* The kernel may be stopped with any part of a write done: whole pages, or what
   lies in one of the pages that it copies from.  A block's header is in one; for
   good measure, what follows is cut anywhere. */
static void torn_write(struct run *run, const uint64_t arg[4])
{
	size_t n = arg[2], at = arg[3], whole = at + n > size ? at + n : size;
	uint8_t *image, *data;

	if (n > 1 << 20 || at > 1 << 26)
		return;
	image = malloc(whole);
	data = malloc(n);
	if (!image || !data || tracee_read(arg[1], data, n) != n)
		die("cannot play a torn write");
	for (size_t cut = 0; cut < n; cut += !cut	 ? sizeof(struct iot_block) :
					     cut < 256	 ? 8 :
					     cut % 4096	 ? 4096 - cut % 4096 :
							   4088) {
		size_t end = at + cut > size ? at + cut : size;
		struct view v;

		memset(image, 0, whole);
		memcpy(image, copy, size);
		memcpy(image + at, data, cut);
		v = view_log(image, end, run->board, "in the middle of a write");
		check_readable(&v, run->board);
		if (n_moments && !same_view(&v, &moments[n_moments - 1].view))
			wrong("step %llu: with %zu of %zu bytes written at %zu the log has %zu calls and not %zu",
			      (unsigned long long)n_steps, cut, n, at, v.n, moments[n_moments - 1].view.n);
		free(v.seen);
		n_torn++;
	}
	free(image);
	free(data);
}

static bool is_log(uint64_t number)
{
	struct stat a, b;
	char name[40];

	snprintf(name, sizeof(name), "/proc/%d/fd/%d", tracee_pid(), (int)number);
	return fd >= 0 && fstat(fd, &a) == 0 && stat(name, &b) == 0 && a.st_ino == b.st_ino;
}

static void step_through(struct run *run)
{
	bool syscall = true;
	uint32_t n_done = 0;
	int m = 0;

	while (m != MARK_END) {
		uint64_t arg[4];
		long nr;

		if (syscall)
			look(run);
		if (size && (memcmp(map, copy, size) != 0 || n_done != run->board->n_done)) {
			memcpy(copy, map, size);
			n_done = run->board->n_done;
			n_changes++;
			keep(run);
		}
		nr = tracee_syscall(arg);
		syscall = nr >= 0;
		if (nr == SYS_pwrite64 && is_log(arg[0]))
			torn_write(run, arg);
		m = tracee_step();
		n_steps++;
	}
}

/* A call of the run as it was seen earlier. */
static bool earlier(const struct seen *a, const struct seen *b)
{
	if (a->status != IOTR_UNFINISHED)
		return same(a, b);
	return a->ticks == b->ticks && a->tid == b->tid && a->depth == b->depth &&
	       !strcmp(a->name, b->name) && (a->fd < 0 || a->fd == b->fd) &&
	       (!a->path[0] || !strcmp(a->path, b->path)) && (!a->stack || a->stack == b->stack);
}

static void compare(const struct moment *m, const struct view *whole)
{
	size_t finished = 0;

	for (size_t i = 0; i < m->view.n; i++) {
		if (i >= whole->n || !earlier(&m->view.seen[i], &whole->seen[i])) {
			wrong("step %llu: call %zu is not that of the whole log:", (unsigned long long)m->step, i);
			view_print(&m->view, i, i + 1);
			view_print(whole, i, i + 1);
			return;
		}
		finished += m->view.seen[i].op >= 0 && m->view.seen[i].status == IOTR_FINISHED;
	}
	/* the call of which the program knows not yet that it returned */
	if (finished < m->n_done || finished > m->n_done + 1)
		wrong("step %llu: %u calls have returned, %zu are in the log as finished",
		      (unsigned long long)m->step, m->n_done, finished);
}

/* What is in the log stays there. */
static void compare_steps(const struct moment *a, const struct moment *b)
{
	for (size_t i = 0; i < a->view.n; i++)
		if (i >= b->view.n || (a->view.seen[i].status == IOTR_FINISHED &&
				       b->view.seen[i].status == IOTR_UNFINISHED)) {
			wrong("step %llu: call %zu, which was there, is not any more",
			      (unsigned long long)b->step, i);
			return;
		}
}

void kill_everywhere(struct run *run, bool all)
{
	struct view whole;

	if (!all)
		tracee_to_mark();
	step_through(run);
	while (tracee_to_mark() != MARK_DONE)
		;
	tracee_kill();
	look(run);
	if (!size)
		die("%s: there is no log", run->name);
	whole = view_log(map, size, run->board, "the whole log");
	view_check(&whole, run->board);
	for (size_t i = 0; i < n_moments; i++) {
		compare(&moments[i], &whole);
		if (i)
			compare_steps(&moments[i - 1], &moments[i]);
	}
	printf("# %s: %llu instructions, %llu changes of the log, %zu sights of it, %llu torn writes, %u calls\n",
	       run->name, (unsigned long long)n_steps, (unsigned long long)n_changes, n_moments,
	       (unsigned long long)n_torn, run->board->n);
}
