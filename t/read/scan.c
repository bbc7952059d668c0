/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.c - reads logs in both ways that reader has and compares the calls.
 *
 *	scan LOG...
 *
 * prints "LOG CALLS same" or "LOG CALLS CALLS differ" a log.  What is compared is
 * the sum of a hash of each call: the order is what the two ways differ in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iotrace/read.h"

struct sum {
	uint64_t calls, hash;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 32;
}

static uint64_t mix_bytes(uint64_t h, const char *s, size_t n)
{
	h = mix(h, n);
	while (n--)
		h = mix(h, (unsigned char)*s++);
	return h;
}

static uint64_t mix_value(uint64_t h, const struct iotr_value *v)
{
	h = mix(h, v->type);
	switch (v->type) {
	case IOTR_VAL_NONE:
		break;
	case IOTR_VAL_WORD:
		h = mix(h, v->word);
		break;
	case IOTR_VAL_BYTES:
		h = mix_bytes(h, v->bytes, v->len);
		break;
	case IOTR_VAL_PATH:
		h = mix_bytes(h, v->path->name, v->path->len);
		break;
	case IOTR_VAL_HANDLE:
		h = mix(h, v->handle->id);
		break;
	case IOTR_VAL_PAIR:
		h = mix(h, v->pair[0] ? v->pair[0]->id : 0);
		h = mix(h, v->pair[1] ? v->pair[1]->id : 0);
	}
	return h;
}

/* All but parent, parent_id and internal, which take order. */
static void add(void *arg, const struct iotr_call *c)
{
	struct sum *sum = arg;
	uint64_t h = mix(1, c->schema->id);
	unsigned i;

	h = mix(h, c->id);
	h = mix(h, c->ticks);
	h = mix(h, c->start);
	h = mix(h, (uint64_t)c->pid << 32 | c->tid);
	h = mix(h, (uint64_t)c->stream << 32 | c->level);
	h = mix(h, (uint64_t)c->depth << 32 | c->status << 8 | c->inferred << 1 | c->no_syscall);
	if (c->status == IOTR_FINISHED || c->status == IOTR_ABANDONED)
		h = mix(h, c->dur);
	h = mix(h, c->has);
	if (c->has & IOTR_HAS_SIZE)
		h = mix(h, c->size);
	if (c->has & IOTR_HAS_OFFSET)
		h = mix(h, c->offset);
	if (c->has & IOTR_HAS_RET)
		h = mix(h, (uint64_t)c->ret);
	h = mix(h, (uint64_t)c->err << 32 | c->stack);
	h = mix(h, c->itemsize);
	h = mix(h, c->handle ? c->handle->id : 0);
	h = mix_value(h, &c->entry);
	for (i = 0; i < c->schema->n_params; i++)
		h = mix_value(h, &c->value[i]);
	sum->calls++;
	sum->hash += h;
}

static void in_order(struct iotr_set *set, struct sum *sum)
{
	const struct iotr_call *c;

	while ((c = iotr_set_next(set)))
		add(sum, c);
}

int main(int argc, char **argv)
{
	int i, status = 0;

	for (i = 1; i < argc; i++) {
		struct iotr_set *ordered = iotr_set_new(NULL, NULL),
				*any = iotr_set_new(NULL, NULL);
		struct sum a = {0}, b = {0};

		if (iotr_set_add(ordered, argv[i]) < 0 || iotr_set_add(any, argv[i]) < 0) {
			fprintf(stderr, "scan: %s: can't be read\n", argv[i]);
			return 2;
		}
		in_order(ordered, &a);
		iotr_set_scan(any, add, &b);
		if (a.calls == b.calls && a.hash == b.hash) {
			printf("%s %llu same\n", argv[i], (unsigned long long)a.calls);
		} else {
			printf("%s %llu %llu differ\n", argv[i], (unsigned long long)a.calls,
			       (unsigned long long)b.calls);
			status = 1;
		}
		iotr_set_free(ordered);
		iotr_set_free(any);
	}
	return status;
}
