/* SPDX-License-Identifier: BSD-3-Clause */
/* padded.c - Fortran's records of direct access that are much longer than what is written to them. */
#include "config.h"

#include "rules.h"

static uint64_t beneath_statements(const struct iota_row *file)
{
	const struct iota_spot *s;
	uint64_t bytes = 0;

	for (s = file->spots; s; s = s->next_of_file)
		if (s->is_syscall && s->does == IOTA_DOES_WRITE && iota_spot_v(s, IOTA_S_BENEATH))
			bytes += iota_spot_v(s, IOTA_S_BYTES);
	return bytes;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t given = iota_number(spot->file, IOTA_F_LIB_WRITTEN), written;
	const struct iota_spot *above;

	if (!spot->is_syscall || !iota_spot_v(spot, IOTA_S_BENEATH) || !given || !iota_regular(spot->file))
		return 0;
	above = iota_spot_above(spot);
	if (!above || !iota_names_statement(above->from->call) || !iota_spot_v(above, IOTA_S_RAW))
		return 0;
	written = beneath_statements(spot->file);
	return written / rule->factor >= given && written - given >= rule->size ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_row *file = e->group->file;
	struct iota_finding f = iota_about_group(rule, e->group);

	f.bytes = beneath_statements(file);
	f.of = iota_number(file, IOTA_F_LIB_WRITTEN);
	iota_saves_bytes(a, &f, f.bytes - f.of);
	iota_finding_of_file(a, f);
}

LINES(padded, 158, judge, .does = IOTA_THAT(WRITE), .repeats = true, .severity = IOTA_COST, .factor = 4, .size = 1048576,
	.title = "records filled up with nothing",
	.when = "Fortran's unformatted WRITE fills records of direct access up to their length (RECL), so that {factor} times as many "
	  "bytes are written to the file as the statements give, or more, and {size} more.",
	.says = "{bytes} were written, and the statements gave {of}",
	.assumes = "a byte costs as much as in this run",
	.remedy = "Have records of the length that most need, and several for what is longer; or ACCESS='STREAM', with a table "
	  "of where each begins.")
