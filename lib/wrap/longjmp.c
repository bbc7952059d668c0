/* SPDX-License-Identifier: BSD-3-Clause */
/* longjmp.c - longjmp, _longjmp and siglongjmp, which are one function. */
#include "jump.h"

IOT_JUMP(longjmp)
IOT_ALIAS(longjmp, _longjmp)
IOT_ALIAS(longjmp, siglongjmp)
IOT_ALIAS(longjmp, __libc_siglongjmp)
IOT_ALIAS(longjmp, __libc_longjmp)
