/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi-own.c - what MPI does for itself, and nobody asked for: all within MPI_Init and its
 * like, in threads that MPI's libraries begin, on descriptors that they make, and what
 * their code calls elsewhere.  Records of these say so.  That MPI looks for news again
 * and again is counted, in one definition for each call and block that goes up in place.
 */
#include "mpi-own.h"

#include "conf.h"
#include "thread.h"
#include "window.h"

#include <string.h>

#define IOT_WITH_MPI

void iot_own_inside(struct iot_thread *t, const struct iot_call *c)
{
	if (t->own || c->depth >= IOT_MAX_SLOTS)
		return;
	t->own = c->depth + 1;
	t->own_start = c->start;
}

#ifdef IOT_DYNAMIC
/* Code of MPI's libraries, and of those that they use and the program may use too. */
#define MAX_RANGES 256u
struct iot_own_code {
	uint32_t n;
	struct {
		uintptr_t from, to;
		bool shared;
	} range[MAX_RANGES];
};
const struct iot_own_code *iot_own_code;
static struct iot_own_code codes[2];

/* ROMIO and OMPIO do what the program asks for, as do calls of libmpich, which has ROMIO. */
static bool begins(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!strncmp(name, *prefixes, strlen(*prefixes)))
			return true;
	return false;
}

/* Before and behind the mappings that are there now; one thread at a time. */
struct iot_own_code *iot_own_begin(void)
{
	struct iot_own_code *next = &codes[iot_own_code == &codes[0]];

	next->n = 0;
	return next;
}

void iot_own_end(struct iot_own_code *code)
{
	bool any = false;

	for (uint32_t i = 0; i < code->n; i++)
		any |= !code->range[i].shared;
	__atomic_store_n(&iot_own_code, any ? code : NULL, __ATOMIC_RELEASE);
}

void iot_own_add(struct iot_own_code *code, uintptr_t from, uintptr_t to, const char *path)
{
	static const char *const mpi[] = { "libmpi.so", "libmca_", "libopen-rte", "libopen-pal", "libpmix", "libprrte",
					   "mca_", "pmix_mca_", "libucp.", "libuct", "libucs", "libucm", "libfabric", NULL };
	static const char *const files[] = { "libmpi.so.12", "mca_io_", "mca_fbtl_", "mca_fs_", "mca_fcoll_",
					     "mca_sharedfp_", "libmca_common_ompio", NULL };
	static const char *const used[] = { "libevent", "libhwloc", "libltdl", NULL };
	const char *name = strrchr(path, '/') + 1;
	bool shared = begins(name, used);

	if (code->n == MAX_RANGES || (!shared && !(begins(name, mpi) && !begins(name, files))))
		return;
	code->range[code->n].from = from;
	code->range[code->n].to = to;
	code->range[code->n++].shared = shared;
}

/* 0: no; 1: yes; 2: of a library that the program may use as well. */
static int is_code(const struct iot_own_code *code, uintptr_t pc)
{
	for (uint32_t i = 0; i < code->n; i++)
		if (pc >= code->range[i].from && pc < code->range[i].to)
			return 1 + code->range[i].shared;
	return 0;
}

/* Whether MPI's code calls a wrapper with that frame, or had such a library call it.
   That one's frame has no known size: MPI's return address lies not far above. */
static bool is_caller(const struct iot_thread *t, const uintptr_t *frame)
{
	const struct iot_own_code *code = __atomic_load_n(&iot_own_code, __ATOMIC_ACQUIRE);
	uintptr_t at = (uintptr_t)frame;
	int what;

	if (!code || at & 1 || at < t->stack_low || at + 16 > t->stack_top)
		return false;
	what = is_code(code, frame[1]);
	for (uint32_t i = 2; what == 2 && i < 128 && at + 8 * i < t->stack_top; i++)
		if (is_code(code, frame[i]) == 1)
			return true;
	return what == 1;
}
#endif

/* Whether a call that begins now is MPI's own. */
bool iot_own_call(struct iot_thread *t, void *frame, uint32_t fd_flags)
{
	if (t->own && (t->depth < t->own || iot_slots(t)[t->own - 1].start != t->own_start))
		t->own = 0;
	if (t->own || t->flags & IOT_BLOCK_MPI || fd_flags & IOT_FD_MPI)
		return true;
#ifdef IOT_DYNAMIC
	return is_caller(t, frame);
#else
	(void)frame;
	return false;
#endif
}

/* Such a call has made these descriptors. */
void iot_own_made(struct iot_thread *t, const struct iot_desc *desc, const uint64_t *arg, int fd)
{
	if (desc->result == IOT_R_FD && fd >= 0)
		iot_fd_get(t, fd)->flags |= IOT_FD_MPI;
	for (uint32_t i = 0; i < desc->n; i++)
		if (desc->kind[i] == IOT_K_PIPEFDS && arg[i])
			for (int k = 0; k < 2; k++)
				iot_fd_get(t, ((const int *)arg[i])[k])->flags |= IOT_FD_MPI;
}

/* Counts the call, if it only looks for news: false if it is to be recorded.  t is busy. */
bool iot_own_count(struct iot_thread *t, const struct iot_call *c, uint64_t end, bool failed)
{
	struct iot_own_sum *s = t->sums, *last = s + IOT_OWN_SUMS;
	uint64_t *p;

	if (!(c->desc->own & IOT_OWN_POLLS) || iot_config.mpi_poll ||
	    (c->desc->flags & IOT_D_SEQ && !(c->ofd && c->ofd->owner == IOT_OFD_NONE)))
		return false;
	while (s < last && s->id != c->desc->id && s->id)
		s++;
	if (s == last)
		return false;
	if (s->id && s->stream == t->stream && s->seq == t->seq && s->at < t->used) {
		p = (uint64_t *)(void *)(t->data + s->at);
	} else {
		p = iot_define(t, IOT_DEF_SUM, 7);
		s->at = (uint32_t)((uint8_t *)p - t->data);
		s->stream = t->stream;
		s->seq = t->seq;
		s->id = c->desc->id;
		p[0] = (uint64_t)t->stream << 32 | (uint64_t)(t->seq % (1u << 22)) << IOT_CALL_BITS | s->id;
		p[1] = s->id;
		p[2] = p[3] = p[4] = 0;
		p[5] = c->start;
		if (t->too_large)
			s->at = UINT32_MAX;
		iot_define_done(t, p + 7);
	}
	p[2]++;
	p[3] += failed;
	p[4] += end - c->start;
	p[6] = end;
	return true;
}
