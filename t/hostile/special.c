/* SPDX-License-Identifier: BSD-3-Clause */
/* special.c - operations by hand: what takes several calls, or arguments of its own. */
#define _GNU_SOURCE
#include "storm.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void do_file(const struct op *op, struct draw *d)
{
	const char *path = some_path(d);
	int fd = open(path, O_RDWR | O_CREAT, 0644), error = fd < 0 ? errno : 0;
	ssize_t n = fd < 0 ? -1L : write(fd, scratch(d, 5000), pick(d, 5000));

	say(op, "file = %d %s, write = %zd", fd, error_name(error), n);
	place_tell(op, "write", fd, 0, n);
}

static void do_pipe(const struct op *op, struct draw *d)
{
	int fds[2] = { -1, -1 };
	int r = pipe2(fds, O_NONBLOCK);

	say(op, "pipe = %d: %d %d, write = %zd", r, fds[0], fds[1], write(fds[1], scratch(d, 300), 300));
}

static void do_socketpair(const struct op *op, struct draw *d)
{
	int fds[2] = { -1, -1 };
	int r = socketpair(AF_UNIX, (pick(d, 2) ? SOCK_STREAM : SOCK_DGRAM) | SOCK_NONBLOCK, 0, fds);

	say(op, "socketpair = %d: %d %d, send = %zd", r, fds[0], fds[1], send(fds[1], scratch(d, 30), 30, 0));
}

static void do_listen(const struct op *op, struct draw *d)
{
	struct {
		short family;
		char path[8];
	} addr = { AF_UNIX, "sock" };
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), c = socket(AF_UNIX, SOCK_STREAM, 0), r;

	(void)d;
	unlink("sock");
	r = bind(s, (void *)&addr, sizeof(addr));
	say(op, "bind = %d, listen = %d, connect = %d, accept = %d", r, listen(s, 3),
	    connect(c, (void *)&addr, sizeof(addr)), accept4(s, NULL, NULL, SOCK_NONBLOCK));
	fcntl(c, F_SETFL, O_NONBLOCK);
}

/* One number taken by another, for many. */
static void do_dup_over(const struct op *op, struct draw *d)
{
	int from = some_fd(d), first = 3 + pick(d, 20), n = pick(d, 12), sum = 0;

	for (int fd = first; fd < first + n; fd++)
		sum = sum * 7 + dup2(from, fd);
	say(op, "dup2 to %d-%d: %d %s", first, first + n, sum, error_name(errno));
}

static void do_close_all(const struct op *op, struct draw *d)
{
	unsigned how = pick(d, 6);

	switch (how) {
	case 0:
		closefrom(3 + pick(d, 6));
		break;
	case 1:
		say(op, "close_range = %d", close_range(3 + pick(d, 6), ~0U, pick(d, 2) ? CLOSE_RANGE_CLOEXEC : 0));
		break;
	case 2:
		for (int fd = 5; fd < 1500; fd++)
			close(fd);
		break;
	case 3:
		for (int fd = 7; fd < 1100; fd++)
			syscall(SYS_close, fd);
		break;
	case 4:
		syscall(SYS_close_range, 3, ~0U, 0);
		break;
	default:
		say(op, "close_range = %d", close_range(6, 5000, CLOSE_RANGE_UNSHARE));
	}
	say(op, "closed by %u", how);
}

static void do_rlimit(const struct op *op, struct draw *d)
{
	static const rlim_t to[] = { 64, 100, 200, 256, 257, 1024, 1025, 2048 };
	struct rlimit rl;

	getrlimit(RLIMIT_NOFILE, &rl);
	rl.rlim_cur = to[pick(d, 8)];
	if (pick(d, 6) == 0)
		rl.rlim_cur = rl.rlim_max;
	/* there the log's number is one of the program's */
	if (pick(d, 8) == 0 && with(LOGNUMBER))
		rl.rlim_max = rl.rlim_cur;
	say(op, "setrlimit = %d to %lu", setrlimit(RLIMIT_NOFILE, &rl), (unsigned long)rl.rlim_cur);
}

static void do_chdir(const struct op *op, struct draw *d)
{
	const char *path = some_path(d);
	int r = chdir(path);

	say(op, "chdir = %d %s", r, error_name(r ? errno : 0));
}

static void do_names(const struct op *op, struct draw *d)
{
	int r = mkdir("d", 0755);

	r = r * 3 + symlink(some_path(d), "ln");
	r = r * 3 + rename(some_path(d), some_path(d));
	r = r * 3 + link(some_path(d), some_path(d));
	r = r * 3 + unlink(some_path(d));
	say(op, "names: %d %s", r, error_name(errno));
}

