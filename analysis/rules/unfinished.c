/* SPDX-License-Identifier: BSD-3-Clause */
/* unfinished.c - calls that were in progress when their log ended. */
#include "config.h"

#include "rules.h"

void iota_rule_unfinished(struct iota *a, const struct iota_rule *rule,
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
