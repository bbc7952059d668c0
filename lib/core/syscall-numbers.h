/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * syscall-numbers.h - numbers of system calls, among them those that the libc which is
 * compiled with has not heard of: the kernel that runs may have, and so may the
 * program.  They are the same on every processor.
 */
#ifndef IOT_SYSCALL_NUMBERS_H
#define IOT_SYSCALL_NUMBERS_H

#include <sys/syscall.h>

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif
#ifndef SYS_io_uring_enter
#define SYS_io_uring_enter 426
#endif
#ifndef SYS_io_uring_register
#define SYS_io_uring_register 427
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif
#ifndef SYS_process_mrelease
#define SYS_process_mrelease 448
#endif

#endif
