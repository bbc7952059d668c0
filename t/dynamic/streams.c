/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * streams.c - calls of stdio in every state that a stream can be in.  Before each
 * of them a system call that nobody else makes tells strace its number: getpgid
 * where what it moves beneath is to be inferred, getsid where it can't be.
 * Standard input is a file of more than a buffer.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static long step;

static void mark(long nr)
{
	long ret;

	__asm__ __volatile__("syscall" : "=a"(ret) : "0"(nr), "D"(++step) : "rcx", "r11", "memory");
}

#define KNOWN(call)   (mark(SYS_getpgid), call)
#define UNKNOWN(call) (mark(SYS_getsid), call)

static char big[20000], text[1 << 20];

static void writes(void)
{
	FILE *f = KNOWN(fopen("writes", "w"));

	for (int i = 0; i < 30; i++)
		KNOWN(fwrite(big, 1, 1000, f));
	KNOWN(fwrite(big, 8, 2000, f));
	KNOWN(fputs(text, f));
	for (int i = 0; i < 4200; i++)
		KNOWN(fputc(i, f));
	for (int i = 0; i < 500; i++)
		KNOWN(fprintf(f, "%d of %s\n", i, "many lines that are not short"));
	for (int i = 0; i < 2000; i++)
		KNOWN(putw(i, f));
	KNOWN(fflush(f));
	KNOWN(fflush(f));
	KNOWN(fputs("left", f));
	KNOWN(fseek(f, 100, SEEK_SET));
	KNOWN(fputs("there", f));
	KNOWN(ftell(f));
	KNOWN(fclose(f));
	f = KNOWN(fopen("writes", "a"));
	KNOWN(setvbuf(f, NULL, _IOLBF, 0));
	KNOWN(fputs("half a line", f));
	KNOWN(fputs(", and its end\nand ", f));
	KNOWN(fprintf(f, "%s\n%s", "another", "and a half"));
	KNOWN(putc('\n', f));
	KNOWN(setvbuf(f, NULL, _IONBF, 0));
	KNOWN(fputs("at once", f));
	KNOWN(putc('!', f));
	KNOWN(fprintf(f, "%d\n", 12345));
	KNOWN(dprintf(fileno(f), "past it: %d\n", 5));
	KNOWN(fclose(f));
	f = KNOWN(fopen("all", "w"));
	KNOWN(fputs("for all", f));
	KNOWN(fflush(NULL));
	KNOWN(fclose(f));
}

static void reads(void)
{
	static char line[100], *grown;
	size_t cap = 0;
	FILE *f = KNOWN(fopen("writes", "r"));

	for (int i = 0; i < 4200; i++)
		KNOWN(fgetc(f));
	KNOWN(fread(text, 1, 3000, f));
	KNOWN(fread(text, 8, 2000, f));
	KNOWN(fseek(f, 30, SEEK_SET));
	KNOWN(fgetc(f));
	KNOWN(fseek(f, 100, SEEK_SET));
	KNOWN(fgetc(f));
	KNOWN(fseek(f, 9000, SEEK_SET));
	KNOWN(fgetc(f));
	KNOWN(fseek(f, -5, SEEK_CUR));
	KNOWN(fseek(f, 5, SEEK_CUR));
	KNOWN(fseek(f, 0, SEEK_END));
	KNOWN(fgetc(f));
	KNOWN(rewind(f));
	KNOWN(ftell(f));
	KNOWN(fread(text, 5, 4000, f));
	KNOWN(fread(text, 7, 1000, f));
	KNOWN(fread(text, 8, 100000, f));
	KNOWN(fread(text, 8, 1, f));
	KNOWN(fclose(f));
	f = KNOWN(fopen("lines", "w"));
	for (int i = 0; i < 1000; i++)
		KNOWN(fprintf(f, "%d %*d\n", i, i % 37, i));
	KNOWN(fclose(f));
	f = KNOWN(fopen("lines", "r"));
	for (int i = 0; i < 500; i++)
		KNOWN(fgets(line, sizeof(line), f));
	for (int i = 0; i < 100; i++)
		KNOWN(fgets(line, 7, f));
	for (int i = 0; i < 300; i++)
		KNOWN(getline(&grown, &cap, f));
	while (KNOWN(getline(&grown, &cap, f)) > 0)
		;
	KNOWN(fgets(line, sizeof(line), f));
	KNOWN(rewind(f));
	for (int n, i = 0; i < 1500; i++)
		KNOWN(fscanf(f, "%d", &n));
	KNOWN(getc(f));
	KNOWN(ungetc('x', f));
	KNOWN(getc(f));
	KNOWN(getc(f));
	KNOWN(fclose(f));
	free(grown);
}

