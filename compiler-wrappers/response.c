/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * response.c - splits a response file into arguments, as GCC, Clang and ld do: white
 * space separates, a backslash takes the next character as it is, quotes of both kinds
 * group.
 */
#include "config.h"

#include <string.h>

#include "iocc.h"

static bool is_space(char c)
{
	return c && strchr(" \t\n\r\f\v", c);
}

bool iot_split_response(struct words *to, const char *path)
{
	char *from = iot_file(path) ? iot_read_file(path, NULL) : NULL;
	char *word, *end;

	if (!from)
		return false;
	/* a word takes the place of what it was made of, which is never shorter */
	for (;;) {
		char quote = 0;

		while (is_space(*from))
			from++;
		if (!*from)
			return true;
		word = end = from;
		for (; *from && (quote || !is_space(*from)); from++) {
			if (*from == '\\') {
				if (from[1])
					*end++ = *++from;
			} else if (quote && *from == quote) {
				quote = 0;
			} else if (!quote && (*from == '"' || *from == '\'')) {
				quote = *from;
			} else {
				*end++ = *from;
			}
		}
		if (*from)
			from++;
		*end = 0;
		iot_add(to, word);
	}
}
