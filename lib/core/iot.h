/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iot.h - the recorder: what its parts and the wrappers know of each other.
 *
 * Who may touch what:
 *  - struct iot_thread belongs to one thread.  A signal handler on that thread
 *    that finds state == IOT_BUSY has interrupted the recorder and works on
 *    ->nested instead; otherwise it uses the same thread in full, between two
 *    records, and leaves everything as it found it but for what it appended.
 *  - Tables of descriptors, paths, handles and stacks are shared by all threads
 *    and their handlers without locks: entries are published with one atomic
 *    store or compare-and-swap.
 *  - struct iot_threads live in memory that a forked child finds zeroed (state ==
 *    IOT_NEW), so that it can never write into its parent's windows.
 *  - The window and the log's header lie in a file, which somebody else may be able to
 *    write.  Nothing that stands there decides what memory is touched: what the recorder
 *    needs to know of them it keeps in struct iot_thread.
 */
#ifndef IOT_H
#define IOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch-cpu.h"
#include "each-process.h"
#include "iotrace-format.h"
#include "libc.h"
#include "stack.h"

#pragma GCC visibility push(hidden)

#define iot_likely(x)	__builtin_expect(!!(x), 1)
#define iot_unlikely(x) __builtin_expect(!!(x), 0)
#define IOT_COLD	__attribute__((cold, noinline))
/* The compiler must not move stores across: a handler on this thread, or a
   reader after our death, sees them in program order. */
#define iot_barrier()	__asm__ __volatile__("" ::: "memory")

enum iot_family {
	IOT_POSIX, IOT_STDIO, IOT_DIR, IOT_AIO, IOT_MEM, IOT_PROC, IOT_NET, IOT_MPIIO, IOT_FORTRAN,
	IOT_USER, IOT_MPI,
	IOT_N_FAMILIES
};

/* Kinds of parameters as the encoder sees them; gen.awk maps the table's many
   kinds (which matter to readers) onto these few. */
enum iot_kind {
	IOT_K_NONE,		/* not recorded */
	IOT_K_FD,		/* the record's handle */
	IOT_K_FILE,		/* the same, from a stream */
	IOT_K_DIR,		/* the same, from a directory stream */
	IOT_K_WORD,		/* as it is */
	IOT_K_INT,		/* a 32-bit value: sign-extended */
	IOT_K_UINT,		/* a 32-bit value: zero-extended */
	IOT_K_FD2,		/* handle of another descriptor */
	IOT_K_DIRFD,		/* as INT; the next relpath is relative to it */
	IOT_K_PATH,
	IOT_K_RELPATH,
	IOT_K_STR,
	IOT_K_NAME,		/* text that comes again and again: interned */
	IOT_K_KEPT,		/* the same of a struct iot_kept */
	IOT_K_SIZE,
	IOT_K_ITEMSIZE,
	IOT_K_ITEMS,		/* of the itemsize before it: SIZE is their product */
	IOT_K_OFFSET,
	IOT_K_OFFP,		/* pointer to an offset, which the call moves */
	IOT_K_IOV,		/* SIZE is the sum over the next parameter's many */
	IOT_K_MSG,
	IOT_K_MMSG,		/* not recorded */
	IOT_K_ADDR,		/* the bytes; the next parameter is their number */
	IOT_K_PIPEFDS,
	IOT_K_AIOCB,
	IOT_K_TIMESPEC,		/* ns, read before the call, which may change it */
	IOT_K_TIMEVAL,		/* the same, from microseconds */
	IOT_K_FLOCK,		/* a WORD, and of a lock what came back */
	IOT_K_STAT,		/* memory of the program's that says size and mode */
	IOT_K_STATX,
	IOT_K_LOCKF,		/* an INT, and OFFSET is where the range begins */
};

enum iot_result {
	IOT_R_BYTES, IOT_R_ITEMS, IOT_R_COUNT, IOT_R_FD, IOT_R_FILE, IOT_R_DIR, IOT_R_STATUS,
	IOT_R_ERRCODE, IOT_R_PROGRESS, IOT_R_EOF, IOT_R_NONNEG, IOT_R_CHAR, IOT_R_CHARS, IOT_R_POS, IOT_R_MAP,
	IOT_R_PTR, IOT_R_TEXT, IOT_R_WTEXT, IOT_R_CWD, IOT_R_DIRENT, IOT_R_PID, IOT_R_MASK,
	IOT_R_VOID, IOT_R_NORETURN,
};

