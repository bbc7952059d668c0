/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.c - the kernel's page-fault events: opened for each processor, since only so they are
 * inherited by threads and children, and read in the order in which they happened.
 *
 * What is in a ring is in order, but each processor has one of its own: of all that begin
 * with what they have, the earliest is taken.  The caller says up to which moment all is there.
 */
#include "faults.h"

#include "arch-access.h"
#include "arch-cpu.h"
#include "arena.h"
#include "perf-abi.h"
#include "sys.h"

#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#define MAX_RINGS 1024u
#define ALL_BYTES (64UL << 20)		/* of all rings, if the kernel gives as much; */
#define MOST	  (8UL << 20)		/* of one, */
#define LEAST	  (16UL << 10)
#define LONGEST	  (64UL << 10)		/* no record is longer */

struct ring {
	struct iot_perf_page *page;
	const uint8_t *data;
	uint64_t size, at;		/* what was read ends there */
	uint64_t head;			/* up to where the kernel has filled it, as far as we know */
	uint64_t time;			/* of the record at `at`; 0: not looked at */
	uint64_t major;			/* identifies the event of major faults */
	int fd[2];			/* of both events */
	uint64_t seen;			/* samples that were read */
	uint32_t length;		/* of the record that is being looked at, to be given back */
};

static struct ring *rings;
static struct pollfd *polls;
static uint32_t n_rings;
static uint8_t *whole;			/* a record that the ring's end has cut in two */
static uint32_t frames, stack;		/* how many of them, and bytes, each sample has */

static void put_attr(struct iot_perf_attr *a, bool major)
{
	memset(a, 0, sizeof(*a));
	a->type = IOT_PERF_SOFTWARE;
	a->size = sizeof(*a);
	a->config = major ? IOT_PERF_FAULTS_MAJ : IOT_PERF_FAULTS_MIN;
	a->period = 1;
	a->sample_type = IOT_PERF_IDENTIFIER | IOT_PERF_IP | IOT_PERF_TID | IOT_PERF_TIME | IOT_PERF_ADDR |
			 IOT_PERF_CALLCHAIN | IOT_PERF_REGS_USER;
	a->regs_user = IOT_ACCESS_REGS;
	if (stack)
		a->sample_type |= IOT_PERF_STACK_USER;
	a->stack_user = stack;
	a->max_stack = (uint16_t)(frames ? frames : 1);
	a->clockid = CLOCK_MONOTONIC;
	a->flags = IOT_PERF_DISABLED | IOT_PERF_INHERIT | IOT_PERF_NO_HV | IOT_PERF_WATERMARK | IOT_PERF_ID_ALL |
		   IOT_PERF_NO_KERNEL_CHAIN | IOT_PERF_CLOCKID | IOT_PERF_LEAVE_ON_EXEC;
	if (!major)
		a->flags |= IOT_PERF_MMAP | IOT_PERF_MMAP2 | IOT_PERF_MMAP_DATA | IOT_PERF_TASK;
}

/* Kernels differ in what they know, and users in what they may. */
static int open_event(uint32_t pid, uint32_t cpu, bool major, uint32_t watermark)
{
	static uint64_t without;	/* flags that were refused */
	struct iot_perf_attr a;
	long fd;

	for (;;) {
		put_attr(&a, major);
		a.flags &= ~without;
		a.flags |= without & IOT_PERF_NO_KERNEL;
		a.watermark = watermark;
		fd = iot_syscall(SYS_perf_event_open, &a, (long)pid, (long)cpu, -1L, IOT_PERF_CLOEXEC);
		if ((fd == -EACCES || fd == -EPERM) && !(without & IOT_PERF_NO_KERNEL))
			without |= IOT_PERF_NO_KERNEL;
		else if (fd == -EINVAL && !cpu && !(without & IOT_PERF_LEAVE_ON_EXEC))
			without |= IOT_PERF_LEAVE_ON_EXEC;
		else
			return (int)fd;
	}
}

