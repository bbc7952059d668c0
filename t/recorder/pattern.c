/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pattern.c - calls in all the orders that short records depend on: sequential,
 * strided and random offsets, fixed and changing sizes, on more descriptors than
 * the recorder keeps in mind, which are closed and opened again under the same
 * and other names, from here and from there.
 *
 *	pattern SEED CALLS
 *
 * prints a line for each call as the log has to have it:
 *	CALL FD OFFSET SIZE RET [PATH FLAGS MODE]
 * "-" where there is no such thing.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 14

static struct file {
	int fd, append;
	long pos, size;			/* of the description; of the file */
	long at, size_fixed, gap;	/* where the row of strided calls stands */
	int name;
} files[FILES];
static long size_of[2 * FILES];		/* by name */
static char cwd[2][4096];
static int here;
static char *out;
static size_t n_out;
static char buf[8192];
static uint64_t seed;

static unsigned rnd(unsigned n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned)(seed >> 33) % n;
}

static __attribute__((format(printf, 1, 2))) void expect(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	n_out += (size_t)vsprintf(out + n_out, format, ap);
	va_end(ap);
}

static void check(long got, long want)
{
	if (got != want) {
		fprintf(stderr, "pattern: %ld instead of %ld\n", got, want);
		exit(2);
	}
}

/* Opens file number i under a name: of a directory of its own, absolute or not. */
static void open_it(struct file *f, int name)
{
	static const char *const form[] = { "f%d", "./f%d", "%s/f%d", "%s//./f%d" };
	unsigned how = rnd(4);
	int flags = O_RDWR | O_CREAT | (rnd(4) ? 0 : O_APPEND) | (rnd(3) ? 0 : O_CLOEXEC);
	char path[8192];

	if (how < 2)
		sprintf(path, form[how], name);
	else
		sprintf(path, form[how], cwd[here], name);
	if (rnd(3)) {
		f->fd = open(path, flags, 0640);
		expect("open - - - %d %s/f%d %d %d\n", f->fd, cwd[here], name, flags, 0640);
	} else {
		f->fd = openat(AT_FDCWD, path, flags, 0600);
		expect("openat - - - %d %s/f%d %d %d\n", f->fd, cwd[here], name, flags, 0600);
	}
	check(f->fd >= 0, 1);
	f->append = flags & O_APPEND;
	f->pos = 0;
	f->name = here * FILES + name;
}

static void reopen(struct file *f)
{
	expect("close %d - - 0\n", f->fd);
	check(close(f->fd), 0);
	if (!rnd(3)) {
		here = !here;
		check(chdir(cwd[here]), 0);
		expect("chdir - - - 0\n");
	}
	open_it(f, rnd(3) ? f->name % FILES : (int)rnd(FILES));
}

static void write_some(struct file *f, long n)
{
	long *size = &size_of[f->name];

	check(write(f->fd, buf, (size_t)n), n);
	if (f->append)
		f->pos = *size;
	expect("write %d %ld %ld %ld\n", f->fd, f->pos, n, n);
	f->pos += n;
	if (f->pos > *size)
		*size = f->pos;
}

static void read_some(struct file *f, long n)
{
	long left = size_of[f->name] - f->pos, want = left < 0 ? 0 : left < n ? left : n;

	check(read(f->fd, buf, (size_t)n), want);
	expect("read %d %ld %ld %ld\n", f->fd, f->pos, n, want);
	f->pos += want;
}

static void strided(struct file *f)
{
	long *size = &size_of[f->name], n = f->size_fixed, got = *size - f->at;

	if (rnd(2) && !f->append) {
		check(pwrite(f->fd, buf, (size_t)n, f->at), n);
		expect("pwrite %d %ld %ld %ld\n", f->fd, f->at, n, n);
		if (f->at + n > *size)
			*size = f->at + n;
	} else {
		got = got < 0 ? 0 : got < n ? got : n;
		check(pread(f->fd, buf, (size_t)n, f->at), got);
		expect("pread %d %ld %ld %ld\n", f->fd, f->at, n, got);
	}
	f->at += n + f->gap;
	if (!rnd(20) || f->at < 0 || f->at > 1 << 20) {
		f->at = rnd(100000);
		f->size_fixed = 1 + rnd(300);
		f->gap = (long)rnd(4000) - 2000;
	}
}

static void step(struct file *f)
{
	unsigned what = rnd(100);

	if (what < 25) {
		write_some(f, rnd(5) ? 80 : 1 + rnd(200));
	} else if (what < 40) {
		read_some(f, rnd(5) ? 80 : 1 + rnd(200));
	} else if (what < 80) {
		strided(f);
	} else if (what < 88) {
		f->pos = rnd(50000);
		check(lseek(f->fd, f->pos, SEEK_SET), f->pos);
		expect("lseek %d - - %ld\n", f->fd, f->pos);
	} else if (what < 92) {
		check(fdatasync(f->fd), 0);
		expect("fdatasync %d - - 0\n", f->fd);
	} else {
		reopen(f);
	}
}

int main(int argc, char **argv)
{
	long calls = argc == 3 ? atol(argv[2]) : 0;

	if (!calls || !getcwd(cwd[0], sizeof(cwd[0]) - 10))
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	snprintf(cwd[1], sizeof(cwd[1]), "%.4000s/sub", cwd[0]);
	out = malloc((size_t)calls * 2 * (sizeof(cwd[0]) / 4));
	if (!out || mkdir("sub", 0755))
		return 2;
	for (int i = 0; i < FILES; i++) {
		files[i].size_fixed = 100;
		open_it(&files[i], i);
	}
	for (int i = 0, n = 0; i < calls; i += n) {
		struct file *f = &files[rnd(FILES)];

		/* the same again, so that there are rows of calls */
		n = rnd(3) ? 1 : 1 + (int)rnd(30);
		for (int j = 0; j < n; j++)
			step(f);
	}
	fwrite(out, 1, n_out, stdout);
	return ferror(stdout) || fflush(stdout) ? 2 : 0;
}
