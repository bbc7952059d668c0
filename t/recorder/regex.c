/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regex.c - the recorder's regular expressions against libc's: for patterns and
 * texts made at random, both must say the same.
 *
 *	regex SEED COUNT	compares; prints each difference
 *	regex check PATTERN [TEXT]	prints no, yes, or the error
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/core/regex.h"

static unsigned long long state;

static unsigned int rnd(unsigned int n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(state >> 33) % n;
}

struct str {
	char s[400];
	size_t n;
};

static void put(struct str *x, const char *s)
{
	size_t n = strlen(s);

	if (x->n + n < sizeof(x->s)) {
		memcpy(x->s + x->n, s, n);
		x->n += n;
	}
	x->s[x->n] = 0;
}

static void pick(struct str *x, const char *const *from, unsigned int n)
{
	put(x, from[rnd(n)]);
}

#define PICK(x, a) pick(x, a, sizeof(a) / sizeof(a[0]))

static void put_bracket(struct str *x)
{
	static const char *const item[] = {
		"a", "b", "c", "/", ".", "a-c", "b-z", "0-9", "[:digit:]", "[:alpha:]", "[:space:]",
		"[:punct:]", "[:alnum:]", "[:upper:]", "[:lower:]", "[:xdigit:]", "[:blank:]",
		"[:print:]", "[:graph:]", "[:cntrl:]", "*", "+", "(", "|", "$", "\\", "[", "+--", "!-/",
	};
	static const char *const first[] = { "[", "[", "[", "[^", "[]", "[^]", "[-" };
	static const char *const last[] = { "]", "]", "]", "-]" };

	PICK(x, first);
	for (unsigned int n = 1 + rnd(3); n; n--)
		PICK(x, item);
	PICK(x, last);
}

/* Repeats what was put last. */
static void put_again(struct str *x)
{
	static const char *const again[] = {
		"*", "+", "?", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{0}", "{1,}", "{0,}", "{3}", "{2,4}",
	};

	for (unsigned int k = 1 + !rnd(4); k; k--)
		PICK(x, again);
}

/* anchors: not within something repeated, where libc's matcher loses them */
static void put_pattern(struct str *x, int depth, bool anchors)
{
	static const char *const plain[] = {
		"a", "b", "c", "a", "b", "/", "-", "_", "0", "1", ",", ".", ".", "\\.", "\\*", "\\\\",
		"\\/", "\\[", "\\$", "\\^", "\\(", "\\{", "\\|", "]", "}", " ", "ab", "abc", "\xc3\xa9",
	};

	for (unsigned int n = 1 + rnd(4); n; n--) {
		unsigned int what = rnd(20);
		bool again = !rnd(3);

		if (what < 3 && depth < 4) {
			put(x, "(");
			/* an empty branch has no meaning in POSIX, but in both */
			if (rnd(12))
				put_pattern(x, depth + 1, anchors && !again);
			for (unsigned int k = rnd(3) ? 0 : 1 + rnd(2); k; k--) {
				put(x, "|");
				if (rnd(8))
					put_pattern(x, depth + 1, anchors && !again);
			}
			put(x, ")");
		} else if (what < 5) {
			put_bracket(x);
		} else if (what == 5 && anchors) {
			put(x, rnd(2) ? "^" : "$");
			continue;
		} else {
			PICK(x, plain);
		}
		if (again)
			put_again(x);
	}
	if (!depth && !rnd(5)) {
		put(x, "|");
		put_pattern(x, 1, anchors);
	}
}

static void put_text(struct str *x)
{
	static const char *const part[] = {
		"a", "b", "c", "a", "b", "ab", "abc", "aa", "/", ".", "-", "_", "0", "1", "9", "*", "(", ")",
		"[", "]", "{", "}", "|", "$", "^", "\\", "Z", " ", "\t", ",", "+", "?", "\xc3\xa9", "\1", "\177",
	};

	for (unsigned int n = rnd(12); n; n--)
		PICK(x, part);
}

static void show(const char *what, const char *pattern, const char *text, int ours, int theirs)
{
	printf("%s: pattern '%s' text '%s': ours %d, libc's %d\n", what, pattern, text, ours, theirs);
}

/* Ours has a size, and knows C's locale only. */
static bool may_refuse(const char *error)
{
	return !strcmp(error, "pattern is too long") || !strcmp(error, "too many bracket expressions") ||
	       !strcmp(error, "collating symbols are not known here");
}

static int compare(unsigned long count)
{
	static struct iot_regex re;
	unsigned long patterns = 0, matches = 0, bad = 0;

	while (patterns < count) {
		struct str p = { .n = 0 };
		regex_t libc;
		const char *error;
		int refused;

		put_pattern(&p, 0, true);
		refused = regcomp(&libc, p.s, REG_EXTENDED | REG_NOSUB);
		error = iot_re_compile(&re, p.s);
		if (refused || error) {
			/* what libc refuses, ours must refuse */
			if (refused ? !error : !may_refuse(error))
				bad++, show("compiles", p.s, error ? error : "", !error, !refused);
			if (!refused)
				regfree(&libc);
			continue;
		}
		patterns++;
		for (int i = 0; i < 12; i++) {
			struct str t = { .n = 0 };
			int ours, theirs;

			put_text(&t);
			ours = iot_re_search(&re, t.s, t.n);
			theirs = !regexec(&libc, t.s, 0, NULL, 0);
			matches += (unsigned long)theirs;
			if (ours != theirs)
				bad++, show("matches", p.s, t.s, ours, theirs);
		}
		regfree(&libc);
		if (bad > 50)
			break;
	}
	printf("# %lu patterns, %lu matches of %lu texts, %lu differences\n", patterns, matches,
	       patterns * 12, bad);
	/* a comparison in which nothing matched, or all, would prove little */
	return bad || matches < patterns * 2 || matches > patterns * 10;
}

int main(int argc, char **argv)
{
	static struct iot_regex re;
	const char *error;

	if (argc == 3 && strcmp(argv[1], "check")) {
		state = strtoull(argv[1], NULL, 10);
		return compare(strtoul(argv[2], NULL, 10));
	}
	if (argc < 3)
		return 2;
	error = iot_re_compile(&re, argv[2]);
	if (error)
		puts(error);
	else
		puts(iot_re_search(&re, argc > 3 ? argv[3] : "", argc > 3 ? strlen(argv[3]) : 0) ? "yes" : "no");
	return 0;
}
