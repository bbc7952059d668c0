/* SPDX-License-Identifier: BSD-3-Clause */
/* execle.c - execle. */
#include "execl.h"
#include "desc_execle.h"

/* The record of the system call itself is that of execve, one of libc's own. */
extern int inner(const char *, char **, char **) __asm__(IOT_INNER_EXECVE);
IOT_EXECL(execle, true, inner(path, argv, env))
