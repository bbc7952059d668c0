/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.c - what pages are made of: two threads, a file that is flushed after each line and
 * read here and there and left open, one that is synced, names that are missing, and names that a browser
 * might take for more than names.  A child reads, and its child executes the program anew.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "iotrace.h"

#ifndef LINES
#define LINES 2000
#endif

static void save(FILE *f, int i)
{
	fprintf(f, "%06d %08d\n", i, i * 7);
	fflush(f);
}

static void *journal(void *unused)
{
	int fd = open("journal.db", O_RDWR | O_CREAT | O_TRUNC, 0644);
	char block[512] = "";

	for (int i = 0; i < 200; i++) {
		if (write(fd, block, sizeof(block)) != sizeof(block))
			exit(1);
		fsync(fd);
	}
	close(fd);
	return unused;
}

static void look_up(void)
{
	char line[16];
	int fd = open("table.txt", O_RDONLY);

	for (int i = 0; i < LINES; i++)
		if (pread(fd, line, sizeof(line), i * 701 % LINES * 16) != sizeof(line))
			exit(1);
	close(fd);
}

static void leak(void)
{
	if (open("table.txt", O_RDONLY) < 0)
		exit(1);
}

static void touch(const char *name)
{
	FILE *f = fopen(name, "w");

	fputs("x", f);
	fclose(f);
}

static void children(char *program)
{
	if (fork()) {
		wait(NULL);
		return;
	}
	look_up();
	if (!fork()) {
		touch("grandchild");
		execl(program, program, "again", NULL);
		_exit(1);
	}
	wait(NULL);
	_exit(0);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	struct stat st;
	FILE *f;

	if (argc > 1) {
		touch("executed");
		return 0;
	}
	pthread_create(&thread, NULL, journal, NULL);
	f = fopen("table.txt", "w");
	for (int i = 0; i < LINES; i++)
		save(f, i);
	fclose(f);
	iotrace_mark("the table is there");
	look_up();
	pthread_join(thread, NULL);
	iotrace_mark("</script><b>\302\205\342\200\256");
	children(argv[0]);
	stat("missing", &st);
	for (int i = 0; i < 100; i++)
		leak();
	touch("<img src=x onerror=\"window.broken=1\">");
	touch("heaped\314\201\314\201\314\201\314\201\314\201\314\201");
	touch("<!--<script>window.broken=1;alert('{{data}}')");
	touch("turned\342\200\256round\033]0;title\007\200\n");
	return 0;
}
