/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pointers.c - calls every row of the table with pointers that are bad in all the
 * ways a pointer can be, each in a child of its own, and prints what came of it: the
 * result and errno, or the signal and where the fault was.  What it prints depends
 * on nothing else, so that it is the same without a recorder.
 *
 *	pointers SHARD SHARDS [ROW]
 *
 * It works in the current directory.
 */
#define _GNU_SOURCE
#include <aio.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <mntent.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

#define PAGE 4096

/* How the arguments beside the bad one are. */
enum surroundings {
	SANE,
	MISSING,	/* paths name nothing, descriptors are of a pipe, counts too large */
	EMPTY,		/* paths and texts are "" */
	CLOSED,		/* descriptors are not open, a path goes through a file */
	N_SURROUNDINGS,
};
static enum surroundings around;
static const char *const around_name[] = { "sane", "missing", "empty", "closed" };

static char area[65536] __attribute__((aligned(4096)));
#define AREA ((void *)area)

/* --- what is sane ------------------------------------------------------------ */
static int good_pipe(int end)
{
	static int p[2];

	if (!p[0]) {
		if (pipe2(p, O_NONBLOCK))
			return -1;
		if (write(p[1], "0123456789abcdef", 16) < 0)
			return -1;
	}
	return p[end];
}

static int good_fd(void)
{
	return around == SANE || around == EMPTY ? open("f", O_RDWR) : around == MISSING ? good_pipe(0) : -1;
}

static int good_socket(void)
{
	int s[2];

	if (around == CLOSED)
		return -1;
	if (around == MISSING)
		return good_pipe(0);
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, s) || write(s[1], "0123456789abcdef", 16) < 0)
		return -1;
	return s[0];
}

static int good_epoll(void)
{
	struct epoll_event ready = { .events = EPOLLOUT };
	int fd = around == CLOSED ? -1 : epoll_create1(0);

	epoll_ctl(fd, EPOLL_CTL_ADD, good_pipe(1), &ready);
	return fd;
}

static int good_queue(void)
{
	return -1;
}

static const char *good_path(void)
{
	static const char *const paths[N_SURROUNDINGS] = { "f", "/nonexistent/f", "", "f/x" };

	return paths[around];
}

static const char *good_text(const char *text)
{
	return around == EMPTY ? "" : text;
}

/* One that libc answers by itself, having looked whether the path is empty. */
static int good_name(void)
{
	return around == SANE ? _PC_MAX_INPUT : _PC_NAME_MAX;
}

static const char *good_dir(void)
{
	return around == SANE ? "d" : good_path();
}

static const char *good_program(void)
{
	return around == SANE ? "/bin/true" : good_path();
}

static char *good_template(void)
{
	return strcpy(area, around == SANE ? "tmpXXXXXX" : around == EMPTY ? "" : "/nonexistent/XXXXXX");
}

static FILE *good_file(void)
{
	return fopen("f", "r+");
}

static int good_count(void)
{
	return around == SANE || around == EMPTY ? 1 : 2000;
}

static struct iovec *good_iov(void)
{
	static struct iovec iov = { area, 16 };

	return &iov;
}

static struct msghdr *good_msg(void)
{
	static struct msghdr msg;

	msg = (struct msghdr){ .msg_iov = good_iov(), .msg_iovlen = 1 };
	return &msg;
}

static struct mmsghdr *good_mmsg(void)
{
	static struct mmsghdr msg;

	msg.msg_hdr = *good_msg();
	return &msg;
}

static struct sockaddr_un *good_addr(void)
{
	static struct sockaddr_un addr = { .sun_family = AF_UNIX, .sun_path = "none" };

	return &addr;
}

static struct sockaddr_un *good_new_addr(void)
{
	static struct sockaddr_un addr = { .sun_family = AF_UNIX, .sun_path = "new" };

	return &addr;
}

static struct pollfd *good_pfds(void)
{
	static struct pollfd p;

	p = (struct pollfd){ .fd = good_pipe(1), .events = POLLOUT };
	return &p;
}

/* Something is ready at once. */
static fd_set *good_set(void)
{
	static fd_set set;

	FD_ZERO(&set);
	FD_SET(good_pipe(1), &set);
	return &set;
}

static struct passwd *good_user(void)
{
	static struct passwd user = { .pw_name = "u", .pw_passwd = "x", .pw_gecos = "", .pw_dir = "/", .pw_shell = "/" };

	return &user;
}

static struct group *good_group(void)
{
	static char *members[] = { NULL };
	static struct group group = { .gr_name = "g", .gr_passwd = "x", .gr_mem = members };

