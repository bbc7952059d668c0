/* SPDX-License-Identifier: BSD-3-Clause */
/* stdio.c - streams: every call, with each kind of buffering, narrow and wide. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "show.h"

static char buf[20000];
static wchar_t wbuf[300];

static int vf(FILE *f, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vfprintf(f, fmt, ap);
	va_end(ap);
	return n;
}

static int vd(int fd, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vdprintf(fd, fmt, ap);
	va_end(ap);
	return n;
}

static int vp(const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vprintf(fmt, ap);
	va_end(ap);
	return n;
}

static int vs(FILE *f, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vfscanf(f, fmt, ap);
	va_end(ap);
	return n;
}

static int vwf(FILE *f, const wchar_t *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vfwprintf(f, fmt, ap);
	va_end(ap);
	return n;
}

static int vws(FILE *f, const wchar_t *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vfwscanf(f, fmt, ap);
	va_end(ap);
	return n;
}

static void opening(void)
{
	FILE *f = PTR(fopen("a", "w"));

	PTR(fopen("missing", "r"));
	PTR(fopen("a", "bad mode"));
	PTR(fopen64("missing/a", "w"));
	f = PTR(freopen("b", "w+", f));
	f = PTR(freopen64("a", "a", f));
	f = PTR(freopen(NULL, "r", f));
	SHOW(fclose(f));
	f = PTR(fdopen(open("a", O_RDWR), "r+"));
	PTR(fdopen(-1, "r"));
	SHOW(fclose(f));
	PTR(freopen("missing", "r", fopen("a", "r")));
	f = PTR(tmpfile());
	fputs("temporary", f);
	SHOW(fclose(f));
	f = PTR(tmpfile64());
	SHOW(fclose(f));
}

/* much: more than a buffer holds; less where there is none, and each byte is read alone */
static void output(FILE *f, int much)
{
	SHOW(fwrite(buf, 100, 3, f));
	SHOW(fwrite(buf, 0, 3, f));
	SHOW(fwrite(buf, 1, (size_t)much, f));
	SHOW(fwrite_unlocked(buf, 1, 10, f));
	SHOW(fputc('a', f));
	SHOW(fputc_unlocked('a', f));
	SHOW(putc('b', f));
	SHOW(putc_unlocked('b', f));
	SHOW(putw(77, f));
	SHOW(fputs("a line\n", f));
	SHOW(fputs_unlocked("another\n", f));
	SHOW(fprintf(f, "%d %s\n", 42, "forty-two"));
	SHOW(vf(f, "%5.2f|%c\n", 1.5, 'x'));
	SHOW(fprintf(f, "%*d\n", much, 1));
	SHOW(fflush(f));
	SHOW(fflush_unlocked(f));
	SHOW(fseek(f, 10, SEEK_SET));
	SHOW(fputs("here", f));
	SHOW(ftell(f));
	SHOW(fseeko(f, 0, SEEK_END));
	SHOW(ftello(f));
}

static void input(FILE *f, int much)
{
	char *line = NULL;
	size_t n = 0;
	fpos_t pos;
	int i;

	rewind(f);
	SHOW(fread(buf, 10, 5, f));
	SHOW(fread_unlocked(buf, 1, 7, f));
	SHOW(fgetc(f));
	SHOW(fgetc_unlocked(f));
	SHOW(getc(f));
	SHOW(getc_unlocked(f));
	SHOW(getw(f));
	SHOW(ungetc('u', f));
	SHOW(fgetpos(f, &pos));
	SHOW(fread(buf, 1, (size_t)much + 300, f));
	PTR(fgets(buf, 100, f));
	PTR(fgets_unlocked(buf, 100, f));
	OK(getline(&line, &n, f));
	OK(getdelim(&line, &n, 'y', f));
	SHOW(fsetpos(f, &pos));
	SHOW(fscanf(f, "%d", &i));
	SHOW(vs(f, "%s", buf));
	SHOW(fseeko64(f, 0, SEEK_END));
	SHOW(ftello64(f));
	SHOW(fgetc(f));
	SHOW(fread(buf, 1, 1, f));
	PTR(fgets(buf, 100, f));
	SHOW(fscanf(f, "%d", &i));
	SHOW(getline(&line, &n, f));
	__fpurge(f);
	free(line);
}

