/* SPDX-License-Identifier: BSD-3-Clause */
/* out.c - buffered output and the ways in which bytes are escaped. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "message.h"
#include "out.h"

bool iot_out_try(struct out *o)
{
	size_t done = 0, len = o->len;

	o->len = 0;
	while (done < len) {
		ssize_t n = write(o->fd, o->buf + done, len - done);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			done += (size_t)n;
	}
	return true;
}

void iot_out_flush(struct out *o)
{
	if (o->fd < 0 || iot_out_try(o))
		return;
	if (errno == EPIPE)
		_exit(0); /* whoever read this has read enough */
	iot_die("can't write to %s: %s", o->name ? o->name : "standard output", strerror(errno));
}

void iot_out_need(struct out *o, size_t n)
{
	if (o->cap - o->len >= n)
		return;
	iot_out_flush(o);
	if (o->cap - o->len >= n)
		return;
	o->cap = (o->len + n) * 2;
	if (o->cap < 64)
		o->cap = 64;
	o->buf = realloc(o->buf, o->cap);
	if (!o->buf)
		iot_die("out of memory");
}

void iot_out_bytes(struct out *o, const char *s, size_t n)
{
	if (!n)
		return;
	iot_out_need(o, n);
	memcpy(o->buf + o->len, s, n);
	o->len += n;
}

static const char digit_pairs[201] = "0001020304050607080910111213141516171819"
				     "2021222324252627282930313233343536373839"
				     "4041424344454647484950515253545556575859"
				     "6061626364656667686970717273747576777879"
				     "8081828384858687888990919293949596979899";

