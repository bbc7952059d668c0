/* SPDX-License-Identifier: BSD-3-Clause */
/* say.c - what iotrace-run says, and how it ends if it can't run the program. */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>

#include "../common/message.h"
#include "run.h"

void iot_run_say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	iot_vsay(NULL, format, ap);
	va_end(ap);
}

void iot_run_die(int status, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	iot_vsay(NULL, format, ap);
	va_end(ap);
	exit(status);
}
