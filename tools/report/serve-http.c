/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve-http.c - requests and their answers.
 *
 *	/			the page, or how far the first reading is
 *	/api/v1/state		whether anything is new
 *	/api/v1/report		all that the page shows
 *	/api/v1/stat		iotrace-stat's JSON
 *	/api/v1/calls		calls one by one, by a child process
 *	/api/v1/files, sites, ranks, processes, threads, regions
 *				tables without an end
 *
 * What needs all logs waits until they have been read.  iotrace-report(1) says what is in each.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "serve-http.h"

enum { MOST_CHILDREN = 8, SECONDS_OF_A_CHILD = 60 };

struct server server;

double server_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* One that a child works for. */
struct request {
	struct MHD_Connection *connection;
	struct calls_query query;
	const char *limit, *after; /* of a list */
	const char *refused;	 /* NULL: all of its parameters are known */
	char name[32];		 /* of the one that is refused */
	struct work work;
	bool begun, suspended;
	struct request *next;
};
static struct request *requests;
static unsigned n_children;
static bool ends;

static const char json[] = "application/json; charset=utf-8";

/* ---- answers ---- */

static void add_headers(struct MHD_Response *r, const char *type)
{
	static const char *const header[][2] = {
		{"Cache-Control", "no-store"},
		{"X-Content-Type-Options", "nosniff"},
		{"X-Frame-Options", "DENY"},
		{"Referrer-Policy", "no-referrer"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
	};
	size_t i;

	MHD_add_response_header(r, "Content-Type", type);
	for (i = 0; i < sizeof(header) / sizeof(header[0]); i++)
		MHD_add_response_header(r, header[i][0], header[i][1]);
	if (type == json) /* should it ever be shown as a page */
		MHD_add_response_header(r, "Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
}

static enum MHD_Result reply(struct MHD_Connection *c, unsigned status, struct MHD_Response *r)
{
	enum MHD_Result sent = MHD_queue_response(c, status, r);

	MHD_destroy_response(r);
	return sent;
}

/* o's memory goes with the answer. */
static enum MHD_Result answer(struct MHD_Connection *c, unsigned status, const char *type, struct out *o)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(o->len, o->buf, MHD_RESPMEM_MUST_FREE);

	if (!r) {
		free(o->buf);
		return MHD_NO;
	}
	add_headers(r, type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(r, "Allow", "GET, HEAD");
	if (status == MHD_HTTP_SERVICE_UNAVAILABLE)
		MHD_add_response_header(r, "Retry-After", "1");
	return reply(c, status, r);
}

static enum MHD_Result answer_copy(struct MHD_Connection *c, const char *type, const struct out *o)
{
	struct out copy = {.fd = -1};

	iot_out_bytes(&copy, o->buf, o->len);
	return answer(c, MHD_HTTP_OK, type, &copy);
}

/* {"error":"what: why"}; what may be NULL. */
static enum MHD_Result refuse(struct MHD_Connection *c, unsigned status, const char *what, const char *why)
{
	struct out o = {.fd = -1};

	out_lit(&o, "{\"error\":\"");
	if (what) {
		iot_out_json(&o, what, strlen(what));
		out_lit(&o, ": ");
	}
	iot_out_json(&o, why, strlen(why));
	out_lit(&o, "\"}\n");
	return answer(c, status, json, &o);
}

static enum MHD_Result enter(struct MHD_Connection *c)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);

	if (!r)
		return MHD_NO;
	add_headers(r, "text/plain");
	MHD_add_response_header(r, "Location", "/");
	MHD_add_response_header(r, "Set-Cookie", gate_set_cookie());
	return reply(c, MHD_HTTP_SEE_OTHER, r);
}

/* What each answer of the gate comes to; false: it is open. */
static bool is_kept_out(struct MHD_Connection *c, bool is_page, enum MHD_Result *sent)
{
	switch (gate_ask(c, is_page)) {
	case GATE_OPEN:
		return false;
	case GATE_ENTERS:
		*sent = enter(c);
		break;
	case GATE_HOST:
		*sent = refuse(c, MHD_HTTP_MISDIRECTED_REQUEST, NULL, "this server is 127.0.0.1, which Host does not say");
		break;
	case GATE_ORIGIN:
		*sent = refuse(c, MHD_HTTP_FORBIDDEN, NULL, "pages from elsewhere are not answered");
		break;
	case GATE_TOKEN:
		*sent = refuse(c, MHD_HTTP_UNAUTHORIZED, NULL,
			       "no token: open the address that iotrace-report printed, or send it as Authorization: Bearer TOKEN");
		break;
	}
	return true;
}

