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
	iot_die("can't write to standard output: %s", strerror(errno));
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

	for (i = digits; i-- > 0; v /= 10)
		tmp[i] = (char)('0' + v % 10);
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

/* \udcXX for a byte that is no UTF-8, as Python's surrogateescape has it. */
void iot_out_json(struct out *o, const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i = 0;

	iot_out_need(o, n * 6 + 1);
	while (i < n) {
		unsigned char c = s[i];
		size_t len;

		if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
			o->buf[o->len++] = (char)c;
			i++;
			continue;
		}
		len = c >= 0x80 ? utf8_length(s + i, n - i) : 0;
		if (len) {
			memcpy(o->buf + o->len, s + i, len);
			o->len += len;
			i += len;
			continue;
		}
		o->buf[o->len++] = '\\';
		if (c == '"' || c == '\\') {
			o->buf[o->len++] = (char)c;
		} else if (c == '\n' || c == '\t' || c == '\r') {
			o->buf[o->len++] = c == '\n' ? 'n' : c == '\t' ? 't' : 'r';
		} else {
			memcpy(o->buf + o->len, c >= 0x80 ? "udc" : "u00", 3);
			o->buf[o->len + 3] = "0123456789abcdef"[c >> 4];
			o->buf[o->len + 4] = "0123456789abcdef"[c & 15];
			o->len += 5;
		}
		i++;
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
	while (i < n) {
		unsigned char c = s[i];
		size_t len = c >= 0x80 ? utf8_length(s + i, n - i) : 0;
		const char *named = pairs;

		if (len > 1 && !(len == 2 && c == 0xc2 && s[i + 1] < 0xa0)) { /* no C1 controls */
			memcpy(o->buf + o->len, s + i, len);
			o->len += len;
			i += len;
			continue;
		}
		i++;
		while (*named && (unsigned char)*named != c)
			named += 2;
		if (*named) {
			o->buf[o->len++] = '\\';
			o->buf[o->len++] = named[1];
		} else if (c >= 0x20 && c < 0x7f) {
			o->buf[o->len++] = (char)c;
		} else {
			out_octal(o, c);
		}
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
void iot_out_csv(struct out *o, const char *s, size_t n)
{
	size_t i;
	bool plain = true;

	for (i = 0; i < n && plain; i++)
		plain = s[i] != ',' && s[i] != '"' && s[i] != '\n' && s[i] != '\r';
	if (plain) {
		iot_out_bytes(o, s, n);
		return;
	}
	iot_out_need(o, 2 * n + 2);
	out_char(o, '"');
	for (i = 0; i < n; i++) {
		if (s[i] == '"')
			out_char(o, '"');
		out_char(o, s[i]);
	}
	out_char(o, '"');
}
