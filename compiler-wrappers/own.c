/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own.c - functions and data of the program that have a call's name, and are not libc's.
 *
 * A program may call a function of its own warn, bind or getline, with what arguments it
 * likes, and a variable wait.  With --wrap our wrapper would stand in front of it, hand on
 * the arguments that libc's function has, and bring in libc's definition besides.  Such a
 * program gets ours in the way that link.c has for programs with wrappers: there, who
 * defines a name first has it.  That way is right for any program, so what can't be told
 * counts as a definition.
 */
#define _GNU_SOURCE
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"
#include "needs.h"

/* ---- names of calls ---- */

static int by_text(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

/* Not those that only libc and libraries of the system may define. */
static struct words names_of_calls(const struct place *p)
{
	const char *list = iot_read_file(iot_text("%s/wrap%s.list", p->libdir, p->variant), NULL);
	struct words lines = iot_split(list ? list : "", "\n"), names = { 0 };

	for (size_t i = 0; i < lines.n; i++) {
		const char *name = strchr(lines.v[i], '=');

		if (name && name[1] != '_' && !iot_begins(name + 1, "io_uring_"))
			iot_add(&names, name + 1);
	}
	qsort(names.v, names.n, sizeof(*names.v), by_text);
	return names;
}

static bool is_call(void *calls, const char *name)
{
	const struct words *names = calls;

	return *name != '_' && bsearch(&name, names->v, names->n, sizeof(*names->v), by_text);
}

/* ---- what C sources define ---- */

/* What stands in front of a name, in its declaration */
enum before { BEFORE_NOTHING, BEFORE_TYPE, BEFORE_POINTER, BEFORE_OTHER };

struct source {
	const char *text, *at, *end;
	size_t depth; /* of braces */
	enum before before;
	bool is_static, declares; /* the declaration: or it has extern or typedef */
	bool linkage;		  /* extern "C" was the last: what its brace holds is at the same depth */
};

static bool is_in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void skip_to(struct source *s, const char *what)
{
	const char *found = memmem(s->at, s->end - s->at, what, strlen(what));

	s->at = found ? found + strlen(what) : s->end;
}

static void skip_quoted(struct source *s)
{
	char quote = *s->at++;

	while (s->at < s->end && *s->at != quote && *s->at != '\n')
		s->at += 1 + (*s->at == '\\' && s->at + 1 < s->end);
	s->at += s->at < s->end;
}

/* A directive, with the lines that go on with it. */
static void skip_line(struct source *s)
{
	while (s->at < s->end && *s->at != '\n')
		s->at += 1 + (*s->at == '\\' && s->at + 1 < s->end);
}

/* Space and comments; true if there was some. */
static bool skip_space(struct source *s)
{
	const char *from = s->at;

	while (s->at < s->end) {
		if (isspace((unsigned char)*s->at))
			s->at++;
		else if (s->end - s->at > 1 && !memcmp(s->at, "//", 2))
			skip_line(s);
		else if (s->end - s->at > 1 && !memcmp(s->at, "/*", 2))
			skip_to(s, "*/");
		else
			break;
	}
	return s->at > from;
}

static void skip_parentheses(struct source *s)
{
	size_t depth = 0;

	while (s->at < s->end) {
		if (skip_space(s))
			continue;
		if (strchr("\"'", *s->at)) {
			skip_quoted(s);
			continue;
		}
		depth += *s->at == '(';
		depth -= *s->at == ')' && depth;
		s->at++;
		if (!depth)
			return;
	}
}

/* Behind a name, outside of functions: whether the name is defined there. */
static bool is_defined(struct source *s, bool is_label)
{
	skip_space(s);
	if (is_label || s->at == s->end || s->before == BEFORE_OTHER || s->is_static)
		return is_label;
	if (*s->at != '(')
		return !s->declares && strchr(s->before == BEFORE_POINTER ? ")[" : "=;,[", *s->at);
	skip_parentheses(s);
	skip_space(s);
	/* types of parameters may stand in front of the brace, or what C++ says of the function;
	   behind a declaration, what the compiler is told, by some macro */
	return s->at < s->end && (*s->at == '{' || (islower((unsigned char)*s->at) && !iot_begins(s->at, "asm")));
}

static bool is_word(const char *name, size_t n, const char *word)
{
	return n == strlen(word) && !memcmp(name, word, n);
}

static bool look_at_name(struct source *s, const struct words *calls)
{
	const char *name = s->at;
	bool is_label;
	size_t n;

	while (s->at < s->end && is_in_name(*s->at))
		s->at++;
	n = s->at - name;
	if (s->depth)
		return false;
	s->linkage = is_word(name, n, "extern");
	s->is_static |= is_word(name, n, "static");
	s->declares |= s->linkage || is_word(name, n, "typedef");
	/* an assembler's label is alone in front of its colon */
	is_label = (name == s->text || name[-1] == '\n') && s->at < s->end && *s->at == ':';
	if (is_call((void *)calls, iot_text("%.*s", (int)n, name)) && is_defined(s, is_label))
		return true;
	s->before = is_word(name, n, "struct") || is_word(name, n, "union") || is_word(name, n, "enum") ?
			    BEFORE_OTHER :
			    BEFORE_TYPE;
	return false;
}

static void look_at_brace(struct source *s)
{
	if (*s->at == '}')
		s->depth -= s->depth > 0;
	else if (s->depth || !s->linkage)
		s->depth++;
	s->at++;
}

/* What is neither a name nor a text. */
static void look_at_mark(struct source *s)
{
	const char *mark = s->at;

	if (strchr("{}", *mark)) {
		look_at_brace(s);
	} else if (*mark == '(' && !s->depth) {
		s->at++;
		skip_space(s);
		if (s->at < s->end && *s->at == '*' && s->before == BEFORE_TYPE) {
			s->before = BEFORE_POINTER;
			return;
		}
		s->at = mark;
		skip_parentheses(s);
	} else {
		s->at++;
	}
	if (s->depth || (strchr("*&,", *mark) && s->before != BEFORE_NOTHING))
		return;
	s->before = strchr(";{}", *mark) ? BEFORE_NOTHING : BEFORE_OTHER;
	if (s->before == BEFORE_NOTHING)
		s->is_static = s->declares = s->linkage = false;
}

static bool look_at_source(void *calls, const char *text, size_t n)
{
	struct source s = { .text = text, .at = text, .end = text + n };

	if (iot_self.fortran)
		return false;
	while (s.at < s.end) {
		if (skip_space(&s))
			continue;
		if (*s.at == '#')
			skip_line(&s);
		else if (*s.at == '"' || *s.at == '\'')
			skip_quoted(&s);
		else if (!is_in_name(*s.at))
			look_at_mark(&s);
		else if (look_at_name(&s, calls))
			return true;
	}
	return s.depth > 0; /* of branches that preprocessors choose among: not understood */
}

/* ---- everything that is linked ---- */

/* A library of the system's that has calls, whoever names it */
static bool is_systems(const char *path)
{
	static const char *const names[] = {
		"libc.a", "libpthread.a", "librt.a", "libdl.a", "libutil.a", "libanl.a", "libgcc.a", "libgcc_eh.a",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(iot_base(path), names[i]))
			return true;
	return false;
}

static bool file_defines(const char *path, struct words *calls)
{
	struct elf e;
	bool defines;

	if (is_systems(path))
		return false;
	e = iot_elf_open(path);
	defines = iot_elf_defines(&e, is_call, calls) || iot_elf_is_bitcode(&e);
	iot_elf_close(&e);
	return defines;
}

bool iot_defines_calls(const struct request *r, const struct place *p)
{
	struct words calls = names_of_calls(p), dirs = iot_library_dirs(r);
	struct scan scan = { .look = look_at_source, .arg = &calls };

	for (size_t i = 0; i < r->symbols.n; i++)
		if (is_call(&calls, *iot_split(r->symbols.v[i], "=").v))
			return true;
	for (size_t i = 0; i < r->order.n; i++) {
		const char *path = iot_linked_file(r->order.v[i], r, &dirs);

		if (path && iot_is_binary(path) && file_defines(path, &calls))
			return true;
	}
	return iot_scan(&scan, r) || scan.unknown;
}