static void do_map_file(const struct op *op, struct draw *d)
{
	int fd = open("map", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int r = ftruncate(fd, 8192);
	char *at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, pick(d, 2) ? MAP_SHARED : MAP_PRIVATE, fd, 0);

	close(fd);
	if (at == MAP_FAILED) {
		say(op, "map: %d, %s", r, error_name(errno));
		return;
	}
	memset(at + 1000, 'm', 3000);
	say(op, "map: %d, %x", r, hash(at, 8192));
	munmap(at, 8192);
}

/* A page of a file that is not there any more: the program dies of it in a child. */
static void do_bus(const struct op *op, struct draw *d)
{
	pid_t pid = fork();

	if (pid == 0) {
		int fd = open("map", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		volatile char *at;

		if (ftruncate(fd, 8192))
			_exit(1);
		at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		signal(SIGBUS, pick(d, 2) ? _exit : SIG_DFL);
		if (at == MAP_FAILED || ftruncate(fd, 0))
			_exit(2);
		at[5000] = 1;
		_exit(3);
	}
	if (pid > 0)
		wait_for(op, "bus", pid);
}

/* A child does not have the threads by which glibc does this. */
static bool has_helpers(void)
{
	return getpid() == first_process;
}

static void do_aio(const struct op *op, struct draw *d)
{
	struct aiocb cb = { .aio_fildes = some_fd(d), .aio_buf = scratch(d, 4096), .aio_nbytes = pick(d, 4000) };
	const struct aiocb *list[] = { &cb };
	int r, error;

	if (!has_helpers())
		return;
	r = pick(d, 2) ? aio_write(&cb) : aio_read(&cb);
	if (r) {
		say(op, "aio: %s", error_name(errno));
		return;
	}
	while (aio_error(&cb) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	error = aio_error(&cb);
	say(op, "aio: %s %zd", error_name(error), aio_return(&cb));
}

static void do_lio(const struct op *op, struct draw *d)
{
	struct aiocb cbs[3], *list[3];
	int r, sum = 0;

	if (!has_helpers())
		return;
	memset(cbs, 0, sizeof(cbs));
	for (int i = 0; i < 3; i++) {
		cbs[i] = (struct aiocb){ .aio_fildes = some_fd(d), .aio_buf = scratch(d, 500), .aio_nbytes = 100 + i,
					 .aio_offset = 1000 * i, .aio_lio_opcode = LIO_WRITE };
		list[i] = pick(d, 5) ? &cbs[i] : NULL;
	}
	r = lio_listio(LIO_WAIT, list, 3, NULL);
	for (int i = 0; i < 3; i++)
		if (list[i])
			sum = sum * 1000 + aio_return(list[i]);
	say(op, "lio = %d: %d", r, sum);
}

static int count_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)path, (void)st, (void)ftw;
	return type == FTW_NS ? 2 : 0;
}

static void do_nftw(const struct op *op, struct draw *d)
{
	static const int flags[] = { 0, FTW_PHYS, FTW_CHDIR, FTW_DEPTH, FTW_CHDIR | FTW_PHYS | FTW_DEPTH, FTW_MOUNT };
	int r = nftw(some_path(d), count_entry, 1 + pick(d, 5), flags[pick(d, 6)]);

	say(op, "nftw = %d %s", r, error_name(errno));
}

static void do_glob(const struct op *op, struct draw *d)
{
	static const char *const patterns[] = { "*", "d/*", "*/*", "[ab]", "none*", "./{a,b}" };
	glob_t g = { 0 };
	int r = glob(patterns[pick(d, 6)], pick(d, 2) ? GLOB_BRACE : GLOB_MARK, NULL, &g);

	say(op, "glob = %d, %zu", r, r ? 0 : g.gl_pathc);
	if (!r)
		globfree(&g);
}

static void do_signal_mask(const struct op *op, struct draw *d)
{
	sigset_t set;
	int sig = 1 + pick(d, 64);

	sigemptyset(&set);
	if (sig != SIGALRM && sig != SIGSEGV && sig != SIGUSR1 && sig != SIGUSR2 && sig != SIGSYS)
		sigaddset(&set, sig);
	say(op, "mask of %d = %d", sig, sigprocmask(pick(d, 2) ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL));
}

static void ignore_signal(int sig)
{
	(void)sig;
}

