/* SPDX-License-Identifier: BSD-3-Clause */
/* needs.h - what a link would be without us. */
#ifndef IOCC_NEEDS_H
#define IOCC_NEEDS_H

#include "iocc.h"

/* A link without us. */
struct plain {
	bool tried; /* false: that can't be done twice */
	bool links;
	bool known;	     /* what it linked could be read: */
	struct words needed; /* the names of the shared libraries that it needs */
};
struct plain iot_link_without_us(const struct command *c, const struct request *r);

/* The file of what is linked, a file or -lNAME; NULL if it is not found. */
const char *iot_linked_file(const char *linked, const struct request *r, const struct words *dirs);
/* Adds the names of the libraries that these need. */
void iot_add_behind(struct words *names, const struct words *dirs);

#endif
