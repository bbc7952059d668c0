/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.c - IOTRACE_MERGE: the logs of all ranks in one file.
 *
 * Before MPI is finalized all ranks write their logs as they are then, with
 * collective calls of MPI-IO, into a file that gets its name when it is complete and
 * on disk.  When MPI has been finalized each rank adds what was recorded since, in the
 * room that was left, and only then removes its own log.  Until it does, both are
 * there, and readers take the rank's own.  What comes later goes to a new log.
 *
 * So nothing is lost whatever fails and whoever dies, and a rank that has threads
 * which still run, or more to add than there is room for, just keeps its log.
 */
#include <string.h>

#include "arena.h"
#include "conf.h"
#include "for-jobs.h"
#include "job.h"
#include "log-header.h"
#include "log-share.h"
#include "report.h"
#include "sys.h"
#include "text.h"
#include "window.h"

#define BUFFER	    (4u << 20)		/* what a rank writes at a time */
#define MAX_WINDOWS 256u

/* Of the job's log. */
static char name[4096 + 512], part[4096 + 512];
static struct iot_strings strings;
static bool share_text;
static uint64_t base;			/* of this rank's log there */
static uint64_t room, used;		/* bytes that it has, and has used */
static uint64_t sum;			/* of these bytes, as they were written */
static uint64_t until;			/* blocks of the rank's own log below are there */
static struct iot_window windows[MAX_WINDOWS];
static uint32_t n_windows;

static uint64_t up(uint64_t n)
{
	return (n + IOT_ALIGN - 1) & -(uint64_t)IOT_ALIGN;
}

static bool all(const struct iot_job *job, bool ok)
{
	int in = ok, out = 0;

	return iot_pmpi_Allreduce(&in, &out, 1, MPI_INT, MPI_MIN, job->comm) == MPI_SUCCESS && out;
}

/* ---- what ranks share ---- */

struct shared {
	uint64_t text_size, strings_size;
	uint32_t has_log, spare;
	char name[4096 + 512];
};

/* PROG.job.HOST.PID.STARTUS.iotrace */
static void make_name(char *to)
{
	const char *own = iot_log_name(), *rank = own;
	struct iot_text x = { .buf = to, .cap = sizeof(name) - 8 };

	for (const char *s = strrchr(own, '/'); s && (s = strstr(s, ".r")); s++)
		if (rank == own && s[2] >= '0' && s[2] <= '9')
			rank = s;
	if (rank == own) {
		/* rank 0 of a launcher that did not say so */
		rank = strrchr(own, '/') + 1 + strnlen(iot_program(), 100);
		iot_putn(&x, own, (size_t)(rank - own));
		iot_puts(&x, ".job");
	} else {
		iot_putn(&x, own, (size_t)(rank - own));
		iot_puts(&x, ".job");
		rank += 2 + strspn(rank + 2, "0123456789");
	}
	iot_puts(&x, rank);
	to[x.len] = 0;
}

/* Rank 0's schema and names, to all.  *text is to be unmapped: size bytes. */
static bool share(const struct iot_job *job, struct shared *s, char **text, uint64_t *size)
{
	struct iot_file_header head;
	char *own = iot_header ? iot_image_text(&head) : NULL;
	uint32_t at = own ? iot_image_schema(own, head.text_size) : 0;
	bool ok;

	memset(s, 0, sizeof(*s));
	if (job->rank == 0 && own && iot_strings_gather(&strings)) {
		s->text_size = head.text_size - at;
		s->strings_size = strings.size;
		s->has_log = 1;
		make_name(s->name);
	}
	ok = iot_pmpi_Bcast(s, sizeof(*s), MPI_BYTE, 0, job->comm) == MPI_SUCCESS && s->has_log;
	*size = s->text_size + 1;
	*text = ok ? iot_map(*size) : NULL;
	if (job->rank && ok && !iot_strings_take(&strings, s->strings_size))
		ok = false;
	if (!all(job, ok && *text))
		ok = false;
	if (ok && job->rank == 0)
		memcpy(*text, own + at, s->text_size);
	if (ok && (iot_pmpi_Bcast(*text, (int)s->text_size, MPI_BYTE, 0, job->comm) != MPI_SUCCESS ||
		   iot_pmpi_Bcast(strings.words, (int)s->strings_size, MPI_BYTE, 0, job->comm) != MPI_SUCCESS))
		ok = false;
	if (ok && job->rank)
		iot_strings_index(&strings);
	share_text = ok && own && s->text_size == head.text_size - at &&
		     !memcmp(*text, own + at, s->text_size);
	if (own)
		iot_unmap(own, head.text_size + (size_t)IOT_ALIGN);
	return ok;
}

