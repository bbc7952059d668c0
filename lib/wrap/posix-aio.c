/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posix-aio.c - POSIX AIO: the operations that aio_read(3) and its like begin, that a helper
 * thread of libc's carries out, and that aio_return(3) collects.
 *
 * Where the helper's system calls are seen, the end of an operation is that of its call, which is
 * found by descriptor, size and offset.  Elsewhere the control block tells: libc stores an error
 * code there when the helper is through.  The recorder looks at it in the program's own calls, and
 * at the program's end.  So the recorder needs no thread and no signal, and the program's sigevent
 * stays what it is; but when the operation ended is only known to lie between two looks.
 *
 * An operation has the name of its control block's address.  Before libc can store anything
 * there, it is in the table: a handler or another thread may collect it before the call that
 * issues it is back.
 */
#include "posix-aio.h"

#include "desc_collection.h"
#include "desc_iot_posix_completion.h"
#include "desc_iot_posix_request.h"

/* Queues of the table: operations, and what a helper thread is to find them by. */
static char all, halves;
#define ALL	((uintptr_t)&all)
#define HALVES	((uintptr_t)&halves)

static bool used;			/* there has been one */
static uint32_t unfollowed;		/* operations that found no place in the table */

static struct iot_kept names[] = {
	[IOT_POSIX_READ] = IOT_KEPT(pread),   [IOT_POSIX_WRITE] = IOT_KEPT(pwrite),
	[IOT_POSIX_SYNC] = IOT_KEPT(fsync),   [IOT_POSIX_DSYNC] = IOT_KEPT(fdatasync),
	[IOT_POSIX_OTHER] = { .text = "?" },
};
static struct iot_kept issuers[] = {
	[IOT_POSIX_READ] = IOT_KEPT(aio_read),	[IOT_POSIX_WRITE] = IOT_KEPT(aio_write),
	[IOT_POSIX_SYNC] = IOT_KEPT(aio_fsync), [IOT_POSIX_DSYNC] = IOT_KEPT(aio_fsync),
};
static struct iot_kept lists = IOT_KEPT(lio_listio), suspends = IOT_KEPT(aio_suspend), asks = IOT_KEPT(aio_error),
		       returns = IOT_KEPT(aio_return), cancels = IOT_KEPT(aio_cancel);

static enum iot_posix_op what_of(const struct iot_operation *op)
{
	return (enum iot_posix_op)(op->what - names);
}

static bool moves(const struct iot_operation *op)
{
	return what_of(op) == IOT_POSIX_READ || what_of(op) == IOT_POSIX_WRITE;
}

/* What the control block says of the operation: EINPROGRESS, another error, or 0. */
static int error_in(const struct aiocb *cb)
{
#ifdef IOT_MUSL
	return cb->__err & 0x7fffffff;
#else
	return cb->__error_code;
#endif
}

static long result_in(const struct aiocb *cb)
{
#ifdef IOT_MUSL
	long ret = cb->__ret;
#else
	long ret = cb->__return_value;
#endif
	return error_in(cb) ? -error_in(cb) : ret;
}

/* Whether what a helper thread does is on record. */
static bool sees_helpers(void)
{
	return !iot_libc_unseen() && iot_families >> IOT_POSIX & 1;
}

/* ---- records ---- */

#define NO_FRAME ((void *)((uintptr_t)__builtin_frame_address(0) | 1))

static bool begin(struct iot_call *c, const struct iot_desc *desc, const struct iot_operation *op, void *frame)
{
	if (op->silent || !iot_enter(c, desc, 0, -1, frame))
		return false;
	c->handle = op->handle;
	c->stack = op->stack;
	return true;
}

/* Bytes that are appended go to the file's end, wherever that is by then. */
static uint64_t offset_of(const struct iot_operation *op)
{
	return op->appends && what_of(op) == IOT_POSIX_WRITE ? IOT_UNKNOWN : op->offset;
}

static void record_request(const struct iot_operation *op)
{
	const uint64_t words[] = { op->number, (uintptr_t)op->what, 0, op->size, offset_of(op), iot_libc_unseen(),
				   op->name };
	struct iot_call c;

	if (begin(&c, &IOT_DESC_NAME(iot_posix_request), op, NO_FRAME))
		iot_leave_status(&c, 0, 0, words, IOT_ST_FINISHED);
}

enum how {
	JUST_NOW = 1,			/* the operation has ended in this moment */
	SEEN = 2,			/* the call that carried it out is on record */
	REFUSED = 4,			/* libc did not take the request: there is nothing to collect */
};

static void record_completion(const struct iot_operation *op, long ret, unsigned int how)
{
	uint64_t pending = op->pending > op->start ? op->pending : op->start;
	const uint64_t words[] = { op->number, (uintptr_t)op->what, 0, op->size, offset_of(op), iot_libc_unseen(),
				   (uintptr_t)op->by, op->start, how & JUST_NOW ? 0 : pending, !!(how & SEEN),
				   !!(how & REFUSED) };
	struct iot_call c;

	if (begin(&c, &IOT_DESC_NAME(iot_posix_completion), op, NO_FRAME))
		iot_leave_status(&c, ret < 0 ? -1 : ret, ret < 0 ? (int)-ret : 0, words, IOT_ST_FINISHED);
}

static void record_collection(const struct iot_operation *op)
{
	const uint64_t words[] = { op->number, (uintptr_t)op->what, 0, op->size, offset_of(op), (uintptr_t)op->by,
				   op->start, op->ended, (uintptr_t)op->learned };
	struct iot_call c;

	if (begin(&c, &IOT_DESC_NAME(collection), op, NO_FRAME))
		iot_leave_status(&c, 0, 0, words, IOT_ST_FINISHED);
}

/* ---- what a helper thread is to find ---- */

/* libc takes requests on one descriptor one after the other, so those that look the same to a
   helper's call end in the order in which they were issued. */
static uintptr_t name_of_half(enum iot_posix_op what, int fd, uint64_t size, uint64_t offset)
{
	if (what == IOT_POSIX_SYNC || what == IOT_POSIX_DSYNC)
		size = offset = 0;
	return ((size * 0x9e3779b97f4a7c15ULL ^ offset) * 0xff51afd7ed558ccdULL) ^ (uint64_t)(unsigned int)fd << 32 ^ what;
}

/* The half of op that a helper takes.  Its buf is the control block. */
static struct iot_operation half_of(const struct iot_operation *op)
{
	struct iot_operation half = *op;

	half.queue = HALVES;
	half.name = name_of_half(what_of(op), op->fd, op->size, op->offset);
	half.buf = op->name;
	return half;
}

static void drop_half(const struct iot_operation *op)
{
	struct iot_operation half = half_of(op);

	iot_operation_drop(&half);
}

/* Which operation a helper's call carries out. */
static enum iot_posix_op carries(const struct iot_call *c)
{
	switch (c->desc->sys - 1) {
	case SYS_pread64:
	case SYS_read:
		return IOT_POSIX_READ;
	case SYS_pwrite64:
	case SYS_write:
		return IOT_POSIX_WRITE;
	case SYS_fsync:
		return IOT_POSIX_SYNC;
	case SYS_fdatasync:
		return IOT_POSIX_DSYNC;
	}
	return IOT_POSIX_OTHER;
}

static bool take_half(enum iot_posix_op what, const uint64_t *arg, bool has_offset, struct iot_operation *half)
{
	return iot_operation_take(HALVES, name_of_half(what, (int)arg[0], arg[2], has_offset ? arg[3] : IOT_UNKNOWN), half);
}

void iot_posix_carried(const struct iot_call *c, const uint64_t *arg, long ret)
{
	enum iot_posix_op what = carries(c);
	bool has_offset = c->desc->sys - 1 == SYS_pread64 || c->desc->sys - 1 == SYS_pwrite64;
	struct iot_operation half, op;

	/* libc makes an interrupted call again */
	if (!used || what == IOT_POSIX_OTHER || c->err == EINTR || !take_half(what, arg, has_offset, &half))
		return;
	if (c->err == ESPIPE) {
		/* a helper reads and writes by read(2) and write(2) if there is no offset, as of a pipe */
		half.name = name_of_half(what, (int)arg[0], arg[2], IOT_UNKNOWN);
		iot_operation_again(&half);
		return;
	}
	if (iot_operation_look(ALL, half.buf, &op) && op.number == half.number && iot_operation_ends(&op))
		record_completion(&op, c->err ? -c->err : ret, JUST_NOW | (c->silent ? 0 : SEEN));
}

/* ---- ends that the control block tells of ---- */

static bool is_of(const struct iot_operation *op, const struct aiocb *cb)
{
	return cb->aio_fildes == op->fd && (uintptr_t)cb->aio_buf == op->buf &&
	       (!moves(op) || cb->aio_nbytes == op->size);
}

