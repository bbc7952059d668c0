/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nothing.c - calls on streams that libc has no reason to look at: nothing is asked
 * for, or what is given is none.  Each in a child, on what is no stream.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#define PAGE 4096

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
	case 17: return (long)fread(bytes, 1UL << 32, 1UL << 32, f);
	case 18: return (long)fwrite(bytes, 1UL << 63, 2, f);
	case 19: return fgets(bytes, -5, f) != NULL;
	case 20: return fgets_unlocked(bytes, 1, f) != NULL;
	case 21: return fgetws_unlocked(wide, 1, f) != NULL;
	case 22: return fgetws_unlocked(wide, -5, f) != NULL;
	case 23: return getdelim(&line, NULL, 'x', f);
	case 24: return fwrite_unlocked(bytes, 5, 0, f);
	case 25: return fread_unlocked(bytes, 5, 0, f);
	case 26: return fputs("", f);
	case 27: return fputs_unlocked("", f);
	case 28: return fprintf(f, "");
	case 29: return fputws(L"", f);
	case 30: return setvbuf(f, NULL, 77, 0);
	case 31: return ungetwc(WEOF, f);
	case 32: return fscanf(f, "");
	case 33: return freopen("", "nonsense", f) != NULL;
	case 34: return closedir((DIR *)f);
	case 35: return readdir((DIR *)f) != NULL;
	case 36: return (long)telldir((DIR *)f);
	default: return -99;
	}
}

int main(void)
{
	/* a page that is gone, one that can't be read, and the end of one that is there */
	char *gone = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *unreadable = gone + PAGE,
	     *end = gone + 3 * PAGE - 4;
	FILE *const streams[] = { NULL, (FILE *)8, (FILE *)-1, (FILE *)gone, (FILE *)unreadable, (FILE *)end, stdin };

	munmap(gone, PAGE);
	munmap(gone + 3 * PAGE, PAGE);
	mprotect(unreadable, PAGE, PROT_NONE);
	for (int which = 0; which < 37; which++)
		for (int i = 0; i < 7; i++) {
			int status;
			pid_t pid;

			/* a directory's stream is none */
			if (which > 33 && i == 6)
				continue;

			pid = fork();
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
