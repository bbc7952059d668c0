/* SPDX-License-Identifier: BSD-3-Clause */
/* killed.h - what a program that is to be killed tells whoever kills it. */
#ifndef KILLED_H
#define KILLED_H

#include <stdint.h>

#define KILLED_THREADS 3

/* Call i of a thread: see killed.c. */
struct killed {
	struct {
		uint32_t tid;
		uint32_t done; /* calls that have returned */
	} thread[KILLED_THREADS];
};

#endif