/* Looks whether the operation is over, and records its end. */
static bool look_at(const struct iot_operation *op, const struct aiocb *cb)
{
	if (error_in(cb) == EINPROGRESS) {
		iot_operation_pends(op);
		return false;
	}
	if (iot_operation_ends(op)) {
		drop_half(op);
		record_completion(op, result_in(cb), sees_helpers() ? SEEN : 0);
	}
	return true;
}

/* The program may have used the block's memory for something else since, or wiped it. */
static void look_if_sure(const struct iot_operation *op, const struct aiocb *cb)
{
	long ret = result_in(cb);

	if (is_of(op, cb) && (error_in(cb) == EINPROGRESS || !op->size || ret > 0 || (ret < 0 && ret > -4096)) &&
	    ret <= (long)op->size)
		look_at(op, cb);
}

/* t: the thread whose call has used the block; NULL: no call has, and the block may be gone. */
static bool copy_block(const struct iot_thread *t, struct aiocb *cb, const struct aiocb *at)
{
	return t ? iot_fetch_used(t, cb, at, sizeof(*cb)) : iot_fetch(cb, at, sizeof(*cb));
}

/* A helper may be ending the request: it stores the result, and then that the request is over.  A
   copy that is made after that was seen has both. */
static bool fetch_block(const struct iot_thread *t, struct aiocb *cb, const struct aiocb *at)
{
	if (!copy_block(t, cb, at))
		return false;
	if (error_in(cb) == EINPROGRESS)
		return true;
	iot_barrier();
	return copy_block(t, cb, at);
}

/* In a call that tells the program what became of the request.  False: the request is in progress, or
   not known. */
static bool told(const struct iot_call *c, const struct aiocb *at, struct iot_kept *by, struct iot_operation *op)
{
	struct aiocb cb;

	if (!at || !used || !c->t || !iot_operation_look(ALL, (uintptr_t)at, op) ||
	    !fetch_block(c->t, &cb, at) || !is_of(op, &cb) || !look_at(op, &cb))
		return false;
	iot_operation_learned(op, by);
	return true;
}

static void told_of_list(const struct iot_call *c, const void *list, int n, struct iot_kept *by)
{
	const struct aiocb *const *at = list, *cb;
	struct iot_operation op;

	for (int i = 0; used && c->t && i < n; i++)
		if (iot_fetch_used(c->t, &cb, at + i, sizeof(cb)))
			told(c, cb, by, &op);
}

void iot_posix_asked(const struct iot_call *c, const struct aiocb *cb)
{
	struct iot_operation op;

	told(c, cb, &asks, &op);
}

void iot_posix_waited(const struct iot_call *c, const void *list, int n)
{
	told_of_list(c, list, n, &suspends);
}

struct cancelled {
	const struct iot_call *call;
	int fd;
};

static void if_cancelled(const struct iot_operation *op, void *p)
{
	const struct cancelled *these = p;
	struct iot_operation now;

	if (op->fd == these->fd)
		told(these->call, (const void *)op->name, &cancels, &now);
}

void iot_posix_cancelled(const struct iot_call *c, int fd, const void *cb)
{
	struct cancelled these = { c, fd };
	struct iot_operation op;

	if (cb)
		told(c, cb, &cancels, &op);
	else if (used && c->t)
		iot_operations_each(ALL, if_cancelled, &these);
}