/* ---- this rank's part ---- */

/* How long the image is. */
static bool size_up(uint64_t *total)
{
	struct iot_image image;
	struct iot_window w;
	char *piece;
	long n;

	*total = 0;
	if (!iot_header)
		return true;
	if (!iot_image_begin(&image, &strings, share_text, 0))
		return false;
	while ((n = iot_image_next(&image, &piece, &w)) > 0)
		;
	*total = image.at;
	iot_image_free(&image);
	return n == 0;
}

struct writer {
	MPI_File file;
	char *buf;
	size_t fill, cap;
	uint64_t off;			/* of the buffer in the file */
	int rounds;			/* of collective writes that are left */
	bool ok;
};

/* Adds what the buffer has to a sum; zeroes follow it up to a whole word. */
static uint64_t sum_buffer(uint64_t before, char *buf, size_t n)
{
	memset(buf + n, 0, -n & 7);
	return n ? iot_sum(before, (const uint64_t *)(const void *)buf, (n + 7) / 8) : before;
}

static void flush(struct writer *w)
{
	MPI_Status status;

	sum = sum_buffer(sum, w->buf, w->fill);
	w->rounds--;
	if (iot_pmpi_File_write_at_all(w->file, (MPI_Offset)w->off, w->buf, (int)w->fill, MPI_BYTE, &status) !=
	    MPI_SUCCESS)
		w->ok = false;
	w->off += w->fill;
	w->fill = 0;
}

static void put(struct writer *w, const char *p, size_t n)
{
	while (n && w->ok) {
		size_t now = n < w->cap - w->fill ? n : w->cap - w->fill;

		memcpy(w->buf + w->fill, p, now);
		w->fill += now;
		p += now;
		n -= now;
		if (w->fill == w->cap && w->rounds)
			flush(w);
		else if (w->fill == w->cap)
			w->ok = false;
	}
}

/* If there is more by now than there is room for, or there are more windows than can be
   told, this rank keeps its log, and that is no harm to the others. */
static void write_image(struct writer *w, uint64_t total)
{
	struct iot_image image;
	struct iot_window window;
	char *piece;
	long n;

	until = sum = 0;
	if (!iot_header || !iot_image_begin(&image, &strings, share_text, 0))
		return;
	image.total = total;
	while ((n = iot_image_next(&image, &piece, &window)) > 0 && image.at <= room) {
		put(w, piece, (size_t)n);
		if (window.size && n_windows < MAX_WINDOWS)
			windows[n_windows] = window;
		n_windows += window.size != 0;
	}
	if (n == 0 && n_windows <= MAX_WINDOWS)
		until = image.end;
	used = image.at;
	iot_image_free(&image);
}

/* ---- the file ---- */

static bool write_at(int fd, const void *from, uint64_t n, uint64_t off)
{
	const char *p = from;

	for (long r; n; p += r, n -= (uint64_t)r, off += (uint64_t)r) {
		do
			r = iot_sys_pwrite(fd, p, n, off);
		while (r == -EINTR);
		if (r <= 0)
			return false;
	}
	return true;
}

static int open_job(const char *path, int flags)
{
	return iot_sys_openat(AT_FDCWD, path, flags | O_CLOEXEC | O_NOFOLLOW, 0);
}

/* By rank 0: what comes before the logs. */
static bool write_front(const struct shared *s, const char *text, const struct iot_job_member *index,
			uint32_t n)
{
	uint64_t strings_at = IOT_ALIGN + ((s->text_size + 7) & ~7ULL);
	struct iot_job_header head = {
		.magic = IOT_JOB_MAGIC,
		.byte_order = IOT_BYTE_ORDER,
		.version = IOT_JOB_VERSION,
		.n = n,
		.text = IOT_ALIGN,
		.text_size = s->text_size,
		.strings = strings_at,
		.strings_size = s->strings_size,
		.index = strings_at + s->strings_size,
		.text_sum = iot_sum(0, (const uint64_t *)(const void *)text, (s->text_size + 7) / 8),
		.strings_sum = iot_sum(0, strings.words, s->strings_size / 8),
		.index_sum = iot_sum(0, (const uint64_t *)(const void *)index, n * sizeof(*index) / 8),
	};
	int fd = open_job(part, O_WRONLY);
	bool ok;

	head.sum = iot_job_sum(&head);
	ok = fd >= 0 && write_at(fd, text, s->text_size, IOT_ALIGN) &&
	     write_at(fd, strings.words, s->strings_size, strings_at) &&
	     write_at(fd, index, n * sizeof(*index), head.index) &&
	     write_at(fd, &head, sizeof(head), 0) && iot_syscall(SYS_fdatasync, (long)fd) == 0;

	if (fd >= 0)
		iot_sys_close(fd);
	return ok;
}

