/* SPDX-License-Identifier: BSD-3-Clause */
/* message.c - messages on standard error, and the exit status. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "out.h"

int iot_exit_status;
int iot_trouble = STATUS_TROUBLE;

void iot_vsay(const char *file, const char *format, va_list ap)
{
	struct out line = {.fd = STDERR_FILENO};
	char *text = NULL;

	if (iot_before_message)
		iot_before_message();
	if (vasprintf(&text, format, ap) < 0)
		text = NULL;
	iot_out_need(&line, 512);
	out_str(&line, program_invocation_short_name);
	out_lit(&line, ": ");
	if (file) {
		if (!*file)
			file = "''"; /* an unset variable of a shell, say */
		iot_out_plain(&line, file, strlen(file));
		out_lit(&line, ": ");
	}
	if (text)
		iot_out_plain(&line, text, strlen(text));
	else
		out_str(&line, format);
	out_char(&line, '\n');
	iot_out_try(&line);
	free(line.buf);
	free(text);
}

void iot_say(const char *file, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	iot_vsay(file, format, ap);
	va_end(ap);
}

void iot_complain(int status, const char *file, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	iot_vsay(file, format, ap);
	va_end(ap);
	if (iot_exit_status < status)
		iot_exit_status = status;
}

void iot_die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	iot_vsay(NULL, format, ap);
	va_end(ap);
	exit(iot_trouble);
}