/* ---- calls, by a child ---- */

static enum MHD_Result on_parameter(void *request, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct request *r = request;

	(void)kind;
	r->refused = calls_parameter(&r->query, name, value);
	if (r->refused)
		snprintf(r->name, sizeof(r->name), "%s", name);
	return r->refused ? MHD_NO : MHD_YES;
}

static void drop(struct request *r)
{
	struct request **at;

	for (at = &requests; *at && *at != r; at = &(*at)->next)
		;
	if (*at)
		*at = r->next;
	if (r->begun) {
		work_free(&r->work);
		n_children--;
	}
	calls_free(&r->query);
	free(r);
}

static enum MHD_Result answer_of_child(struct request *r)
{
	int status = WIFEXITED(r->work.status) ? WEXITSTATUS(r->work.status) : STATUS_TROUBLE;
	enum MHD_Result sent;
	struct out o;
	char *why;

	if (r->work.pid)
		return refuse(r->connection, MHD_HTTP_SERVICE_UNAVAILABLE, NULL, "the server ends");
	if (status < STATUS_TROUBLE) {
		o = work_read(r->work.out[0]);
		return answer(r->connection, MHD_HTTP_OK, json, &o);
	}
	why = work_message(&r->work);
	sent = refuse(r->connection, status == STATUS_REFUSED ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, why);
	free(why);
	return sent;
}

static enum MHD_Result list_calls(struct request *r)
{
	struct MHD_Connection *c = r->connection;

	if (r->begun)
		return answer_of_child(r);
	r->query.logs = server.logs;
	MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, on_parameter, r);
	if (r->refused)
		return refuse(c, MHD_HTTP_BAD_REQUEST, r->name, r->refused);
	if (n_children == MOST_CHILDREN ||
	    !work_begin(&r->work, calls_answer, &r->query, true, SECONDS_OF_A_CHILD))
		return refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, NULL, "too many questions at once; ask again");
	n_children++;
	r->begun = r->suspended = true;
	MHD_suspend_connection(c);
	return MHD_YES;
}

/* Whether the request has to wait until there is something to answer with, and what is returned for it until then. */
static bool is_early(struct request *r, enum MHD_Result *sent)
{
	if (server.generation)
		return false;
	if (ends) {
		*sent = refuse(r->connection, MHD_HTTP_SERVICE_UNAVAILABLE, NULL, "the server ends");
		return true;
	}
	r->suspended = true;
	MHD_suspend_connection(r->connection);
	*sent = MHD_YES;
	return true;
}

void http_poll(void)
{
	struct request *r;

	for (r = requests; r; r = r->next)
		if (r->suspended && (r->begun ? work_ended(&r->work, false) : server.generation > 0)) {
			r->suspended = false;
			MHD_resume_connection(r->connection);
		}
}

bool http_is_waiting(void)
{
	return n_children > 0;
}

void http_stop(void)
{
	struct request *r;

	ends = true;
	for (r = requests; r; r = r->next)
		if (r->suspended) {
			r->suspended = false;
			MHD_resume_connection(r->connection);
		}
}

/* ---- requests ---- */

static enum MHD_Result show_page(struct request *r)
{
	struct out page = {.fd = -1};

	if (!server.generation)
		early_page(&page);
	else
		report_page(&page, &server.data, report_options.title ? report_options.title : "iotrace", server.generation);
	return answer(r->connection, MHD_HTTP_OK, "text/html; charset=utf-8", &page);
}

static enum MHD_Result show_state(struct request *r)
{
	struct out o = {.fd = -1};

	out_lit(&o, "{\"version\":1,\"generation\":");
	iot_out_unsigned(&o, server.generation);
	out_str(&o, server.running ? ",\"running\":true" : ",\"running\":false");
	if (!server.generation)
		early_state(&o);
	out_lit(&o, "}\n");
	return answer(r->connection, MHD_HTTP_OK, json, &o);
}

static enum MHD_Result show_report(struct request *r)
{
	enum MHD_Result sent;

	return is_early(r, &sent) ? sent : answer_copy(r->connection, json, &server.data);
}

static enum MHD_Result show_stat(struct request *r)
{
	enum MHD_Result sent;

	return is_early(r, &sent) ? sent : answer_copy(r->connection, json, &server.stat);
}

