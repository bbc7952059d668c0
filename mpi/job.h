/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.h - what the ranks of a job do together when MPI has been initialized, and
 * before it is finalized: measure how the clocks of their hosts differ, and gather
 * their logs.  They do so on a communicator of their own, in calls that are not
 * recorded, and only once all of them are known to take part.
 */
#ifndef IOT_JOB_H
#define IOT_JOB_H

#include "iompi.h"

#pragma GCC visibility push(hidden)

struct iot_job {
	MPI_Comm comm;			/* of our own */
	int rank, size;
};

/* job.c */
void iot_job_began(void);
void iot_job_ends(void);
void iot_job_over(void);

/* clock.c.  Returns false if all ranks share a clock: then there is nothing to tell. */
bool iot_job_clock(const struct iot_job *job);

/* image.c: this process's log as it will lie in the job's */
struct iot_strings {
	uint64_t *words;		/* IOT_INLINE | length and bytes, one after the other */
	uint64_t size;			/* bytes */
	uint32_t *table;		/* of 1 + word's number, by hash */
	uint32_t mask;
};
struct iot_window {			/* in both */
	uint64_t off, at;
	uint32_t size;			/* there; 0: none */
};
struct iot_image {
	const struct iot_strings *strings;
	bool share_text;		/* the schema is not repeated */
	uint64_t total;			/* bytes of the image, for its header */
	bool whole;			/* likewise: nothing more comes */
	uint64_t end;			/* the log's blocks lie before that */
	uint64_t at;			/* where the next one goes, */
	uint64_t next;			/* and where in the log it lies; 0: the header is next */
	uint64_t off;			/* where that lay which came last */
	const struct iot_window *known;	/* not NULL: only windows are wanted, but for these */
	uint32_t n_known;
	uint64_t *buf;			/* a piece of the log, */
	char *out;			/* and of the image */
	uint32_t buf_size;
};
bool iot_image_begin(struct iot_image *image, const struct iot_strings *strings, bool share_text,
		     uint64_t from);
long iot_image_next(struct iot_image *image, char **piece, struct iot_window *window);
long iot_image_header(struct iot_image *image, char **piece);
bool iot_image_again(struct iot_image *image, const struct iot_window *w, char **piece, uint32_t *size);
void iot_image_free(struct iot_image *image);
bool iot_strings_gather(struct iot_strings *s);
bool iot_strings_take(struct iot_strings *s, uint64_t size);
void iot_strings_index(struct iot_strings *s);
void iot_strings_free(struct iot_strings *s);
uint32_t iot_image_schema(const char *text, uint32_t size);
char *iot_image_text(struct iot_file_header *head);

/* merge.c.  Returns false if the ranks keep their logs. */
bool iot_job_merge(const struct iot_job *job);
/* When MPI is finalized: adds what has come since, and removes the rank's own log. */
void iot_job_merge_rest(void);

#pragma GCC visibility pop

#endif
