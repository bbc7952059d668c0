/* SPDX-License-Identifier: BSD-3-Clause */
/* execl.c - execl. */
#include "execl.h"

#include "desc_execl.h"

/* The record of the system call itself is that of execve, one of libc's own. */
extern int inner(const char *, char **, char **) __asm__(IOT_INNER_EXECVE);
IOT_EXECL(execl, false, inner(path, argv, env))
