/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * old.c - in libiotrace.so, the names that programs linked with an older libc call
 * functions by that have changed since: each goes to the wrapper of what it meant then.
 */

#include "arch-stub.h"
#include "old-names.h"
