/* SPDX-License-Identifier: BSD-3-Clause */
/* arch-syscalls.h - x86-64: all system calls, SYSCALL(number, name, is_io) for each. */
#include "../../../table/syscalls-x86_64.def"
