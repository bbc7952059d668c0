/* SPDX-License-Identifier: BSD-3-Clause */
/* types.c - types LOG...: of each write of 5 bytes, by start, its offset and its file's type. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "iotrace/read.h"

int main(int argc, char **argv)
{
	struct iotr_set *set = iotr_set_new(NULL, NULL);
	const struct iotr_call *call;

	for (int i = 1; i < argc; i++)
		if (iotr_set_add(set, argv[i]) < 0)
			return 1;
	while ((call = iotr_set_next(set)))
		if (!strcmp(call->schema->name, "write") && call->ret == 5)
			printf("%s %s\n", !(call->has & IOTR_HAS_OFFSET) ? "absent" : call->offset ? "wrong" : "0",
			       S_ISREG(call->handle->mode) ? "regular" : "other");
	iotr_set_free(set);
	return 0;
}
