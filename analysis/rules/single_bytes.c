/* SPDX-License-Identifier: BSD-3-Clause */
/* single_bytes.c - one byte a call. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

/* Through a socket may come single bytes, of those that wake somebody up: not for who reads them. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return S_ISSOCK(spot->file->mode) && spot->does != IOTA_DOES_READ ? 0 : iota_single(rule, spot);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	if (iota_is_between_ranks(a, e->group->file))
		return;
	iota_judge_small(a, rule, e);
}

LINES(single_bytes, 140, judge, .repeats = true, .sockets = true, .severity = IOTA_COST, .least = 1000, .share = 50,
	.title = "single bytes",
	.when = "A line of the program makes {least} or more system calls that move a single "
	  "byte, and these are at least {share} % of its calls on the file; of a socket, reads only.",
	.says = "{count} of {of} calls moved a single byte",
	.assumes = IOTA_MERGED,
	.remedy = "Read a block and take bytes out of it, or use a stream: getc(), putc().",
	.remedy_in[IOTA_CXX] = "Read a block with read() and take bytes out of it, or let the stream have its buffer.",
	.remedy_in[IOTA_FORTRAN] = "Read or write lines, or whole arrays, and take characters out of these.",
	.remedy_in[IOTA_PYTHON] = "Read lines or a block, f.read(1 << 16), and take bytes out of it; let the file have its "
		"buffer: no buffering=0, no os.read(fd, 1).")
