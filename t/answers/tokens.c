/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tokens.c - counts the words, numbers and other characters of a text.
 *
 * build: iocc -static
 * input: seq -f 'item %06g;' 1 3000 >model.txt
 */
#include <ctype.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int source;

/* The next character, or -1 */
static int next(void)
{
#ifdef FIXED
	static unsigned char buf[65536];
	static ssize_t at, end;

	if (at == end) {
		end = read(source, buf, sizeof(buf));
		at = 0;
		if (end <= 0)
			return -1;
	}
	return buf[at++];
#else
	unsigned char c;

	return read(source, &c, 1) == 1 ? c : -1; /* FINDING single-bytes model.txt */
#endif
}

/* Both return what stands behind the token. */
static int word(int c)
{
	while (isalnum(c))
		c = next();
	return c;
}

static int number(int c)
{
	while (isdigit(c))
		c = next();
	return c;
}

int main(void)
{
	int words = 0, numbers = 0, others = 0, c;

	source = open("model.txt", O_RDONLY);
	if (source < 0)
		err(1, "model.txt");
	c = next();
	while (c >= 0) {
		if (isdigit(c)) {
			numbers++;
			c = number(c);
		} else if (isalpha(c)) {
			words++;
			c = word(c);
		} else {
			others += !isspace(c);
			c = next();
		}
	}
	close(source);
	printf("%d words, %d numbers, %d others\n", words, numbers, others);
	return 0;
}
