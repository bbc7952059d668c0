/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - the parts of iotrace-run. */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>

/* Of iotrace-run itself; the program's are its own. */
#define EXIT_OURS	   125
#define EXIT_NO_EXEC	   126
#define EXIT_NOT_FOUND	   127

/* ---- say.c ---- */

void iot_run_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
void iot_run_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- look.c: what the program is ---- */

/* The file that execvp would run; NULL if there is none, with errno. */
char *iot_run_find(const char *program);
#define MOST_THROUGH 4u
struct iot_run_program {
	bool asan;		/* it brings AddressSanitizer along, which wants to be the first library */
	bool find_mpi;		/* whether to say which: */
	const char *mpi;	/* that it uses, as configure calls it; NULL: none that we know */
	char executable[4096];	/* the program, the interpreter of a script, or what either becomes for certain, as env
				   does; empty: not known */
	char *through[MOST_THROUGH];	/* interpreters that become another program */
	unsigned n_through;
	char loader[256];	/* of a dynamic executable; else empty */
};
/* Says in one line why it can't be recorded by preload, and what to do. */
void iot_run_look(const char *path, struct iot_run_program *program);
bool iot_run_is_elf(const char *path);
/* Of an interpreter: whether its scripts mostly begin other programs. */
bool iot_run_is_shell(const char *executable);

/* ---- mpi.c: whose MPI it uses ---- */

/* By name; dies if there is none of that name.  "none": NULL. */
const char *iot_run_mpi_named(const char *name);
/* Of an executable, by the libraries that its loader finds for it; NULL: none. */
const char *iot_run_mpi_of(const char *loader, const char *path);
/* What the launcher that started us is of, if it says so; NULL: none. */
const char *iot_run_mpi_around(void);

/* Each line that the loader has to say of the executable's libraries. */
typedef void iot_run_line_fn(void *arg, char *line);
void iot_run_libraries(const char *loader, const char *path, iot_run_line_fn *fn, void *arg);

/* ---- files.c: what is mapped before the program begins ---- */

/* The program, its interpreters if it is a script, its libraries; the last is NULL. */
char **iot_run_files(const char *path, const struct iot_run_program *program);
/* With IOTRACE_FAULTS and IOTRACE_CACHE: the recorder, which begins when these files are mapped, is
   told what of them is in the page cache now. */
void iot_run_tell_found(const char *path, const struct iot_run_program *program);

/* ---- cold.c: nothing of it is in memory ---- */

/* What of the program, its libraries and the files that its arguments name is in the page cache
   is evicted; what stays is said in one line. */
void iot_run_cold(const char *path, const struct iot_run_program *program, char **argv);

/* ---- env.c: what it is told by its environment ---- */

void iot_run_set(const char *setting, const char *value);
/* IOTRACE_DIR: directory as it is, and below it what may have %u and the like. */
void iot_run_set_literal(const char *directory, const char *below);
/* Whether the administrator's file of defaults says something of it. */
bool iot_run_site_has(const char *setting);
void iot_run_set_directory(const char *directory);
/* That the program be recorded, where it would not be by default. */
void iot_run_ask(void);
/* mpi: whose wrappers it is to have; NULL: none */
void iot_run_preload(const char *mpi);
void iot_run_allow_sanitizer(void);

#endif
