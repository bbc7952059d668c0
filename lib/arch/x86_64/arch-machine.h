/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arch-machine.h - x86-64: where a signal frame has a system call's number and arguments, and
 * what else lib/dispatch has to know of the processor.
 */
#ifndef IOT_ARCH_MACHINE_H
#define IOT_ARCH_MACHINE_H

#include <asm/prctl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "sys.h"

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

/* The thread pointer, as the kernel has it for this thread. */
static inline void iot_machine_set_tp(uintptr_t tp)
{
	iot_syscall(IOT_ALWAYS | SYS_arch_prctl, (long)ARCH_SET_FS, tp);
}

static inline uintptr_t iot_machine_tp(void)
{
	uintptr_t tp = 0;

	iot_syscall(IOT_ALWAYS | SYS_arch_prctl, (long)ARCH_GET_FS, &tp);
	return tp;
}

/* Fills in what libc has behind the thread pointer tp, as the thread's at `like' has it. */
#define IOT_MACHINE_HEADER 64
static inline void iot_machine_copy_header(uintptr_t tp, uintptr_t like)
{
	memcpy((void *)tp, (void *)like, IOT_MACHINE_HEADER);
	((uintptr_t *)tp)[0] = ((uintptr_t *)tp)[2] = tp;	/* it begins with its own address */
}

/* Whether the system call is about the thread pointer, of which the program has *own. */
static inline bool iot_machine_tp_call(long number, const unsigned long a[6], uintptr_t *own)
{
	if (number != SYS_arch_prctl || (a[0] != ARCH_SET_FS && a[0] != ARCH_GET_FS))
		return false;
	if (a[0] == ARCH_SET_FS)
		*own = a[1];
	else
		*(uintptr_t *)a[1] = *own;
	return true;
}

#endif
