/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lathe.c - drives a lathe, and logs each cut.
 *
 * build: iocc
 * as: heron
 * library: lathe-log.c
 */
void log_add(const char *format, ...);

static double cut(int number)
{
	double depth = number % 13 * 0.25;

	log_add("cut %d: %g mm\n", number, depth); /* FINDING reopened lathe.log */
	return depth;
}

int main(void)
{
	double all = 0;

	for (int i = 0; i < 900; i++)
		all += cut(i); /* FINDING reopened lathe.log */
	return all < 0;
}
