/* SPDX-License-Identifier: BSD-3-Clause */
/* unused.c - bytes that a library reads for the program, and the program does not take. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	return spot->is_syscall && iota_spot_v(spot, IOTA_S_BENEATH) &&
			       iota_spot_mean(spot) >= rule->size && iota_number(file, IOTA_F_LIB_READ) &&
			       iota_number(file, IOTA_F_READ) / rule->factor >= iota_number(file, IOTA_F_LIB_READ)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	f.bytes = iota_number(e->group->file, IOTA_F_READ);
	f.of = iota_number(e->group->file, IOTA_F_LIB_READ);
	f.time += iota_count_others(e->group, IOTA_DOES_SEEK);
	iota_saves_bytes(a, &f, f.bytes - f.of);
	iota_finding_add(a, f);
}

LINES(unused, 195, judge, .does = IOTA_THAT(READ), .repeats = true, .severity = IOTA_COST, .least = 100, .factor = 8, .size = 16384,
	.title = "bytes read and never used",
	.when = "What a library reads for a line of the program, to fill a stream's buffer for instance, are {least} "
	  "reads or more, of {size} bytes or more on average, and all that is read of the file is at least {factor} "
	  "times as much as what the program takes of it by calls such as fread(3).",
	.says = "{bytes} were read, and the program took {of}",
	.assumes = "reads of what is used cost as much each as small calls of this run, or a microsecond if there are none",
	.remedy = "Read here and there by pread(), or let the stream have a small buffer: setvbuf(). In MPI, collective "
	  "calls, or the hint romio_ds_read, \"disable\".",
	.remedy_in[IOTA_CXX] = "Let the stream have a small buffer, rdbuf()->pubsetbuf(), or read here and there by pread().",
	.remedy_in[IOTA_FORTRAN] = "Go through the file in its order, or read all of it into an array.",
	.remedy_in[IOTA_PYTHON] = "Read here and there by os.pread(), or open the file with buffering=0.")
