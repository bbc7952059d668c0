/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - the parts of iotrace-run. */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>

/* Of iotrace-run itself; the program's are its own. */
#define EXIT_OURS	   125
#define EXIT_NO_EXEC	   126
#define EXIT_NOT_FOUND	   127

void iot_run_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
void iot_run_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- look.c: what the program is ---- */

/* The file that execvp would run; NULL if there is none, with errno. */
char *iot_run_find(const char *program);
/* Says in one line why it can't be recorded by preload, and what to do.  Returns
   true if it brings AddressSanitizer along, which wants to be the first library. */
bool iot_run_look(const char *path);
bool iot_run_is_elf(const char *path);

/* ---- env.c: what it is told by its environment ---- */

void iot_run_set(const char *setting, const char *value);
void iot_run_set_directory(const char *directory);
void iot_run_preload(void);
void iot_run_allow_sanitizer(void);

#endif
