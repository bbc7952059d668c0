/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nothing.c - calls on streams that libc has no reason to look at: nothing is asked
 * for, or what is given is none.  Each in a child, on what is no stream.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static char bytes[64];
static wchar_t wide[4];
static size_t n;

static long call(int which, FILE *f)
{
	char *line = NULL;

	switch (which) {
	case 0: return (long)fread(bytes, 0, 5, f);
	case 1: return (long)fread(bytes, 5, 0, f);
	case 2: return (long)fwrite(bytes, 0, 5, f);
	case 3: return (long)fwrite(bytes, 5, 0, f);
	case 4: return (long)fread_unlocked(bytes, 0, 5, f);
	case 5: return (long)fwrite_unlocked(bytes, 5, 0, f);
	case 6: return fgets(bytes, 0, f) != NULL;
	case 7: return fgets(bytes, 1, f) != NULL;
	case 8: return fgets_unlocked(bytes, 0, f) != NULL;
	case 9: return fgetws(wide, 0, f) != NULL;
	case 10: return fgetws(wide, 1, f) != NULL;
	case 11: return getline(NULL, &n, f);
	case 12: return getline(&line, NULL, f);
	case 13: return getdelim(NULL, &n, 'x', f);
	case 14: return ungetc(EOF, f);
	case 15: return fflush(f);
	case 16: return fseek(f, 0, 77);
	default: return -99;
	}
}

int main(void)
{
	FILE *const streams[] = { NULL, (FILE *)8, (FILE *)-1, stdin };

	for (int which = 0; which < 17; which++)
		for (int i = 0; i < 4; i++) {
			int status;
			pid_t pid = fork();

			if (pid == 0) {
				printf("%d %d: %ld\n", which, i, call(which, streams[i]));
				fflush(stdout);
				_exit(0);
			}
			waitpid(pid, &status, 0);
			printf("%d %d: status %x\n", which, i, status & 0x7f);
			fflush(stdout);
		}
	return 0;
}
