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

/* Draws as report_options.picture says. */
typedef struct iota_picture *report_draw_fn(void *run);

/* What logs are drawn of. */
struct report_logs {
	struct iota *a;
	struct iotr_set *set;
};

/* Runs before this one, and what differs. */
struct report_before {
	struct out diff; /* JSON; empty: there are none */
	/* The last one of those whose calls are there, which is drawn beside this run; NULL draw: there is none. */
	report_draw_fn *draw;
	void (*end)(void *run); /* frees it */
	void *run;
	const char *name;
	struct out stat; /* as struct report has it */
};

/* before.c */
void report_compare_with(const char *run); /* --diff */
/* Two names of logs: if the first one's had ended when the other's began, they are two runs, which are compared: as if
   --diff had named the first one.  The names of what is shown. */
char **report_two_runs(char **logs);
/* Those runs with the one of that name, whose sums these are; database: that it is of; NULL: of none. */
struct report_before report_before_logs(const char *name, const char *database, struct iota *a, const struct iotr_set *set);
struct report_before report_before_sums(const char *name, const char *database, const struct out *stat);
void report_before_free(struct report_before *b);

/* analyse.c */
report_draw_fn report_logs_draw;

/* make.c */
/* False: there is nothing to report, which was said. */
bool report_make(struct report *r, char **logs);
void report_free(struct report *r);

/* fit.c: draws again and again until the page is no larger than it may be; then r has its data. */
void report_fit(struct report *r, report_draw_fn *draw, void *run, const struct report_before *before);

/* data.c: r's data, of its title and stat; other: of the run before, NULL if none is drawn. */
void report_data(struct report *r, const struct iota_picture *p, const struct report_before *before, const struct iota_picture *other);

/* assemble.c: page.html with all that belongs in it; how large that is without data.  served: which of the
   server's data that is, for which the page may ask; 0: the page is a file. */
void report_page(struct out *o, const struct out *data, const char *title, uint64_t served);
size_t report_page_size(void);

#endif
