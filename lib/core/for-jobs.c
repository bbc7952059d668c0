/* SPDX-License-Identifier: BSD-3-Clause */
/* for-jobs.c - what the ranks of a job need of the recorder, and no other program. */
#include "for-jobs.h"

#include "attach.h"
#include "fork.h"
#include "log-share.h"
#include "logfd.h"
#include "shared-tls.h"
#include "start.h"
#include "sys.h"
#include "thread-memory.h"
#include "thread.h"
#include "window.h"

#include <string.h>

const char *iot_log_name(void)
{
	return iot_log_path;
}

long iot_read_all(int fd, void *buf, size_t size, uint64_t off)
{
	size_t got = 0;
	long n = 1;

	for (; got < size && n > 0; got += (size_t)n)
		do
			n = iot_syscall(SYS_pread64, (long)fd, (char *)buf + got, size - got, off + got);
		while (n == -EINTR);
	return n < 0 ? n : (long)got;
}

struct reading {
	void *buf;
	size_t size;
	uint64_t off;
};

static long read_log(int fd, void *arg)
{
	const struct reading *r = arg;

	return iot_read_all(fd, r->buf, r->size, r->off);
}

long iot_log_read(void *buf, size_t size, uint64_t off)
{
	struct reading r = { buf, size, off };

	return iot_log_do(read_log, &r);
}

/* A definition that no call brings about, of words alone. */
void iot_note(uint32_t kind, const uint64_t *words, uint32_t n)
{
	struct iot_thread *t = iot_mine();
	uint64_t *p;

	if (!t || t->state != IOT_IDLE)
		return;
	iot_busy(t);
	p = iot_define(t, kind, n);
	memcpy(p, words, n * sizeof(*p));
	iot_define_done(t, p + n);
	iot_idle(t);
}

/*
 * What comes now goes to another log, which the next call begins.  Only for a process
 * that is iot_thread_alone, between two calls.
 */
void iot_log_renew(void)
{
	for (uint32_t i = 0; i < iot_thread_count(); i++) {
		struct iot_thread *t = iot_thread_at(i);

		if (!t)
			continue;
		t->win = NULL;
		t->in_use = 0;
		t->state = IOT_DEAD;
	}
	iot_self = NULL;
	iot_threads_renew();
	iot_thread_forget();
	iot_log_given = true;
}

/* No other thread or process can make a record in the log, and this one is not about to. */
bool iot_thread_alone(void)
{
	const struct iot_thread *self = iot_mine(), *mine;

	if (!self || self->state != IOT_IDLE || self->depth || !iot_share || iot_share->running > 1)
		return false;
	for (uint32_t i = 0; i < iot_thread_count(); i++) {
		const struct iot_thread *t = iot_thread_at(i);

		if (!t)
			continue;
		for (mine = self; mine && mine != t; mine = mine->nested)
			;
		if (!mine && !iot_thread_free(t))
			return false;
	}
	return true;
}

/* Calls that this thread makes until it is unmuted are not recorded.  NULL: nothing
   is recorded anyway, or this is no time for it. */
struct iot_thread *iot_thread_mute(void)
{
	struct iot_thread *t = iot_mine();

	if (!t || t->state == IOT_NEW)
		t = iot_attach_slow(t);
	if (!t || t->state != IOT_IDLE)
		return NULL;
	t->state = IOT_MUTE;
	return t;
}

void iot_thread_unmute(struct iot_thread *t)
{
	iot_idle(t);
}
