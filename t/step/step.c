/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.c - takes a traced program through the recorder, instruction by instruction:
 *
 *	step kill PROGRAM SETUP PATTERN
 *	step signal|within|deep|jump PROGRAM SETUP PATTERN HANDLER [STRIDE]
 *	step look PROGRAM SETUP PATTERN HANDLER STRIDE LOW HIGH
 *
 * In the current directory, with logs in ./logs.  Prints what is wrong; status 0
 * if nothing is, 1, or 77 if ptrace is not permitted.  stepped.c says what the
 * letters of SETUP, PATTERN and HANDLER mean.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "step.h"

static struct board *make_board(void)
{
	int fd = open("board", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct board *b;

	if (fd < 0 || ftruncate(fd, sizeof(*b)) < 0)
		die("board: cannot be made");
	b = mmap(NULL, sizeof(*b), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (b == MAP_FAILED)
		die("board: cannot be mapped");
	close(fd);
	return b;
}

int main(int argc, char **argv)
{
	struct run run = { .logs = "logs", .name = argc > 4 ? argv[4] : "" };
	bool kill = argc > 4 && !strcmp(argv[1], "kill");
	char *stepped[7] = { NULL };

	if (argc < (kill ? 5 : 6)) {
		fputs("step: see the head of step.c\n", stderr);
		return 2;
	}
	run.board = make_board();
	if (argc > 8) {
		run.low = strtoull(argv[7], NULL, 16);
		run.high = strtoull(argv[8], NULL, 16);
	}
	stepped[0] = argv[2];
	stepped[1] = "board";
	stepped[2] = argv[3];
	stepped[3] = argv[4];
	stepped[4] = kill ? "1" : "1000000";
	stepped[5] = kill ? "" : argv[5];
	tracee_start(stepped);
	if (kill)
		kill_everywhere(&run, !argv[3][0]);
	else
		signal_everywhere(&run, argv[1], argc > 6 ? (unsigned)atoi(argv[6]) : 1);
	return n_wrong != 0;
}
