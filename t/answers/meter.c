/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meter.c - appends what meters say to the file of a day.
 *
 * build: iocc -static
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define READINGS 20000

struct store {
	int fd;
	size_t used;
	char buf[32768];
};

static void put(struct store *s, const char *text, size_t size)
{
#ifdef FIXED
	if (s->used + size > sizeof(s->buf)) {
		if (write(s->fd, s->buf, s->used) != (ssize_t)s->used)
			err(1, "day.txt");
		s->used = 0;
	}
	memcpy(s->buf + s->used, text, size);
	s->used += size;
#else
	if (write(s->fd, text, size) != (ssize_t)size) /* FINDING appends|small-writes day.txt */
		err(1, "day.txt");
#endif
}

static void end(struct store *s)
{
	if (s->used && write(s->fd, s->buf, s->used) != (ssize_t)s->used)
		err(1, "day.txt");
	close(s->fd);
}

static void reading(struct store *s, int meter, double value)
{
	char line[64];

	put(s, line, (size_t)snprintf(line, sizeof(line), "%d %.2f\n", meter, value));
}

static void missing(struct store *s, int meter)
{
	static const char text[] = " is silent\n";
	char line[64];

	put(s, line, (size_t)snprintf(line, sizeof(line), "%d", meter));
	put(s, text, sizeof(text) - 1);
}

int main(void)
{
	struct store s = {.fd = open("day.txt", O_WRONLY | O_CREAT | O_APPEND, 0666)};

	if (s.fd < 0)
		err(1, "day.txt");
	for (int i = 0; i < READINGS; i++)
		if (i % 5)
			reading(&s, i % 300, i * 0.25);
		else
			missing(&s, i % 300);
	end(&s);
	return 0;
}