enum iot_effect {
	IOT_E_NONE, IOT_E_OPEN, IOT_E_CLOSE, IOT_E_DUP, IOT_E_DUP2, IOT_E_FCNTL, IOT_E_SOCKET,
	IOT_E_SEEK, IOT_E_CHDIR, IOT_E_MOVES, IOT_E_DLOPEN, IOT_E_DLCLOSE, IOT_E_REOPEN, IOT_E_APPEND,
	IOT_E_CHILD, IOT_E_MAKES, IOT_E_UNSHARE, IOT_E_MAP, IOT_E_UNMAP, IOT_E_REMAP,
};

/* Which way bytes go through a stream's buffer: stream.h. */
enum iot_stream_way {
	IOT_S_NONE, IOT_S_IN, IOT_S_OUT, IOT_S_FLUSH, IOT_S_SEEK, IOT_S_DIRECT,
};
#define IOT_S_ASK	255u		/* as bytes: only the descriptor's offset tells */

#define IOT_D_THIN	1u	/* one nested call marked backend is not recorded */
#define IOT_D_BACKEND	2u
#define IOT_D_SEQ	4u	/* moves the file offset by its result */
#define IOT_D_OUTER	8u	/* a call within has the effect too, if that is seen */
#define IOT_D_UNLOCKED	64u	/* does not lock its stream */
#define IOT_D_UNREAD	128u	/* may succeed, or fail, without having read its name */
/* where IOT_LIBC_BY_NAME: */
#define IOT_D_INNER	16u	/* calls within this one are libc's own */
#define IOT_D_PARTS	32u	/* not recorded if it is libc's own: what it is made of is */

#define IOT_OWN_INSIDE	1u	/* what is done within is MPI's own */
#define IOT_OWN_POLLS	2u	/* looks for news, as MPI does by the million */

#define IOT_MAX_PARAMS	24

/* A row of calls.def, compiled.  They lie in a section of their own, so that the
   log can list those that this executable has. */
struct iot_desc {
	const char *schema;	/* what stands behind "call ID " in the header text */
	uint16_t id;
	uint8_t family;		/* enum iot_family */
	uint8_t result;		/* enum iot_result */
	uint8_t effect;		/* enum iot_effect */
	uint8_t flags;		/* IOT_D_* */
	uint8_t n;
	uint8_t opening;	/* which parameter, from 1, tells how a file is opened */
	uint8_t kind[IOT_MAX_PARAMS];
	uint16_t sys;		/* the system call that it is, its number + 1; 0: none */
	uint8_t stream;		/* enum iot_stream_way */
	uint8_t bytes;		/* of a call that returns none of them; 0: its result tells */
	uint8_t own;		/* IOT_OWN_* */
	uint8_t puts;		/* writes at the offset that it is given, if the file is not appended
				   to: which parameter, from 1, has RWF_*, or 1; 0: it does not */
} __attribute__((aligned(32)));

/* An open file description as far as we follow it. */
struct iot_ofd {
	uint64_t pos;			/* file offset, if owner is a thread */
	struct iot_thread *owner;	/* the only thread that ever moved it; or: */
	uint64_t calls;			/* on a shared one: << 32 under way, low half begun */
	uint32_t refs;			/* descriptors, dup'ed ones included */
	struct iot_thread *user;	/* the only thread that called stdio on it, or IOT_OFD_SHARED */
} __attribute__((aligned(64)));		/* each thread stores into those of its own */
#define IOT_OFD_NONE	((struct iot_thread *)1)	/* has no offset */
#define IOT_OFD_SHARED	((struct iot_thread *)2)	/* ask the kernel before and after each call */
#define IOT_OFD_APPEND	((struct iot_thread *)3)	/* this process's, written at its end: ask after */
#define IOT_OFD_FRESH	((struct iot_thread *)0)	/* nobody's yet */

struct iot_fd {
	struct iot_ofd *ofd;
	uint32_t handle;		/* 0: not known yet */
	uint32_t flags;			/* IOT_FD_*; behind handle: hot.h reads both at once */
};

