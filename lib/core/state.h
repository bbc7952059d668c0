/* SPDX-License-Identifier: BSD-3-Clause */
/* state.h - variables that all of the recorder looks at: state.c. */
#ifndef IOT_STATE_H
#define IOT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "each-process.h"

#pragma GCC visibility push(hidden)

struct iot_desc;
struct iot_python;
struct iot_thread;

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
/* IOT_BLOCK_OWN for new threads too, or 0. */
extern uint32_t iot_unshared;
extern int iot_log_options;		/* openlog's */
/* IOT_BLOCK_HELPER in a thread that libc created for itself */
extern __thread uint32_t iot_thread_flags __attribute__((tls_model("initial-exec")));
extern bool iot_log_given;		/* the log was renewed (iot_log_renew) */
/* lib/dispatch: system calls that the kernel delivers to us, if it was linked */
extern bool iot_dispatching;
/* The call that this thread began last, if that was counted as lost: the system call
   that it is must not be counted once more. */
extern __thread const struct iot_desc *iot_lost_desc __attribute__((tls_model("initial-exec")));
extern struct iot_python *iot_python;	/* NULL: there is no interpreter, or none that is known */

#pragma GCC visibility pop

#endif
