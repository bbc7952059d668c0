/* SPDX-License-Identifier: BSD-3-Clause */
/* formats.c - the formats by name, and options that some of them can do nothing about. */
#include "config.h"

#include <stdio.h>

#include "cat.h"

#define ROW(name, text) extern const struct format iot_format_##name;
#include "tools/cat/formats.list"

const struct format *const iot_formats[] = {
#define ROW(name, text) &iot_format_##name,
#include "tools/cat/formats.list"
	NULL,
};

/* "text and json": those that can do that. */
static const char *names(unsigned cannot)
{
	static char list[200];
	const struct format *const *f, *last = NULL;
	int n = 0;

	for (f = iot_formats; *f; f++) {
		if ((*f)->cannot & cannot)
			continue;
		if (last)
			n += snprintf(list + n, sizeof(list) - (size_t)n, "%s%s", n ? ", " : "", last->name);
		last = *f;
	}
	if (last)
		snprintf(list + n, sizeof(list) - (size_t)n, "%s%s", n ? " and " : "", last->name);
	return list;
}

const struct format *iot_format_named(const char *name)
{
	static const char *const format_names[] = {
#define ROW(name, text) text,
#include "tools/cat/formats.list"
		NULL,
	};

	return iot_formats[iot_option_choice("--format", name, format_names)];
}

static void refuse(bool asked, const char *option, unsigned cannot)
{
	const struct format *f = iot_options.format;

	if (asked && f->cannot & cannot)
		iot_die("%s: can't be shown as %s; leave it out, or use --format=text (formats that "
			"can: %s)",
			option, f->name, names(cannot));
}

void iot_format_check(void)
{
	refuse(iot_options.stacks, "--stacks", CANNOT_STACKS);
	refuse(iot_options.relative, "--relative", CANNOT_DIFFER);
	refuse(iot_options.since_start, "--since-start", CANNOT_DIFFER);
	refuse(iot_options.about, "--about", CANNOT_ABOUT);
}
