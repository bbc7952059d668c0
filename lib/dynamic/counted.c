/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted.c - where a stream does not tell what a call moved: the kernel counts the
 * bytes that a thread has read and written, if it is asked before and after.  That
 * takes microseconds, and so is done only where nothing else will do.
 */
#include <fcntl.h>

#include "stream.h"
#include "sys.h"
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

/* Returns how many bytes it took to ask, which count as read from now on; 0 if there
   is nobody to answer. */
static long ask(struct iot_counts *now)
{
	char text[256];
	int fd = iot_sys_openat(AT_FDCWD, "/proc/thread-self/io", O_RDONLY | O_CLOEXEC, 0);
	long n = 0;

	if (fd < 0)
		return 0;
	n = iot_sys_read(fd, text, sizeof(text) - 1);
	iot_sys_close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	now->in = number_after(text, "rchar: ");
	now->out = number_after(text, "wchar: ");
	return now->in == IOT_UNKNOWN || now->out == IOT_UNKNOWN ? 0 : n;
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
	long n = ask(c);

	c->valid = n > 0;
	c->in += c->valid ? (uint64_t)n : 0;
	c->turns = turns(t);
}

bool iot_count_since(struct iot_counts *c, const struct iot_thread *t)
{
	struct iot_counts now;

	if (!c->valid || !ask(&now) || turns(t) != c->turns)
		return false;
	c->in = now.in - c->in;
	c->out = now.out - c->out;
	return true;
}
