/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log.c - the log is created, with its name and header, and ends.  Its space is log-space.c's,
 * its descriptor logfd.c's.
 */
#include "log.h"

#include "anchor.h"
#include "arena.h"
#include "aside.h"
#include "conf.h"
#include "directory.h"
#include "gate.h"
#include "hooks.h"
#include "log-header.h"
#include "log-share.h"
#include "log-space.h"
#include "logfd.h"
#include "lost.h"
#include "rank.h"
#include "report.h"
#include "sys.h"
#include "text.h"
#include "thread.h"
#include "unrecorded.h"
#include "window-pool.h"
#include "window.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

static struct iot_file_header *parent_header;	/* of the process that we were forked from */

/* --- its end --------------------------------------------------------------- */

/* The process is about to end, or to become another program, with exit's or exec's
   record as this thread's last; or that failed. */
IOT_EACH void iot_log_leaves(bool leaves)
{
	struct iot_thread *t = iot_self;

	if (!iot_share || !t || t->flags & IOT_BLOCK_VFORK)
		return;
	if (t->win)
		iot_window_leave(&t->place, leaves);
	__atomic_fetch_add(&iot_share->running, leaves ? -1U : 1U, __ATOMIC_RELAXED);
	if (!leaves && iot_uring_watch_again)
		iot_uring_watch_again(t);
}

static long size_of(int fd, void *arg)
{
	struct stat st;
	long r = iot_sys_fstat(fd, &st);

	(void)arg;
	return r < 0 ? r : (long)st.st_size;
}

/* Whether the process, which ends, is the last one of the log.  Who returns from main in a dynamic
   executable, or whose end is not recorded, has not said that it leaves. */
static bool is_last(struct iot_thread *t)
{
	if (!iot_share)
		return true;
	if (!t || t->left)
		return !__atomic_load_n(&iot_share->running, __ATOMIC_RELAXED);
	t->left = true;
	return __atomic_fetch_sub(&iot_share->running, 1, __ATOMIC_RELAXED) == 1;
}

/* The process goes through exit_group, or a child of vfork does, which is not the end of
   the process that the log is of.  t: the recorder of whoever does it. */
IOT_EACH void iot_log_ended(struct iot_thread *t)
{
	struct iot_anchor now;
	bool last;
	long size;

	if (!iot_header || (t && t->flags & IOT_BLOCK_VFORK))
		return;
	if (iot_faults_finish)
		iot_faults_finish();
	if (iot_uring_unwatch)
		iot_uring_unwatch();
	iot_window_seal(t);
	last = is_last(t);
	if (!last && iot_each.process)
		return;
	iot_anchor_now(&now);
	iot_anchor_latest(&now);
	if (!last)
		return;
	/* what is not there later has been cut off; other threads may have reserved more, and never get it */
	size = iot_log_do(size_of, NULL);
	iot_header->ended = iot_counted(size > 1 ? (uint64_t)size : 1);
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

/* Whatever the umask, and a directory's default ACL. */
static void set_mode(int fd)
{
	struct stat st;

	if (iot_config.mode != 0600 || iot_sys_fstat(fd, &st) || (st.st_mode & 07777) != 0600)
		iot_syscall(SYS_fchmod, (long)fd, (long)iot_config.mode);
}

static int create(const struct utsname *uts, uint64_t ns)
{
	/* It tells the user's paths.  Nobody else may write it: we have it mapped. */
	int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, fd = -EEXIST;
	/* children may have gone where the directory is not */
	int dir = iot_directory_open(iot_config.dir, iot_config.dir_given && !iot_each.generation);
	/* two descriptors at a time may be more than the program may have */
	bool named = dir == -EMFILE || dir == -ENFILE;

	if (dir < 0 && !named)
		return dir;
	for (int i = 0; i < 100 && fd == -EEXIST; i++, ns += 1000) {
		struct iot_text x = { .buf = iot_log_path, .cap = sizeof(iot_log_path) - 1 };
		const char *name = iot_log_path;

		put_log_name(&x, uts, ns);
		if (!named)
			name += strlen(iot_config.dir) + 1;
		fd = iot_sys_openat(named ? AT_FDCWD : dir, name, flags, 0600);
	}
	if (fd >= 0)
		set_mode(fd);
	if (!named)
		iot_sys_close(dir);
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
	if (whole > iot_log_size_limit())
		return -EFBIG;
	r = iot_log_provide(fd, 0, whole);
	if (r >= 0)
		r = iot_sys_pwrite(fd, x->buf, x->len, 0);
	if (r != x->len)
		return r < 0 ? r : -ENOSPC;
	if (!iot_share_new(h->text_end, whole))
		return -ENOMEM;
	h = iot_log_map_header(fd, &r);
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
	else if (err == ELOOP)
		why = ": a symbolic link on the way is another user's, in a directory that everybody may write";
	else if (err == EROFS)
		why = ": read-only file system";
	else if (err == ENOSPC || err == EDQUOT)
		why = ": no space left";
	else if (err == EMFILE)
		why = ": the limit on descriptors is too low";
	else if (err == EFBIG)
		why = ": the limit on file size is too low";
	if (!iot_unrecorded((uint64_t)err))
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
	/* they were for another log */
	for (struct iot_aside *a = iot_aside_take(); a; a = iot_aside_free(a))
		;
	iot_windows_forget();
	iot_log_unmap_front();
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
		iot_header_text(&x, &uts, iot_config_text);
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
	if (parent_header)
		iot_unmap_inherited(parent_header, IOT_HEADER_SIZE);
	parent_header = NULL;
	return true;
}
