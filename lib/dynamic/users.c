/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * users.c - which threads use a stream: one, which sees what its calls come to without
 * libc's lock, or several, which take it a little earlier and hold it longer than libc does.
 */
#include <stdio.h>

#include "hooks.h"
#include "libc.h"
#include "next.h"
#include "stream.h"
#include "sys.h"
#include "thread.h"

static struct iot_ofd *ofd_of(const FILE *fp)
{
	int fd = iot_fileno(fp);

	return fd < 0 || (uint32_t)fd >= IOT_FD_CHUNK ? NULL : iot_fd_first[fd].ofd;
}

/* With the thread that used the stream alone: another one comes, but the first one's call
   that is under way may still be told by the stream. */
#define LEAVES ((uintptr_t)1)

/* Whether no thread but t uses it, or has since another ended. */
bool iot_stream_is_own(struct iot_thread *t, const FILE *fp)
{
	struct iot_thread *user;
	struct iot_ofd *o;

	if (!(fp->_flags2 & IOT_F2_NEED_LOCK))
		return true;
	o = ofd_of(fp);
	if (!o)
		return false;
	user = __atomic_load_n(&o->user, __ATOMIC_SEQ_CST);
	if (user == t)
		return true;
	return user != IOT_OFD_SHARED && !((uintptr_t)user & LEAVES) && (!user || iot_thread_over(user)) &&
	       __atomic_compare_exchange_n(&o->user, &user, t, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* Whether that was so when t's call began, and nobody has touched it since. */
bool iot_stream_was_own(const struct iot_thread *t, const FILE *fp)
{
	const struct iot_ofd *o = ofd_of(fp);
	uintptr_t user = o ? (uintptr_t)__atomic_load_n(&o->user, __ATOMIC_SEQ_CST) & ~LEAVES : ~LEAVES;

	return !(fp->_flags2 & IOT_F2_NEED_LOCK) || !user || user == (uintptr_t)t;
}

static void share(const FILE *fp)
{
	struct iot_ofd *o = ofd_of(fp);

	if (o)
		__atomic_store_n(&o->user, IOT_OFD_SHARED, __ATOMIC_SEQ_CST);
}

/* As is_own, of a stream that nobody waits for. */
bool iot_stream_is_alone(struct iot_thread *t, const FILE *fp)
{
	if (iot_stream_is_own(t, fp))
		return true;
	share(fp);
	return false;
}

/* The thread that has used it alone so far, and leaves it; NULL: there is none. */
static const struct iot_thread *first_user(const FILE *fp)
{
	struct iot_ofd *o = ofd_of(fp);
	struct iot_thread *user = o ? __atomic_load_n(&o->user, __ATOMIC_SEQ_CST) : NULL;

	if (!user || user == IOT_OFD_SHARED)
		return NULL;
	if (!((uintptr_t)user & LEAVES) &&
	    !__atomic_compare_exchange_n(&o->user, &user, (struct iot_thread *)((uintptr_t)user | LEAVES), false,
					 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) &&
	    user == IOT_OFD_SHARED)
		return NULL;
	return (const struct iot_thread *)((uintptr_t)user & ~LEAVES);
}

/* Whether a call of t's on that file is under way. */
static bool is_at(const struct iot_thread *t, uint32_t handle)
{
	const struct iot_slot *s = t->win ? iot_slots(t) : NULL;

	for (uint32_t i = 0; s && i < IOT_MAX_SLOTS; i++)
		if (__atomic_load_n(&s[i].start, __ATOMIC_ACQUIRE) && s[i].handle == handle)
			return true;
	return false;
}

struct locks {
	void (*flock)(FILE *), (*funlock)(FILE *);
	int (*try)(FILE *);
};

/* Takes the lock, and lets the thread that had no need of it see what its call came to.  libc's
   part of that call is over when we have the lock.  A call that was left by a jump looks as if
   it were under way: so there is an end to it. */
static void wait_for_first(const struct locks *of, const struct iot_call *c, FILE *fp)
{
	const struct iot_thread *first = first_user(fp);
	bool waits = first && first != c->t && iot_sys_allowed(SYS_sched_yield);

	of->flock(fp);
	for (int i = 0; waits && i < 100; i++) {
		of->funlock(fp);
		iot_syscall(SYS_sched_yield);
		of->flock(fp);
		waits = is_at(first, c->handle) && first_user(fp) == first;
	}
	if (first)
		share(fp);
}

static bool find(struct locks *of)
{
	static struct locks known;

	of->funlock = __atomic_load_n(&known.funlock, __ATOMIC_ACQUIRE);
	of->flock = known.flock;
	of->try = known.try;
	if (iot_likely(of->funlock))
		return true;
	of->flock = (void (*)(FILE *))iot_next("flockfile", NULL);
	of->try = (int (*)(FILE *))iot_next("ftrylockfile", NULL);
	of->funlock = (void (*)(FILE *))iot_next("funlockfile", NULL);
	if (!of->flock || !of->try || !of->funlock)
		return false;
	known.flock = of->flock;
	known.try = of->try;
	__atomic_store_n(&known.funlock, of->funlock, __ATOMIC_RELEASE);
	return true;
}

/* Takes the lock that the call will take, before it does. */
bool iot_stream_lock(struct iot_stream *was, const struct iot_call *c, FILE *fp)
{
	struct locks of;

	if (fp->_flags & IOT_F_USER_LOCK || !find(&of)) {
		share(fp);
		return false;
	}
	if (c->desc->flags & IOT_D_UNLOCKED) {
		/* one that takes none must not have to wait for one */
		share(fp);
		if (of.try(fp))
			return false;
	} else {
		wait_for_first(&of, c, fp);
	}
	was->unlock = of.funlock;
	return true;
}

void iot_stream_unlock(struct iot_call *c)
{
	void (*unlock)(FILE *) = c->stream->unlock;

	c->stream->unlock = NULL;
	if (unlock)
		unlock(c->stream->fp);
}