enum iot_state {
	IOT_NEW,		/* zeroed memory: not of this process */
	IOT_IDLE,
	IOT_BUSY,		/* between reserving and committing a record */
	IOT_DEAD,		/* no window could be had: calls are counted as lost */
	IOT_MUTE,		/* the recorder itself makes calls that are no business of the log */
	IOT_MANY,		/* stands for those of several tasks: shared-tls.c */
	IOT_SEALED,		/* its window has its checksum: window-seal.c */
};

/* A call in progress, on the wrapper's stack. */
struct iot_call {
	struct iot_thread *t;		/* NULL: not recorded */
	const struct iot_desc *desc;
	uint64_t start;
	uint64_t offset;		/* before the call; IOT_UNKNOWN */
	uint64_t end;			/* the file's before it, if it may write there; IOT_UNKNOWN */
	struct iot_ofd *ofd;		/* of a call that moves the offset */
	uint32_t depth;
	uint32_t handle;
	uint32_t stack;
	uint32_t internal;		/* 0 or IOT_INTERNAL */
	uint32_t generation;
	uint64_t ticket;		/* of iot_ofd_enter */
	uintptr_t frame;		/* its wrapper's, as its slot has it */
	int fd;
	int err;
	bool no_syscall;		/* it got by without one */
	bool no_result;			/* what came back is not known */
	bool silent;			/* only its effect on descriptors counts */
	bool untraced;			/* its path is not to be traced */
	bool own;			/* MPI makes it for itself */
	bool appends;			/* its descriptor does */
	struct iot_stream *stream;	/* what it was before; NULL: not looked at */
};
void iot_stream_unlock(struct iot_call *c);	/* in dynamic executables */
#define IOT_UNKNOWN	(~0ULL)
#define IOT_INTERNAL	(1u << IOT_INTERNAL_SHIFT)

#define IOT_OWN_SUMS 8u

/* A window: where it is (log-share.h). */
struct iot_place {
	uint32_t class, number;
};

struct iot_thread {
	/* what every call looks at: */
	uint32_t state __attribute__((aligned(64)));	/* enum iot_state */
	uint32_t depth;			/* calls in progress */
	struct iot_block *win;
	uint8_t *data;			/* where the window's records begin */
	uint32_t used;			/* win->used: bytes of finished records */
	uint32_t cap;			/* how many fit this block */
	uint64_t base;			/* dt counts from here */
	uint64_t limit;			/* ticks behind base at which to take a new anchor */
	uint64_t thin;			/* IOT_THIN and IOT_MOVES of the calls in progress */
	uint32_t flags;			/* IOT_BLOCK_* for its blocks */
	uint32_t stack_depth;		/* frames to walk, 0 = off */
	struct iot_recent recent[IOT_RECENT];	/* of this block */
	uintptr_t stack_low, stack_top;	/* frames lie between; 0 = not known */
	/* the rest: */
	uintptr_t busy_frame;		/* of the function that made it busy; 0: not lower than the last slot's */
	uint64_t late_start;		/* before which the calls of late did not begin */
	uint32_t late;			/* places of calls, a bit each */
	uint32_t aio_depth;		/* depth within the aio call that was last begun */
	uint32_t inner;			/* IOT_D_INNER of the calls in progress, a bit each */
	uint32_t tid;
	uint32_t stream_turn;		/* calls so far that streams are looked at for */
	uint32_t stream;
	uint32_t level;
	uint32_t in_use;		/* this struct is taken, IOT_LEFT_BEHIND */
	uint32_t gone;			/* 1 + used when its memory ceased to be the file's (sigbus.c) */
	uint32_t outer;			/* calls in progress that are not in this window's slots */
	/* of the window; what stands there is for readers, and nothing of it is believed */
	uint32_t size;
	uint32_t seq, n_defs, n_late, lost, pid;	/* as struct iot_block has them */
	uint64_t block_base;
	struct iot_anchor anchor;
	struct iot_place place;
	bool too_large;			/* a record is being made that no window can hold */
	bool gap;			/* the block before this one could not be written */
	bool left;			/* exit's or exec's record is its last, so far */
	uint32_t floor;			/* places that are not used any more: places.c */
	uint32_t vacant;		/* places whose calls are through, below one that is not; a bit each */
	bool dispatched;		/* its system calls are seen */
	bool returns;			/* a call that looked as if it had been left has returned */
	struct {
		uint32_t depth, call;	/* as slots have it; depth 0: not known */
	} deepest;			/* the innermost call, if there is no slot for it */
	uint32_t own;			/* 1 + the depth of a call within which all is MPI's own; 0: none */
	uint64_t own_start;		/* which one: its slot's start */
	struct iot_own_sum {
		uint32_t id, stream, seq, at;	/* a call's IOT_DEF_SUM, which is there in this block */
	} sums[IOT_OWN_SUMS];
	struct iot_thread *nested;	/* for handlers that interrupt the recorder */
	uint32_t number;		/* of this struct */
	uint32_t next;			/* in the queue of those whose threads may have ended */
	struct iot_call vfork;		/* while the child runs */
	struct iot_memo memo[IOT_MEMOS];	/* by return address */
	struct iot_python_thread *python;	/* python.c's */
	struct iot_fd spare_fd;		/* stands for a descriptor that is not in the table */
	char scratch[3][4096];		/* of whoever made it busy: names under way */
};