static enum MHD_Result on_list_parameter(void *request, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct request *r = request;
	const char **known = !strcmp(name, "limit") ? &r->limit : !strcmp(name, "after") ? &r->after : NULL;

	(void)kind;
	if (known && value && !*known) {
		*known = value;
		return MHD_YES;
	}
	r->refused = !known ? "is no parameter of lists; see iotrace-report(1)" : value ? "is there twice" : "has no value";
	snprintf(r->name, sizeof(r->name), "%s", name);
	return MHD_NO;
}

static enum MHD_Result show_list(struct request *r, const char *name)
{
	struct out o = {.fd = -1};
	const char *wrong;

	MHD_get_connection_values(r->connection, MHD_GET_ARGUMENT_KIND, on_list_parameter, r);
	if (r->refused)
		return refuse(r->connection, MHD_HTTP_BAD_REQUEST, r->name, r->refused);
	wrong = lists_answer(&o, name, r->limit, r->after, server.generation);
	if (wrong)
		return refuse(r->connection, MHD_HTTP_BAD_REQUEST, NULL, wrong);
	return answer(r->connection, MHD_HTTP_OK, json, &o);
}

static enum MHD_Result on_no_parameter(void *request, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct request *r = request;

	(void)kind;
	(void)value;
	r->refused = "is given, and this address has no parameters";
	snprintf(r->name, sizeof(r->name), "%s", name);
	return MHD_NO;
}

static const struct route {
	const char *url;
	enum MHD_Result (*fn)(struct request *r);
	bool alone; /* it has no parameters */
} routes[] = {
	{"/", show_page, false},
	{"/api/v1/state", show_state, true},
	{"/api/v1/report", show_report, true},
	{"/api/v1/stat", show_stat, true},
	{"/api/v1/calls", list_calls, false},
};

static enum MHD_Result take(const struct route *route, struct request *r)
{
	if (route->alone)
		MHD_get_connection_values(r->connection, MHD_GET_ARGUMENT_KIND, on_no_parameter, r);
	return r->refused ? refuse(r->connection, MHD_HTTP_BAD_REQUEST, r->name, r->refused) : route->fn(r);
}

static enum MHD_Result begin(struct MHD_Connection *c, void **request)
{
	struct request *r = calloc(1, sizeof(*r));

	if (!r)
		return MHD_NO;
	r->connection = c;
	r->next = requests;
	requests = r;
	*request = r;
	return MHD_YES;
}

enum MHD_Result http_request(void *unused, struct MHD_Connection *c, const char *url, const char *method, const char *version,
			     const char *upload, size_t *upload_size, void **request)
{
	static const char api[] = "/api/v1/";
	enum MHD_Result sent = MHD_NO;
	size_t i;

	(void)unused;
	(void)version;
	(void)upload;
	if (!*request) { /* its headers are there, and what else it has is not */
		if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
			return refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED, NULL, "only GET and HEAD are answered");
		return begin(c, request);
	}
	if (*upload_size) {
		*upload_size = 0;
		return MHD_YES;
	}
	if (is_kept_out(c, !strcmp(url, "/"), &sent))
		return sent;
	server.asked = server_now();
	for (i = 0; i < sizeof(routes) / sizeof(routes[0]); i++)
		if (!strcmp(url, routes[i].url))
			return take(&routes[i], *request);
	if (!strncmp(url, api, sizeof(api) - 1) && is_early(*request, &sent)) /* which lists there are, is not known */
		return sent;
	if (!strncmp(url, api, sizeof(api) - 1) && lists_has(url + sizeof(api) - 1))
		return show_list(*request, url + sizeof(api) - 1);
	return refuse(c, MHD_HTTP_NOT_FOUND, NULL, "there is no such address; see iotrace-report(1)");
}

void http_client(void *unused, struct MHD_Connection *c, void **place, enum MHD_ConnectionNotificationCode what)
{
	(void)unused;
	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		*place = gate_enter(c);
	else
		gate_leave(*place);
}

void http_completed(void *unused, struct MHD_Connection *c, void **request, enum MHD_RequestTerminationCode why)
{
	(void)unused;
	(void)c;
	(void)why;
	if (*request)
		drop(*request);
	*request = NULL;
}

/* Clients that break off are no news. */
void http_log(void *unused, const char *format, va_list ap)
{
	(void)unused;
	(void)format;
	(void)ap;
}
