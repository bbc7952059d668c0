/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted.c - where a stream does not tell what a call moved: the kernel counts the
 * bytes that a thread has read and written, if it is asked before and after.  That
 * takes microseconds, and so is done only where nothing else will do.
 */
#include <fcntl.h>

#include "lend.h"
#include "stream.h"
#include "sys.h"
#include "text.h"
#include "thread.h"

static uint64_t number_after(const char *text, const char *name)
{
	uint64_t n = 0;

	while (*text && *text != *name)
		text++;
	while (*text && *name && *text == *name)
		text++, name++;
	if (*name)
		return IOT_UNKNOWN;
	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + (uint64_t)(*text - '0');
	return n;
}

/* What the kernel says of a thread. */
struct answer {
	const char *path;
	char text[256];
	long n;
};

static void read_answer(void *arg)
{
	struct answer *a = arg;
	int fd = iot_sys_openat(AT_FDCWD, a->path, O_RDONLY | O_CLOEXEC, 0);

	a->n = fd < 0 ? 0 : iot_sys_read(fd, a->text, sizeof(a->text) - 1);
	if (fd >= 0)
		iot_sys_close(fd);
}

/* Returns false if there is nobody to answer; cost: how many bytes it took to ask, which count as
   read from now on, if it was this thread that asked. */
static bool ask(struct iot_counts *now, uint64_t *cost)
{
	char of_tid[40] = "";
	struct iot_text x = { .buf = of_tid, .cap = sizeof(of_tid) - 1 };
	struct answer a = { .path = of_tid };
	bool lent;

	iot_puts(&x, "/proc/self/task/");
	iot_putu(&x, (uint32_t)iot_sys_gettid());
	iot_puts(&x, "/io");
	lent = iot_lent(read_answer, &a);
	if (!lent) {
		/* by this name also where /proc has other numbers */
		a.path = "/proc/thread-self/io";
		read_answer(&a);
	}
	if (a.n <= 0)
		return false;
	*cost = lent ? 0 : (uint64_t)a.n;
	now->in = number_after(a.text, "rchar: ");
	now->out = number_after(a.text, "wchar: ");
	return now->in != IOT_UNKNOWN && now->out != IOT_UNKNOWN;
}

/* The thread's calls so far, and its handlers'. */
static uint32_t turns(const struct iot_thread *t)
{
	uint32_t n = 0;

	for (; t && t->state != IOT_NEW; t = t->nested)
		n += t->stream_turn;
	return n;
}

/* c->in and c->out are what the thread has done, with this asking. */
void iot_count(struct iot_counts *c, const struct iot_thread *t)
{
	uint64_t cost = 0;

	c->valid = ask(c, &cost);
	c->in += cost;
	c->turns = turns(t);
}

bool iot_count_since(struct iot_counts *c, const struct iot_thread *t)
{
	struct iot_counts now;
	uint64_t cost;

	if (!c->valid || !ask(&now, &cost) || turns(t) != c->turns)
		return false;
	c->in = now.in - c->in;
	c->out = now.out - c->out;
	return true;
}
