/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve-gate.c - who may ask: whoever shows the token.
 *
 * Each user of this host can reach the server, and so can each page of the world that is open in a
 * browser here.  The token keeps out other users.  A page from elsewhere could ask with the
 * user's cookie, or have its own name lead to 127.0.0.1: so Host has to be this server,
 * and what browsers say of where a request comes from has to be this server, too.
 *
 * Who connects and asks nothing, or a byte now and then, takes a place.  When few places are left,
 * whoever has stood there longest without a token loses his.
 */
#include "config.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "serve.h"

static struct {
	char token[33];
	char host[2][32];	/* names of the server */
	char cookie[24];	/* of this port: cookies are the same for all ports */
	char set_cookie[160];
} gate;

void gate_make(uint16_t port)
{
	unsigned char bytes[16];
	size_t i;

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		iot_die("the kernel has no random bytes for a token");
	for (i = 0; i < sizeof(bytes); i++)
		snprintf(gate.token + 2 * i, 3, "%02x", bytes[i]);
	snprintf(gate.host[0], sizeof(gate.host[0]), "127.0.0.1:%u", port);
	snprintf(gate.host[1], sizeof(gate.host[1]), "localhost:%u", port);
	snprintf(gate.cookie, sizeof(gate.cookie), "iotrace-%u", port);
	snprintf(gate.set_cookie, sizeof(gate.set_cookie), "%s=%s; Path=/; HttpOnly; SameSite=Strict", gate.cookie,
		 gate.token);
}

const char *gate_token(void)
{
	return gate.token;
}

const char *gate_set_cookie(void)
{
	return gate.set_cookie;
}

/* ---- places ---- */

struct client {
	struct MHD_Connection *connection;
	struct client *newer;
	bool known; /* it has shown the token */
	bool leaves;
};
static struct client *oldest, **behind_newest = &oldest;
static unsigned n_clients;

static void make_room(void)
{
	struct client *c = oldest;
	const union MHD_ConnectionInfo *info;

	while (c && (c->known || c->leaves))
		c = c->newer;
	info = c ? MHD_get_connection_info(c->connection, MHD_CONNECTION_INFO_CONNECTION_FD) : NULL;
	if (!info)
		return;
	c->leaves = true;
	shutdown(info->connect_fd, SHUT_RDWR);
}

void *gate_enter(struct MHD_Connection *connection)
{
	const unsigned free_places = 10;
	struct client *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->connection = connection;
	*behind_newest = c;
	behind_newest = &c->newer;
	if (++n_clients > MOST_CLIENTS - free_places)
		make_room();
	return c;
}

void gate_leave(void *place)
{
	struct client *c = place, **at = &oldest;

	if (!c)
		return;
	while (*at != c)
		at = &(*at)->newer;
	*at = c->newer;
	if (behind_newest == &c->newer)
		behind_newest = at;
	n_clients--;
	free(c);
}

static void note_token(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct client *c = info ? info->socket_context : NULL;

	if (c)
		c->known = true;
}

/* ---- questions ---- */

/* How long it takes does not tell how much of it is right. */
static bool is_token(const char *s)
{
	unsigned char differs = 0;
	size_t i;

	if (!s || strlen(s) != sizeof(gate.token) - 1)
		return false;
	for (i = 0; i < sizeof(gate.token) - 1; i++)
		differs |= (unsigned char)(s[i] ^ gate.token[i]);
	return !differs;
}

static bool is_ours(const char *host)
{
	return host && (!strcmp(host, gate.host[0]) || !strcmp(host, gate.host[1]));
}

/* Another page's request; going to the page from elsewhere is no such. */
static bool is_foreign(struct MHD_Connection *c, const char *host, bool is_page)
{
	const char *origin = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Origin");
	const char *site = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Sec-Fetch-Site");
	const char *mode = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Sec-Fetch-Mode");

	if (origin && (strncmp(origin, "http://", 7) || strcmp(origin + 7, host)))
		return true;
	if (!site || !strcmp(site, "same-origin") || !strcmp(site, "none"))
		return false;
	return !(is_page && mode && !strcmp(mode, "navigate"));
}

static enum gate ask(struct MHD_Connection *c, bool is_page)
{
	const char *host = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host");
	const char *authorization = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Authorization");

	if (!is_ours(host))
		return GATE_HOST;
	if (is_foreign(c, host, is_page))
		return GATE_ORIGIN;
	if (is_page && is_token(MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "token")))
		return GATE_ENTERS;
	if (authorization && !strncmp(authorization, "Bearer ", 7) && is_token(authorization + 7))
		return GATE_OPEN;
	return is_token(MHD_lookup_connection_value(c, MHD_COOKIE_KIND, gate.cookie)) ? GATE_OPEN : GATE_TOKEN;
}

enum gate gate_ask(struct MHD_Connection *c, bool is_page)
{
	enum gate gate = ask(c, is_page);

	if (gate == GATE_OPEN || gate == GATE_ENTERS)
		note_token(c);
	return gate;
}
