/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h - making tables fit the terminal. */
#ifndef SCREEN_H
#define SCREEN_H

#include "out.h"

/* How many columns of characters a line of standard output has: COLUMNS, else what the
   terminal says.  SIZE_MAX if it is no terminal, or nobody knows. */
size_t iot_screen_width(void);
/* As iot_out_c, in no more than width characters: if it is longer, ... stands for what it
   begins with, since paths differ in their ends. */
void iot_out_end_of(struct out *o, const char *s, size_t n, size_t width);

#endif
