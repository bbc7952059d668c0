/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h - tables of rows, which are added at the end. */
struct row {
	long key;
	long value[3];
};

struct rows;

struct rows *rows_create(const char *path);
void rows_add(struct rows *rows, const struct row *row);
void rows_close(struct rows *rows);
