/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve.h - iotrace-report --serve: the page and what it is made of by HTTP, for this host.
 *
 * The server has one thread, which only speaks HTTP.  What needs a reading of logs is done by
 * child processes: a log that is damaged, or large, is not the server's trouble.
 */
#ifndef REPORT_SERVE_H
#define REPORT_SERVE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "page.h"

/* Until SIGINT or SIGTERM.  port 0: any that is free. */
void report_serve(char **logs, uint16_t port);

/* ---- serve-gate.c: who may ask ---- */

struct MHD_Connection;

enum gate {
	GATE_OPEN,   /* it shows the token */
	GATE_ENTERS, /* it shows the token in its URL: it gets a cookie, and the URL without token */
	GATE_HOST,   /* it takes the server for another one: a name of somebody else's leads here */
	GATE_ORIGIN, /* a page from elsewhere asks */
	GATE_TOKEN,  /* it shows none */
};

/* A new token; the names under which requests may know the server. */
void gate_make(uint16_t port);
enum { MOST_CLIENTS = 100 };
/* A connection begins, and ends with what was returned for it. */
void *gate_enter(struct MHD_Connection *c);
void gate_leave(void *place);
enum gate gate_ask(struct MHD_Connection *c, bool is_page);
const char *gate_token(void);
const char *gate_set_cookie(void); /* the header's value */

/* ---- serve-work.c: child processes ---- */

enum { WORK_OUTPUTS = 3 };

/* Of the child: options of the request were wrong, which it said. */
enum { STATUS_REFUSED = 4 };
/* Besides its status: a log is still written. */
enum { STATUS_RUNNING = 64 };

struct work {
	pid_t pid;		/* 0: it has ended */
	int status;		/* what waitpid said */
	int out[WORK_OUTPUTS];	/* files without names, of what it writes */
	int said;		/* the same, of its messages; -1: they went to standard error */
};

/* What the child does: writes to out, and returns its exit status. */
typedef int work_fn(void *arg, const int *out);
/* False: there can be none now, see errno.  At most seconds long; 0: as long as it takes. */
bool work_begin(struct work *w, work_fn *fn, void *arg, bool mute, unsigned seconds);
bool work_ended(struct work *w, bool wait);
/* Kills it if need be, and closes all. */
void work_free(struct work *w);
/* Its first message, without the tool's name; to be freed. */
char *work_message(const struct work *w);
/* To an output, and all of one. */
void work_write(int fd, const struct out *o);
struct out work_read(int fd);
double work_seconds(const struct timespec *since);

/* ---- serve-calls.c: calls one by one ---- */

enum { MOST_PARAMETERS = 32 };
enum { MOST_SECONDS = 10 }; /* for a page of calls: then it has those that were found */

struct calls_query {
	char **logs;
	char *argument[MOST_PARAMETERS + 2]; /* as iotrace-cat's options */
	int n;
	char *limit, *after, *site;
	bool stacks;
};

/* Where an answer goes on, START.N: of logs behind the first N calls that began at START and pass, of a database behind
   the call with that id. */
struct place {
	uint64_t start, n; /* start: ns since the epoch */
};

/* NULL, or what is wrong with the parameter. */
const char *calls_parameter(struct calls_query *q, const char *name, const char *value);
work_fn calls_answer;
void calls_free(struct calls_query *q);

/* ---- serve-lists.c: tables without an end ---- */

/* Of struct report, in a file that the caller closes. */
void lists_take(int fd);
bool lists_has(const char *name);
/* A page of one that there is; limit and after may be NULL.  NULL, or what is wrong. */
const char *lists_answer(struct out *o, const char *name, const char *limit, const char *after, uint64_t generation);

#endif
