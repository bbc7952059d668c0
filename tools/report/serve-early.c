/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve-early.c - what is answered until the logs have been read for the first time: how far that is, as a page that
 * comes again by itself.  Calls one by one are there at once; what needs all logs waits.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "serve-http.h"

static struct iot_progress_said *said; /* by the child that reads */

void early_begin(void)
{
	said = mmap(NULL, sizeof(*said), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (said == MAP_FAILED)
		iot_die("there is no memory for the server: %s", strerror(errno));
	iot_progress_said = said;
}

void early_state(struct out *o)
{
	out_lit(o, ",\"reading\":");
	iot_out_unsigned(o, said->reading);
	out_lit(o, ",\"percent\":");
	iot_out_unsigned(o, said->percent);
}

void early_page(struct out *o)
{
	const unsigned reading = said->reading, percent = said->percent;

	out_lit(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
		   "<meta http-equiv=\"refresh\" content=\"1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
		   "<title>Reading logs - iotrace</title>\n"
		   "<style>body { font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem } progress { width: 100% }</style>\n"
		   "</head>\n<body>\n<main>\n<h1>The logs are being read</h1>\n<p><progress id=\"early\" aria-label=\"how far reading is\"");
	if (reading) {
		out_lit(o, " max=\"100\" value=\"");
		iot_out_unsigned(o, percent);
		out_lit(o, "\"></progress>\n<p>");
		iot_out_unsigned(o, percent);
		out_lit(o, " % of the logs are read, for the ");
		out_str(o, reading == 1 ? "first" : reading == 2 ? "second" : "third or a later");
		out_lit(o, " time; they are usually read twice.");
	} else {
		out_lit(o, "></progress>\n<p>Reading has begun.");
	}
	out_lit(o, " The report comes here when they are read.\n"
		   "<p>Calls one by one are there now: <a href=\"/api/v1/calls?limit=1000\">/api/v1/calls</a>.\n"
		   "</main>\n</body>\n</html>\n");
}