static void both_ways(void)
{
	FILE *f = KNOWN(fopen("both", "w+"));

	for (int i = 0; i < 1000; i++)
		KNOWN(fprintf(f, "line %d\n", i));
	KNOWN(fseek(f, 0, SEEK_SET));
	for (int i = 0; i < 20; i++)
		KNOWN(fgets(text, 100, f));
	KNOWN(fseek(f, 0, SEEK_CUR));
	KNOWN(fputs("LINE", f));
	KNOWN(fflush(f));
	KNOWN(fgets(text, 100, f));
	KNOWN(fseek(f, 5000, SEEK_SET));
	KNOWN(fputs("more", f));
	KNOWN(fseek(f, 1, SEEK_CUR));
	KNOWN(fgetc(f));
	KNOWN(rewind(f));
	KNOWN(fclose(f));
	/* where it is after it has appended libc doesn't know */
	f = KNOWN(fopen("both", "a+"));
	KNOWN(fgets(text, 100, f));
	KNOWN(fseek(f, 0, SEEK_CUR));
	for (int i = 0; i < 3; i++) {
		KNOWN(fputs("at the end", f));
		KNOWN(fseek(f, 17, SEEK_CUR));
		KNOWN(fputs("again", f));
		KNOWN(fseek(f, 20000, SEEK_SET));
		KNOWN(fputs("and again", f));
		KNOWN(fseek(f, -30, SEEK_CUR));
		KNOWN(fgetc(f));
		KNOWN(fseek(f, 30, SEEK_END));
	}
	KNOWN(fclose(f));
}

static void wide(void)
{
	FILE *f = KNOWN(fopen("wide", "w"));

	for (int i = 0; i < 1000; i++)
		KNOWN(fwprintf(f, L"%d\n", i));
	for (int i = 0; i < 1500; i++)
		KNOWN(fputwc(L'a', f));
	KNOWN(fflush(f));
	KNOWN(fputws(L"kept", f));
	KNOWN(fclose(f));
	f = KNOWN(fopen("wide", "r"));
	for (int i = 0; i < 200; i++)
		KNOWN(fgetwc(f));
	KNOWN(fclose(f));
	f = KNOWN(fopen("wide", "a"));
	KNOWN(fputwc(L'b', f));
	for (int i = 0; i < 500; i++)
		KNOWN(fputws(L"appended\n", f));
	KNOWN(fclose(f));
}

static FILE *pipe_with(const void *data, size_t size)
{
	struct iovec iov = { (void *)data, size };
	int p[2];

	if (pipe(p) || vmsplice(p[1], &iov, 1, 0) != (ssize_t)size || close(p[1]))
		abort();
	return KNOWN(fdopen(p[0], "r"));
}