#define IOT_MAX_LEVELS 9u		/* handlers within handlers that interrupt the recorder */
#define IOT_LEFT_BEHIND 9u		/* a handler's fork was within the recorder */

/* Where in its page the struct begins: not at its start, as so much else does that
   the kernel touches in a system call and that would take its place in the cache. */
#define IOT_THREAD_COLOUR 0x780UL
#define IOT_THREAD_SIZE ((IOT_THREAD_COLOUR + sizeof(struct iot_thread) + IOT_PAGE - 1) & -IOT_PAGE)

static inline struct iot_slot *iot_slots(const struct iot_thread *t)
{
	return (struct iot_slot *)(t->win + 1);
}

/* What is noted of the call at that depth: id and IOT_SLOT_*.  NULL: it has not begun
   yet, or is beyond the slots and not the innermost. */
static inline uint32_t *iot_noted(struct iot_thread *t, uint32_t depth)
{
	if (depth < IOT_MAX_SLOTS)
		return iot_slots(t)[depth].start ? &iot_slots(t)[depth].call : NULL;
	return t->deepest.depth == depth ? &t->deepest.call : NULL;
}

/* The system call that it is was seen. */
static inline void iot_note_made(struct iot_thread *t, uint32_t depth)
{
	uint32_t *call = iot_noted(t, depth);

	if (call)
		*call |= IOT_SLOT_MADE;
}

/* The call at depth d awaits its backend; or moves a file offset. */
#define IOT_THIN(d)	(1ULL << ((d) & 31))
#define IOT_MOVES(d)	(1ULL << 32 << ((d) & 31))

/* A handler that comes from here on keeps off t, and one that jumps out of this
   function's frame puts an end to it. */
static inline __attribute__((always_inline)) void iot_busy(struct iot_thread *t)
{
	t->busy_frame = (uintptr_t)__builtin_frame_address(0);
	iot_barrier();
	t->state = IOT_BUSY;
	iot_barrier();
}

static inline void iot_idle(struct iot_thread *t)
{
	iot_barrier();
	t->state = IOT_IDLE;
	iot_barrier();
	t->busy_frame = 0;
}

/* Whether a call in progress moves an offset.  None has others inside, so that
   this is a handler's, and whether that one came to it yet nobody knows. */
static inline bool iot_offset_moving(const struct iot_thread *t)
{
	return t->thin >> 32 & ((1ULL << (t->depth < 32 ? t->depth : 32)) - 1);
}

/* This thread's recorder; NULL before its first call. */
extern __thread struct iot_thread *iot_self __attribute__((tls_model("initial-exec")));
/* Families of which calls are recorded, a bit each; 0 = off. */
extern uint32_t iot_families;
/* Families of which all are. */
extern uint32_t iot_whole;
/* Of these, the ones for the fast way of hot.h: iot_whole, or as long as the program has not
   paused the word in the log's header, which iotrace-ctl clears. */
extern const volatile uint32_t *iot_gate;
extern uint32_t iot_pauses;		/* of the program's, without a resume */

/* shared-tls.c: tasks that have their thread-local storage in common.  It is there if the
   program can make them, and calls the first function. */
/* IOT_BLOCK_OWN for new threads too, or 0. */
extern uint32_t iot_unshared;
/* Threads of whose descriptors and working directory nothing is kept. */
#define IOT_APART (IOT_BLOCK_VFORK | IOT_BLOCK_OWN)
/* A task's that clone makes with these flags: it shares descriptors (CLONE_FILES) and
   working directory (CLONE_FS) with its parent, or has copies. */