/* Of an operation that found no place in the table, only its block tells. */
static void collected_unfollowed(const struct iot_call *c, const struct aiocb *at)
{
	uint32_t left = __atomic_load_n(&unfollowed, __ATOMIC_RELAXED);
	struct iot_operation op = { .what = &names[IOT_POSIX_OTHER], .by = &lists, .offset = IOT_UNKNOWN };
	struct aiocb cb;

	while (left && !__atomic_compare_exchange_n(&unfollowed, &left, left - 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	if (!left || !iot_fetch(&cb, at, sizeof(cb)))
		return;
	if (cb.aio_lio_opcode == LIO_READ || cb.aio_lio_opcode == LIO_WRITE) {
		op.what = &names[cb.aio_lio_opcode == LIO_READ ? IOT_POSIX_READ : IOT_POSIX_WRITE];
		op.size = cb.aio_nbytes;
		op.offset = (uint64_t)cb.aio_offset;
	}
	iot_request_on(c->t, &op, cb.aio_fildes);
	record_completion(&op, result_in(&cb), JUST_NOW | (sees_helpers() ? SEEN : 0));
}

void iot_posix_collected(const struct iot_call *c, const struct aiocb *cb)
{
	struct iot_operation op;

	if (!used || !c->t)
		return;
	if (told(c, cb, &returns, &op)) {
		/* if two threads collect it at once, one of them gets it */
		if (iot_operation_take(ALL, (uintptr_t)cb, &op))
			record_collection(&op);
	} else if (!iot_operation_look(ALL, (uintptr_t)cb, &op)) {
		collected_unfollowed(c, cb);
	}
}

static void at_the_end(const struct iot_operation *op, void *unused)
{
	struct aiocb cb;

	(void)unused;
	if (fetch_block(NULL, &cb, (const void *)op->name))
		look_if_sure(op, &cb);
}

void iot_posix_exits(const struct iot_call *c)
{
	if (used && c->t == iot_self && c->t->state == IOT_IDLE)
		iot_operations_each(ALL, at_the_end, NULL);
}

/* ---- beginnings ---- */

static void issue(const struct iot_call *c, const struct aiocb *at, enum iot_posix_op what, struct iot_kept *by)
{
	struct iot_operation op = { .queue = ALL, .name = (uintptr_t)at, .start = c->start, .offset = IOT_UNKNOWN,
				    .what = &names[what], .by = by, .stack = c->stack }, half;
	/* a helper that this call creates is known by this call, not by those that are recorded within it */
	uint32_t aio_depth = c->t->aio_depth;
	struct aiocb cb;

	if (!iot_fetch(&cb, at, sizeof(cb)))
		return;
	op.fd = cb.aio_fildes;
	op.buf = (uintptr_t)cb.aio_buf;
	if (moves(&op)) {
		op.size = cb.aio_nbytes;
		op.offset = (uint64_t)cb.aio_offset;
	}
	/* an earlier operation of this block, which nobody has collected, gives way to this one */
	if (iot_operation_look(ALL, op.name, &half)) {
		look_if_sure(&half, &cb);
		drop_half(&half);
	}
	iot_request_on(c->t, &op, op.fd);
	used = true;
	iot_operation_begin(&op);
	half = half_of(&op);
	if (!op.number)
		__atomic_fetch_add(&unfollowed, 1, __ATOMIC_RELAXED);
	else if (sees_helpers() && what != IOT_POSIX_OTHER)
		iot_operation_again(&half);
	record_request(&op);
	c->t->aio_depth = aio_depth;
}

void iot_posix_issues(const struct iot_call *c, const struct aiocb *cb, enum iot_posix_op op)
{
	if (c->t && iot_follows_requests())
		issue(c, cb, op, &issuers[op]);
}

/* A request that libc did not take is over.  Only this call tells that. */
void iot_posix_issued(const struct iot_call *c, const struct aiocb *cb, int ret)
{
	struct iot_operation op;
	int err = errno;

	if (ret >= 0 || !used || !c->t || !iot_operation_take(ALL, (uintptr_t)cb, &op))
		return;
	drop_half(&op);
	record_completion(&op, -err, JUST_NOW | REFUSED);
}

static enum iot_posix_op listed(int opcode)
{
	return opcode == LIO_READ ? IOT_POSIX_READ : opcode == LIO_WRITE ? IOT_POSIX_WRITE : IOT_POSIX_OTHER;
}

/* musl's lio_listio() calls aio_read() and aio_write(), which issue the requests. */
#ifdef IOT_MUSL
#define LISTS_ISSUE false
#else
#define LISTS_ISSUE true
#endif

void iot_posix_lists(const struct iot_call *c, const void *list, int n)
{
	const struct aiocb *const *at = list, *cb;
	int opcode;

	for (int i = 0; LISTS_ISSUE && c->t && iot_follows_requests() && i < n; i++)
		if (iot_fetch(&cb, at + i, sizeof(cb)) && cb && iot_fetch(&opcode, &cb->aio_lio_opcode, sizeof(opcode)) &&
		    opcode != LIO_NOP)
			issue(c, cb, listed(opcode), &lists);
}

/* If libc did not look at the list, the blocks have no error in them. */
void iot_posix_listed(const struct iot_call *c, const void *list, int n, int ret)
{
	const struct aiocb *const *at = list, *cb;
	int err = errno;

	if (ret >= 0 || err != EINVAL) {
		told_of_list(c, list, n, &lists);
		return;
	}
	for (int i = 0; LISTS_ISSUE && c->t && used && i < n; i++)
		if (iot_fetch(&cb, at + i, sizeof(cb)) && cb) {
			errno = err;
			iot_posix_issued(c, cb, -1);
		}
	errno = err;
}