/*
 * Is it in the file, as it was written?  Not all of MPI's layers tell if a disk was full.  The
 * log itself is not compared: threads that MPI has for itself may go on with it.  Windows and
 * the header are written once more, see below.
 */
static bool is_there(size_t cap)
{
	int fd = open_job(part, O_RDONLY);
	char *buf = fd >= 0 ? iot_map(cap) : NULL;
	uint64_t off, there = 0;
	bool ok = buf;

	/* in the pieces in which it was summed up */
	for (off = 0; ok && off < used; off += cap) {
		size_t n = used - off < cap ? (size_t)(used - off) : cap;

		ok = iot_read_all(fd, buf, n, base + off) == (long)n;
		there = sum_buffer(there, buf, n);
	}
	if (buf)
		iot_unmap(buf, cap);
	if (fd >= 0)
		iot_sys_close(fd);
	return ok && there == sum;
}

/* Ranks without a log have no entry; index becomes rank 0's. */
static uint32_t gather_index(const struct iot_job *job, struct iot_job_member *index)
{
	struct iot_job_member mine = { base, room, (uint32_t)job->rank, iot_header ? iot_header->pid : 0 };
	uint32_t n = 0;

	if (iot_pmpi_Gather(&mine, sizeof(mine), MPI_BYTE, index, sizeof(mine), MPI_BYTE, 0, job->comm) !=
	    MPI_SUCCESS)
		return 0;
	for (int i = 0; job->rank == 0 && i < job->size; i++)
		if (index[i].size)
			index[n++] = index[i];
	return n;
}

/* What this rank writes at a time.  There may be as much as there is room for: threads that MPI
   has for itself go on while it is written. */
static size_t buffer_size(void)
{
	return room < BUFFER ? up(room + 1) : BUFFER;
}

static bool write_all(const struct iot_job *job, MPI_File file, uint64_t total)
{
	uint64_t rounds = (room + BUFFER - 1) / BUFFER, most = 0;
	struct writer w = { .file = file, .off = base, .ok = true };

	if (iot_pmpi_Allreduce(&rounds, &most, 1, MPI_UINT64_T, MPI_MAX, job->comm) != MPI_SUCCESS)
		return false;
	w.rounds = (int)most;
	w.cap = buffer_size();
	w.buf = iot_map(w.cap);
	if (w.buf)
		write_image(&w, total);
	while (w.rounds)
		flush(&w);
	if (w.buf)
		iot_unmap(w.buf, w.cap);
	return w.buf && w.ok && !w.fill;
}

static bool write_job(const struct iot_job *job, const struct shared *s, const char *text, uint64_t total)
{
	size_t index_size = (size_t)job->size * sizeof(struct iot_job_member);
	struct iot_job_member *index = iot_map(index_size);
	uint64_t start = up(IOT_ALIGN + ((s->text_size + 7) & ~7ULL) + s->strings_size + index_size);
	MPI_File file;
	uint32_t n;
	bool ok;

	/* a window's worth, for what did not fit it any more, and some blocks of other threads */
	room = total ? up(total + iot_window_size() + (96u << 10)) : 0;
	base = 0;
	ok = iot_pmpi_Exscan(&room, &base, 1, MPI_UINT64_T, MPI_SUM, job->comm) == MPI_SUCCESS;
	base = start + (job->rank ? base : 0);
	if (!all(job, ok && index))
		return false;
	n = gather_index(job, index);
	ok = iot_pmpi_File_open(job->comm, part, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY,
				MPI_INFO_NULL, &file) == MPI_SUCCESS;
	/* those who have it open could not close it without the others */
	if (all(job, ok)) {
		ok = write_all(job, file, total);
		ok = iot_pmpi_File_sync(file) == MPI_SUCCESS && ok;
		ok = iot_pmpi_File_close(&file) == MPI_SUCCESS && ok;
		ok = ok && (!until || is_there(buffer_size()));
		ok = ok && (job->rank || write_front(s, text, index, n));
		ok = all(job, ok);
	} else {
		ok = false;
	}
	iot_unmap(index, index_size);
	return ok;
}