	return &group;
}

static struct mntent *good_mount(void)
{
	static struct mntent mount = { .mnt_fsname = "f", .mnt_dir = "/", .mnt_type = "t", .mnt_opts = "o" };

	return &mount;
}

static struct aiocb *good_aiocb(void)
{
	static struct aiocb cb;

	cb = (struct aiocb){ .aio_fildes = good_fd(), .aio_buf = area, .aio_nbytes = 16,
			     .aio_sigevent.sigev_notify = SIGEV_NONE };
	return &cb;
}

static struct aiocb **good_list(void)
{
	static struct aiocb *list[1];

	list[0] = good_aiocb();
	list[0]->aio_lio_opcode = LIO_NOP;
	return list;
}

static char **good_argv(void)
{
	static char *argv[] = { "x", NULL };

	return argv;
}

static unsigned int *good_length(void)
{
	static unsigned int n[4] = { 16 };

	return n;
}

static char **good_line(void)
{
	static char *line;

	return &line;
}

static struct file_handle *good_handle(void)
{
	struct file_handle *h = (struct file_handle *)area;

	h->handle_bytes = 128;
	return h;
}

static void *good_map(void)
{
	return mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static va_list *no_args(void)
{
	static va_list ap[1];

	return ap;
}

static void *a_thread(void *arg)
{
	return arg;
}

static int a_visit(const char *path, const struct stat *st, int what)
{
	(void)path, (void)st, (void)what;
	return 0;
}

/* --- the calls ---------------------------------------------------------------- */
struct a_case {
	const char *what;
	long (*call)(void *bad);
	int kind; /* KIND_*: gen.awk has them from kinds.def */
};

#include "cases.h"

/* --- what is bad -------------------------------------------------------------- */
enum badness {
	IS_NULL, IS_8, IS_MINUS_1, AT_LAST_BYTE, READ_ONLY, ENDS_IN_IT, UNREADABLE,
	/* good, but what it points to is not */
	BAD_INSIDE, BAD_LATER, MANY_INSIDE,
	N_BADNESSES,
};
static const char *const badness_name[] = { "NULL", "8", "-1", "last byte", "read-only", "ends", "unreadable",
					    "bad inside", "bad later", "many inside" };

/* Where they are is the same in all processes. */
#define PLACE 0x200000000000UL

/* With nothing in it that could be taken for a lock or a length, or that ends. */
static char *place(int prot)
{
	char *p = mmap((void *)PLACE, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	munmap(p + PAGE, 2 * PAGE);
	memset(p, 0, PAGE);
	if (prot != PROT_READ)
		memset(p + PAGE - 64, 'x', 64);
	return p;
}

static void *read_only(int kind)
{
	char *p = place(PROT_READ);

	if (kind == KIND_path || kind == KIND_relpath)
		strcpy(p, good_path());
	else if (kind == KIND_str || kind == KIND_command || kind == KIND_link || kind == KIND_text || kind == KIND_name)
		strcpy(p, "r");
	else if (kind == KIND_iov)
		memcpy(p, good_iov(), sizeof(struct iovec));
	else if (kind == KIND_msg)
		memcpy(p, good_msg(), sizeof(struct msghdr));
	else if (kind == KIND_aiocb)
		memcpy(p, good_aiocb(), sizeof(struct aiocb));
	else if (kind == KIND_addr)
		memcpy(p, good_addr(), sizeof(struct sockaddr_un));
	mprotect(p, PAGE, PROT_READ);
	return p;
}

/* Structures and lists that are there, and point nowhere; NULL: this kind has none. */
static void *bad_inside(int kind, const char *what, enum badness how)
{
	void *bad = how == BAD_LATER ? (void *)(PLACE + PAGE - 1) : (void *)-1;
	struct msghdr *m = (struct msghdr *)area;
	void **list = (void **)area;

	place(0);
	if (kind == KIND_msg) {
		*m = (struct msghdr){ .msg_iov = bad, .msg_iovlen = how == MANY_INSIDE ? 2000 : 1 };
		return m;
	}
	if (strstr(what, "(argv)") || strstr(what, "(envp)") || strstr(what, "(list)")) {
		if (how == MANY_INSIDE)
			return NULL;
		list[0] = how == BAD_LATER ? strcpy((char *)PLACE, "x") : bad;
		list[1] = how == BAD_LATER ? bad : NULL;
		list[2] = NULL;
		return list;
	}
	return NULL;
}

static void *bad_pointer(int kind, const char *what, enum badness how)
{
	switch (how) {
	case IS_NULL:
		return NULL;
	case IS_8:
		return (void *)8;
	case IS_MINUS_1:
		return (void *)-1;
	case AT_LAST_BYTE:
		return place(kind == KIND_DIR ? PROT_READ : 0) + PAGE - 1;
	case READ_ONLY:
		return read_only(kind);
	case ENDS_IN_IT:
		return place(kind == KIND_DIR ? PROT_READ : 0) + PAGE - 8;
	case UNREADABLE:
		mprotect(place(0), PAGE, PROT_NONE);
		return (void *)PLACE;
	default:
		return bad_inside(kind, what, how);
	}
}

/* --- how it goes --------------------------------------------------------------- */
static struct outcome {
	long ret;
	int err, sig, done, none;
	unsigned long at;
} *outcome;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)context;
	outcome->sig = sig;
	outcome->at = (unsigned long)info->si_addr;
	syscall(SYS_exit_group, 0);
}

