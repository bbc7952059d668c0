/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - what lib/dispatch has to know of the processor: where a signal frame
 * has a system call's number and arguments, and the instructions of machine.c.
 */
#ifndef IOT_MACHINE_H
#define IOT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#pragma GCC visibility push(hidden)

/* The section iot_kernel, in which nothing is dispatched. */
extern const char __start_iot_kernel[], __stop_iot_kernel[];

/* Makes a system call of the program's; returns what the kernel returns. */
long iot_relay(long number, const unsigned long a[6]);

/* Leaps: see dispatch.h.  What iot_process_call puts where the child finds it: */
extern const char iot_leap_plain[];		/* comes back once */
extern const char iot_leap_sigreturn[];		/* does not come back */
extern const char iot_leap_same_stack[];	/* a child on this stack: iot_leap_saved */
extern const char iot_leap_new_stack[];		/* a child on its own: iot_landing below its top */
extern const char iot_leap_no_altstack[];	/* the same, and it does without an alternate stack */
extern const char iot_leap_left_alone[];	/* on its own, and it is not dispatched */
extern __thread uint64_t iot_leap_saved[6] __attribute__((tls_model("initial-exec")));
#define IOT_LEAP_PC 5		/* in it: where a child on this stack goes on */
/* What they come back to, behind the instruction */
extern const char iot_landed[], iot_landed_new_stack[];

/* In the topmost words of a new stack; the first words below it are the child's
   own for its registers. */
struct iot_landing {
	struct iot_altstack *altstack;	/* the child gets it */
	struct iot_stranger *stranger;	/* the child is one */
	uint64_t blocked, flags, pc;
};

/* A stack frame made up for our handler's: behind it lies what the signal interrupted. */
struct iot_walk {
	uintptr_t next;
	const void *back;		/* iot_sigreturn, by which it is known */
	uintptr_t sp, pc;
};

#pragma GCC visibility pop

#if defined(__x86_64__)

static inline void iot_machine_call(const ucontext_t *c, long *number, unsigned long a[6])
{
	const greg_t *g = c->uc_mcontext.gregs;

	*number = (long)g[REG_RAX];
	a[0] = (unsigned long)g[REG_RDI];
	a[1] = (unsigned long)g[REG_RSI];
	a[2] = (unsigned long)g[REG_RDX];
	a[3] = (unsigned long)g[REG_R10];
	a[4] = (unsigned long)g[REG_R8];
	a[5] = (unsigned long)g[REG_R9];
}

static inline void iot_machine_return(ucontext_t *c, long ret)
{
	c->uc_mcontext.gregs[REG_RAX] = ret;
}

/* The call's first argument. */
static inline void iot_machine_first(ucontext_t *c, unsigned long value)
{
	c->uc_mcontext.gregs[REG_RDI] = (greg_t)value;
}

static inline long iot_machine_result(const ucontext_t *c)
{
	return (long)c->uc_mcontext.gregs[REG_RAX];
}

/* Where it goes on: behind the system call's instruction. */
static inline uintptr_t iot_machine_pc(const ucontext_t *c)
{
	return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
}

static inline void iot_machine_goto(ucontext_t *c, uintptr_t pc)
{
	c->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
	c->uc_mcontext.gregs[REG_RCX] = (greg_t)pc;	/* as the instruction leaves it */
}

/* To make the call again, by its own instruction. */
static inline void iot_machine_again(ucontext_t *c, long number)
{
	c->uc_mcontext.gregs[REG_RIP] -= 2;
	c->uc_mcontext.gregs[REG_RAX] = number;
}

static inline uintptr_t iot_machine_sp(const ucontext_t *c)
{
	return (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
}

static inline uintptr_t iot_machine_frame(const ucontext_t *c)
{
	return (uintptr_t)c->uc_mcontext.gregs[REG_RBP];
}

/* The context that rt_sigreturn will go back to. */
static inline ucontext_t *iot_machine_sigframe(const ucontext_t *c)
{
	return (ucontext_t *)iot_machine_sp(c);
}

#else
#error "where are a system call's arguments on this processor?"
#endif

#endif
