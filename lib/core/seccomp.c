/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seccomp.c - filters of system calls that the program puts on itself.  One that
 * kills for calls that the program never makes must not meet the recorder's.  So
 * it is worked out, before a filter is installed, which system calls pass it
 * whatever their arguments; iot_syscall refuses all others from then on.  If the
 * recorder's are among those that pass it goes on as ever; else what a window
 * holds at the end is in the log, and what is not is counted.
 *
 * A filter is one thread's, and that of those it makes; here it counts for the
 * whole process.  Strict mode takes the timebase away as well, which leaves
 * nothing to record.  Syscall User Dispatch counts as a filter that nothing passes:
 * the program's handler takes each system call for one of the program's.
 */
#include "seccomp.h"

#include "arena.h"
#include "attach.h"
#include "fetch.h"
#include "shared-tls.h"
#include "start.h"
#include "sys.h"
#include "thread.h"
#include "window.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>

struct machine {
	uint32_t a, x, mem[BPF_MEMWORDS];
};

/* Loads into A or X.  Returns false if the value is not known. */
static bool load(struct machine *m, const struct sock_filter *i, uint32_t nr)
{
	uint32_t *to = BPF_CLASS(i->code) == BPF_LD ? &m->a : &m->x;

	switch (BPF_MODE(i->code)) {
	case BPF_ABS:
		*to = i->k == offsetof(struct seccomp_data, nr) ? nr : IOT_AUDIT_ARCH;
		return i->k == offsetof(struct seccomp_data, nr) ||
		       i->k == offsetof(struct seccomp_data, arch);
	case BPF_IMM:
		*to = i->k;
		return true;
	case BPF_LEN:
		*to = sizeof(struct seccomp_data);
		return true;
	case BPF_MEM:
		*to = m->mem[i->k % BPF_MEMWORDS];
		return true;
	}
	return false;
}

static bool calculate(struct machine *m, const struct sock_filter *i)
{
	uint32_t v = BPF_SRC(i->code) == BPF_X ? m->x : i->k;

	switch (BPF_OP(i->code)) {
	case BPF_ADD: m->a += v; return true;
	case BPF_SUB: m->a -= v; return true;
	case BPF_MUL: m->a *= v; return true;
	case BPF_AND: m->a &= v; return true;
	case BPF_OR: m->a |= v; return true;
	case BPF_XOR: m->a ^= v; return true;
	case BPF_NEG: m->a = -m->a; return true;
	case BPF_LSH: m->a <<= v & 31; return v < 32;
	case BPF_RSH: m->a >>= v & 31; return v < 32;
	case BPF_DIV: m->a = v ? m->a / v : 0; return v;
	}
	return false;
}

/* How many instructions to skip. */
static uint32_t jump(const struct machine *m, const struct sock_filter *i)
{
	uint32_t v = BPF_SRC(i->code) == BPF_X ? m->x : i->k;

	switch (BPF_OP(i->code)) {
	case BPF_JEQ: return m->a == v ? i->jt : i->jf;
	case BPF_JGT: return m->a > v ? i->jt : i->jf;
	case BPF_JGE: return m->a >= v ? i->jt : i->jf;
	case BPF_JSET: return m->a & v ? i->jt : i->jf;
	}
	return i->k;
}

/* Whether system call nr passes the filter, whatever its arguments.  Jumps go
   forward only, so that this ends. */
static bool passes(const struct sock_filter *f, uint32_t n, uint32_t nr)
{
	struct machine m = { 0 };

	for (uint64_t at = 0; at < n; at++) {
		const struct sock_filter *i = &f[at];

		switch (BPF_CLASS(i->code)) {
		case BPF_LD:
		case BPF_LDX:
			if (!load(&m, i, nr))
				return false;
			break;
		case BPF_ST:
			m.mem[i->k % BPF_MEMWORDS] = m.a;
			break;
		case BPF_STX:
			m.mem[i->k % BPF_MEMWORDS] = m.x;
			break;
		case BPF_ALU:
			if (!calculate(&m, i))
				return false;
			break;
		case BPF_JMP:
			at += jump(&m, i);
			break;
		case BPF_RET:
			return (BPF_RVAL(i->code) == BPF_A ? m.a : i->k) == SECCOMP_RET_ALLOW;
		case BPF_MISC:
			if (BPF_MISCOP(i->code) == BPF_TAX)
				m.x = m.a;
			else
				m.a = m.x;
			break;
		}
	}
	return false;
}

