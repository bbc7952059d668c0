/* SPDX-License-Identifier: BSD-3-Clause */
/* export.h - what the parts of iotrace-export know of each other. */
#ifndef EXPORT_H
#define EXPORT_H

#include "../../analysis/watch.h"
#include "../common/fields.h"
#include "../common/whole.h"

/* ---- formats ---- */

struct format {
	const char *name;
	/* Calls come thread by thread, those inside of another before it, and the analysis
	   adds them up: rows and findings are there in the end.  Else they come by start,
	   and samples have what iota_sample sets. */
	bool by_thread;
	unsigned tables;     /* of that analysis */
	bool appends;	     /* knows --append */
	const char *missing; /* NULL: it was built; else what iotrace was built without */
	/* name: of the file that is to be written.  All logs are known from begin on. */
	void (*begin)(const char *name, const struct iotr_set *set, struct iota *a);
	void (*call)(const struct iota_sample *s);
	/* Of a call that no filter lets pass; NULL: does not care. */
	void (*left_out)(const struct iotr_call *call);
	void (*end)(const struct iotr_set *set, struct iota *a);
};

/* A format is a file of formats/, which ends with its row: FORMAT(name, number, ...), with the members of
   the struct above.  Its name is the file's, and the manual has what the head of the file says that it is.
   Messages name formats in the order of their numbers.  table/rows.awk makes formats.list of all of them. */
#define FORMAT(name_of_file, number, ...)                                                          \
	extern const struct format iot_export_##name_of_file;                                      \
	const struct format iot_export_##name_of_file = {.name = #name_of_file, __VA_ARGS__};
/* Stands in the place of the row where there is no such library. */
#define NO_FORMAT(name_of_file, library) FORMAT(name_of_file, 0, .missing = library)

/* Dies if there is none of that name, or if it was not built. */
const struct format *iot_export_format(const char *name);

struct export_options {
	const struct format *format;
	const char *output;
	const char *run; /* --run: what the run is called; NULL */
	bool append;
	bool no_logs; /* --no-logs */
	char **argv;
};
extern struct export_options iot_export_options;

/* Behind the name of what is no call, but bytes that calls moved which were not seen: who counts by name counts the
   calls that iotrace-stat has. */
#define IOT_EXPORT_INFERRED ", inferred"

/* When the first of the logs was begun, and the newest moment of all; ns since the epoch. */
uint64_t iot_export_begins(const struct iotr_set *set);
uint64_t iot_export_ends(const struct iotr_set *set);

/* ---- dict.c: numbers for what comes again ---- */

struct dict {
	struct dict_entry **slot;
	size_t size, n;
	size_t most; /* entries that are remembered, then it begins anew; 0: all */
};
/* The number that these bytes have, *is_new if they have none yet: then it is to be set. */
uint64_t *iot_dict(struct dict *d, const void *bytes, size_t len, bool *is_new);
void iot_dict_free(struct dict *d);

#endif
