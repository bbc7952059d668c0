/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - the instructions that make the program's system calls, which each processor
 * has its own of: lib/arch/PROCESSOR/leap.c.  Where a signal frame has a system call's
 * number and arguments is in arch-machine.h there.
 */
#ifndef IOT_MACHINE_H
#define IOT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "arch-machine.h"

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
/* the same, of which the kernel takes the handlers away */
extern const char iot_leap_same_stack_cleared[];
extern const char iot_leap_new_stack_cleared[];
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

#endif
