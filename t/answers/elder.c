/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elder.c - checks measurements and tells the system's log about those that are odd.
 *
 * build: iocc -static
 * input: awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%d %.3f\n", i, (i * 7919 % 1000) / 10 }' >elder.in
 * as: modules
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>

struct reading {
	long id;
	double value;
};

static struct reading *readings;
static size_t n;

static void load(void)
{
	FILE *f = fopen("elder.in", "r");
	struct reading r;
	size_t room = 0;

	if (!f)
		err(1, "elder.in");
	while (fscanf(f, "%ld %lf", &r.id, &r.value) == 2) {
		if (n == room)
			readings = realloc(readings, (room = room ? 2 * room : 1024) * sizeof r);
		readings[n++] = r;
	}
	fclose(f);
}

static int odd;

static void complain(const struct reading *r)
{
	odd++;
#ifndef FIXED
	syslog(LOG_USER | LOG_NOTICE, "reading %ld is %.3f", r->id, r->value); /* FINDING failed log - */
#else
	(void)r;
#endif
}

static void check(void)
{
	for (size_t i = 0; i < n; i++)
		if (readings[i].value > 85 || readings[i].value < 2)
			complain(&readings[i]); /* FINDING failed log - */
#ifdef FIXED
	syslog(LOG_USER | LOG_NOTICE, "%d readings are odd", odd);
#endif
}

static void store(void)
{
	FILE *f = fopen("elder.out", "w");

	if (!f)
		err(1, "elder.out");
	fwrite(readings, sizeof *readings, n, f);
	fclose(f);
}

int main(void)
{
	openlog("elder", LOG_PID, LOG_USER);
	load();
	check();
	store();
	closelog();
	return 0;
}
