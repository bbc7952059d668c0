/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log.c - the log file: its name, its header, its space.  Its descriptor: logfd.c.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

#include "conf.h"
#include "directory.h"
#include "job-core.h"
#include "log-share.h"
#include "report.h"
#include "sys.h"

struct iot_file_header *iot_header;

char iot_log_path[4096 + 512];
static struct iot_file_header *parent_header;	/* of the process that we were forked from */

/* The log's newest, which other threads and processes store meanwhile; false if one of them
   was in the middle (iot_anchor_store). */
static bool load_latest(struct iot_anchor *a)
{
	const struct iot_anchor *latest = &iot_header->latest;

	a->ticks = __atomic_load_n(&latest->ticks, __ATOMIC_ACQUIRE);
	a->realtime = __atomic_load_n(&latest->realtime, __ATOMIC_RELAXED);
	a->monotonic = __atomic_load_n(&latest->monotonic, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return a->ticks && a->ticks == __atomic_load_n(&latest->ticks, __ATOMIC_RELAXED);
}

/*
 * Reads all three clocks as nearly at once as can be.
 */
void iot_anchor_now(struct iot_anchor *a)
{
	uint64_t best = ~0ULL;

	if (iot_unlikely(!iot_sys_allowed(SYS_clock_gettime))) {
		/* the kernel is asked where the timebase is of no use to it */
		if (!iot_header || !load_latest(a))
			*a = (struct iot_anchor){ 0 };
		return;
	}
	for (int i = 0; i < 8 && best > 4096; i++) {
		struct timespec real, mono;
		uint64_t from = iot_ticks(), to;

		iot_clock(CLOCK_REALTIME, &real);
		iot_clock(CLOCK_MONOTONIC, &mono);
		to = iot_ticks();
		if (to - from >= best)
			continue;
		best = to - from;
		a->ticks = from + best / 2;
		a->realtime = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
		a->monotonic = (uint64_t)mono.tv_sec * 1000000000u + (uint64_t)mono.tv_nsec;
	}
}

/* One for a stream that begins.  A forked child has the log's newest: to read the kernel's
   clocks costs it the page that their code lies in.  Its own follow (iot_rebase). */
void iot_anchor_first(struct iot_anchor *a)
{
	if (!iot_each.process || !load_latest(a))
		iot_anchor_now(a);
}

/* Into the log, where a reader may come at any moment: without ticks it is none. */
void iot_anchor_store(struct iot_anchor *to, const struct iot_anchor *a)
{
	__atomic_store_n(&to->ticks, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&to->realtime, a->realtime, __ATOMIC_RELAXED);
	__atomic_store_n(&to->monotonic, a->monotonic, __ATOMIC_RELAXED);
	__atomic_store_n(&to->ticks, a->ticks, __ATOMIC_RELEASE);
}

/* Adds to a number in the header, which has its checksum in it. */
static void add(uint64_t *word, uint64_t n)
{
	uint64_t was = __atomic_load_n(word, __ATOMIC_RELAXED);

	while (!__atomic_compare_exchange_n(word, &was, iot_counted(IOT_COUNT(was) + n), false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		;
}

/* Remembers the newest anchor, for logs that are cut short.  Threads that come
   while another stores leave theirs out, unless its process was killed in the middle. */
void iot_anchor_latest(const struct iot_anchor *a)
{
	struct iot_anchor *to = &iot_header->latest;
	uint32_t by = 0;

	if (!iot_share ||
	    (!__atomic_compare_exchange_n(&iot_share->latest_by, &by, iot_each.pid, false, __ATOMIC_ACQUIRE,
					  __ATOMIC_RELAXED) &&
	     (by == iot_each.pid || !iot_sys_ended(by) ||
	      !__atomic_compare_exchange_n(&iot_share->latest_by, &by, iot_each.pid, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED))))
		return;
	if (a->ticks > __atomic_load_n(&to->ticks, __ATOMIC_RELAXED)) {
		__atomic_store_n(&to->ticks, 0, __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_RELEASE);
		iot_header->latest_sum = iot_anchor_sum(a);
		iot_anchor_store(to, a);
	}
	__atomic_store_n(&iot_share->latest_by, 0, __ATOMIC_RELEASE);
}

/* Whether a filter of the program's lets us write the log. */
static bool may_write(void)
{
	return iot_sys_allowed(SYS_pwritev) && iot_sys_allowed(SYS_newfstatat) && iot_sys_allowed(SYS_mmap);
}

void iot_lost(uint32_t calls, uint64_t reason)
{
	uint64_t none = 0;

	if (!iot_header)
		return;
	if (!may_write())
		reason = IOT_LOST_FILTER;
	add(&iot_header->lost_calls, calls);
	__atomic_compare_exchange_n(&iot_header->lost_reason, &none, iot_counted(reason), false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}

void iot_leave_out(void)
{
	if (iot_header)
		add(&iot_header->left_out, 1);
}

void iot_log_gate(bool by_log)
{
	__atomic_store_n(&iot_gate, iot_header && by_log ? &iot_header->gate : &iot_whole, __ATOMIC_RELEASE);
}

void iot_log_open_gate(uint32_t families)
{
	__atomic_store_n(&iot_header->open_gate, families, __ATOMIC_SEQ_CST);
	if (!iot_switched_off())
		__atomic_store_n(&iot_header->gate, families, __ATOMIC_SEQ_CST);
	/* it may have been switched off just now */
	if (iot_switched_off())
		__atomic_store_n(&iot_header->gate, 0, __ATOMIC_SEQ_CST);
}

/* --- its end --------------------------------------------------------------- */

/* The process is about to end, or to become another program, with exit's or exec's
   record as this thread's last; or that failed. */
void iot_log_leaves(bool leaves)
{
	struct iot_thread *t = iot_self;

	if (!iot_share || !t || t->flags & IOT_BLOCK_VFORK)
		return;
	if (t->win)
		iot_window_leave(&t->place, leaves);
	__atomic_fetch_add(&iot_share->running, leaves ? -1U : 1U, __ATOMIC_RELAXED);
}

/* The process goes through exit_group.  t: the recorder of whoever does it. */
void iot_log_ended(struct iot_thread *t)
{
	struct iot_anchor now;
	bool last;

	if (!iot_header)
		return;
	iot_window_seal(t);
	last = !iot_share || !__atomic_load_n(&iot_share->running, __ATOMIC_RELAXED);
	if (!last && iot_each.process)
		return;
	iot_anchor_now(&now);
	iot_anchor_latest(&now);
	if (last)
		iot_header->ended = iot_counted(1);
}

/* --- space ---------------------------------------------------------------- */

/* To go beyond it would raise SIGXFSZ in the program. */
static uint64_t size_limit(void)
{
	static uint64_t last = RLIM_INFINITY;
	struct rlimit rl;

	/* if a filter won't have it asked, it won't have it changed either */
	if (iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_FSIZE, (void *)NULL, &rl) == 0 &&
	    rl.rlim_cur != __atomic_load_n(&last, __ATOMIC_RELAXED))
		__atomic_store_n(&last, rl.rlim_cur, __ATOMIC_RELAXED);
	return __atomic_load_n(&last, __ATOMIC_RELAXED);
}

static char zeroes[4096];		/* const would be in the executable */

/* Reserves space in the log; 0 = there is no more, with the reason in the header.
   (t/model/log.pml) */
uint64_t iot_log_alloc(uint64_t size, uint64_t align)
{
	uint64_t was = __atomic_load_n(&iot_share->end, __ATOMIC_RELAXED), limit = size_limit(), at;

	do {
		at = (was + align - 1) & -align;
		if (at + size < at || (iot_config.limit && at + size > iot_config.limit)) {
			iot_lost(0, IOT_LOST_LIMIT);
			return 0;
		}
		if (at + size > limit) {
			iot_lost(0, IOT_LOST_FSIZE);
			return 0;
		}
	} while (!__atomic_compare_exchange_n(&iot_share->end, &was, at + size, false, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	/* for readers: in whatever order processes come here, it adds up */
	add(&iot_header->end, at + size - was);
	return at;
}

enum { PARTS = 4 };

/* What is left of a block behind its first bytes: header, records, their checksum, and
   zeroes up to its size. */
static uint32_t parts(struct iovec *iov, const struct iot_piece *p, uint32_t skip)
{
	const uint32_t known = (uint32_t)(sizeof(p->head) + p->head.used + sizeof(p->sum));
	const struct iovec whole[PARTS] = { { (void *)&p->head, sizeof(p->head) },
					    { (void *)p->records, p->head.used },
					    { (void *)&p->sum, sizeof(p->sum) },
					    { zeroes, p->head.size - known } };

	for (int i = 0; i < PARTS; i++) {
		uint32_t there = skip < whole[i].iov_len ? skip : (uint32_t)whole[i].iov_len;

		iov[i] = (struct iovec){ (char *)whole[i].iov_base + there, whole[i].iov_len - there };
		skip -= there;
	}
	/* Zeroes all look the same, and are no more than that at a time.  Only the block of a
	   full window may have more, and that is written by itself. */
	iov[PARTS - 1].iov_base = zeroes;
	if (iov[PARTS - 1].iov_len > sizeof(zeroes))
		iov[PARTS - 1].iov_len = sizeof(zeroes);
	return skip;
}

/* Writes up to IOT_TOGETHER blocks; false if that failed, with the reason in the log's
   header. */
bool iot_log_write(const struct iot_piece *piece, uint32_t n_pieces, uint64_t off)
{
	struct iot_log_use use = iot_log_use();
	const int fd = use.fd;
	const uint64_t began = iot_log_writes();
	uint64_t done = 0, size = 0;
	long n = -1;

	for (uint32_t i = 0; i < n_pieces; i++)
		size += piece[i].head.size;
	while (fd >= 0 && done < size) {
		struct iovec iov[PARTS * IOT_TOGETHER];
		uint32_t skip = (uint32_t)done;

		/* in one piece, as kernels do best */
		for (uint32_t i = 0; i < n_pieces; i++)
			skip = parts(&iov[PARTS * i], &piece[i], skip);
		n = iot_sys_pwritev(fd, iov, PARTS * (int)n_pieces, off + done);
		if (n == -EINTR)
			continue;
		if (n <= 0)
			break;
		done += (uint64_t)n;
	}
	iot_log_written(began);
	if (done == size) {
		iot_log_used(use);
		return true;
	}
	/* a part of a block is none: a hole is left there */
	if (done && iot_syscall(SYS_fallocate, (long)fd, (long)(FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE),
				off, done) < 0) {
		static const uint32_t no_magic;

		iot_sys_pwrite(fd, &no_magic, sizeof(no_magic), off);
	}
	iot_log_used(use);
	iot_lost(0, fd < 0 ? IOT_LOST_FD : n < 0 ? (uint64_t)-n : ENOSPC);
	return false;
}

/* Makes sure that disk space is there: a store to a mapping must not find the
   disk full.  Returns 0 or -errno. */
static long provide(int fd, uint64_t off, uint64_t size)
{
	long r = iot_sys_fallocate(fd, off, size);

	if (r != -EOPNOTSUPP && r != -ENOSYS)
		return r;
	for (uint64_t i = 0; i < size; i += sizeof(zeroes)) {
		r = iot_sys_pwrite(fd, zeroes, sizeof(zeroes), off + i);
		if (r != sizeof(zeroes))
			return r < 0 ? r : -ENOSPC;
	}
	return 0;
}

/* Space in the log for what is to be mapped; 0: there is none. */
uint64_t iot_log_space(uint64_t size)
{
	uint64_t at = iot_log_alloc(size, IOT_ALIGN);
	struct iot_log_use use;
	long r;

	if (!at)
		return 0;
	use = iot_log_use();
	r = use.fd < 0 ? -IOT_LOST_FD : provide(use.fd, at, size);
	iot_log_used(use);
	if (r < 0)
		iot_lost(0, (uint64_t)-r);
	return r < 0 ? 0 : at;
}

/* Maps size bytes of the log at off, which another process may have said.  inherited: as
   iot_map_inherited does. */
void *iot_log_map(uint64_t off, uint64_t size, bool inherited)
{
	struct iot_log_use use = iot_log_use();
	const int fd = use.fd;
	struct stat st;
	void *p = NULL;
	long error = -IOT_LOST_FD;

	if (fd >= 0)
		error = iot_sys_fstat(fd, &st);
	if (error == 0 && (off % IOT_ALIGN || off > (uint64_t)st.st_size || size > (uint64_t)st.st_size - off))
		error = -IOT_LOST_FILE;
	if (error == 0)
		p = (inherited ? iot_map_inherited : iot_map_shared)(size, fd, off, &error);
	iot_log_used(use);
	if (!p)
		iot_lost(0, (uint64_t)-error);
	return p;
}

/* --- creation ------------------------------------------------------------- */

static void put_log_name(struct iot_text *x, const struct utsname *uts, uint64_t ns)
{
	const char *prog = iot_program();

	iot_puts(x, iot_config.dir);
	iot_puts(x, "/");
	iot_putn(x, prog, strnlen(prog, 100));
	if (iot_rank.rank >= 0) {
		iot_puts(x, ".r");
		iot_putu(x, (uint64_t)iot_rank.rank);
	}
	iot_puts(x, ".");
	iot_putn(x, uts->nodename, strcspn(uts->nodename, "."));
	iot_puts(x, ".");
	iot_putu(x, (uint64_t)iot_sys_getpid());
	iot_puts(x, ".");
	iot_putu(x, ns / 1000);
	iot_puts(x, ".iotrace");
	x->buf[x->len] = 0;
}

static int create(const struct utsname *uts, uint64_t ns)
{
	/* It tells the user's paths.  Nobody else may write it: we have it mapped. */
	int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, fd = -EEXIST;
	/* children may have gone where the directory is not */
	bool make = iot_config.dir_given && !iot_each.generation;

	for (int i = 0; i < 100 && fd == -EEXIST; i++, ns += 1000) {
		struct iot_text x = { .buf = iot_log_path, .cap = sizeof(iot_log_path) - 1 };

		put_log_name(&x, uts, ns);
		fd = iot_sys_openat(AT_FDCWD, iot_log_path, flags, 0600);
		if (fd == -ENOENT && make) {
			make = false;
			fd = (int)iot_directory_make(iot_config.dir);
			if (!fd)
				fd = -EEXIST;
		}
	}
	/* whatever the umask */
	if (fd >= 0 && iot_config.mode != 0600)
		iot_syscall(SYS_fchmod, (long)fd, (long)iot_config.mode);
	return fd;
}

/* x: room for the header, and the text behind it.  Returns 0 or -errno. */
static long write_header(int fd, const struct iot_anchor *start, struct iot_text *x)
{
	struct iot_file_header *h = (struct iot_file_header *)x->buf;
	uint64_t whole;
	long r;

	memcpy(h->magic, IOT_MAGIC, sizeof(h->magic));
	h->byte_order = IOT_BYTE_ORDER;
	h->version = IOT_FORMAT_VERSION;
	h->header_size = IOT_HEADER_SIZE;
	h->text_size = x->len - IOT_HEADER_SIZE;
	h->pid = iot_each.pid;
	h->text_end = (x->len + IOT_ALIGN - 1) & ~(IOT_ALIGN - 1u);
	h->start = h->latest = *start;
	memset(x->buf + x->len, 0, -x->len & 7);
	h->latest_sum = iot_anchor_sum(start);
	h->text_sum = iot_sum(0, (const uint64_t *)(void *)(x->buf + IOT_HEADER_SIZE), (h->text_size + 7) / 8);
	h->fixed_sum = iot_fixed_sum(h);
	memset(h->magic, 0, sizeof(h->magic));
	whole = h->text_end + iot_class_size(0);
	h->end = iot_counted(whole);
	if (whole > size_limit())
		return -EFBIG;
	r = provide(fd, 0, whole);
	if (r >= 0)
		r = iot_sys_pwrite(fd, x->buf, x->len, 0);
	if (r != x->len)
		return r < 0 ? r : -ENOSPC;
	if (!iot_share_new(h->text_end, whole))
		return -ENOMEM;
	h = iot_map_inherited(IOT_HEADER_SIZE, fd, 0, &r);
	if (!h)
		return r;
	/* now that all of it is there */
	iot_barrier();
	memcpy(h->magic, IOT_MAGIC, sizeof(h->magic));
	iot_header = h;
	iot_log_open_gate(iot_config.whole);
	iot_log_gate(!iot_pauses);
	return 0;
}

/* Only a directory that was asked for is worth a word on the program's stderr, and
   to the program as it was started: children may have gone where it is not.  Want
   of memory is not the directory's fault. */
static void report_directory(long err)
{
	const char *why = ": no log can be created there";

	if (!iot_config.dir_given || iot_each.generation || err == ENOMEM)
		return;
	if (err == EACCES || err == EPERM)
		why = ": permission denied";
	else if (err == ENOENT)
		why = ": no such directory";
	else if (err == ENOTDIR)
		why = ": not a directory";
	else if (err == EROFS)
		why = ": read-only file system";
	else if (err == ENOSPC || err == EDQUOT)
		why = ": no space left";
	else if (err == EMFILE)
		why = ": the limit on descriptors is too low";
	else if (err == EFBIG)
		why = ": the limit on file size is too low";
	iot_report(iot_config.dir, why, "; this run is not recorded (see IOTRACE_DIR)");
}

/* The process is not the one that created the log. */
void iot_log_forget(void)
{
	iot_log_fd_forget();
	if (iot_header)
		parent_header = iot_header;
	iot_header = NULL;
	iot_log_gate(false);
	iot_share_forget();
}

/* There will be no log: a child's calls count as lost where its parent's are. */
static void no_log(long err)
{
	report_directory(err);
	iot_header = parent_header;
	iot_lost(0, (uint64_t)err);
}

/* Creates the log.  Returns false if there can be none. */
bool iot_log_start(void)
{
	struct iot_text x = { .len = IOT_HEADER_SIZE, .cap = IOT_TEXT_CAP };
	struct iot_anchor start;
	static struct utsname uts;
	struct iot_log_use use;
	long error;

	iot_anchor_now(&start);
	iot_syscall(SYS_uname, &uts);
	error = create(&uts, start.realtime);
	if (error < 0) {
		no_log(-error);
		return false;
	}
	use = iot_log_fd_new((int)error);
	x.buf = iot_map(IOT_TEXT_CAP);
	error = -ENOMEM;
	if (x.buf) {
		iot_header_text(&x, &uts);
		error = write_header(use.fd, &start, &x);
		iot_unmap(x.buf, IOT_TEXT_CAP);
	}
	iot_log_used(use);
	if (error < 0) {
		/* an empty file would only puzzle people */
		iot_syscall(SYS_unlinkat, (long)AT_FDCWD, iot_log_path, 0L);
		iot_log_forget();
		no_log(-error);
		return false;
	}
	iot_bus_start();
	if (parent_header)
		iot_unmap_inherited(parent_header, IOT_HEADER_SIZE);
	parent_header = NULL;
	return true;
}