static void modes(void)
{
	static const int how[] = { _IOFBF, _IOLBF, _IONBF };
	static char own[64];
	FILE *f;
	int i;

	for (i = 0; i < 3; i++) {
		f = fopen("m", "w+");
		SHOW(setvbuf(f, NULL, how[i], 512));
		output(f, how[i] == _IONBF ? 900 : 9000);
		input(f, how[i] == _IONBF ? 900 : 9000);
		SHOW(fclose(f));
	}
	f = fopen("m", "w");
	setbuffer(f, own, sizeof(own));
	SHOW(fprintf(f, "%200d\n", 1));
	SHOW(fclose(f));
	f = fopen("m", "w");
	setlinebuf(f);
	SHOW(fputs("one\ntwo", f));
	_flushlbf();
	SHOW(fclose(f));
	f = fopen("m", "r");
	setbuf(f, NULL);
	SHOW(fgetc(f));
	SHOW(fputc('x', f));
	SHOW(fprintf(f, "x"));
	SHOW(fclose(f));
	f = fopen("/dev/full", "w");
	SHOW(fprintf(f, "nobody reads this\n"));
	SHOW(fflush(f));
	SHOW(fclose(f));
}

static void wide(void)
{
	FILE *f = fopen("w", "w+");
	int i;

	SHOW(fputwc(L'ä', f));
	SHOW(putwc(L'x', f));
	SHOW(fputwc_unlocked(L'y', f));
	SHOW(putwc_unlocked(L'z', f));
	SHOW(fputws(L" wide text\n", f));
	SHOW(fputws_unlocked(L"more\n", f));
	SHOW(fwprintf(f, L"%d %ls\n", 42, L"forty-two"));
	SHOW(vwf(f, L"%*d\n", 5000, 1));
	rewind(f);
	SHOW(fgetwc(f));
	SHOW(getwc(f));
	SHOW(fgetwc_unlocked(f));
	SHOW(getwc_unlocked(f));
	SHOW(ungetwc(L'u', f));
	PTR(fgetws(wbuf, 100, f));
	PTR(fgetws_unlocked(wbuf, 100, f));
	SHOW(fwscanf(f, L"%d", &i));
	SHOW(vws(f, L"%ls", wbuf));
	SHOW(fclose(f));
	f = fopen("w", "w");
	SHOW(fwide(f, 1));
	SHOW(fwprintf(f, L"%ls", L"\u20ac"));
	SHOW(fclose(f));
}

static ssize_t cookie_read(void *cookie, char *to, size_t n)
{
	int *left = cookie;

	if (!*left)
		return 0;
	--*left;
	memset(to, 'c', n < 10 ? n : 10);
	return n < 10 ? n : 10;
}

static ssize_t cookie_write(void *cookie, const char *from, size_t n)
{
	(void)cookie;
	return write(1, from, n);
}

static void memory(void)
{
	cookie_io_functions_t io = { .read = cookie_read, .write = cookie_write };
	wchar_t *wp;
	char *p;
	size_t n;
	FILE *f;
	int left = 3, i;

	f = PTR(fmemopen(buf, 100, "w+"));
	SHOW(fprintf(f, "%d in memory", 12));
	SHOW(fflush(f));
	rewind(f);
	SHOW(fscanf(f, "%d", &i));
	SHOW(fclose(f));
	f = PTR(open_memstream(&p, &n));
	SHOW(fprintf(f, "%3000d", 1));
	SHOW(fclose(f));
	SHOW(n);
	free(p);
	f = PTR(open_wmemstream(&wp, &n));
	SHOW(fwprintf(f, L"%300d", 1));
	SHOW(fclose(f));
	SHOW(n);
	free(wp);
	fflush(stdout);
	f = PTR(fopencookie(&left, "r+", io));
	PTR(fgets(buf, 25, f));
	SHOW(fputs("written by a cookie\n", f));
	SHOW(fclose(f));
	/* never I/O */
	SHOW(snprintf(buf, 10, "%d%s", 1, "234567890123"));
	SHOW(sprintf(buf, "%d", 1));
	SHOW(sscanf("17", "%d", &i));
	SHOW(asprintf(&p, "%s", "text"));
	free(p);
}

static void standard(void)
{
	int i;

	SHOW(printf("%d\n", 1));
	SHOW(vp("%s\n", "vprintf"));
	SHOW(puts("puts"));
	SHOW(putchar('p'));
	SHOW(putchar_unlocked('\n'));
	fflush(stdout);
	SHOW(dprintf(1, "dprintf %d\n", 2));
	SHOW(vd(1, "%s\n", "vdprintf"));
	SHOW(dprintf(-1, "x"));
	fprintf(stderr, "unbuffered %d %s\n", 1, "line");
	perror("perror");
	PTR(freopen("m", "r", stdin));
	SHOW(getchar());
	SHOW(getchar_unlocked());
	SHOW(scanf("%d", &i));
	PTR(fgets(buf, sizeof(buf), stdin));
	GNU(SHOW(fcloseall()));
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	memset(buf, 'y', sizeof(buf));
	opening();
	modes();
	wide();
	memory();
	standard();
	return 0;
}
