/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz-read.c - any bytes as a log: read, filtered and printed in every format.
 *
 * With libFuzzer (`clang -fsanitize=fuzzer,address,undefined`, see t/fuzz/README)
 * this is a fuzzing target.  With replay.c it is a program that does the same with
 * the files that it is given, for `make check`.
 */
#include "config.h"

#include <stdlib.h>

#include "../../tools/cat/cat.h"
#include "fuzz.h"

struct options iot_options;
bool iot_progress_off;

/* Nothing that a log holds may lead to a message of the tool. */
void iot_before_message(void)
{
	abort();
}

static void on_message(void *arg, enum iotr_severity severity, const char *file, const char *text)
{
	(void)severity;
	(void)file;
	*(size_t *)arg += strlen(text);
	if (strchr(text, '\n'))
		abort();
}

static void look_at(const struct iotr_call *call)
{
	const struct iotr_stack *s = iotr_call_stack(call);
	uint32_t i;

	for (i = 0; s && i < s->n; i++)
		iotr_log_map(call->log, call->process, s->pc[i], call->ticks);
}

static size_t print_all(struct iotr_set *set, struct out *o)
{
	const struct format *const *f;
	const struct iotr_call *call;
	size_t passed = 0;

	for (f = iot_formats; *f; f++)
		if ((*f)->begin)
			(*f)->begin(o, set);
	while ((call = iotr_set_next(set))) {
		o->len = 0;
		passed += iot_filter_pass(call);
		for (f = iot_formats; *f; f++)
			(*f)->call(o, call);
		look_at(call);
	}
	for (f = iot_formats; *f; f++)
		if ((*f)->end)
			(*f)->end(o, set);
	return passed;
}

static void count(void *n, const struct iotr_call *call)
{
	*(size_t *)n += iot_filter_pass(call);
	look_at(call);
}

/* For sums: the same calls in another order. */
static void scan_all(const uint8_t *data, size_t size)
{
	size_t n = 0;
	struct iotr_set *set = iotr_set_new(on_message, &n);

	iotr_set_add_mem(set, data, size, "fuzz");
	iotr_set_scan(set, count, &n);
	iotr_set_free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct out o = {.fd = -1};
	size_t said = 0;
	struct iotr_set *set = iotr_set_new(on_message, &said);

	if (iotr_set_add_mem(set, data, size, "fuzz") == 0) {
		iot_options = (struct options){.paths = true,
					       .clock = size % 4,
					       .relative = true,
					       .since_start = true,
					       .offsets = true};
		o.len = 0;
		said += print_all(set, &o);
	}
	iotr_set_free(set);
	iot_notes_free();
	scan_all(data, size);
	return 0;
}
