/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uring-submit.c - requests to an io_uring.  The call that submits them first claims what
 * lies in the queue, since its entries are the program's again once the kernel has taken
 * them, and makes records of those that the kernel took.  Threads may submit to one ring at
 * once: each claims a part, and whoever sees that the kernel has come so far records it.
 *
 * A thread of the kernel's takes requests at any time, if the ring asks for that
 * (IORING_SETUP_SQPOLL).  Their records are made when they are first seen, and say so.
 */
#include "uring.h"

#include "lost.h"
#include "passed-fds.h"
#include "uring-ring.h"

#include <string.h>
#include <sys/socket.h>

static struct uring_op {
	struct iot_kept call, own;
	uint32_t what;			/* IOT_U_* */
} ops[] = {
#define IOT_URING_OP(number, name, call, own, what) [number] = { IOT_KEPT(call), IOT_KEPT(own), what },
#include "../../table/uring-ops.def"
};

/* Of a request that only a newer kernel has, nothing is known. */
static struct uring_op *uring_op(uint32_t opcode)
{
	static struct uring_op newer = { .call.text = "io_uring" };

	return opcode < sizeof(ops) / sizeof(ops[0]) ? &ops[opcode] : &newer;
}

#define MAX_IOV 1024u			/* the kernel turns down more */

/* The kernel has not looked at the vectors yet, and may find that there is no memory where they are said to be. */
static uint64_t sum_of(const struct iot_thread *t, const struct iovec *iov, uint64_t n)
{
	struct iovec part[16];
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n && n <= MAX_IOV; i++) {
		size_t size = (n - i < 16 ? n - i : 16) * sizeof(*part);

		if (i % 16 == 0 && iot_on_stack(t, iov + i, size))
			__builtin_memcpy(part, iov + i, size);
		else if (i % 16 == 0 && !iot_fetch(part, iov + i, size))
			return 0;
		sum += part[i % 16].iov_len;
	}
	return sum;
}

/* How many bytes the request's buffers have. */
static uint64_t bytes_of(struct iot_thread *t, const struct iot_sqe *s, uint32_t what)
{
	uint64_t n = s->len, iov = s->addr;

	if (what & (IOT_U_ADDR | IOT_U_TO)) {
		const uint64_t size = what & IOT_U_ADDR ? s->addr : s->off;

		return size || !(what & IOT_U_LEN) ? size : s->len;
	}
	if (what & IOT_U_MSG) {
		struct {
			uint64_t name, namelen, iov, iovlen;
		} msg;

		if (!iot_fetch(&msg, (const void *)s->addr, sizeof(msg)))
			return 0;
		iov = msg.iov;
		n = msg.iovlen;
	}
	return what & (IOT_U_MSG | IOT_U_IOV) ? sum_of(t, (const void *)iov, n) : n;
}

/* What is known of a registered file was noted when the program registered it. */
static void registered(const struct iot_ring *r, struct iot_operation *op, uint32_t i)
{
	const struct iot_ring_file file = i < r->n_files ? r->files[i] : (struct iot_ring_file){ 0, 0 };

	iot_request_file(op, file.handle, file.flags);
}

/* Which file the request is about. */
static void find_file(struct iot_thread *t, const struct iot_ring *r, const struct iot_sqe *s, uint32_t what,
		      struct iot_ring_entry *e)
{
	struct iot_operation *op = &e->op;

	e->fd = what & IOT_U_AT_3 ? AT_FDCWD : what & (IOT_U_FILE | IOT_U_PATH) ? s->fd : -1;
	iot_request_file(op, 0, 0);
	if (s->flags & IOT_SQE_FIXED_FILE || (what & IOT_U_CLOSE && s->file_index)) {
		e->fd = -1;
		registered(r, op, what & IOT_U_CLOSE ? s->file_index - 1 : (uint32_t)s->fd);
	} else if (what & IOT_U_FILE) {
		iot_request_on(t, op, s->fd);
	}
}

/* A request that copies reads one file and writes another. */
static IOT_COLD void find_source(struct iot_thread *t, const struct iot_ring *r, const struct iot_sqe *s, uint32_t what,
				 struct iot_ring_entry *e)
{
	struct iot_operation *op = &e->op;

	op->flags |= IOT_U_COPIES | (uint64_t)op->handle << 32;
	e->off_out = what & IOT_U_OFFSET ? s->off : ~0ULL;
	if (what & IOT_U_OFFSET && s->off == ~0ULL && e->fd >= 0)
		iot_fd_shared(e->fd);
	if (s->op_flags & IOT_SPLICE_REGISTERED) {
		e->fd = -1;
		registered(r, op, s->file_index);
	} else {
		e->fd = (int)s->file_index;
		iot_request_on(t, op, e->fd);
	}
	op->offset = what & IOT_U_OFFSET ? s->addr : IOT_UNKNOWN;
}