static void do_signal_action(const struct op *op, struct draw *d)
{
	static const int sigs[] = { SIGHUP, SIGINT, SIGTERM, SIGBUS, SIGSYS, SIGTRAP, SIGFPE, SIGWINCH, SIGXFSZ, SIGURG, 34, SIGKILL, 99 };
	struct sigaction action = { .sa_handler = ignore_signal, .sa_flags = pick(d, 2) ? SA_RESTART : SA_RESETHAND }, old;
	int sig = sigs[pick(d, 13)], r;

	if (sig == SIGXFSZ || pick(d, 3) == 0)
		action.sa_handler = SIG_IGN;
	memset(&old, 0, sizeof(old));
	r = sigaction(sig, &action, &old);
	say(op, "sigaction of %d = %d, was %s", sig, r,
	    sig == SIGBUS ? "" : old.sa_handler == SIG_DFL ? "default" : old.sa_handler == SIG_IGN ? "ignored" : "handled");
	if (r == 0 && sig == SIGSYS && action.sa_handler == ignore_signal)
		raise(sig);
}

static void do_prctl(const struct op *op, struct draw *d)
{
	int r = 0;

	switch (pick(d, 5)) {
	case 0:
		r = prctl(PR_SET_NAME, "stormy");
		break;
	case 1:
		r = prctl(PR_SET_DUMPABLE, pick(d, 2));
		break;
	case 2:
		r = prctl(PR_GET_PDEATHSIG, 8L);
		break;
	case 3:
		r = prctl(PR_SET_CHILD_SUBREAPER, 1);
		break;
	default:
		r = prctl(4711, 1, 2, 3, 4);
	}
	say(op, "prctl = %d %s", r, error_name(r < 0 ? errno : 0));
}

static void do_environment(const struct op *op, struct draw *d)
{
	static const char *const names[] = { "IOTRACE_STACK", "IOTRACE_CALLS", "LD_BIND_NOW", "HOME" };
	static const char *const settings[] = { "0", "posix", "", "/" };
	const char *dir = getenv("IOTRACE_DIR");
	int n = pick(d, 4);

	if (pick(d, 5)) {
		setenv(names[n], settings[n], 1);
	} else {
		/* no logs among the program's files */
		dir = dir ? strdup(dir) : NULL;
		clearenv();
		if (dir)
			setenv("IOTRACE_DIR", dir, 1);
		/* nor is it empty in one form only */
		setenv("STORM", "1", 1);
	}
	say(op, "environment");
}

static void do_state(const struct op *op, struct draw *d)
{
	(void)d;
	say_state(op);
}

/* A long row of common calls: the log's buffer is filled and flushed. */
static void do_many(const struct op *op, struct draw *d)
{
	int fd = some_fd(d), n = 200 + pick(d, 3000);
	long sum = 0;
	char *at = scratch(d, 4096);

	for (int i = 0; i < n; i++)
		sum += i % 3 ? pread(fd, at, i % 100, i) : pwrite(fd, "many", i % 5, i);
	say(op, "many: %ld %s", sum, error_name(errno));
}

static void do_unnamed(const struct op *op, struct draw *d)
{
	char *at = scratch(d, 4096);

	errno = 0;
	say(op, "syscall = %ld %s", syscall(pick(d, 2) ? 1000 + pick(d, 100) : -1L, at, at, at), error_name(errno));
}

const struct special specials[] = {
	{ "file", 0, do_file },
	{ "file", 0, do_file },
	{ "pipe", 0, do_pipe },
	{ "socketpair", NET, do_socketpair },
	{ "listen", NET, do_listen },
	{ "dup-over", DESCRIPTORS, do_dup_over },
	{ "close-all", DESCRIPTORS, do_close_all },
	{ "rlimit", LIMITS | DESCRIPTORS, do_rlimit },
	{ "chdir", 0, do_chdir },
	{ "names", 0, do_names },
	{ "map-file", MAPS, do_map_file },
	{ "bus", MAPS | FORK, do_bus },
	{ "aio", AIO, do_aio },
	{ "lio", AIO, do_lio },
	{ "nftw", 0, do_nftw },
	{ "glob", 0, do_glob },
	{ "signal-mask", SIGNALS, do_signal_mask },
	{ "signal-action", SIGNALS, do_signal_action },
	{ "prctl", 0, do_prctl },
	{ "environment", 0, do_environment },
	{ "state", 0, do_state },
	{ "many", 0, do_many },
	{ "unnamed", RAW, do_unnamed },
	{ "timer", TIMERS, timer_switch },
	{ "crowd", CROWD | THREADS, crowd_switch },
};
const int n_specials = sizeof(specials) / sizeof(specials[0]);
