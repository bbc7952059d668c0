/* SPDX-License-Identifier: BSD-3-Clause */
/* incomplete.c - operations that no call has ended, or asked how they ended; each is one, until
   they are joined. */
#include "config.h"

#include "rules.h"

/* From where it was begun: mostly from where the one before was. */
static const struct iota_chain *chain_of(struct iota *a, const struct iota_op *op, const struct iota_op *before,
					 const struct iota_chain *known)
{
	struct iota_origin from = {.log = (struct iotr_log *)op->log,
				   .stack = op->stack,
				   .process = op->process,
				   .pid = op->pid,
				   .ticks = op->ticks};

	return before && before->log == op->log && before->stack == op->stack ? known : iota_chain_of(a, &from);
}

static void find(struct iota *a, const struct iota_rule *rule, const struct iota_op *op, size_t n)
{
	const struct iota_chain *chain = NULL;
	const struct iota_op *before = NULL;
	size_t i;

	for (i = 0; i < n; i++) {
		struct iota_finding f = {.rule = rule, .count = 1, .bytes = op[i].size};

		/* its end may be what was not recorded */
		if (iotr_log_lost(op[i].log).calls)
			continue;
		f.chain = chain = chain_of(a, &op[i], before, chain);
		before = &op[i];
		f.name = op[i].path ? op[i].path->name : op[i].call;
		f.name_len = op[i].path ? op[i].path->len : strlen(op[i].call);
		iota_finding_add(a, f);
	}
}

static void judge(struct iota *a, const struct iota_rule *rule,
			  const struct iota_evidence *e)
{
	const struct iota_op *op;
	size_t n;

	(void)e;
	op = iota_ops_left(&a->ops, &n);
	find(a, rule, op, n);
	op = iota_ops_uncollected(&a->ops, &n);
	find(a, rule, op, n);
}

RULE(incomplete, 440, judge, .severity = IOTA_FAULT, .over = IOTA_OVER_LOGS, .joins = true,
	.title = "operations that were never completed",
	.when = "No call has completed some operations on the file: nonblocking or split ones of MPI, or "
	  "asynchronous requests, of which nobody has collected the result; and no call of the log was lost. The bytes "
	  "are those that the operations were to move. iotrace-cat(1) lists the operations one by "
	  "one.",
	.says = "{count operation} never completed or collected, {bytes}",
	.remedy = "Complete each request with MPI_Wait() or the like, each split operation with its end; "
	  "collect each asynchronous request with aio_return() or io_getevents().")