/* As large a ring as there is to be had, but not larger than *size. */
static long map_ring(int fd, uint64_t *size)
{
	long p;

	for (;; *size /= 2) {
		p = iot_sys_mmap(NULL, IOT_PAGE + *size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (!IOT_FAILED(p) || *size <= LEAST)
			return p;
	}
}

/* A processor's.  0, or -errno: -ENODEV if there is none of that number just now. */
static int open_ring(struct ring *r, uint32_t pid, uint32_t cpu, uint64_t size, uint32_t *in_ring)
{
	int minor = open_event(pid, cpu, false, (uint32_t)(size / 4)), major;
	long p;

	*in_ring = 0;
	if (minor < 0)
		return minor;
	major = open_event(pid, cpu, true, (uint32_t)(size / 4));
	if (major < 0) {
		iot_sys_close(minor);
		return major;
	}
	p = map_ring(minor, &size);
	*in_ring = IOT_FAILED(p);
	if (IOT_FAILED(p) || iot_syscall(SYS_ioctl, (long)major, IOT_PERF_INTO, (long)minor) < 0 ||
	    iot_syscall(SYS_ioctl, (long)major, IOT_PERF_ID, &r->major) < 0) {
		iot_sys_close(major);
		iot_sys_close(minor);
		return IOT_FAILED(p) ? (int)p : -EINVAL;
	}
	r->page = (struct iot_perf_page *)p;
	r->data = (const uint8_t *)p + IOT_PAGE;
	r->size = size;
	r->fd[0] = minor;
	r->fd[1] = major;
	polls[n_rings] = (struct pollfd){ .fd = minor, .events = POLLIN };
	iot_syscall(SYS_ioctl, (long)minor, IOT_PERF_ENABLE, 0L);
	iot_syscall(SYS_ioctl, (long)major, IOT_PERF_ENABLE, 0L);
	return 0;
}

static uint32_t count_processors(void)
{
	uint64_t mask[MAX_RINGS / 64] = { 0 };
	long n = iot_syscall(SYS_sched_getaffinity, 0L, sizeof(mask), mask);
	uint32_t all = 0;

	for (long i = 0; i < n / 8; i++)
		for (; mask[i]; mask[i] &= mask[i] - 1)
			all++;
	return all ? all : 1;
}

/* Two descriptors for each processor may be more than the program may have. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_NOFILE, (void *)NULL, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_NOFILE, &limit, (void *)NULL);
}

int iot_rings_open(uint32_t pid, uint32_t n_frames, uint32_t n_stack, uint32_t *in_ring)
{
	uint64_t size = MOST;
	int error = 0;

	frames = n_frames;
	stack = n_stack;
	rings = iot_map(MAX_RINGS * sizeof(*rings));
	polls = iot_map(MAX_RINGS * sizeof(*polls));
	whole = iot_map(LONGEST);
	if (!rings || !polls || !whole)
		return -ENOMEM;
	raise_limit();
	while (size > LEAST && size * count_processors() > ALL_BYTES)
		size /= 2;
	for (uint32_t cpu = 0; n_rings < MAX_RINGS; cpu++) {
		error = open_ring(&rings[n_rings], pid, cpu, size, in_ring);
		/* beyond the last there is none, and not all may be there */
		if (error == -EINVAL && n_rings)
			break;
		if (!error)
			n_rings++;
		else if (error != -ENODEV)
			return error;
	}
	return n_rings ? 0 : error;
}

bool iot_rings_wait(int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };
	const uint64_t none = 0;
	uint32_t over = 0;

	iot_syscall(SYS_ppoll, polls, (long)n_rings, &time, &none, sizeof(none));
	for (uint32_t i = 0; i < n_rings; i++)
		over += polls[i].fd < 0 || polls[i].revents & (POLLHUP | POLLERR);
	return over < n_rings;
}

/* --- what is in them --------------------------------------------------------- */

/* The record at `at`, in one piece. */
static const struct iot_perf_record *look(const struct ring *r)
{
	const uint64_t from = r->at % r->size, left = r->size - from;
	const struct iot_perf_record *head = (const struct iot_perf_record *)(r->data + from);

	/* a header of 8 bytes is never cut */
	if (head->size <= left)
		return head;
	memcpy(whole, r->data + from, left);
	memcpy(whole + left, r->data, head->size - left);
	return (const struct iot_perf_record *)whole;
}

static uint64_t word(const struct iot_perf_record *r, uint32_t n)
{
	uint64_t v;

	memcpy(&v, (const uint8_t *)(r + 1) + 8 * n, sizeof(v));
	return v;
}

static uint32_t words(const struct iot_perf_record *r)
{
	return (uint32_t)(r->size - sizeof(*r)) / 8;
}

/* Samples have it in their fourth word, others in the last but one. */
static uint64_t time_of(const struct iot_perf_record *r)
{
	if (words(r) < 5)
		return 1;
	return word(r, r->type == IOT_PERF_R_SAMPLE ? 3 : words(r) - 2);
}

/* Whether there is a record, and when that was. */
static bool is_there(struct ring *r)
{
	if (r->at == r->head) {
		r->head = __atomic_load_n(&r->page->head, __ATOMIC_ACQUIRE);
		r->time = 0;
	}
	if (r->at == r->head)
		return false;
	if (!r->time)
		r->time = time_of(look(r));
	return true;
}

