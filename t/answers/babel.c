/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * babel.c - translates messages, if there is a catalogue for the language: for each message it
 * looks for that again, in few directories.
 *
 * build: iocc -static
 * as: modules
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define MESSAGES 40

static int find(const char *domain)
{
	static const char *const language[] = {"de_AT.UTF-8", "de_AT", "de.UTF-8", "de"};
	char path[64];
	unsigned i;
	int fd = -1;

	for (i = 0; i < sizeof(language) / sizeof(language[0]) && fd < 0; i++) {
		snprintf(path, sizeof(path), "locale/%s/%s.mo", language[i], domain);
		fd = open(path, O_RDONLY); /* FINDING searched babel.mo */
	}
	return fd;
}

static void translate(const char *message)
{
	static int catalogue = -2;

#ifdef FIXED
	if (catalogue == -2)
#endif
		catalogue = find("babel");
	puts(catalogue < 0 ? message : "");
}

int main(void)
{
	char message[32];
	int i;

	for (i = 0; i < MESSAGES; i++) {
		snprintf(message, sizeof(message), "message %d", i);
		translate(message);
	}
	return 0;
}