/* A direct descriptor stands for the file as soon as a request asks for it, since requests that
   wait for that one (IOSQE_IO_LINK) may be in the queue already.  If the kernel is to choose the
   descriptor, the operation keeps the file. */
static void open_direct(struct iot_thread *t, struct iot_ring *r, const struct iot_sqe *s, uint32_t what,
			struct iot_operation *op)
{
	uint32_t flags = 0, handle = 0;
	uint64_t open_flags = s->op_flags;
	const char *name;
	char first = 0;

	if (!(what & IOT_U_PATH)) {
		/* a socket, of which nothing is known */
		if (s->file_index != IOT_FILE_ALLOC)
			iot_uring_file(r, s->file_index - 1, 0, 0);
		return;
	}
	if (s->opcode == IOT_OP_OPENAT2 && !iot_fetch(&open_flags, (const void *)s->off, sizeof(open_flags)))
		open_flags = 0;
	iot_busy(t);
	name = iot_fetch_text(t->scratch[2], sizeof(t->scratch[2]), (const char *)s->addr);
	first = name ? *name : 0;
	iot_idle(t);
	if (first == '/' || (first && s->fd == AT_FDCWD))
		handle = iot_handle_of_path(t, name, &flags);
	flags |= open_flags & O_APPEND ? IOT_FD_APPEND : 0;
	if (s->file_index != IOT_FILE_ALLOC)
		iot_uring_file(r, s->file_index - 1, handle, flags);
	else
		iot_request_file(op, handle, flags);
}

/* Requests that make descriptors, close or register them. */
static IOT_COLD void change(struct iot_thread *t, struct iot_ring *r, const struct iot_sqe *s, uint32_t what,
			    struct iot_ring_entry *e)
{
	if (what & (IOT_U_FD | IOT_U_CLOSE) && s->file_index)
		e->op.flags |= IOT_U_DIRECT;
	if (what & IOT_U_FD && s->file_index)
		e->op.flags |= (uint64_t)s->file_index << 32;
	else if (what & IOT_U_CLOSE)
		e->op.flags |= (uint64_t)(uint32_t)e->fd << 32;
	if (what & IOT_U_FD && s->file_index)
		open_direct(t, r, s, what, &e->op);
	if (what & IOT_U_CLOSE && s->file_index)
		iot_uring_file(r, s->file_index - 1, 0, 0);
	else if (what & IOT_U_CLOSE && !iot_uring_is_known(s->fd))
		/* the kernel refuses to close a ring by a request */
		iot_fd_closed(t, s->fd);
	/* the kernel is asked what the two are once they are used */
	for (uint32_t i = 0; i < 2 && what & IOT_U_PAIR && s->file_index && s->file_index != IOT_FILE_ALLOC; i++)
		iot_uring_file(r, s->file_index - 1 + i, 0, 0);
	if (what & IOT_U_FILES && (uint32_t)s->off != IOT_FILE_ALLOC)
		iot_uring_files(t, r, (uint32_t)s->off, (const void *)s->addr, s->len);
	else if (what & (IOT_U_FILES | IOT_U_TELLS))
		iot_uring_places(t, r, s, &e->op);
}

/* Each result of a multishot recvmsg counts a header, too, that the kernel puts before the bytes that came. */
static IOT_COLD void heads(const struct iot_sqe *s, struct iot_operation *op)
{
	struct msghdr msg;

	if (iot_fetch(&msg, (const void *)s->addr, sizeof(msg)))
		op->flags |= IOT_U_HEADED | (IOT_RECV_HEAD + (uint64_t)msg.msg_namelen + msg.msg_controllen) << 32;
}

/* What the request does to descriptors and offsets. */
static void effects(struct iot_thread *t, struct iot_ring *r, const struct iot_sqe *s, uint32_t what,
		    struct iot_ring_entry *e)
{
	if (what & IOT_U_BYTES && what & IOT_U_OFFSET && s->off == ~0ULL && e->fd >= 0)
		iot_fd_shared(e->fd);
	if (iot_unlikely(what & (IOT_U_FD | IOT_U_PAIR | IOT_U_CLOSE | IOT_U_FILES | IOT_U_TELLS)))
		change(t, r, s, what, e);
	if (iot_unlikely(what & IOT_U_LOOKS && s->op_flags & MSG_PEEK))
		e->op.flags &= ~(uint64_t)IOT_U_BYTES;
	if (what & IOT_U_MSG && (s->opcode == IOT_OP_SENDMSG || s->opcode == IOT_OP_SENDMSG_ZC))
		iot_fds_sent((const void *)s->addr);
	if (what & IOT_U_MSG && s->opcode == IOT_OP_RECVMSG && s->ioprio & IOT_RECV_MULTISHOT)
		heads(s, &e->op);
}

