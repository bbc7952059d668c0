/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * logs.h - which logs a command line names: files, directories of *.iotrace and, with -r,
 * all below them; - is standard input; a database stands for the logs that it keeps.  A log that has several
 * names counts once.
 */
#ifndef LOGS_H
#define LOGS_H

#include <argp.h>
#include <stdbool.h>

#include "iotrace/read.h"

/* For the tool's own argp: -r, and that at least one log has to be given. */
extern const struct argp iot_logs_argp;

/* Calls fn for each file; in_directory: the user named a directory that it is in.  "-" is a
   name as any other. */
typedef void iot_log_fn(void *arg, const char *file, bool in_directory);
void iot_logs_each(char **name, iot_log_fn *fn, void *arg);
/* Adds each to the set; standard input goes to a file without a name first, in TMPDIR. */
void iot_logs_add(struct iotr_set *set, char **name);
/* Of databases: whose logs are read, as database.h has it; NULL: the last run's. */
extern const char *iot_logs_run;
/* Calls fn for each file that was added, also for what is no log; fd is fn's. */
void iot_logs_again(void fn(void *arg, const char *log, int fd), void *arg);
/* Standard input, as a descriptor for those who want its bytes; it can be asked for again. */
int iot_logs_stdin(void);
/* Follows each: a log, or what is and will be in a directory, with -r below it too. */
void iot_logs_follow(struct iotr_follow *f, char **name);

#endif
