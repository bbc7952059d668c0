/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - the compiler as a process: to become it, to ask it, to show its command. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "iocc.h"

void iot_become(const struct words *args)
{
	struct words script = { 0 };

	execve(iot_self.path, args->v, environ);
	if (errno == ENOEXEC) { /* as execvp(3) does */
		iot_add(&script, "sh");
		iot_add(&script, iot_self.path);
		for (size_t i = 1; i < args->n; i++)
			iot_add(&script, args->v[i]);
		execve("/bin/sh", script.v, environ);
	}
	iot_die(126, "%s: %s", iot_self.path, strerror(errno));
}

/* The input, as a file without a name */
static int input_file(const char *input)
{
	int fd = input ? memfd_create("iocc", MFD_CLOEXEC) : open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (input && (write(fd, input, strlen(input)) < 0 || lseek(fd, 0, SEEK_SET)))
		return -1;
	return fd;
}

char *iot_ask_program(const char *program, const struct words *argv, const char *input,
		      bool with_stderr)
{
	posix_spawn_file_actions_t actions;
	int from[2], in = input_file(input), status;
	char *said = NULL;
	pid_t child;

	if (in < 0 || pipe2(from, O_CLOEXEC))
		return iot_text("%s", "");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, 0);
	posix_spawn_file_actions_adddup2(&actions, from[1], 1);
	if (with_stderr)
		posix_spawn_file_actions_adddup2(&actions, from[1], 2);
	else
		posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	if (!posix_spawnp(&child, program, &actions, NULL, argv->v, environ)) {
		close(from[1]);
		said = iot_read_all(from[0], NULL);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	} else {
		close(from[1]);
	}
	posix_spawn_file_actions_destroy(&actions);
	close(from[0]);
	close(in);
	return said ? said : iot_text("%s", "");
}

char *iot_ask(const struct words *args, const char *input, bool with_stderr)
{
	struct words argv = { 0 };

	iot_add_all(&argv, &iot_self.command);
	iot_add_all(&argv, args);
	return iot_ask_program(iot_self.path, &argv, input, with_stderr);
}

char *iot_ask_1(const char *argument)
{
	struct words args = { 0 };
	char *said;

	iot_add(&args, argument);
	said = iot_ask(&args, NULL, false);
	said[strcspn(said, "\n")] = 0;
	return said;
}

static void show_quoted(const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "_./:=@%+,-";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, stdout);
		return;
	}
	putchar('\'');
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*word);
	}
	putchar('\'');
}

void iot_show(const struct words *args)
{
	size_t i = 0;

	/* several words are shown as they were given, unless another is found first */
	if (iot_self.several && iot_self.command.v[0] != iot_self.path) {
		fputs(iot_self.asked, stdout);
		i = iot_self.command.n;
	}
	for (; i < args->n; i++) {
		if (i)
			putchar(' ');
		show_quoted(args->v[i]);
	}
	putchar('\n');
}
