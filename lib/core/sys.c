/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sys.c - which system calls the recorder may make.  The instruction that makes them is in
 * lib/arch/PROCESSOR/syscall.c.
 */
#include "sys.h"

/* What filters of the program's have left (seccomp.c, where one can come). */
char iot_filtered;
uint64_t iot_allowed[IOT_NUMBERS / 64] = { ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL };

