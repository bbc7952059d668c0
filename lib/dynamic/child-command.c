/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child-command.c - system and popen in a program that has emptied its environment:
 * libc passes on the environment, which other threads can see, so that nothing of ours may
 * be put there.  The shell is told instead: it exports what is missing and becomes
 * the shell that was wanted, in the same process, with the same arguments.
 */
#include <string.h>

#include "arena.h"
#include "child-env.h"
#include "fetch.h"
#include "text.h"

#define MAX_COMMAND (128u << 10)	/* longer arguments the kernel does not take */

static size_t quoted_size(const char *s)
{
	size_t n = 2;

	for (; *s; s++)
		n += *s == '\'' ? 4 : 1;
	return n;
}

static void put_quoted(struct iot_text *x, const char *s)
{
	iot_puts(x, "'");
	for (size_t n; *s; s += n) {
		n = *s == '\'' ? 1 : strcspn(s, "'");
		if (*s == '\'')
			iot_puts(x, "'\\''");
		else
			iot_putn(x, s, n);
	}
	iot_puts(x, "'");
}

/* Ours, and a shell can export it. */
static bool is_added(const char *entry)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

	for (char **e = __environ; e && *e; e++)
		if (*e == entry)
			return false;
	return entry[strspn(entry, letters)] == '=';
}

static size_t command_size(char **env, const char *command)
{
	size_t n = sizeof("export; exec /bin/sh -c  sh") + quoted_size(command);

	for (; *env; env++)
		n += is_added(*env) ? 1 + strcspn(*env, "=") + quoted_size(*env) : 0;
	return n;
}

static void put_command(struct iot_text *x, char **env, const char *command)
{
	iot_puts(x, "export");
	for (; *env; env++) {
		size_t n = strcspn(*env, "=") + 1;

		if (!is_added(*env))
			continue;
		iot_puts(x, " ");
		iot_putn(x, *env, n);
		put_quoted(x, *env + n);
	}
	iot_puts(x, "; exec /bin/sh -c ");
	put_quoted(x, command);
	/* its $0 */
	iot_puts(x, " sh");
	iot_putn(x, "", 1);
}

const char *iot_child_command(struct iot_child_command *made, const char *command)
{
	struct iot_env_plan plan = { 0 };
	uintptr_t known = 0;
	struct iot_text x = { 0 };
	char **env;

	made->text = NULL;
	if (command)
		plan = iot_child_env_plan(__environ);
	/* the kernel is to say that it is none; what begins so a shell takes for options */
	if (!plan.size || !iot_is_text(command, &known) || *command == '-' || *command == '+')
		return command;
	env = iot_child_env(&plan, alloca(plan.size));
	made->size = command_size(env, command);
	if (made->size > MAX_COMMAND)
		return command;
	made->text = iot_map(made->size);
	if (!made->text)
		return command;
	x.buf = made->text;
	x.cap = (uint32_t)made->size;
	put_command(&x, env, command);
	return made->text;
}

void iot_child_command_done(struct iot_child_command *made)
{
	if (made->text)
		iot_unmap(made->text, made->size);
}
