/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in-order.c - all calls of logs in the order in which they began, one a line:
 * number, parent's number, process/thread, start, duration in ns, name, file, result.
 *
 *	cc in-order.c -o in-order $(pkg-config --cflags --libs iotrace-read)
 *	./in-order *.iotrace
 */
#include <inttypes.h>
#include <stdio.h>

#include <iotrace/read.h>

static void on_message(void *arg, enum iotr_severity severity, const char *file, const char *text)
{
	int *worst = arg;

	fprintf(stderr, "%s: %s\n", file, text);
	if ((int)severity > *worst)
		*worst = (int)severity;
}

static void print(const struct iotr_call *call)
{
	const struct iotr_path *path;
	size_t len = 0;
	const char *name = iotr_call_path(call, &len, &path, NULL);

	printf("%" PRIu64 " %" PRIu64 " %u/%u %" PRIu64 " ", call->id, call->parent_id, call->pid,
	       call->tid, call->start);
	if (iotr_call_has_dur(call))
		printf("%" PRIu64 " ", call->dur);
	else
		printf("- ");
	/* a name may hold any byte: iotrace-cat shows how to print it safely */
	printf("%s %.*s ", call->schema->name, name ? (int)len : 1, name ? name : "-");
	if (call->has & IOTR_HAS_RET)
		printf("%" PRId64 "\n", call->ret);
	else
		printf("-\n");
}

int main(int argc, char **argv)
{
	int worst = IOTR_NOTE, i;
	struct iotr_set *set = iotr_set_new(on_message, &worst);
	const struct iotr_call *call;

	for (i = 1; i < argc; i++)
		iotr_set_add(set, argv[i]); /* what can't be read was said */
	while ((call = iotr_set_next(set)))
		print(call);
	iotr_set_free(set);
	return worst > IOTR_NOTE;
}
