/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generic.c - functions that are made of one template.
 *
 * A template has one body, and callers of one instance most likely differ from those of
 * another.  Who decides a repetition is asked of all instances together: so they have one name,
 * without arguments in angle brackets, and without parameters and result, which may depend
 * on these.  It tells functions apart, and is never printed.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>

#include "spots.h"

/* Does a template's name end before at?  "operator<" and "<lambda(int)>" are none. */
static bool is_name(const char *func, const char *at)
{
	static const char operator[] = "operator";
	size_t n = sizeof(operator) - 1;

	if (at == func || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'))
		return false;
	return (size_t)(at - func) < n || memcmp(at - n, operator, n);
}

/* Behind the bracket that closes the one at p; NULL: none does. */
static const char *behind(const char *p)
{
	unsigned depth = 0;

	for (; *p; p++) {
		depth += *p == '<';
		if (*p == '>' && p[-1] != '-' && !--depth)
			return p + 1;
	}
	return NULL;
}

/* Without arguments; whether there were any. */
static bool strip(struct iota_bytes *to, const char *func)
{
	const char *p = func, *next;
	bool any = false;

	while (*p) {
		next = *p == '<' && is_name(func, p) ? behind(p) : NULL;
		if (next) {
			any = true;
			p = next;
		} else {
			iota_bytes_add(to, p++, 1);
		}
	}
	iota_bytes_add(to, "", 1);
	return any;
}

/* The parameters of the function itself are last, but for what qualifies it. */
/* The length of the name of which GCC made a copy, for certain arguments say: work.constprop.0. */
static size_t length_of_original(const char *func)
{
	static const char *const copy[] = {".constprop.", ".isra.", ".part.", ".cold", ".lto_priv."};
	size_t len = strlen(func), i;

	for (i = 0; i < sizeof(copy) / sizeof(copy[0]); i++) {
		const char *at = strstr(func, copy[i]);

		if (at && at > func && (size_t)(at - func) < len)
			len = (size_t)(at - func);
	}
	return len;
}

const char *iota_name_proper(const char *func)
{
	const char *in = !strncmp(func, "__", 2) ? strstr(func, "_MOD_") : NULL;

	return in ? in + strlen("_MOD_") : func;
}

size_t iota_name_length(const char *func)
{
	const char *p = strrchr(func, ')');
	unsigned depth = 0;

	if (p && (!p[1] || p[1] == ' '))
		for (; p > func; p--) {
			depth += *p == ')';
			if (*p == '(' && !--depth)
				return (size_t)(p - func);
		}
	return length_of_original(func);
}

/* The result stands before the last space that is in no parentheses. */
static char *behind_result(char *name)
{
	unsigned depth = 0;
	char *p, *last = name;

	for (p = name; *p; p++) {
		depth += *p == '(';
		depth -= *p == ')' && depth;
		if (*p == ' ' && !depth)
			last = p + 1;
	}
	return last;
}

char *iota_generic_name(const char *func)
{
	struct iota_bytes name = {0};
	char *last;

	if (strip(&name, func)) {
		name.p[iota_name_length(name.p)] = '\0';
		last = behind_result(name.p);
		memmove(name.p, last, strlen(last) + 1);
	}
	return name.p;
}
