/* SPDX-License-Identifier: BSD-3-Clause */
/* execlp.c - execlp. */
#include "execl.h"
#include "desc_execlp.h"

extern int inner(const char *, char **, char **) __asm__("__real_execvpe");
IOT_EXECL(execlp, false, inner(path, argv, env))
