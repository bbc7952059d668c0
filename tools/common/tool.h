/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.h - what the tools that read logs share. */
#ifndef TOOL_H
#define TOOL_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "iotrace-format.h" /* IOT_HAS_*, IOT_LOST_* */
#include "iotrace/read.h"
#include "logs.h"
#include "message.h"
#include "option.h"
#include "out.h"

/* ---- tool.c ---- */

/* Standard output.  What it holds is written before a message is. */
extern struct out iot_stdout;
/* For the tool's own argp: the options of filter.c, logs.c and screen.c. */
extern const struct argp_child iot_logs_children[];
/* That memory is out: what analysis.h's iota_no_memory is set to. */
void iot_no_memory(void) __attribute__((noreturn));
/* To be given to what opens logs. */
void iot_on_message(void *unused, enum iotr_severity severity, const char *file, const char *text);
/* A set whose messages go there. */
struct iotr_set *iot_set_new(void);

/* ---- progress.c: how far reading has got, on a terminal ---- */

extern bool iot_progress_off;
/* Before the first call is read.  output_at_end: nothing is printed until
   iot_progress_end.  What prints something else clears first. */
void iot_progress_begin(const struct iotr_set *set, bool output_at_end);
void iot_progress_clear(void);
void iot_progress_end(void);
/* Which reading it is, from 1 on, and how far it has got, where another process sees it; NULL: none looks. */
struct iot_progress_said {
	_Atomic unsigned reading, percent;
};
extern struct iot_progress_said *iot_progress_said;

/* To be called for every call that was read. */
extern uint64_t iot_progress_calls;
void iot_progress_show(void);

static inline void iot_progress(void)
{
	if (!(++iot_progress_calls % 1024))
		iot_progress_show();
}

/* ---- unseen.c: what the kernel does for the program by itself ---- */

/* To be called for every call; after the last one, while the logs are there: a note on
   stderr for each log that has such calls. */
void iot_unseen_see(const struct iotr_call *call);
void iot_unseen_tell(void);

/* ---- filter.c: the calls that the user wants to see ---- */

extern const struct argp iot_filter_argp;
/* --to=TIME, of a tool whose --to has other values as well. */
void iot_filter_to(char *time);
/* After the logs are open: complain about names that no log and no table knows. */
void iot_filter_check(const struct iotr_set *set);
/* Has the set leave out blocks without calls that pass. */
void iot_filter_choose(struct iotr_set *set);
/* Has the set begin with calls at from_ns since the epoch or later, as far as --from and --to let them
   pass; of which logs' blocks that lie elsewhere are not read. */
void iot_filter_seek(struct iotr_set *set, uint64_t from_ns);
/* --from and --to, as far as they were given, in ns since begun, which is ns since the epoch; what counts
   from a log's beginning counts from there. */
void iot_filter_window(int64_t begun, int64_t *first, int64_t *behind);
/* For who chooses calls by other means: what was said behind the option of that name, each time that it was given;
   an empty string behind what takes nothing. */
void iot_filter_each(void fn(void *arg, const char *value), void *arg, const char *name);
/* Whether the table has a call of that name. */
bool iot_filter_knows(const char *call);
/* To a set that has no logs yet: --symfs. */
void iot_symfs_set(struct iotr_set *set);
bool iot_filter_test(const struct iotr_call *call);
extern bool iot_filter_given;
extern bool iot_filter_passed; /* that a call did */
/* After the last call: complains if there were none that passed. */
void iot_filter_end(void);

static inline bool iot_filter_pass(const struct iotr_call *call)
{
	return !iot_filter_given || iot_filter_test(call);
}

#endif
