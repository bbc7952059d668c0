/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.c - messages and the exit status of the tools that read logs. */
#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tool.h"

struct out iot_stdout = {.fd = STDOUT_FILENO};
int iot_exit_status;

void iot_die(const char *format, ...)
{
	va_list ap;

	iot_progress_end();
	iot_out_flush(&iot_stdout);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

void iot_on_message(void *unused, enum iotr_severity severity, const char *file, const char *text)
{
	(void)unused;
	iot_progress_clear();
	/* what was said before must stand before, also when both go to one place */
	iot_out_flush(&iot_stdout);
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, file, text);
	if (severity == IOTR_UNREADABLE)
		iot_exit_status = 2;
	else if (severity != IOTR_NOTE && iot_exit_status < 1)
		iot_exit_status = 1;
}
