/* SPDX-License-Identifier: BSD-3-Clause */
/* serve-none.c - --serve where there is no libmicrohttpd. */
#include "config.h"

#include "serve.h"

void report_serve(char **logs, uint16_t port)
{
	(void)logs;
	(void)port;
	iot_die("--serve: iotrace was built without libmicrohttpd; install it and build iotrace again");
}
