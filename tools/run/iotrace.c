/* SPDX-License-Identifier: BSD-3-Clause */
/* iotrace - runs iotrace-NAME, the one that was installed beside it. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/where.h"

static const char help[] =
	"Usage: iotrace run [OPTION...] PROGRAM [ARGUMENT...]\n"
	"  or:  iotrace COMMAND [ARGUMENT...]\n"
	"Record the I/O calls of a program, or look at what was recorded.\n"
	"\n"
	"  run                        Run a program and record its calls\n"
	"  cat                        Print the calls of logs\n"
	"  stat                       Sum up logs\n"
	"  report                     Write a page on which to explore logs\n"
	"  ctl                        Switch the recording of a running program off and on\n"
	"  export                     Write calls in formats of other tools\n"
	"  pack                       Make logs small\n"
	"  drop-cache                 Have the page cache give up files\n"
	"  warm                       Read files into the page cache\n"
	"  audit                      List the system calls that a wrapper can't see\n"
	"\n"
	"  -h, --help                 Give this help list\n"
	"  -V, --version              Print program version\n"
	"\n"
	"iotrace COMMAND is the same as iotrace-COMMAND; `iotrace COMMAND --help' says more.\n"
	"Exit status: the command's; 2 if there is none of that name.\n";

static void run(const char *command, char **argv)
{
	char path[4096 + 64], *slash, *own = iot_own_path();

	snprintf(path, 4096, "%s", own ? own : "");
	free(own);
	slash = strrchr(path, '/');
	snprintf(slash ? slash + 1 : path, 60, "iotrace-%.40s", command);
	argv[0] = path;
	if (slash)
		execv(path, argv);
	argv[0] = slash ? slash + 1 : path;
	if (errno == ENOENT || !slash)
		execvp(argv[0], argv);
	fprintf(stderr, "iotrace: %s: %s (iotrace --help lists the commands)\n", command,
		errno == ENOENT ? "no such command" : strerror(errno));
	exit(2);
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";

	if (!strcmp(command, "--help") || !strcmp(command, "-h") || !strcmp(command, "-?")) {
		fputs(help, stdout);
		return fflush(stdout) ? 2 : 0;
	}
	if (!strcmp(command, "--version") || !strcmp(command, "-V")) {
		puts("iotrace (" PACKAGE_NAME ") " PACKAGE_VERSION);
		return fflush(stdout) ? 2 : 0;
	}
	if (!*command || *command == '-' || strchr(command, '/')) {
		fprintf(stderr, "iotrace: %s%sno command (iotrace --help lists the commands)\n", command,
			*command ? ": " : "");
		return 2;
	}
	run(command, argv + 1);
}
