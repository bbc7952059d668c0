/* SPDX-License-Identifier: BSD-3-Clause */
/* longjmp_chk.c - the fortified longjmp. */
#include "jump.h"

IOT_JUMP(__longjmp_chk)
