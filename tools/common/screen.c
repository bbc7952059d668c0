/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.c - making tables fit the terminal. */
#include "config.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "screen.h"

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
