/* SPDX-License-Identifier: BSD-3-Clause */
/* stdio-wide.c - wide characters on the standard streams; calls without a stream. */
#define _GNU_SOURCE
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

/* no longer in headers */
extern char *gets(char *s);

static int vw(const wchar_t *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vwprintf(fmt, ap);
	va_end(ap);
	return n;
}

static int vws(const wchar_t *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vwscanf(fmt, ap);
	va_end(ap);
	return n;
}

static int vs(const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vscanf(fmt, ap);
	va_end(ap);
	return n;
}

int main(void)
{
	FILE *f = fopen("in", "w");
	wchar_t word[20];
	char line[100];
	int n = 0, i = 0;

	setlocale(LC_ALL, "C.UTF-8");
	fputs("1 2 ab\xc3\xa4" "c three 44\n", f);
	fclose(f);
	if (!freopen("in", "r", stdin))
		return 1;
	n += wscanf(L"%d", &i);
	n += vws(L"%d", &i);
	word[0] = (wchar_t)getwchar();
	wprintf(L"%d %d %lc", n, i, word[0]);
	putwchar(getwchar());
	putwchar(getwchar_unlocked());
	putwchar_unlocked(L'\u20ac');
	n = wscanf(L"%19ls", word);
	vw(L" %d %ls\n", n, word);
	fflush(stdout);
	if (!freopen("in", "r", stdin))
		return 2;
	n = vs("%d", &i);
	getchar();
	getchar_unlocked();
	if (!gets(line))
		return 3;
	dprintf(1, "%d %d %s\n", n, i, line);
	if (gets(line))
		return 4;
	return (int)strlen(line) != 15;
}
