/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - one HTML file that tells all about a job. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "../../analysis/picture.h"
#include "../stat/stat.h"

/* A file that is part of the page; page.c is generated from tools/report/page and d3. */
struct page_part {
	const char *name;
	const unsigned char *bytes;
	size_t size;
};
extern const struct page_part page_parts[]; /* ends with a NULL name */

/* data.c: what there is to be shown, as one JSON object in which no HTML can be.  diff: JSON, empty if
   nothing is compared. */
void report_data(struct out *o, struct iota *a, const struct iotr_set *set, const struct iota_picture *p,
		 const struct out *diff);

/* page.html with all that belongs in it. */
void report_page(struct out *o, const struct out *data, const char *title); /* assemble.c */

#endif
