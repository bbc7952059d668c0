/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.h - what the tools that read logs share. */
#ifndef TOOL_H
#define TOOL_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "iotrace/read.h"
#include "logs.h"
#include "message.h"
#include "option.h"
#include "out.h"

/* ---- tool.c ---- */

/* Standard output.  What it holds is written before a message is. */
extern struct out iot_stdout;
/* For the tool's own argp: the options of filter.c and logs.c. */
extern const struct argp_child iot_logs_children[];
/* To be given to iotr_set_new. */
void iot_on_message(void *unused, enum iotr_severity severity, const char *file, const char *text);

/* ---- progress.c: how far reading has got, on a terminal ---- */

extern bool iot_progress_off;
/* Before the first call is read.  output_at_end: nothing is printed until
   iot_progress_end.  What prints something else clears first. */
void iot_progress_begin(const struct iotr_set *set, bool output_at_end);
void iot_progress_clear(void);
void iot_progress_end(void);

/* To be called for every call that was read. */
extern uint64_t iot_progress_calls;
void iot_progress_show(void);

static inline void iot_progress(void)
{
	if (!(++iot_progress_calls % 1024))
		iot_progress_show();
}

/* ---- ops.c: operations that have not ended when all calls have been seen ---- */

struct op {
	const struct iotr_log *log;
	uint32_t process;	/* its number */
	const struct iotr_path *path; /* NULL: not known */
	const char *call;	     /* that began it */
	const char *family;	     /* each has numbers of its own */
	uint64_t number, start, offset, size;
	bool has_offset, has_size;
	bool begun, wanted;
};
/* To be called for every call, in any order.  wanted: it is to be listed. */
void iot_ops_see(const struct iotr_call *call, bool wanted);
/* After the last one, while the logs are there: what is left, by start. */
const struct op *iot_ops_left(size_t *n);

/* ---- unseen.c: what the kernel does for the program by itself ---- */

/* Whether the system call of that name has the kernel read and write. */
bool iot_unseen_begins(const char *name);
/* To be called for every call; after the last one, while the logs are there: a note on
   stderr for each log that has such calls. */
void iot_unseen_see(const struct iotr_call *call);
void iot_unseen_tell(void);

/* ---- filter.c: the calls that the user wants to see ---- */

extern const struct argp iot_filter_argp; /* these options, and --no-progress */
/* After the logs are open: complain about names that no log and no table knows. */
void iot_filter_check(const struct iotr_set *set);
/* To a set that has no logs yet: --symfs. */
void iot_symfs_set(struct iotr_set *set);
bool iot_filter_test(const struct iotr_call *call);
extern bool iot_filter_given;
/* After the last call: complains if there were none that passed. */
void iot_filter_end(void);

static inline bool iot_filter_pass(const struct iotr_call *call)
{
	return !iot_filter_given || iot_filter_test(call);
}

#endif