/* Only rank 0 says so. */
static bool give_up(const struct iot_job *job)
{
	if (job->rank == 0) {
		iot_syscall(SYS_unlinkat, (long)AT_FDCWD, part, 0L);
		iot_report(name, ": can't be written", "; each rank keeps its own log");
	}
	iot_strings_free(&strings);
	return false;
}

bool iot_job_merge(const struct iot_job *job)
{
	static struct shared s;
	uint64_t total = 0, text_size = 0;
	char *text = NULL;
	int ok = iot_config.merge, any = 0;

	if (iot_pmpi_Allreduce(&ok, &any, 1, MPI_INT, MPI_MIN, job->comm) != MPI_SUCCESS || !any)
		return false;
	ok = share(job, &s, &text, &text_size);
	memcpy(name, s.name, sizeof(name));
	memcpy(part, s.name, sizeof(part));
	memcpy(part + strlen(part), ".part", 6);
	ok = ok && all(job, size_up(&total)) && write_job(job, &s, text, total);
	if (job->rank == 0 && ok)
		iot_syscall(SYS_fchmodat, (long)AT_FDCWD, part, (long)iot_config.mode);
	if (job->rank == 0 && ok)
		ok = iot_syscall(SYS_renameat2, (long)AT_FDCWD, part, (long)AT_FDCWD, name,
				 1L /* RENAME_NOREPLACE */) == 0 ||
		     iot_syscall(SYS_renameat2, (long)AT_FDCWD, part, (long)AT_FDCWD, name, 0L) == 0;
	if (text)
		iot_unmap(text, text_size);
	if (all(job, ok))
		return true;
	return give_up(job);
}

/* ---- the rest ---- */

/* What comes of the log from there on. */
static bool put_more(struct iot_image *image, int fd, uint64_t from, uint64_t to)
{
	struct iot_window w;
	char *piece;
	long n;

	image->next = from;
	image->end = to;
	while ((n = iot_image_next(image, &piece, &w)) > 0)
		if (fd >= 0 && !write_at(fd, piece, (uint64_t)n, base + image->at - (uint64_t)n))
			return false;
	return n == 0;
}

/*
 * What this rank has recorded since, in place or behind.  A window that has outgrown
 * its place moves; one that was left for a larger one goes: it has been copied.  The
 * larger one may lie between blocks that are there.  If not all of it fits, nothing is
 * written (fd is -1 to try that): what is there is sound.
 */
static bool put_rest(struct iot_image *image, int fd)
{
	uint64_t end = image->end;
	bool ok;

	image->at = used;
	for (uint32_t i = 0; i < n_windows; i++) {
		char *piece;
		uint32_t size;

		if (!iot_image_again(image, &windows[i], &piece, &size))
			return false;
		if (size == windows[i].size) {
			if (fd >= 0 && !write_at(fd, piece, size, base + windows[i].at))
				return false;
			continue;
		}
		if (size && fd >= 0 && !write_at(fd, piece, size, base + image->at))
			return false;
		image->at += size;
		memset(piece, 0, windows[i].size);
		if (fd >= 0 && !write_at(fd, piece, windows[i].size, base + windows[i].at))
			return false;
	}
	image->known = windows;
	image->n_known = n_windows;
	ok = put_more(image, fd, iot_header->text_end, until);
	image->known = NULL;
	ok = ok && put_more(image, fd, until, end);
	image->end = end;
	return ok && image->at <= room;
}

static bool write_rest(int fd)
{
	struct iot_image image;
	char *piece;
	bool ok;
	long n;

	if (!iot_image_begin(&image, &strings, share_text, until))
		return false;
	ok = put_rest(&image, -1) && put_rest(&image, fd);
	image.total = image.at;
	image.whole = true;
	if (ok) {
		n = iot_image_header(&image, &piece);
		ok = n > 0 && write_at(fd, piece, (uint64_t)n, base);
	}
	iot_image_free(&image);
	return ok && iot_syscall(SYS_fdatasync, (long)fd) == 0;
}

void iot_job_merge_rest(void)
{
	bool ok = until && iot_thread_alone();
	int fd = ok ? open_job(name, O_WRONLY) : -1;

	ok = fd >= 0 && write_rest(fd);
	if (fd >= 0)
		iot_sys_close(fd);
	iot_strings_free(&strings);
	if (!ok)
		return;
	iot_syscall(SYS_unlinkat, (long)AT_FDCWD, iot_log_name(), 0L);
	iot_log_renew();
}