static void draft(const struct iot_call *c, struct iot_ring *r, struct iot_ring_entry *e, const struct iot_sqe *s,
		  uint64_t now, struct iot_kept *by)
{
	struct uring_op *u = uring_op(s->opcode);
	uint32_t what = u->what;
	bool own = what & IOT_U_OFFSET && s->off == ~0ULL;
	struct iot_operation *op = &e->op;

	op->queue = (uintptr_t)r;
	op->name = s->user_data;
	op->number = 0;
	op->start = now;
	op->offset = what & IOT_U_OFFSET ? s->off : IOT_UNKNOWN;
	op->by = by;
	op->pending = 0;
	op->eventfd = 0;
	op->seen = false;
	op->repeats = true;
	if (what & IOT_U_SYNC)
		own = s->op_flags & 1;
	op->what = own ? &u->own : &u->call;
	op->size = what & IOT_U_SIZED ? bytes_of(c->t, s, what) : 0;
	op->stack = c->stack;
	op->flags = s->flags | (uint64_t)s->opcode << 16 | (what & IOT_U_KEPT) |
		    (r->flags & IOT_SETUP_SQPOLL ? IOT_U_POLLED : 0);
	find_file(c->t, r, s, what, e);
	e->op_flags = s->op_flags;
	if (iot_unlikely(what & IOT_U_COPY))
		find_source(c->t, r, s, what, e);
	if (what & IOT_U_PUTS)
		iot_request_puts(op, s->op_flags);
	e->path = NULL;
	e->waits = 0;
	if (iot_unlikely(what & IOT_U_PATH))
		e->path = (const void *)(what & IOT_U_AT_OFF ? s->off : what & IOT_U_AT_3 ? s->addr3 : s->addr);
	else if (iot_unlikely(what & IOT_U_TIME))
		e->waits = iot_fetch_time(c->t, (const void *)s->addr, 1);
	effects(c->t, r, s, what, e);
	if (s->flags & IOT_SQE_SKIP_SUCCESS)
		iot_uring_quiet(r, op);
	else
		iot_line_begin(r->line, op);
}

static struct iot_ring_entry *entry_of(const struct iot_ring *r, uint32_t at)
{
	return &r->entries[at & (r->sq_entries - 1)];
}

/* Moves r->recorded on by one if it is *at.  *at becomes what r->recorded is. */
static bool follow(struct iot_ring *r, uint32_t *at)
{
	bool moved;

	if (iot_likely(iot_is_alone()))
		moved = iot_swap_alone32(&r->recorded, *at, *at + 1);
	else
		moved = __atomic_compare_exchange_n(&r->recorded, &(uint32_t){ *at }, *at + 1, false, __ATOMIC_ACQ_REL,
						    __ATOMIC_RELAXED);
	*at = moved ? *at + 1 : __atomic_load_n(&r->recorded, __ATOMIC_ACQUIRE);
	return moved;
}

static uint64_t when_ready(uint32_t at)
{
	return at + 1ULL;
}

/* Another process has read the request as well, and has recorded it. */
static IOT_COLD void leave_out(struct iot_ring *r, const struct iot_ring_entry *e)
{
	if (e->op.number)
		iot_line_drop(r->line, &e->op);
}

/* Records the requests that the kernel has taken; all that are claimed, if a thread of the kernel's takes them by itself. */
void iot_uring_record(const struct iot_call *c, struct iot_ring *r)
{
	uint32_t at = __atomic_load_n(&r->recorded, __ATOMIC_ACQUIRE), end;

	if (r->flags & IOT_SETUP_SQPOLL)
		end = __atomic_load_n(&r->claimed, __ATOMIC_ACQUIRE);
	else if (!iot_ring_word(r, r->sq, r->sq_head, &end))
		return;
	while ((int32_t)(end - at) > 0 && (int32_t)(__atomic_load_n(&r->claimed, __ATOMIC_ACQUIRE) - at) > 0) {
		struct iot_ring_entry *e = entry_of(r, at), copy;

		/* another thread has claimed it, reads it, and will record it */
		if (__atomic_load_n(&e->ready, __ATOMIC_ACQUIRE) != when_ready(at))
			return;
		__builtin_memcpy(&copy, e, offsetof(struct iot_ring_entry, op) + IOT_OPERATION_HEAD);
		if (!follow(r, &at))
			continue;
		if (iot_unlikely(r->common && !(r->flags & IOT_SETUP_SQPOLL)) && !iot_ring_takes_request(r, at - 1))
			leave_out(r, &copy);
		else
			iot_uring_record_request(c, r, &copy);
	}
}

