/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.c - see screen.h. */
#include "config.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "screen.h"
#include "tool.h"

/* ---- options ---- */

enum colour { AUTO, ALWAYS, NEVER };
static enum colour colour;

enum { OPT_COLOR = 1500, OPT_NO_PROGRESS };

static const struct argp_option options[] = {
	{"color", OPT_COLOR, "WHEN", 0,
	 "Use colours: auto (the default: on a terminal, unless NO_COLOR is set), always or never", 3},
	{"no-progress", OPT_NO_PROGRESS, NULL, 0, "Do not show how far reading has got", 3},
	{0},
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	static const char *const when[] = {[AUTO] = "auto", [ALWAYS] = "always", [NEVER] = "never", NULL};

	(void)state;
	switch (key) {
	case OPT_COLOR:
		colour = (enum colour)iot_option_choice("--color", arg, when);
		return 0;
	case OPT_NO_PROGRESS:
		iot_progress_off = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp iot_screen_argp = {.options = options, .parser = on_option};

/* ---- colours ---- */

static bool terminal_has_colours(void)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(none && *none) && term && *term && strcmp(term, "dumb") != 0;
}

void iot_style(struct out *o, enum iot_style style)
{
	/* SGR, of ECMA-48 */
	static const char *const sgr[] = {
		[IOT_PLAIN] = "\033[m",
		[IOT_STRONG] = "\033[1m",
		[IOT_FAINT] = "\033[2m",
		[IOT_BAD] = "\033[31m",
		[IOT_ODD] = "\033[33m",
	};

	if (colour == AUTO)
		colour = terminal_has_colours() ? ALWAYS : NEVER;
	if (colour == ALWAYS)
		out_str(o, sgr[style]);
}

/* ---- width ---- */

size_t iot_screen_width(void)
{
	const char *set = getenv("COLUMNS");
	struct winsize w;
	unsigned long n;
	char *end;

	if (!isatty(STDOUT_FILENO))
		return SIZE_MAX;
	n = set ? strtoul(set, &end, 10) : 0;
	if (n && n < 10000 && !*end)
		return n;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : SIZE_MAX;
}

static bool begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

void iot_out_end_of(struct out *o, const char *s, size_t n, size_t width)
{
	static struct out whole = {.fd = -1};
	size_t i, length = 0;

	whole.len = 0;
	iot_out_c(&whole, s, n);
	for (i = 0; i < whole.len; i++)
		length += begins_character(whole.buf[i]);
	if (length <= width) {
		iot_out_bytes(o, whole.buf, whole.len);
		return;
	}
	width = width > 3 ? width - 3 : 0;
	for (i = 0; i < whole.len && length > width; i++)
		length -= begins_character(whole.buf[i]);
	while (i < whole.len && !begins_character(whole.buf[i]))
		i++;
	out_lit(o, "...");
	iot_out_bytes(o, whole.buf + i, whole.len - i);
}
