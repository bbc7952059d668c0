/* SPDX-License-Identifier: BSD-3-Clause */
/* say.c - messages about a log. */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>

#include "log-data.h"

/* A hostile log must not bury the terminal: after so many lines about damage
   one more says that there is more. */
#define MAX_DAMAGE 20

void iotr_say(struct iotr_log *log, enum iotr_severity severity, const char *format, ...)
{
	char text[1024];
	va_list ap;
	unsigned i;

	if (severity == IOTR_DAMAGE) {
		log->damaged = true;
		if (log->n_damage++ == MAX_DAMAGE)
			format = "further damage is not listed";
		else if (log->n_damage > MAX_DAMAGE)
			return;
	}
	if (!log->fn)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	/* names and values come from the log: keep the terminal and the line whole */
	for (i = 0; text[i]; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	log->fn(log->fn_arg, severity, log->file, text);
}