bool iot_uring_is_behind(const struct iot_ring *r)
{
	uint32_t at = __atomic_load_n(&r->recorded, __ATOMIC_ACQUIRE), claimed = __atomic_load_n(&r->claimed, __ATOMIC_ACQUIRE);
	uint32_t head;

	if (!iot_ring_word(r, r->sq, r->sq_head, &head))
		return false;
	for (; (int32_t)(head - at) > 0 && (int32_t)(claimed - at) > 0; at++)
		if (__atomic_load_n(&entry_of(r, at)->ready, __ATOMIC_ACQUIRE) != when_ready(at))
			return true;
	return false;
}

/* What a call finds in the queue. */
struct found {
	uint32_t told, tail;		/* the kernel may take requests up to told; there are requests up to tail */
	uint64_t now;
	struct iot_kept *by;
};

/* The entry of request `at`.  False: there is none, and the kernel drops the request; or the ring was in
   the program's memory, and that is gone. */
IOT_FAST bool read_entry(const struct iot_ring *r, uint32_t at, uint32_t told, struct iot_sqe *s)
{
	uint32_t i = at & (r->sq_entries - 1);

	/* liburing's entries follow each other */
	if (!(r->flags & IOT_SETUP_NO_SQARRAY) && (int32_t)(told - at) > 0 &&
	    !iot_ring_word(r, r->sq, r->sq_array + i * 4, &i))
		return false;
	return i < r->sq_entries && iot_ring_read(r, s, r->sqes + i * (r->flags & IOT_SETUP_SQE128 ? 128UL : 64UL), sizeof(*s));
}

/* Whether the program may have filled the entry anew since.  The program may do so once a thread of the
   kernel's has taken the request, and adds the new request to the queue afterwards. */
static bool may_be_newer(const struct iot_ring *r, uint32_t at, uint32_t told, const struct iot_sqe *s)
{
	struct iot_sqe again;
	uint32_t tail;

	iot_barrier();
	return !read_entry(r, at, told, &again) || memcmp(s, &again, sizeof(again)) != 0 ||
	       !iot_ring_word(r, r->sq, r->sq_tail, &tail) || (int32_t)(tail - at) > (int32_t)r->sq_entries;
}

/* Whether a request that a thread of the kernel's takes can be recorded, and belongs to no other process. */
static IOT_COLD bool is_ours(const struct iot_ring *r, uint32_t at, uint32_t told, const struct iot_sqe *s)
{
	const bool newer = may_be_newer(r, at, told, s);

	if (r->common ? !iot_ring_takes_request(r, at) : r->shared && newer)
		return false;
	if (newer)
		iot_lost(1, IOT_LOST_POLLED);
	return !newer;
}

/* The thread that has claimed request `at` reads it. */
static void read_claimed(const struct iot_call *c, struct iot_ring *r, uint32_t at, const struct found *f)
{
	struct iot_ring_entry *e = entry_of(r, at);
	bool there;
	struct iot_sqe s;

	there = read_entry(r, at, f->told, &s);
	if (iot_unlikely(r->flags & IOT_SETUP_SQPOLL && there))
		there = is_ours(r, at, f->told, &s);
	if (iot_likely(there)) {
		draft(c, r, e, &s, f->now, f->by);
	} else {
		e->op.number = 0;
		e->op.silent = true;
	}
	__atomic_store_n(&e->ready, when_ready(at), __ATOMIC_RELEASE);
}

void iot_uring_leaves(struct iot_ring *r)
{
	uint32_t claimed = __atomic_load_n(&r->claimed, __ATOMIC_ACQUIRE);

	if (iot_unlikely(claimed != __atomic_load_n(&r->recorded, __ATOMIC_RELAXED)))
		__atomic_store_n(&r->left, claimed, __ATOMIC_RELEASE);
}

/*
 * Takes an entry back that has been read, with its operation, if the kernel has not taken it: nobody
 * else reads or records it until it is ready again, and a completion of it waits for that.  Who
 * records an entry looks first how far the kernel is, and then whether the entry is ready; here it
 * is the other way round.  t/model/ring.pml has this.
 */
