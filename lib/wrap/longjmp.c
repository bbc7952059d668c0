/* SPDX-License-Identifier: BSD-3-Clause */
/* longjmp.c - longjmp, _longjmp and siglongjmp, which are one function. */
#include "jump.h"

IOT_JUMP("longjmp")
IOT_ALIAS("__wrap_longjmp", "__wrap__longjmp")
IOT_ALIAS("__wrap_longjmp", "__wrap_siglongjmp")
IOT_ALIAS("__wrap_longjmp", "__wrap___libc_siglongjmp")
IOT_ALIAS("__wrap_longjmp", "__wrap___libc_longjmp")