/* What neither the stream tells nor the descriptor. */
static void counted(void)
{
	static wchar_t line[100];
	static char numbers[9000];
	FILE *f;
	int n;

	for (size_t i = 0; i < sizeof(numbers); i += 6)
		snprintf(numbers + i, 7, "%5zu\n", i);
	f = pipe_with(numbers, sizeof(numbers) - 1);
	for (int i = 0; i < 1502; i++)
		KNOWN(fscanf(f, "%d", &n));
	KNOWN(fclose(f));
	f = pipe_with(numbers, sizeof(numbers) - 1);
	UNKNOWN(fgetws(line, 100, f));
	for (int i = 0; i < 1502; i++)
		KNOWN(fgetws(line, 100, f));
	KNOWN(fclose(f));
	f = pipe_with(numbers, sizeof(numbers) - 1);
	for (int i = 0; i < 1200; i++)
		KNOWN(fread(text, 7, 1, f));
	KNOWN(fgetc(f));
	KNOWN(ungetc('x', f));
	KNOWN(fread(text, 1, 600, f));
	KNOWN(fclose(f));
	f = KNOWN(fopen("reopened", "w"));
	KNOWN(fputs("before", f));
	f = KNOWN(freopen("again", "w", f));
	KNOWN(fputs("after", f));
	f = KNOWN(freopen(NULL, "a", f));
	KNOWN(setbuf(f, NULL));
	KNOWN(fputs("at once", f));
	KNOWN(setbuffer(f, text, 1000));
	KNOWN(fputs("kept", f));
	KNOWN(setlinebuf(f));
	KNOWN(fputs("a line\nand", f));
	KNOWN(setbuf(f, NULL));
	KNOWN(fclose(f));
	f = KNOWN(popen("cat >piped", "w"));
	KNOWN(fputs("to a child", f));
	KNOWN(pclose(f));
	f = KNOWN(popen("echo from a child", "r"));
	KNOWN(fscanf(f, "%*s %*s"));
	KNOWN(pclose(f));
	f = KNOWN(fopen("last", "w"));
	KNOWN(fputs("of all", f));
	KNOWN(fcloseall());
}

static void elsewhere(void)
{
	char *mem = NULL, c;
	size_t n = 0;
	int p[2];
	FILE *f = KNOWN(open_memstream(&mem, &n));

	KNOWN(fwrite(big, 1, sizeof(big), f));
	KNOWN(fclose(f));
	free(mem);
	f = KNOWN(fmemopen(big, sizeof(big), "r"));
	KNOWN(fread(text, 1, 9000, f));
	KNOWN(fclose(f));
	f = KNOWN(fopen("writes", "rm"));
	UNKNOWN(fread(text, 1, 9000, f));
	UNKNOWN(fgetc(f));
	KNOWN(fclose(f));
	if (pipe(p) || vmsplice(p[1], &(struct iovec){ "one\ntwo 2\nthree", 15 }, 1, 0) != 15 || close(p[1]))
		abort();
	f = KNOWN(fdopen(p[0], "r"));
	KNOWN(fgets(text, 100, f));
	KNOWN(fgets(text, 100, f));
	KNOWN(fgets(text, 100, f));
	KNOWN(fclose(f));
	f = KNOWN(fopen("/dev/full", "w"));
	KNOWN(fputs("no room", f));
	KNOWN(fflush(f));
	KNOWN(fclose(f));
	f = KNOWN(fopen("/dev/full", "w"));
	for (int i = 0; i < 5; i++)
		KNOWN(fwrite(big, 1, 1000, f));
	KNOWN(fclose(f));
	/* the prompt is written when more is waited for */
	KNOWN(setvbuf(stdout, NULL, _IOLBF, 0));
	KNOWN(setvbuf(stdin, NULL, _IOLBF, 0));
	KNOWN(printf("prompt: "));
	KNOWN(fgets(text, 100, stdin));
	KNOWN(printf("again: "));
	KNOWN(getchar());
	KNOWN(puts("line"));
	KNOWN(setvbuf(stdout, NULL, _IOFBF, 0));
	for (int i = 0; i < 100; i++)
		KNOWN(getchar());
	(void)!read(0, &c, 0);
}

static FILE *own[2], *shared;

static void *thread(void *arg)
{
	FILE *f = arg;

	for (int i = 0; i < 2000; i++) {
		fprintf(f, "%d lines\n", i);
		fprintf(shared, "%d lines\n", i);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	memset(text, 'x', 20000);
	if (argc > 1 && !strcmp(argv[1], "threads")) {
		own[0] = fopen("own-0", "w");
		own[1] = fopen("own-1", "w");
		shared = fopen("shared", "w");
		pthread_create(&t, NULL, thread, own[1]);
		thread(own[0]);
		pthread_join(t, NULL);
		return fclose(own[0]) || fclose(own[1]) || fclose(shared);
	}
	writes();
	reads();
	both_ways();
	wide();
	elsewhere();
	counted();
	if (argc > 1)
		exit(0);
	KNOWN(puts("to be flushed at exit"));
	KNOWN(exit(7));
}