void iot_out_unsigned(struct out *o, uint64_t v)
{
	char tmp[20];
	unsigned at = sizeof(tmp);

	while (v >= 100) {
		at -= 2;
		memcpy(tmp + at, digit_pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10) {
		at -= 2;
		memcpy(tmp + at, digit_pairs + v * 2, 2);
	} else {
		tmp[--at] = (char)('0' + v);
	}
	iot_out_bytes(o, tmp + at, sizeof(tmp) - at);
}

void iot_out_padded(struct out *o, uint64_t v, unsigned digits)
{
	char tmp[20];
	unsigned i;

	for (i = digits; i > 1; v /= 100)
		memcpy(tmp + (i -= 2), digit_pairs + v % 100 * 2, 2);
	if (i)
		tmp[0] = (char)('0' + v % 10);
	iot_out_bytes(o, tmp, digits);
}

void iot_out_base(struct out *o, uint64_t v, unsigned shift)
{
	char tmp[24];
	unsigned at = sizeof(tmp);

	do {
		tmp[--at] = "0123456789abcdef"[v & ((1u << shift) - 1)];
		v >>= shift;
	} while (v);
	iot_out_bytes(o, tmp + at, sizeof(tmp) - at);
}

/* Length of the UTF-8 sequence at s, 0 if these bytes are none. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
	size_t len, i;
	uint32_t c;

	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		len = 2, c = s[0] & 0x1f;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		len = 3, c = s[0] & 0x0f;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		len = 4, c = s[0] & 0x07;
	else
		return 0;
	if (len > n)
		return 0;
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if ((len == 3 && (c < 0x800 || (c >= 0xd800 && c <= 0xdfff))) ||
	    (len == 4 && (c < 0x10000 || c > 0x10ffff)))
		return 0;
	return len;
}

/* Code point of a sequence of that length. */
static uint32_t utf8_value(const unsigned char *s, size_t len)
{
	uint32_t c = len == 1 ? s[0] : s[0] & (0xffu >> (len + 1));
	size_t i;

	for (i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

/* Characters that a terminal obeys rather than shows: controls, those that turn the
   direction of what follows, and ends of lines by other names. */
static bool obeyed(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Length of the character at s; 0 if it is none, or none to be shown as it is. */
static size_t shown_length(const unsigned char *s, size_t n)
{
	size_t len;

	if (s[0] < 0x80)
		return !obeyed(s[0]);
	len = utf8_length(s, n);
	return len && !obeyed(utf8_value(s, len)) ? len : 0;
}

/* How many of the characters at s are the same in every format. */
static size_t plain_length(const unsigned char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' && s[i] != '\\' && s[i] != '!')
		i++;
	return i;
}

static size_t out_plain_run(struct out *o, const unsigned char *s, size_t n)
{
	size_t len = plain_length(s, n);

	memcpy(o->buf + o->len, s, len);
	o->len += len;
	return len;
}

static void json_u(struct out *o, const char *lead, unsigned v, unsigned digits)
{
	out_str(o, lead);
	while (digits--)
		out_char(o, "0123456789abcdef"[v >> 4 * digits & 15]);
}

/* \udcXX for a byte that is no UTF-8, as Python's surrogateescape has it. */
void iot_out_json(struct out *o, const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i, len;

	iot_out_need(o, n * 6 + 1);
	for (i = 0; (i += out_plain_run(o, s + i, n - i)) < n; i += len) {
		unsigned char c = s[i];

		len = shown_length(s + i, n - i);
		if (c == '"' || c == '\\') {
			o->buf[o->len++] = '\\';
			o->buf[o->len++] = (char)c;
		} else if (len == 1) {
			o->buf[o->len++] = (char)c;
		} else if (len) {
			memcpy(o->buf + o->len, s + i, len);
			o->len += len;
		} else if (c == '\n' || c == '\t' || c == '\r') {
			out_str(o, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
			len = 1;
		} else {
			len = c < 0x80 ? 1 : utf8_length(s + i, n - i);
			if (len)
				json_u(o, "\\u", utf8_value(s + i, len), 4);
			else
				json_u(o, "\\udc", c, 2);
			len += !len;
		}
	}
}

static void out_octal(struct out *o, unsigned char c)
{
	o->buf[o->len++] = '\\';
	o->buf[o->len++] = (char)('0' + (c >> 6));
	o->buf[o->len++] = (char)('0' + (c >> 3 & 7));
	o->buf[o->len++] = (char)('0' + (c & 7));
}

void iot_out_escaped(struct out *o, const char *text, size_t n, const char *pairs)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i = 0;

	iot_out_need(o, n * 4 + 1);
	while ((i += out_plain_run(o, s + i, n - i)) < n) {
		size_t len = shown_length(s + i, n - i);
		const char *named = pairs;

		while (len < 2 && *named && (unsigned char)*named != s[i])
			named += 2;
		if (len > 1) {
			memcpy(o->buf + o->len, s + i, len);
			o->len += len;
			i += len;
			continue;
		}
		if (*named && named[1] != '0') {
			o->buf[o->len++] = '\\';
			o->buf[o->len++] = named[1];
		} else if (len && !*named) {
			o->buf[o->len++] = (char)s[i];
		} else {
			out_octal(o, s[i]);
		}
		i++;
	}
}

/* As in C source: \n, \t, \" and \ooo for what can't be printed. */
void iot_out_c(struct out *o, const char *text, size_t n)
{
	iot_out_escaped(o, text, n, "\"\"\\\\\nn\tt\rr\ff\vv");
}

void iot_out_plain(struct out *o, const char *s, size_t n)
{
	iot_out_escaped(o, s, n, "");
}

/* RFC 4180: quotes around what needs them, inner ones doubled. */
void iot_out_csv_json(struct out *o, const char *s, size_t n)
{
	size_t i;

	iot_out_need(o, 2 * n + 2);
	out_char(o, '"');
	for (i = 0; i < n; i++) {
		if (s[i] == '"')
			out_char(o, '"');
		out_char(o, s[i]);
	}
	out_char(o, '"');
}

/* A backslash that would be taken for \ooo. */
static bool octal_follows(const char *s, size_t n)
{
	return n > 3 && s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
	       s[3] >= '0' && s[3] <= '7';
}

void iot_out_csv(struct out *o, const char *s, size_t n)
{
	size_t i, len;
	bool quotes = memchr(s, ',', n) || memchr(s, '"', n) || memchr(s, '\n', n);

	iot_out_need(o, 4 * n + 3);
	if (quotes)
		out_char(o, '"');
	/* what spreadsheets take for a formula, and run */
	if (n && s[0] && strchr("=+-@\t\r", s[0]))
		out_char(o, '\'');
	for (i = 0; i < n; i += len) {
		len = s[i] == '\n' || s[i] == '\t' ? 1 : shown_length((const unsigned char *)s + i, n - i);
		if (!len || octal_follows(s + i, n - i)) {
			out_octal(o, (unsigned char)s[i]);
			len = 1;
			continue;
		}
		if (s[i] == '"')
			out_char(o, '"');
		iot_out_bytes(o, s + i, len);
	}
	if (quotes)
		out_char(o, '"');
}
