/* SPDX-License-Identifier: BSD-3-Clause */
/* formats.c - all formats, by their names. */
#include "config.h"

#include "export.h"

#define ROW(name, text) extern const struct format iot_export_##name;
#include "tools/export/formats.list"

static const struct format *const formats[] = {
#define ROW(name, text) &iot_export_##name,
#include "tools/export/formats.list"
	NULL,
};

static const char *const names[] = {
#define ROW(name, text) text,
#include "tools/export/formats.list"
	NULL,
};

const struct format *iot_export_format(const char *name)
{
	const struct format *f = formats[iot_option_choice("--to", name, names)];

	if (f->missing)
		iot_die("--to=%s: iotrace was built without %s", name, f->missing);
	return f;
}