/* A mode beside those of seccomp. */
#define USER_DISPATCH (SECCOMP_SET_MODE_FILTER + 1)

static void work_out(uint64_t *pass, const void *arg)
{
	struct sock_fprog prog;
	size_t size;
	struct sock_filter *f;

	memset(pass, 0, sizeof(iot_allowed));
	if (!iot_fetch(&prog, arg, sizeof(prog)) || prog.len > BPF_MAXINSNS)
		return;
	size = prog.len * sizeof(*f);
	f = iot_map(size);
	if (!f)
		return;
	if (iot_fetch(f, prog.filter, size))
		for (uint32_t nr = 0; nr < IOT_NUMBERS; nr++)
			pass[nr / 64] |= (uint64_t)passes(f, prog.len, nr) << nr % 64;
	iot_unmap(f, size);
}

/* What the recorder may do from now on.  If another thread may be subject to the
   filter at once, it is given the time to finish what it has begun. */
static void take(struct iot_seccomp *s, uint64_t mode, uint64_t flags, const void *prog)
{
	if (mode == SECCOMP_SET_MODE_STRICT)
		iot_stop(IOT_LOST_FILTER);	/* leaves nothing in taken */
	else if (mode == USER_DISPATCH)
		memset(s->taken, 0, sizeof(s->taken));
	else
		work_out(s->taken, prog);
	for (uint32_t i = 0; i < IOT_NUMBERS / 64; i++)
		s->taken[i] = __atomic_fetch_and(&iot_allowed[i], s->taken[i], __ATOMIC_SEQ_CST) & ~s->taken[i];
	__atomic_store_n(&iot_filtered, 1, __ATOMIC_SEQ_CST);
	if (flags & SECCOMP_FILTER_FLAG_TSYNC)
		for (int i = 0; i < 10000 && __atomic_load_n(&iot_each.masked, __ATOMIC_SEQ_CST); i++)
			iot_syscall(IOT_ALWAYS | SYS_sched_yield);
}

/* Nor may libc's clocks be asked, which read it. */
static void no_timebase(void)
{
	iot_stop(IOT_LOST_TIMEBASE);
	__atomic_fetch_and(&iot_allowed[SYS_clock_gettime / 64], ~(1ULL << SYS_clock_gettime % 64),
			   __ATOMIC_SEQ_CST);
	iot_filtered = 1;
}

bool iot_seccomp_before(struct iot_seccomp *s, long number, const unsigned long *a)
{
	struct iot_thread *t = iot_mine();
	uint64_t mode = a[0], flags = 0;

	*s = (struct iot_seccomp){ 0 };
	if (number == SYS_prctl && a[0] == PR_SET_TSC && a[1] == PR_TSC_SIGSEGV)
		no_timebase();
	if (number == SYS_prctl && a[0] == PR_SET_SECCOMP)
		mode = a[1] == SECCOMP_MODE_STRICT ? SECCOMP_SET_MODE_STRICT : SECCOMP_SET_MODE_FILTER;
	else if (number == SYS_prctl && a[0] == PR_SET_SYSCALL_USER_DISPATCH && a[1] == PR_SYS_DISPATCH_ON)
		mode = USER_DISPATCH;
	else if (number == SYS_seccomp && a[0] <= SECCOMP_SET_MODE_FILTER)
		flags = a[1];
	else
		return false;
	s->all = flags & SECCOMP_FILTER_FLAG_TSYNC && !(flags & SECCOMP_FILTER_FLAG_NEW_LISTENER);
	if (mode == SECCOMP_SET_MODE_FILTER && !a[2])
		return false;	/* asks whether there are filters */
	/* a forked child that makes this its first call: not without a log */
	if (!t || t->state == IOT_NEW)
		t = iot_attach_slow(t);
	if (t && t->state == IOT_IDLE && t->win) {
		/* who knows if there will be another chance */
		iot_busy(t);
		iot_window_flush(t);
		iot_idle(t);
	}
	if (t && t->flags & IOT_BLOCK_VFORK)
		t->state = IOT_DEAD;	/* it ends with this child, the memory is its parent's */
	else
		take(s, mode, flags, (const void *)a[2]);
	return true;
}

void iot_seccomp_after(const struct iot_seccomp *s, long ret)
{
	/* if it was installed, that is a descriptor */
	if (ret == 0 || (ret > 0 && !s->all))
		return;
	for (uint32_t i = 0; i < IOT_NUMBERS / 64; i++)
		__atomic_fetch_or(&iot_allowed[i], s->taken[i], __ATOMIC_SEQ_CST);
}