static inline uint32_t iot_task_flags(uint64_t flags)
{
	return !(flags & 0x400) ? IOT_BLOCK_VFORK : !(flags & 0x200) ? IOT_BLOCK_OWN : 0;
}
void iot_tasks_share(uint64_t flags);
void iot_tasks_begin(struct iot_thread *t, uint32_t flags);
__attribute__((weak)) struct iot_thread *iot_task_self(void);
__attribute__((weak)) void iot_task_begins(uint32_t flags);
__attribute__((weak)) void iot_task_ends(void);
__attribute__((weak)) void iot_tasks_forget(void);

/* The recorder of whoever runs this. */
static inline struct iot_thread *iot_mine(void)
{
	struct iot_thread *t = iot_self;

	return iot_unlikely(t && t->state == IOT_MANY) ? iot_task_self() : t;
}

/* thread.c */
extern __thread uint32_t iot_fork_depth __attribute__((tls_model("initial-exec")));	/* calls in
						   progress in a thread that forks */
bool iot_thread_over(const struct iot_thread *t);
struct iot_thread *iot_thread_mute(void);
void iot_thread_unmute(struct iot_thread *t);
bool iot_thread_alone(void);
void iot_log_renew(void);
extern bool iot_log_given;		/* it was renewed */
/* fortran/statement.c, where the program has it: it ends, within statements */
void iot_f_ends(void) __attribute__((weak));
/* user.c, where the program has it */
void iot_regions_again(struct iot_thread *t) __attribute__((weak));
/* IOT_BLOCK_HELPER in a thread that libc created for itself */
extern __thread uint32_t iot_thread_flags __attribute__((tls_model("initial-exec")));

/* host.c, or what the dynamic variant has in its place: the executable that we are in */
#ifdef IOT_DYNAMIC
#define IOT_LIBC_OPAQUE true	/* calls that libc makes itself have no wrappers */
#else
#define IOT_LIBC_OPAQUE false
#endif
bool iot_host_ready(void);
char **iot_environ(void);
char **iot_environ_first(void);	/* all of it, as the process began with it if that is known */
const uint64_t *iot_host_auxv(void);	/* NULL: not found */
bool iot_host_made(const struct iot_thread *t, uintptr_t pc);

/* lib/dispatch: system calls that the kernel delivers to us, if it was linked */
extern bool iot_dispatching;
/* The call that this thread began last, if that was counted as lost: the system call
   that it is must not be counted once more. */
extern __thread const struct iot_desc *iot_lost_desc __attribute__((tls_model("initial-exec")));
__attribute__((weak)) void iot_dispatch_start(void);
__attribute__((weak)) void iot_dispatch_thread(void);
__attribute__((weak)) void iot_dispatch_jump(void);

/* Whether it sees to what this thread's system calls need. */
static inline bool iot_is_dispatched(void)
{
	const struct iot_thread *t = iot_mine();

	return iot_dispatching && t && t->state != IOT_NEW && t->dispatched;
}

/* What libc does within a call is not seen. */
static inline bool iot_libc_unseen(void)
{
	return IOT_LIBC_OPAQUE && !iot_dispatching;
}

/* Whether what it moves beneath is to be inferred. */
static inline bool iot_infers(const struct iot_desc *desc)
{
	return iot_libc_unseen() && desc->stream && iot_families >> IOT_POSIX & 1;
}

/* Whether it moves the offset of its descriptor by what it returns. */
static inline bool iot_moves(const struct iot_desc *desc)
{
	return desc->flags & IOT_D_SEQ || (desc->stream == IOT_S_DIRECT && iot_libc_unseen());
}

/* What a call does to descriptors, as far as that is not left to a call within. */
static inline enum iot_effect iot_effect(const struct iot_desc *desc)
{
	return desc->flags & IOT_D_OUTER && !iot_libc_unseen() ? IOT_E_NONE : (enum iot_effect)desc->effect;
}


struct iot_thread *iot_thread_new(uint32_t level, uint32_t flags);
void iot_thread_begin(struct iot_thread *t, uint32_t level, uint32_t flags, int pid, int tid);
void iot_thread_take(struct iot_thread *t);
void iot_thread_drop(struct iot_thread *t);