static bool take_back(struct iot_ring *r, uint32_t at)
{
	struct iot_ring_entry *e = entry_of(r, at);
	uint64_t ready = when_ready(at);
	uint32_t head;

	if (!__atomic_compare_exchange_n(&e->ready, &ready, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return false;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	/* operations with the same user_data stay; if this one is gone, the kernel took it, and it has ended */
	if (iot_ring_word(r, r->sq, r->sq_head, &head) && (int32_t)(at - head) >= 0 &&
	    (!e->op.number || iot_line_drop(r->line, &e->op)))
		return true;
	__atomic_store_n(&e->ready, when_ready(at), __ATOMIC_RELEASE);
	return false;
}

/* Requests that a call left in the queue are submitted by the next one.  The program may have changed them meanwhile. */
static void read_again(const struct iot_call *c, struct iot_ring *r, uint32_t head, uint32_t left, const struct found *f)
{
	for (uint32_t at = head; (int32_t)(left - at) > 0 && (int32_t)(f->tail - at) > 0; at++)
		if (take_back(r, at))
			read_claimed(c, r, at, f);
}

/* The program has taken requests out of the queue again that were claimed. */
static void give_back(struct iot_ring *r, uint32_t tail, uint32_t claimed)
{
	for (; (int32_t)(claimed - tail) > 0 && take_back(r, claimed - 1); claimed--) {
		struct iot_ring_entry *e = entry_of(r, claimed - 1);
		uint32_t is = claimed;

		/* whoever claims it from now on reads it */
		if (__atomic_compare_exchange_n(&r->claimed, &is, claimed - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		if (e->op.number)
			iot_line_begin(r->line, &e->op);
		__atomic_store_n(&e->ready, when_ready(claimed - 1), __ATOMIC_RELEASE);
		return;
	}
}

/* Goes on to the first request that can be read.  The requests before it were submitted by a call that
   was not seen, or lay where other requests lie now. */
static uint32_t skip(struct iot_ring *r, uint32_t at, uint32_t first)
{
	uint32_t was, lost;

	if ((int32_t)(first - at) <= 0 ||
	    !__atomic_compare_exchange_n(&r->claimed, &at, first, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return at;
	lost = r->common ? iot_ring_accounts(r, first) : r->shared ? 0 : first - at;
	if (lost)
		iot_lost(lost, iot_ring_loss(r));
	was = __atomic_load_n(&r->recorded, __ATOMIC_ACQUIRE);
	while ((int32_t)(first - was) > 0 &&
	       !__atomic_compare_exchange_n(&r->recorded, &was, first, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
	return first;
}

/* How many requests from at on may be claimed: an entry is used again only when its request is recorded. */
static uint32_t room(const struct iot_ring *r, uint32_t at)
{
	uint32_t used = at - __atomic_load_n(&r->recorded, __ATOMIC_ACQUIRE);

	return used < r->sq_entries ? r->sq_entries - used : 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

void iot_uring_claim(const struct iot_call *c, struct iot_ring *r, uint32_t most, const struct iot_liburing *lib,
		     struct iot_kept *by)
{
	const bool polled = r->flags & IOT_SETUP_SQPOLL;
	/* read before the tail: what other threads have claimed lies before that */
	uint32_t at = __atomic_load_n(&r->claimed, __ATOMIC_ACQUIRE), head, left, n;
	struct found f = { .by = by };

	iot_uring_record(c, r);
	if (!iot_ring_word(r, r->sq, r->sq_head, &head) || !iot_ring_word(r, r->sq, r->sq_tail, &f.told))
		return;
	f.tail = lib ? lib->sq.sqe_tail : f.told;
	f.now = iot_ticks();
	left = __atomic_load_n(&r->left, __ATOMIC_ACQUIRE);
	if (iot_unlikely(!polled && (int32_t)(left - head) > 0)) {
		if ((int32_t)(left - at) >= 0)
			give_back(r, f.tail, at);
		read_again(c, r, head, left, &f);
		at = __atomic_load_n(&r->claimed, __ATOMIC_ACQUIRE);
	}
	do {
		at = skip(r, at, polled ? f.tail - r->sq_entries : head);
		n = f.tail - at;
		/* if another thread has seen a later tail, nothing is left here */
		n = n > r->sq_entries ? 0 : least(n, room(r, at));
		if (!polled)
			n = least(n, most);
		if (!n)
			break;
	} while (!__atomic_compare_exchange_n(&r->claimed, &at, at + n, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	if (iot_unlikely(r->common != NULL))
		iot_ring_accounts(r, at + n);
	for (uint32_t end = at + n; at != end; at++)
		read_claimed(c, r, at, &f);
	if (polled)
		iot_uring_record(c, r);
}