static uint32_t low(uint64_t v)
{
	return (uint32_t)v;
}

static uint32_t high(uint64_t v)
{
	return (uint32_t)(v >> 32);
}

/* Behind the registers: how many bytes there is room for, they, and how many of them were there. */
static void take_stack(const struct iot_perf_record *r, uint32_t at, struct iot_fault_event *e)
{
	const uint64_t size = at < words(r) ? word(r, at) : 0;

	e->stack_size = 0;
	if (!size || size / 8 > words(r) || at + 1 + size / 8 >= words(r))
		return;
	e->stack = (const uint8_t *)(r + 1) + 8 * (at + 1);
	e->stack_size = low(word(r, at + 1 + (uint32_t)(size / 8)));
	if (e->stack_size > size)
		e->stack_size = 0;
}

/* identifier, ip, pid and tid, time, address; how many callers, they; which registers, they;
   the stack. */
static void take_sample(const struct ring *ring, const struct iot_perf_record *r, struct iot_fault_event *e)
{
	const uint32_t n = words(r) > 6 ? (uint32_t)word(r, 5) : 0, regs = 6 + n;

	e->what = IOT_FAULT;
	e->major = word(r, 0) == ring->major;
	e->kernel = (r->misc & IOT_PERF_MODES) == IOT_PERF_IN_KERNEL;
	e->pid = low(word(r, 2));
	e->tid = high(word(r, 2));
	e->at = word(r, 4);
	/* the marker comes first; behind it the like is what some register led to */
	for (uint32_t i = 0; i < n && i + 6 < words(r) && e->n < IOT_FAULT_FRAMES; i++) {
		if (word(r, 6 + i) < IOT_PERF_CONTEXT)
			e->pc[e->n++] = word(r, 6 + i);
		else if (e->n)
			break;
	}
	e->stack_size = 0;
	e->has_regs = regs + 4 < words(r) && word(r, regs);
	if (!e->has_regs)
		return;
	e->from = word(r, regs + 1);
	e->to = word(r, regs + 2);
	e->fp = word(r, regs + 3);
	e->sp = word(r, regs + 4);
	if (stack)
		take_stack(r, regs + 5, e);
}

static void take(const struct ring *ring, const struct iot_perf_record *r, struct iot_fault_event *e)
{
	e->n = 0;
	e->time = ring->time;
	e->pid = low(word(r, 0));
	switch (r->type) {
	case IOT_PERF_R_SAMPLE:
		take_sample(ring, r, e);
		break;
	case IOT_PERF_R_MMAP2:
		e->what = IOT_FAULT_MAP;
		e->at = word(r, 1);
		e->size = word(r, 2);
		e->offset = word(r, 3);
		e->ino = word(r, 5);
		e->prot = low(word(r, 7));
		e->name = (const char *)(r + 1) + 64;
		break;
	case IOT_PERF_R_FORK:
	case IOT_PERF_R_EXIT:
		e->what = r->type == IOT_PERF_R_FORK ? IOT_FAULT_FORK : IOT_FAULT_EXIT;
		e->ppid = high(word(r, 0));
		e->tid = low(word(r, 1));
		break;
	default:
		/* that some were lost, which is said too late if nothing comes behind them */
		e->what = IOT_FAULT_NOTHING;
	}
}

bool iot_rings_next(struct iot_fault_event *e, uint64_t before)
{
	struct ring *first = NULL;

	for (uint32_t i = 0; i < n_rings; i++) {
		struct ring *r = &rings[i];

		/* the name of the last event was in there */
		if (r->length) {
			r->at += r->length;
			r->length = 0;
			r->time = 0;
			__atomic_store_n(&r->page->tail, r->at, __ATOMIC_RELEASE);
		}
		if (is_there(r) && r->time < before && (!first || r->time < first->time))
			first = r;
	}
	if (!first)
		return false;
	first->length = look(first)->size;
	first->seen += look(first)->type == IOT_PERF_R_SAMPLE;
	take(first, look(first), e);
	return true;
}

uint64_t iot_rings_count(void)
{
	uint64_t all = 0, n;

	for (uint32_t i = 0; i < n_rings; i++)
		for (int k = 0; k < 2; k++)
			if (iot_sys_read(rings[i].fd[k], &n, sizeof(n)) == sizeof(n))
				all += n;
	return all;
}

uint64_t iot_rings_seen(void)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < n_rings; i++)
		all += rings[i].seen;
	return all;
}
