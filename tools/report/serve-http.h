/* SPDX-License-Identifier: BSD-3-Clause */
/* serve-http.h - what the server's loop and its answers know of each other. */
#ifndef REPORT_SERVE_HTTP_H
#define REPORT_SERVE_HTTP_H

#include <microhttpd.h>

#include "serve.h"

struct server {
	char **logs;
	struct out data, stat; /* of the last analysis; see struct report */
	uint64_t generation;   /* how often they changed */
	uint64_t seen;	       /* the state of the logs by then */
	bool running;	       /* a log is still written */
	double took;	       /* seconds */
	double asked;	       /* when somebody asked last, whether anything is new */
};

/* serve-http.c */
extern struct server server;
double server_now(void); /* seconds, of a clock that begins somewhere */

/* serve-early.c: until there is a generation */
void early_begin(void); /* of each child, which begins later, it is seen how far it is */
void early_page(struct out *o);
void early_state(struct out *o); /* members of /api/v1/state */

/* for libmicrohttpd */
enum MHD_Result http_request(void *unused, struct MHD_Connection *c, const char *url, const char *method, const char *version,
			     const char *upload, size_t *upload_size, void **request);
void http_client(void *unused, struct MHD_Connection *c, void **place, enum MHD_ConnectionNotificationCode what);
void http_completed(void *unused, struct MHD_Connection *c, void **request, enum MHD_RequestTerminationCode why);
void http_log(void *unused, const char *format, va_list ap);
/* Answers of children that have ended go out; whether there are children yet. */
void http_poll(void);
bool http_is_waiting(void);
/* No more is answered. */
void http_stop(void);

#endif
