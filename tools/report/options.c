/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - what a page has if no option says otherwise. */
#include "config.h"

#include "page.h"

enum { LISTED = 2000 }; /* rows of tables */

struct report_options report_options = {
	.most_bytes = 10000000,
	.sources = true,
	.picture = {
		.bins = 500, .calls = 100000, .lanes = 400, .files = 200, .listed = LISTED, .points = 500, .marks = 1000,
		.meetings = 50, .arcs = 10000}};

/* Lines of tables: the page has those that count. */
struct stat_options iot_stat_options = {.findings = true, .time = true, .top = LISTED};
