/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.c - what the tools that read logs say, and when. */
#include "config.h"

#include <unistd.h>

#include "screen.h"
#include "tool.h"

struct out iot_stdout = {.fd = STDOUT_FILENO};

const struct argp_child iot_logs_children[] = {
	{&iot_filter_argp, 0, NULL, 0},
	{&iot_logs_argp, 0, NULL, 0},
	{&iot_screen_argp, 0, NULL, 0},
	{0},
};

/* What was said before must stand before, also when both go to one place. */
void iot_before_message(void)
{
	iot_progress_clear();
	iot_out_flush(&iot_stdout);
}

void iot_no_memory(void)
{
	iot_die("out of memory");
}

void iot_on_message(void *unused, enum iotr_severity severity, const char *file, const char *text)
{
	(void)unused;
	iot_complain(severity == IOTR_UNREADABLE ? STATUS_TROUBLE
		     : severity == IOTR_NOTE	 ? STATUS_OK
						 : STATUS_LESS,
		     file, "%s", text);
}

struct iotr_set *iot_set_new(void)
{
	struct iotr_set *set = iotr_set_new(iot_on_message, NULL);

	if (!set)
		iot_no_memory();
	return set;
}