static void make_files(void)
{
	int fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, "0123456789\nabcdefghijklmnopqrstuvwxyz\n", 38) != 38)
		exit(99);
	close(fd);
	mkdir("d", 0700);
	if (symlink("f", "link") && errno != EEXIST)
		exit(99);
	if (unlink("new"))
		rmdir("new");
}

static void child(const struct a_case *c, enum badness how)
{
	static char stack[65536];
	const stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction act = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	void *bad;
	long ret;

	/* none of them waits for anything */
	alarm(600);
	make_files();
	sigaltstack(&alternate, NULL);
	bad = bad_pointer(c->kind, c->what, how);
	if (how >= BAD_INSIDE && !bad) {
		outcome->none = 1;
		_exit(0);
	}
	sigaction(SIGSEGV, &act, NULL);
	sigaction(SIGBUS, &act, NULL);
	errno = 0;
	ret = c->call(bad);
	outcome->err = errno;
	outcome->ret = ret;
	outcome->done = 1;
	/* what waits in a stream that is good is output, too */
	if (c->kind != KIND_FILE && strncmp(c->what, "fclose", 6))
		fflush(NULL);
	syscall(SYS_exit_group, 0);
}

/* What the call has left of the file, and whether it made another. */
static void tell_files(void)
{
	char bytes[PAGE];
	int fd = open("f", O_RDONLY);
	ssize_t n = read(fd, bytes, sizeof(bytes));
	unsigned sum = 0;

	close(fd);
	for (ssize_t i = 0; i < n; i++)
		sum = sum * 31 + (unsigned char)bytes[i];
	printf(" f %zd %x%s\n", n, sum, access("new", F_OK) ? "" : ", new");
}

static void try(int number, const struct a_case *c, enum badness how)
{
	int status = 0;
	pid_t pid;

	*outcome = (struct outcome){ 0 };
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		child(c, how);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		exit(99);
	if (outcome->none)
		return;
	printf("%05d %s %s, %s: ", number, c->what, badness_name[how], around_name[around]);
	/* of a stream, libc may look at one part first or another: the page is the same, which
	   a handler may bring */
	if (outcome->sig && (c->kind == KIND_FILE || c->kind == KIND_DIR))
		printf("signal %d in page %lx", outcome->sig, outcome->at / PAGE);
	else if (outcome->sig)
		printf("signal %d at %lx", outcome->sig, outcome->at);
	else if (WIFSIGNALED(status))
		printf("killed by %d", WTERMSIG(status));
	else if (!outcome->done)
		printf("exit %d", WEXITSTATUS(status));
	else
		printf("%ld %d", outcome->ret, outcome->err);
	/* the kernel writes there for whatever ends on the machine */
	if (strncmp(c->what, "acct", 4))
		tell_files();
	else
		printf("\n");
}

int main(int argc, char **argv)
{
	int shard = argc > 1 ? atoi(argv[1]) : 0, shards = argc > 2 ? atoi(argv[2]) : 1, n = sizeof(cases) / sizeof(*cases);
	int last = argc > 3 && !strcmp(argv[3], "all") ? N_SURROUNDINGS : EMPTY + 1;
	const char *only = argc > 4 ? argv[4] : "";

	outcome = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = shard; i < n; i += shards) {
		if (strncmp(cases[i].what, only, strlen(only)))
			continue;
		for (around = SANE; (int)around < last; around++)
			for (enum badness how = 0; how < N_BADNESSES; how++)
				try(i, &cases[i], how);
	}
	return 0;
}
