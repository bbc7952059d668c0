/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rates.c - converts amounts by a table of rates, which may change while the program runs.
 *
 * build: iocc -static
 * as: brook
 * input: seq 1 100 >rates.txt; seq 1 20000 >amounts.txt
 */
#include <err.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

static double rate[100];
static struct timespec as_of;

static void load(void)
{
	FILE *f = fopen("rates.txt", "r");

	if (!f)
		err(1, "rates.txt");
	for (int i = 0; i < 100; i++)
		if (fscanf(f, "%lf", &rate[i]) != 1)
			errx(1, "rates.txt: too short");
	fclose(f);
}

static void refresh(void)
{
	struct stat st;

	if (stat("rates.txt", &st)) /* FINDING stat-storm rates.txt */
		err(1, "rates.txt");
	if (st.st_mtim.tv_sec == as_of.tv_sec && st.st_mtim.tv_nsec == as_of.tv_nsec)
		return;
	load();
	as_of = st.st_mtim;
}

static double convert(int amount, int number)
{
#ifdef FIXED
	if (number % 4096 == 0)
#endif
		refresh();
	return amount * rate[number % 100];
}

int main(void)
{
	FILE *amounts = fopen("amounts.txt", "r");
	double sum = 0;
	int amount;

	if (!amounts)
		err(1, "amounts.txt");
	for (int i = 0; fscanf(amounts, "%d", &amount) == 1; i++)
		sum += convert(amount, i);
	fclose(amounts);
	printf("%g\n", sum);
	return 0;
}
