/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.h - functions of parts of the recorder that not every program has: weak. */
#ifndef IOT_HOOKS_H
#define IOT_HOOKS_H

#include "shared-tls.h"

struct iot_call;

#pragma GCC visibility push(hidden)

/* lib/dispatch */
__attribute__((weak)) void iot_dispatch_start(void);
__attribute__((weak)) void iot_dispatch_thread(void);
__attribute__((weak)) void iot_dispatch_jump(uintptr_t sp);

/* Whether lib/dispatch sees to what this thread's system calls need. */
static inline bool iot_is_dispatched(void)
{
	const struct iot_thread *t = iot_mine();

	return iot_dispatching && t && t->state != IOT_NEW && t->dispatched;
}

/* lib/dynamic/stream.c, which all dynamic executables have */
void iot_stream_unlock(struct iot_call *c);

/* fortran/statement.c: it ends, within statements; a call beneath one has ended */
void iot_f_ends(void) __attribute__((weak));
void iot_f_beneath(const struct iot_call *c, const uint64_t *arg) __attribute__((weak));
/* fortran/transfer.c: the thread has ended */
void iot_f_thread_gone(void) __attribute__((weak));
/* lib/wrap/user.c */
void iot_regions_again(struct iot_thread *t) __attribute__((weak));
void iot_regions_gone(void) __attribute__((weak));

/* lib/wrap/uring.c, which programs have that may make io_urings */
void iot_uring_closed(struct iot_thread *t, int fd) __attribute__((weak));
void iot_uring_dup(int from, int to) __attribute__((weak));
void iot_uring_exits(struct iot_call *c) __attribute__((weak));
void iot_uring_forks(struct iot_thread *t) __attribute__((weak));
void iot_uring_forked(bool in_child) __attribute__((weak));
/* lib/wrap/uring-watch.c: nobody watches rings from now on; or again, if somebody did */
void iot_uring_unwatch(void) __attribute__((weak));
void iot_uring_watch_again(const struct iot_thread *t) __attribute__((weak));

/* lib/faults */
void iot_faults_start(void) __attribute__((weak));
void iot_faults_forked(void) __attribute__((weak));
void iot_faults_moved(uintptr_t from, uintptr_t to, uint64_t size) __attribute__((weak));
void iot_faults_mapped(void) __attribute__((weak));
void iot_faults_finish(void) __attribute__((weak));

/* lib/wrap/posix-aio.c, which programs have that use POSIX AIO: libc has made such a call,
   which may have carried out a request; and the program ends */
void iot_posix_carried(const struct iot_call *c, const uint64_t *arg, long ret) __attribute__((weak));
void iot_posix_exits(const struct iot_call *c) __attribute__((weak));

/* lib/wrap/linux-aio.c: the same for the kernel's asynchronous I/O */
void iot_linux_aio_exits(struct iot_call *c) __attribute__((weak));
/* lib/wrap/linux-ring.c: memory is no longer there, but at `to', which may be 0 */
void iot_linux_aio_unmapped(uintptr_t from, uint64_t size, uintptr_t to) __attribute__((weak));
/* lib/wrap/linux-submits.c: the thread's call that began then is left without returning */
void iot_linux_aio_left(const struct iot_thread *t, uint64_t start) __attribute__((weak));
/* leave.c: all of these at the program's end, c being in progress; or of its t alone */
void iot_requests_end(struct iot_call *c);

#pragma GCC visibility pop

#endif
