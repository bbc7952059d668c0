/* SPDX-License-Identifier: BSD-3-Clause */
/* db-picture.h - what is read of a run: db-tables.c has what is few, of which db-picture.c makes pictures of calls. */
#ifndef REPORT_DB_PICTURE_H
#define REPORT_DB_PICTURE_H

#include <sqlite3.h>

#include "../../analysis/draw.h"
#include "db.h"

enum { DEPTHS = 256, NEAR = 2 * DEPTHS }; /* as iotrace-export nests calls */

/* What calls have in common; by number. */
struct context {
	struct iotr_schema *schema;
	size_t lane, node; /* node: SIZE_MAX: none */
	enum iota_does does;
	int part, err;
	bool is_syscall, inferred, finished;
};

struct row {
	int64_t id, parent, args;
	uint64_t start, dur, offset, size, moved;
	int64_t ret;
	unsigned has; /* IOTR_HAS_* */
	bool has_dur;
	const struct context *context;
	size_t file; /* SIZE_MAX: none */
};

/* A collective call, until all are there. */
struct meeting_call {
	struct iotr_call call;
	struct iota_sample sample;
	size_t file;
	uint32_t lane;
};

struct reading {
	const struct database *db;
	struct iota_picture *p;
	struct context *context;
	int64_t first_context;
	size_t n_contexts;
	struct iotr_schema *schema; /* by number of the kind */
	size_t n_schemas;
	size_t *node_of_stack, n_stacks;
	size_t *lane_of_thread, n_threads;
	size_t *file_of_name, n_names;
	struct row heap[NEAR + 1];
	size_t n_heap;
	int64_t open[DEPTHS]; /* ids of the calls around, of the lane that is read */
	unsigned depth;
	struct meeting_call *meet;
	size_t n_meet;
	sqlite3_stmt *text; /* of a mark */
	bool named;	    /* an operation has a name */
};

/* ---- db-tables.c ---- */

/* Kinds, threads, stacks, files and contexts. */
void report_db_tables(struct reading *r);
void report_db_tables_free(struct reading *r);
/* The context of that id; dies if there is none, as in a bad database. */
struct context *report_db_context(const struct reading *r, int64_t id);
/* The row of iotrace-stat's list of files that a column with the number of a name stands for; SIZE_MAX: none. */
size_t report_db_file(const struct reading *r, sqlite3_stmt *stmt, int column);
/* Names of those files that calls are on, but that are not listed. */
void report_db_unlisted(struct reading *r);
/* A column's text, which lives as long as the picture; NULL. */
const char *report_db_text(struct reading *r, sqlite3_stmt *stmt, int column);

#endif
