/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bracken.c - a service whose log is turned when it is full: a copy is kept, and the log, which stays open, is emptied.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT 1048576
#define KEPT 4
#define REQUESTS 480000

static char buffer[65536];

static FILE *open_log(void)
{
	FILE *log = fopen("service.log", "a");

	if (!log)
		err(1, "service.log");
	setvbuf(log, buffer, _IOFBF, sizeof(buffer));
	return log;
}

#ifndef FIXED
static void keep(const char *name)
{
	static char part[262144];
	int in = open("service.log", O_RDONLY), out = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	ssize_t n;

	if (in < 0 || out < 0)
		err(1, "%s", name);
	while ((n = read(in, part, sizeof(part))) > 0)
		if (write(out, part, n) != n) /* FINDING copied service.log */
			err(1, "%s", name);
	close(in);
	close(out);
}
#endif

static FILE *turn(FILE *log, int turns)
{
	char name[40];

	snprintf(name, sizeof(name), "service.log.%d", turns % KEPT);
	fflush(log);
#ifdef FIXED
	fclose(log);
	if (rename("service.log", name))
		err(1, "%s", name);
	return open_log();
#else
	keep(name);
	if (ftruncate(fileno(log), 0))
		err(1, "service.log");
	return log;
#endif
}

int main(void)
{
	FILE *log = open_log();
	long size = 0;
	int i, turns = 0;

	for (i = 0; i < REQUESTS; i++) {
		size += fprintf(log, "request %d: the wind of station %d, %d values, status 200, from 10.1.%d.%d\n", i, i * 7 % 900,
				i % 77, i % 17, i % 250);
		if (size > LIMIT) {
			log = turn(log, turns++);
			size = 0;
		}
	}
	fclose(log);
	return 0;
}
