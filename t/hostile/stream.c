/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c - operations on stdio's streams with arguments of their own. */
#define _GNU_SOURCE
#include "storm.h"

#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

int keep_stream(FILE *f)
{
	for (int i = 0; i < N_STREAMS; i++)
		if (!streams[i]) {
			streams[i] = f;
			return i;
		}
	/* without a place it lives on to the end */
	return -1;
}

static FILE *some_stream(const struct op *op, struct draw *d)
{
	int n = pick(d, N_STREAMS);

	note(d, "streams[%d]", n);
	if (!streams[n])
		say(op, "no stream");
	return streams[n];
}

static void do_fopen(const struct op *op, struct draw *d)
{
	static const char *const modes[] = { "r", "w", "a", "r+", "w+", "a+", "rm" };
	FILE *f = fopen(some_path(d), modes[pick(d, 7)]);

	say(op, "fopen = %d %s", f ? fileno(f) : -1, error_name(f ? 0 : errno));
	if (f && keep_stream(f) < 0)
		fclose(f);
}

static void do_printf(const struct op *op, struct draw *d)
{
	FILE *f = some_stream(op, d);
	int r;

	if (!f)
		return;
	errno = 0;
	switch (pick(d, 4)) {
	case 0:
		r = fprintf(f, "%d %s %*d %.3f\n", 42, "forty-two", (int)pick(d, 6000), 1, 1.5);
		break;
	case 1:
		r = fwprintf(f, L"%d %ls\n", 7, L"wide");
		break;
	case 2:
		r = dprintf(some_fd(d), "%s", "to a descriptor\n");
		break;
	default:
		r = printf("standard output %d\n", op->index);
	}
	say(op, "printf = %d %s", r, error_name(errno));
}

static void do_scanf(const struct op *op, struct draw *d)
{
	FILE *f = some_stream(op, d);
	char word[64] = "";
	wchar_t wide[64] = L"";
	int r;

	if (!f)
		return;
	errno = 0;
	r = pick(d, 3) ? fscanf(f, "%60s", word) : fwscanf(f, L"%60ls", wide);
	say(op, "scanf = %d %s %zu %zu", r, error_name(errno), strlen(word), wcslen(wide));
}

static void do_setvbuf(const struct op *op, struct draw *d)
{
	static char buffers[N_STREAMS][8192];
	static const size_t sizes[] = { 0, 1, 2, 100, 4096, 8192 };
	int n = pick(d, N_STREAMS), mode = pick(d, 4);

	if (!streams[n])
		return;
	errno = 0;
	if (pick(d, 4) == 0)
		setbuffer(streams[n], buffers[n], sizes[pick(d, 6)]);
	else
		say(op, "setvbuf = %d %s", setvbuf(streams[n], pick(d, 2) ? buffers[n] : NULL, mode, sizes[pick(d, 6)]),
		    error_name(errno));
}

static void do_getline(const struct op *op, struct draw *d)
{
	FILE *f = some_stream(op, d);
	char *line = NULL;
	size_t n = 0;
	ssize_t r;

	if (!f)
		return;
	errno = 0;
	r = pick(d, 2) ? getline(&line, &n, f) : getdelim(&line, &n, 'c', f);
	say(op, "getline = %zd %s %x", r, error_name(errno), r > 0 ? hash(line, r) : 0);
	free(line);
}

/* --- a stream of the program's own, with a file below */

static ssize_t cookie_read(void *cookie, char *buf, size_t size)
{
	return read((int)(long)cookie, buf, size);
}

static ssize_t cookie_write(void *cookie, const char *buf, size_t size)
{
	ssize_t r = write((int)(long)cookie, buf, size);

	return r < 0 ? 0 : r;
}

static int cookie_seek(void *cookie, off64_t *pos, int whence)
{
	*pos = lseek((int)(long)cookie, *pos, whence);
	return *pos < 0 ? -1 : 0;
}

static void do_cookie(const struct op *op, struct draw *d)
{
	static const char *const modes[] = { "r", "w", "r+", "a" };
	cookie_io_functions_t io = { cookie_read, cookie_write, pick(d, 2) ? cookie_seek : NULL, NULL };
	FILE *f = fopencookie((void *)(long)some_fd(d), modes[pick(d, 4)], io);

	say(op, "cookie: %s", f ? "set" : "NULL");
	if (f && keep_stream(f) < 0)
		fclose(f);
}

static void do_memstream(const struct op *op, struct draw *d)
{
	char *at = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&at, &size);
	int n = pick(d, 9000);

	if (!f)
		return;
	for (int i = 0; i < n; i++)
		putc('a' + i % 26, f);
	fflush(f);
	say(op, "memstream: %zu %x", size, hash(at, size));
	fclose(f);
	free(at);
}

static void do_lock(const struct op *op, struct draw *d)
{
	FILE *f = some_stream(op, d);

	if (!f)
		return;
	flockfile(f);
	for (int i = 0; i < 5000; i++)
		putc_unlocked('u', f);
	say(op, "unlocked: %d %d", fflush_unlocked(f), ferror_unlocked(f));
	funlockfile(f);
	clearerr(f);
	__fsetlocking(f, pick(d, 2) ? FSETLOCKING_BYCALLER : FSETLOCKING_INTERNAL);
}

const struct special stream_specials[] = {
	{ "fopen", STDIO, do_fopen },
	{ "fopen", STDIO, do_fopen },
	{ "printf", STDIO, do_printf },
	{ "printf", STDIO, do_printf },
	{ "scanf", STDIO, do_scanf },
	{ "setvbuf", STDIO, do_setvbuf },
	{ "getline", STDIO, do_getline },
	{ "cookie", STDIO, do_cookie },
	{ "memstream", STDIO, do_memstream },
	{ "lock", STDIO, do_lock },
};
const int n_stream_specials = sizeof(stream_specials) / sizeof(stream_specials[0]);
