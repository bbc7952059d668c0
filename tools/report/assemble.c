/* SPDX-License-Identifier: BSD-3-Clause */
/* assemble.c - page.html with its style, its scripts and the data in place of their names. */
#include "config.h"

#include <stdlib.h>

#include "page.h"

/* Text of HTML. */
static void out_html(struct out *o, const char *s)
{
	for (; *s; s++)
		switch (*s) {
		case '&':
			out_lit(o, "&amp;");
			break;
		case '<':
			out_lit(o, "&lt;");
			break;
		default:
			out_char(o, *s);
		}
}

static const struct page_part *part(const char *name, size_t n)
{
	const struct page_part *p;

	for (p = page_parts; p->name; p++)
		if (strlen(p->name) == n && !memcmp(p->name, name, n))
			return p;
	iot_die("the page lacks %.*s", (int)n, name);
}

static void out_part(struct out *o, const struct page_part *p)
{
	iot_out_bytes(o, (const char *)p->bytes, p->size);
}

size_t report_page_size(void)
{
	const struct page_part *p;
	size_t n = 0;

	for (p = page_parts; p->name; p++)
		n += p->size;
	return n;
}

/* In page.html, {{name}} stands for a part, {{data}} for the data, {{title}} for the title, and
   {{connect}} for whom the page may ask: nobody, or only the server that it comes from, which
   {{served}} tells. */
void report_page(struct out *o, const struct out *data, const char *title, uint64_t served)
{
	const struct page_part *page = part("page.html", 9);
	const char *at = (const char *)page->bytes, *end = at + page->size, *open, *close;

	while ((open = memmem(at, (size_t)(end - at), "{{", 2)) &&
	       (close = memmem(open, (size_t)(end - open), "}}", 2))) {
		size_t n = (size_t)(close - open) - 2;

		iot_out_bytes(o, at, (size_t)(open - at));
		if (n == 4 && !memcmp(open + 2, "data", n))
			iot_out_bytes(o, data->buf, data->len);
		else if (n == 5 && !memcmp(open + 2, "title", n))
			out_html(o, title);
		else if (n == 7 && !memcmp(open + 2, "connect", n))
			out_str(o, served ? " connect-src 'self';" : "");
		else if (n == 6 && !memcmp(open + 2, "served", n))
			iot_out_unsigned(o, served);
		else
			out_part(o, part(open + 2, n));
		at = close + 2;
	}
	iot_out_bytes(o, at, (size_t)(end - at));
}