/* enter.c: the ways into and out of a call.
   iot_enter returns false if the call is not to be recorded; then nothing else
   is to be done.  fd: the call's descriptor, -1 if it has none. */
bool iot_enter(struct iot_call *c, const struct iot_desc *desc, uint32_t internal, int fd, void *frame);
void iot_leave(struct iot_call *c, long ret, const uint64_t *args);
void iot_leave_status(struct iot_call *c, long ret, int err, const uint64_t *args, uint32_t status);
void iot_closes(struct iot_call *c);
void iot_infer_exit(void);
void iot_noreturn(struct iot_call *c, const uint64_t *args);

#include "logfd.h"

/* log.c, window.c */
extern struct iot_file_header *iot_header;
/* By iotrace-ctl, from outside; where there is a recorder that is idle there is a header. */
static inline bool iot_switched_off(void)
{
	return iot_header->off;
}
bool iot_log_start(void);
void iot_log_forget(void);
void iot_log_ended(struct iot_thread *t);
void iot_log_leaves(bool leaves);
uint64_t iot_log_alloc(uint64_t size, uint64_t align);
uint64_t iot_log_space(uint64_t size);
void *iot_log_map(uint64_t off, uint64_t size, bool inherited);
const char *iot_log_name(void);
long iot_log_read(void *buf, size_t size, uint64_t off);
/* a block to be written, with its records and their checksum */
struct iot_piece {
	struct iot_block head;
	const void *records;
	uint64_t sum;
};
bool iot_log_write(const struct iot_piece *piece, uint32_t n, uint64_t off);
void iot_lost(uint32_t calls, uint64_t reason);
uint32_t iot_window_size(void);
bool iot_window_open(struct iot_thread *t);
bool iot_begun(const struct iot_thread *t);
void iot_window_flush(struct iot_thread *t);
bool iot_window_has(const struct iot_thread *t, uint64_t start);
void iot_window_seal(struct iot_thread *t);
bool iot_window_unseal(struct iot_thread *t);
/* room for n words, in a busy one's window */
uint64_t *iot_reserve(struct iot_thread *t, uint32_t words);
void iot_commit(struct iot_thread *t, uint32_t words);
/* counts records up to there as finished */
static inline void iot_set_used(struct iot_thread *t, uint32_t used)
{
	iot_barrier();
	t->used = used;
	*(volatile uint32_t *)&t->win->used = used;
}
void iot_rebase(struct iot_thread *t, uint64_t base);
void iot_anchor_now(struct iot_anchor *a);
void iot_anchor_first(struct iot_anchor *a);
void iot_anchor_store(struct iot_anchor *to, const struct iot_anchor *a);
void iot_anchor_latest(const struct iot_anchor *a);
uint64_t *iot_define(struct iot_thread *t, uint32_t kind, uint32_t payload_words);
void iot_define_done(struct iot_thread *t, uint64_t *rec);
void iot_note(uint32_t kind, const uint64_t *words, uint32_t n);
uint64_t *iot_put_bytes(uint64_t *p, const void *s, uint32_t len);

/* auxv.c */
uint64_t iot_auxv(uint64_t type);

/* vdso-clock.c */
struct timespec;
void iot_clock(int clock, struct timespec *now);

/* sigbus.c */
void iot_bus_start(void);

/* log-header.c */
const char *iot_exe(void);
const char *iot_program(void);
struct iot_text;
struct utsname;
void iot_header_text(struct iot_text *x, const struct utsname *uts);

/* maps.c */
void iot_maps_define(struct iot_thread *t, uint64_t since);
void iot_maps_define_first(struct iot_thread *t);
void iot_maps_forget(void);
void iot_maps_forked(void);

/* rank.c */
struct iot_rank {
	int32_t rank;			/* -1: of no job, or not known */
	int32_t size;			/* of the job; 0: not known */
	uint32_t n_clocks;		/* payloads of IOT_DEF_CLOCK, for logs that are begun later */
	uint64_t clock[2][3];
};
extern struct iot_rank iot_rank;
void iot_rank_find(char **env);
int32_t iot_env_number(char **env, const char *name);

#include "details.h"
#include "abandon.h"
#include "attach.h"
#include "fork.h"
#include "start.h"
#include "fds.h"
#include "memory.h"
#include "paths.h"

#pragma GCC visibility pop

#endif
