/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cache.c - IOTRACE_CACHE: how many bytes of what is read were in the page cache, how many
 * the kernel read from devices for it, and how many of what is written became dirty.
 *
 * The first cachestat(2) says (Linux 6.5): it looks pages up and neither reads one nor marks it
 * as used.  The others the kernel counts for each thread, at the moment when it asks a device
 * for a page, and when a page becomes dirty.  So read-ahead counts for the call that set it
 * off.  Without cachestat what was not read from devices was there; doc/cost.txt has what each
 * costs, and how far it is from the truth.
 */
#include "cache.h"

#include "arch-cpu.h"
#include "fds.h"
#include "record-draft.h"
#include "sys.h"
#include "thread.h"

#include <sys/resource.h>

/* The kernel's. */
struct cachestat_range {
	uint64_t offset, length;
};
struct cachestat {
	uint64_t cached, dirty, in_writeback, evicted, recently_evicted;
};

/* Bytes that the kernel asked devices for, and that became dirty, for this thread. */
static bool count(uint64_t *in, uint64_t *out)
{
	struct rusage now;

	if (iot_syscall(SYS_getrusage, (long)RUSAGE_THREAD, &now) < 0)
		return false;
	*in = (uint64_t)now.ru_inblock * 512;
	*out = (uint64_t)now.ru_oublock * 512;
	return true;
}

static bool reads(const struct iot_desc *desc)
{
	switch (desc->sys - 1) {
	case SYS_read:
	case SYS_pread64:
	case SYS_readv:
	case SYS_preadv:
	case SYS_preadv2:
		return true;
	}
	return false;
}

uint64_t iot_pages_there(int fd, uint64_t offset, uint64_t size)
{
	const struct cachestat_range range = { offset, size };
	struct cachestat is;

	return size && iot_syscall(SYS_cachestat, (long)fd, &range, &is, 0L) == 0 ? is.cached : IOT_UNKNOWN;
}

/* How much of that is in the page cache, as far as pages tell: at either end there may be parts
   of one. */
static uint64_t cached(int fd, uint64_t offset, uint64_t size)
{
	const uint64_t there = iot_pages_there(fd, offset, size);
	uint64_t pages;

	if (there == IOT_UNKNOWN)
		return IOT_UNKNOWN;
	pages = (offset + size - 1) / IOT_PAGE - offset / IOT_PAGE + 1;
	return there >= pages || there * IOT_PAGE > size ? size : there * IOT_PAGE;
}

void iot_cache_look(struct iot_call *c, const uint64_t *arg)
{
	const struct iot_desc *desc = c->desc;
	uint64_t size = 0, offset = c->offset;

	if (c->silent || !c->ofd || c->ofd->owner == IOT_OFD_NONE)
		return;
	for (uint32_t i = 0; i < desc->n; i++) {
		if (desc->kind[i] == IOT_K_SIZE) {
			size = arg[i];
		} else if (desc->kind[i] == IOT_K_IOV) {
			iot_busy(c->t);
			size = iot_vectors_sum(c->t, (const struct iovec *)arg[i], arg[i + 1]);
			iot_idle(c->t);
		} else if (desc->kind[i] == IOT_K_OFFSET && arg[i] != IOT_UNKNOWN) {
			offset = arg[i];
		}
	}
	c->cached = reads(desc) && offset != IOT_UNKNOWN ? cached(c->fd, offset, size) : IOT_UNKNOWN;
	c->looked = count(&c->in, &c->out);
}

void iot_cache_tell(const struct iot_call *c, struct iot_draft *d, long ret)
{
	uint64_t in, out;

	if (ret <= 0 || !count(&in, &out))
		return;
	d->fetched = in - c->in;
	d->dirtied = out - c->out;
	if (d->fetched)
		d->present |= IOT_HAS_FETCHED;
	if (d->dirtied)
		d->present |= IOT_HAS_DIRTIED;
	if (!reads(c->desc))
		return;
	d->cached = c->cached;
	if (d->cached == IOT_UNKNOWN)
		d->cached = d->fetched < (uint64_t)ret ? (uint64_t)ret - d->fetched : 0;
	if (d->cached > (uint64_t)ret)
		d->cached = (uint64_t)ret;
	d->present |= IOT_HAS_CACHED;
}
