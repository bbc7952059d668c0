/* SPDX-License-Identifier: BSD-3-Clause */
/* unseen.c - calls that have others read and write, who are not seen. */
#include "config.h"

#include "rules.h"

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const uint64_t *v = e->row->v;
	struct iota_finding f = iota_about(rule, e->row);

	if (!(iota_unseen_begins(e->row->name, e->row->extra) && v[IOTA_F_ERRORS] != v[IOTA_F_CALLS]))
		return;
	f.count = v[IOTA_F_CALLS] - v[IOTA_F_ERRORS];
	f.of = v[IOTA_F_CALLS];
	f.time = v[IOTA_F_SELF];
	iota_finding_add(a, f);
}

RULE(unseen, 470, judge, .severity = IOTA_INFO, .over = IOTA_OVER_CALLS,
	.title = "input and output that is not seen",
	.when = "The program asked the kernel to read and write for it, by io_uring_enter(2) on a ring "
	  "that is not followed. The finding names the calls. These reads and writes are in no log "
	  "and in no sum.",
	.says = "{count call}; what the kernel reads and writes for them is not recorded",
	.remedy = "Nothing: add to the sums what the program itself knows of them.")
