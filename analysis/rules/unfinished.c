/* SPDX-License-Identifier: BSD-3-Clause */
/* unfinished.c - calls that were in progress when their log ended. */
#include "config.h"

#include "rules.h"

static void judge(struct iota *a, const struct iota_rule *rule,
			  const struct iota_evidence *e)
{
	const struct iotr_call *call = e->call;
	const struct iotr_path *path = call->handle ? call->handle->path : NULL;
	uint64_t end = iota_log_latest(call->log);
	struct iota_bytes name = {0};

	iota_bytes_text(&name, call->schema->name);
	if (path) {
		iota_bytes_text(&name, " on ");
		iota_bytes_add(&name, path->name, path->len);
	}
	iota_finding_add(a, (struct iota_finding){
				    .rule = rule,
				    .name = iota_keep(&a->memory, &name),
				    .name_len = name.len,
				    .count = 1,
				    .pid = call->pid,
				    .tid = call->tid,
				    .time = end > call->start ? end - call->start : 0,
			    });
}

RULE(unfinished, 480, judge, .severity = IOTA_INFO, .over = IOTA_OVER_UNFINISHED,
	.title = "a call in progress at the end",
	.when = "A call was in progress when the log ended. The time is that since the call began.",
	.says = "in progress at the end in thread {tid}",
	.remedy = "If the program was killed since it hung, it hung here.")
