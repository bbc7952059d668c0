/* SPDX-License-Identifier: BSD-3-Clause */
/* count.c LOG... - prints how many calls logs have; opens the first log itself, too. */
#include <iotrace/read.h>
#include <fcntl.h>
#include <stdio.h>

static void on_message(void *arg, enum iotr_severity severity, const char *file, const char *text)
{
	(void)arg;
	(void)severity;
	fprintf(stderr, "%s: %s\n", file, text);
}

int main(int argc, char **argv)
{
	struct iotr_set *set = iotr_set_new(on_message, NULL);
	unsigned long n = 0;

	for (int i = 1; i < argc; i++)
		if (iotr_set_add(set, argv[i]) < 0)
			return 2;
	open(iotr_log_file(iotr_set_log(set, 0)), O_RDONLY);
	while (iotr_set_next(set))
		n++;
	printf("%lu\n", n);
	iotr_set_free(set);
	return 0;
}
