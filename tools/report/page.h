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

/* What the command line says. */
struct report_options {
	const char *title;   /* NULL: the first program's name */
	uint64_t most_bytes; /* of a page */
	bool sources;	     /* lines of the program's source are on the page */
	bool lists;	     /* struct report's lists are wanted */
	struct iota_picture_options picture;
};
extern struct report_options report_options; /* options.c */

/* What logs add up to. */
struct report {
	struct out data; /* all that a page shows, as one JSON object in which no HTML can be */
	struct out stat; /* iotrace-stat's JSON, which is a part of it */
	/* If they are wanted, tables without an end: "[files" and the like, then a JSON object in each line. */
	struct out lists;
	char *title;
	bool running; /* a process still writes one of the logs */
};

/* before.c */
void report_compare_with(const char *run); /* --diff */
/* These runs with the one of that name, whose sums these are: JSON, empty if there are none. */
struct out report_compare_logs(const char *name, struct iota *a, const struct iotr_set *set);
struct out report_compare_sums(const char *name, const char *database, const struct out *stat);

/* make.c */
/* False: there is nothing to report, which was said. */
bool report_make(struct report *r, char **logs);
void report_free(struct report *r);

/* fit.c: draws as report_options.picture says, again and again until the page is no larger than it may
   be; then r has its data.  diff: JSON, empty if nothing is compared. */
typedef struct iota_picture *report_draw_fn(void *arg);
void report_fit(struct report *r, report_draw_fn *draw, void *arg, const struct out *diff);

/* data.c: r's data, of its title and stat; diff: JSON, empty if nothing is compared. */
void report_data(struct report *r, const struct iota_picture *p, const struct out *diff);

/* assemble.c: page.html with all that belongs in it; how large that is without data.  served: which of the
   server's data that is, for which the page may ask; 0: the page is a file. */
void report_page(struct out *o, const struct out *data, const char *title, uint64_t served);
size_t report_page_size(void);

#endif
