/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regex.h - POSIX extended regular expressions for path filters.  libc's
 * regcomp would put 80 KB and malloc into every traced program.
 */
#ifndef IOT_REGEX_H
#define IOT_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IOT_RE_OPS  384
#define IOT_RE_SETS 24

struct iot_re_op {
	uint8_t op, c;
	uint16_t x, y;
};

struct iot_regex {
	uint32_t n_ops, n_sets;
	struct iot_re_op op[IOT_RE_OPS];
	uint8_t set[IOT_RE_SETS][32];
};

/* Compiles pattern.  Returns NULL, or what is wrong with it.  No back
   references, no collating symbols; classes are those of the C locale. */
const char *iot_re_compile(struct iot_regex *re, const char *pattern)
	__attribute__((visibility("hidden")));

/* Whether the pattern matches somewhere in the n bytes at s. */
bool iot_re_search(const struct iot_regex *re, const char *s, size_t n)
	__attribute__((visibility("hidden")));

#endif
