/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frame.c - compiling with frame pointers where that is possible.
 *
 * -fno-omit-frame-pointer takes %rbp away from the program, and GCC refuses asm
 * statements and variables that use it.  So when a compilation fails it is done again
 * without, and what the user sees is the second one's.  Until then nothing of the
 * first is seen.  So is a link with a sanitizer, if that fails.  Clang refuses nothing and makes code that does not work, and with
 * link-time optimization code is made when it is too late: there the source is looked
 * at first.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "iocc.h"

/* The register's name between quotation marks, as a clobber or of a variable */
static bool names_register(const char *text)
{
	for (const char *at = text; (at = strstr(at, "bp")); at += 2) {
		const char *from = at, *end = at + 2;

		if (*end == 'l')
			end++;
		if (from > text && (from[-1] == 'r' || from[-1] == 'e'))
			from--;
		if (from > text && from[-1] == '%')
			from--;
		if (from > text && from[-1] == '"' && *end == '"')
			return true;
	}
	return false;
}

static bool look(void *none, const char *text, size_t n)
{
	(void)none;
	(void)n;
	return names_register(text);
}

bool iot_uses_frame_register(const struct request *r)
{
	struct scan scan = { .look = look };

	return !r->omits && (r->lto || iot_is_clang()) && iot_scan(&scan, r);
}

/* What failed when it was tried may have failed for want of room in the directory of that link alone. */
static void fail_again(const struct words *args)
{
	struct held held[2];
	int status = iot_run_held(args, held);

	if (status < 0)
		return;
	iot_write_held(held);
	if (!status)
		iot_not_instrumented("the same link failed before, to a file in %s (make room there or set TMPDIR)",
				     iot_tmpdir());
	exit(WEXITSTATUS(status));
}

void iot_compile(const struct command *c, const struct request *r)
{
	struct words with = iot_command_line(c, true, true), without = iot_command_line(c, false, false);
	struct held held[2];
	off_t at = 0;

	if (c->failed)
		fail_again(&with);
	if ((!c->frame || r->omits) && !c->sanitized)
		iot_become(&with);
	if (!iot_is_repeatable(r) || (r->from_stdin && !iot_keep_input(&at))) {
		if (c->sanitized)
			iot_warn_of_sanitizer(r, false);
		iot_become(&without);
	}
	if (!iot_run_held(&with, held)) {
		iot_write_held(held);
		exit(0);
	}
	if (r->from_stdin)
		lseek(STDIN_FILENO, at, SEEK_SET);
	/* the program may define functions of these names */
	if (c->sanitized) {
		with = iot_command_line(c, true, false);
		if (!iot_run_held(&with, held)) {
			iot_warn_of_sanitizer(r, false);
			iot_write_held(held);
			exit(0);
		}
		if (r->from_stdin)
			lseek(STDIN_FILENO, at, SEEK_SET);
	}
	iot_become(&without);
}
