/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h - what is made for terminals: tables that fit, colours, and its options. */
#ifndef SCREEN_H
#define SCREEN_H

#include <argp.h>

#include "out.h"

/* How many columns of characters a line of standard output has: COLUMNS, else what the
   terminal says.  SIZE_MAX if it is no terminal, or nobody knows. */
size_t iot_screen_width(void);
/* As iot_out_c, in no more than width characters: if it is longer, ... stands for what it
   begins with, since paths differ in their ends. */
void iot_out_end_of(struct out *o, const char *s, size_t n, size_t width);

/* For the tool's own argp: --color and --no-progress. */
extern const struct argp iot_screen_argp;

enum iot_style {
	IOT_PLAIN, /* ends each of the others */
	IOT_STRONG,
	IOT_FAINT,
	IOT_BAD, /* it failed */
	IOT_ODD, /* it is not as usual */
};
/* What follows looks so, if standard output is a terminal and the user did not say
   otherwise: by --color, or NO_COLOR in the environment. */
void iot_style(struct out *o, enum iot_style style);

#endif
