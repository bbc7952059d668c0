/* SPDX-License-Identifier: BSD-3-Clause */
/* formats.c - all formats, by their names. */
#include "config.h"

#include "export.h"

#define FORMAT(name) &iot_export_##name,
static const struct format *const formats[] = {FORMATS(FORMAT) NULL};
#undef FORMAT

#define NAME(name) #name,
static const char *const names[] = {FORMATS(NAME) NULL};
#undef NAME

const struct format *iot_export_format(const char *name)
{
	const struct format *f = formats[iot_option_choice("--to", name, names)];

	if (f->missing)
		iot_die("--to=%s: iotrace was built without %s", name, f->missing);
	return f;
}
