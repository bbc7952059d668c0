/* SPDX-License-Identifier: BSD-3-Clause */
/* execl.c - execl. */
#include "execl.h"
#include "desc_execl.h"

extern int inner(const char *, char **) __asm__("__real_execv");
IOT_EXECL(execl, false, inner(path, argv))
