/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - words, text, files and messages of the compiler wrappers. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "iocc.h"

/* Whose the messages are; identity.c finds out. */
struct identity iot_self = { .name = "iocc" };

static void *need(void *memory)
{
	if (!memory)
		iot_die(1, "out of memory");
	return memory;
}

void iot_add(struct words *to, const char *word)
{
	if (to->n + 2 > to->room) {
		to->room = 2 * to->room + 16;
		to->v = need(realloc(to->v, to->room * sizeof(*to->v)));
	}
	to->v[to->n++] = (char *)word;
	to->v[to->n] = NULL;
}

void iot_add_all(struct words *to, const struct words *from)
{
	for (size_t i = 0; i < from->n; i++)
		iot_add(to, from->v[i]);
}

char *iot_text(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	return need(text);
}

struct words iot_split(const char *text, const char *separators)
{
	struct words words = { 0 };

	while (*(text += strspn(text, separators))) {
		size_t n = strcspn(text, separators);

		iot_add(&words, need(strndup(text, n)));
		text += n;
	}
	return words;
}

bool iot_has(const struct words *words, const char *word)
{
	for (size_t i = 0; i < words->n; i++)
		if (!strcmp(words->v[i], word))
			return true;
	return false;
}

bool iot_has_beginning(const struct words *words, const char *with)
{
	for (size_t i = 0; i < words->n; i++)
		if (iot_begins(words->v[i], with))
			return true;
	return false;
}

const char *iot_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *iot_dir(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return need(strdup("."));
	return need(strndup(path, slash > path ? slash - path : 1));
}

char *iot_real(const char *path)
{
	return realpath(path, NULL);
}

bool iot_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

bool iot_ends(const char *text, const char *with)
{
	size_t n = strlen(text), m = strlen(with);

	return n >= m && !strcmp(text + n - m, with);
}

bool iot_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

char *iot_read_all(int fd, size_t *size)
{
	size_t room = 4096, n = 0;
	char *text = need(malloc(room));

	for (;;) {
		ssize_t got = read(fd, text + n, room - n - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return NULL;
		if (!got)
			break;
		n += got;
		if (n + 1 == room)
			text = need(realloc(text, room *= 2));
	}
	text[n] = 0;
	if (size)
		*size = n;
	return text;
}

char *iot_read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;

	if (fd < 0)
		return NULL;
	text = iot_read_all(fd, size);
	close(fd);
	return text;
}

static void say(const char *what, const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	dprintf(STDERR_FILENO, "%s: %s%s\n", iot_self.name, what, text ? text : "out of memory");
}

void iot_die(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("", format, args);
	va_end(args);
	exit(status);
}

void iot_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("", format, args);
	va_end(args);
}

void iot_not_instrumented(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("not instrumented: ", format, args);
	va_end(args);
}
