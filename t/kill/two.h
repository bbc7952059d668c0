/* SPDX-License-Identifier: BSD-3-Clause */
/* two.h - what two.c and halted.c have in common. */
#ifndef TWO_H
#define TWO_H

#include <stdint.h>

struct two {
	uint32_t asked, done; /* how often the other process was to make calls, and has */
	uint32_t over;	      /* it is to end */
};

#endif
