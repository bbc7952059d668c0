/* SPDX-License-Identifier: BSD-3-Clause */
/* out.h - output through a buffer of our own, and the ways in which bytes are escaped. */
#ifndef OUT_H
#define OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct out {
	char *buf;
	size_t len, cap;
	int fd; /* -1: memory only, grows */
	const char *name; /* of the file, for messages; NULL: standard output */
};

void iot_out_need(struct out *o, size_t n); /* room for n bytes */
void iot_out_flush(struct out *o); /* dies if it can't */
bool iot_out_try(struct out *o);   /* false: it can't, see errno; nothing is left in it */
void iot_out_bytes(struct out *o, const char *s, size_t n);
void iot_out_unsigned(struct out *o, uint64_t v);
void iot_out_padded(struct out *o, uint64_t v, unsigned digits);
void iot_out_base(struct out *o, uint64_t v, unsigned shift); /* 3: octal, 4: hex */
/*
 * Escaped, all of these show no character that a terminal obeys: controls, those of U+0080
 * to U+009F, and those that turn the direction of text.
 *
 * A field of csv: in quotes if it needs them; such characters, but for tabs and line ends, as
 * \ooo; ' before what a spreadsheet would take for a formula.  One that is JSON needs quotes
 * only.
 */
void iot_out_csv(struct out *o, const char *s, size_t n);
void iot_out_csv_json(struct out *o, const char *s, size_t n);
/* Both do only what is between the quotes. */
void iot_out_json(struct out *o, const char *s, size_t n);
void iot_out_c(struct out *o, const char *s, size_t n);
/* The bytes in pairs, before their letters, as backslash and letter, or as \ooo if the letter
   is 0; other such characters as \ooo; plain: only those. */
void iot_out_escaped(struct out *o, const char *s, size_t n, const char *pairs);
void iot_out_plain(struct out *o, const char *s, size_t n);

static inline void out_char(struct out *o, char c)
{
	if (o->len == o->cap)
		iot_out_need(o, 1);
	o->buf[o->len++] = c;
}

static inline void out_str(struct out *o, const char *s)
{
	iot_out_bytes(o, s, strlen(s));
}

static inline void out_signed(struct out *o, int64_t v)
{
	if (v < 0)
		out_char(o, '-');
	iot_out_unsigned(o, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

#define out_lit(o, s) iot_out_bytes(o, "" s, sizeof(s) - 1)

#endif
