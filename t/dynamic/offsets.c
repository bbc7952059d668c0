/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * offsets.c - writes and reads between calls in which libc moves an offset by itself, or
 * another process does.  Where the kernel has the offset before each goes to the file
 * "truth", past libc.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fmtmsg.h>
#include <getopt.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>
#include <wordexp.h>

extern char **environ;
static int log_fd, truth;
static const char *name;

static long raw(long number, long a, const void *b, long c)
{
	long ret;

	__asm__ __volatile__("syscall"
			     : "=a"(ret)
			     : "0"(number), "D"(a), "S"(b), "d"(c)
			     : "rcx", "r11", "memory");
	return ret;
}

static long where(int fd)
{
	return raw(SYS_lseek, fd, NULL, SEEK_CUR);
}

static void said(const char *call, long at)
{
	char line[100];
	int n = snprintf(line, sizeof(line), "%s %s %ld\n", name, call, at);

	raw(SYS_write, truth, line, n);
}

/* All that follow are with this many bytes, which no other call here is with. */
#define BYTES 13

static void stored(int fd)
{
	said("write", where(fd));
	if (write(fd, "thirteen byte", BYTES) != BYTES)
		_exit(3);
}

static void loaded(int fd)
{
	char in[BYTES];

	said("read", where(fd));
	if (read(fd, in, BYTES) != BYTES)
		_exit(4);
}

/* --- what writes ------------------------------------------------------------ */

static void by_printf(void)
{
	printf("some text\n");
	fflush(stdout);
}

static void by_puts(void)
{
	puts("more");
}

static void by_stderr(void)
{
	fputs("unbuffered", stderr);
}

static void by_dprintf(void)
{
	dprintf(log_fd, "%d bytes", 77);
}

static void by_long_dprintf(void)
{
	dprintf(log_fd, "%5000d bytes", 77);
}

static void by_perror(void)
{
	perror("perror");
}

static void by_psignal(void)
{
	psignal(SIGINT, "psignal");
}

static void by_psiginfo(void)
{
	siginfo_t info = { .si_signo = SIGSEGV };

	psiginfo(&info, "psiginfo");
}

static void by_warn(void)
{
	warn("warning %d", 1);
	warnx("warning %d", 2);
}

static void by_error(void)
{
	error(0, 2, "error");
}

static void by_syslog(void)
{
	openlog("offsets", LOG_PERROR, LOG_USER);
	syslog(LOG_INFO, "a line");
	closelog();
}

static void by_getopt(void)
{
	char *argv[] = { (char *)"offsets", (char *)"-x", NULL };
	const struct option none = { 0 };

	optind = 0;
	getopt(2, argv, "a");
	optind = 0;
	argv[1] = (char *)"--unknown";
	getopt_long(2, argv, "a", &none, NULL);
}

static void by_fmtmsg(void)
{
	fmtmsg(MM_PRINT, "offsets:test", MM_INFO, "text", NULL, NULL);
}

static void by_herror(void)
{
	h_errno = HOST_NOT_FOUND;
	herror("herror");
}

static void by_backtrace(void)
{
	void *frames[4];

	backtrace_symbols_fd(frames, backtrace(frames, 4), log_fd);
}

static void by_wordexp(void)
{
	wordexp_t words;

	if (wordexp("$(echo text >&9)", &words, 0) == 0)
		wordfree(&words);
}

static void by_system(void)
{
	if (system("echo text >&9"))
		_exit(5);
}

static void by_spawn(void)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)"echo text >&9", NULL };
	pid_t pid;

	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) || waitpid(pid, NULL, 0) != pid)
		_exit(6);
}

static void by_fork(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (write(log_fd, "child", 5) != 5)
			_exit(7);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void by_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execlp("sh", "sh", "-c", "echo text >&9", NULL);
		_exit(8);
	}
	waitpid(pid, NULL, 0);
}

static void by_assert(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		void *p = malloc(10);

		signal(SIGABRT, SIG_DFL);
		free(p);
		__asm__ __volatile__("" : "+r"(p));
		free(p);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void by_stream(void)
{
	static FILE *f;

	if (!f)
		f = fdopen(dup(log_fd), "w");
	fputs("through a stream", f);
	fflush(f);
}

static void by_number(void)
{
	static FILE *f;

	if (!f) {
		f = fopen("/dev/null", "w");
		f->_fileno = log_fd;
	}
	fputs("its number", f);
	fflush(f);
}

static void *of_thread(void *arg)
{
	(void)arg;
	dprintf(log_fd, "thread %d\n", 1);
	return NULL;
}

static void by_thread(void)
{
	pthread_t th;

	pthread_create(&th, NULL, of_thread, NULL);
	pthread_join(th, NULL);
}

/* --- what reads --------------------------------------------------------------- */

static void by_getchar(void)
{
	getchar();
}

static void by_scanf(void)
{
	int n;

	if (scanf("%d", &n) != 1)
		_exit(9);
	setvbuf(stdin, NULL, _IONBF, 0);
}

/* --- other processes ------------------------------------------------------------ */

#define TAKER "taker"			/* as name: it is the program that takes a descriptor */
static int pair[2];

static void send_fd(int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 }, byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(int));
	if (strcmp(name, "many") ? sendmsg(pair[0], &m, 0) != 1 :
				   sendmmsg(pair[0], &(struct mmsghdr){ .msg_hdr = m }, 1, 0) != 1)
		_exit(10);
}

static int receive_fd(void)
{
	char control[CMSG_SPACE(sizeof(int))], byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
	int fd;

	if (recvmsg(pair[1], &m, 0) != 1)
		_exit(11);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(int));
	return fd;
}

/* Takes the parent's, whose number the message says. */
static int take_fd(void)
{
	int fd;

	if (recv(pair[1], &fd, sizeof(fd), 0) != sizeof(fd))
		_exit(20);
	fd = (int)syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, getppid(), 0), fd, 0);
	if (fd < 0)
		_exit(21);
	return fd;
}

static void be_other(int fd)
{
	char byte;

	truth = -1;
	while (recv(pair[1], &byte, 1, 0) == 1 && byte) {
		if (write(fd, "from the other", 14) != 14)
			_exit(13);
		send(pair[1], &byte, 1, 0);
	}
	_exit(0);
}

/* The other process gets the descriptor in that way, and writes when it is told to; get NULL: it
   takes it as another program. */
static pid_t begin_other(int (*get)(void))
{
	char number[16];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		_exit(12);
	pid = fork();
	if (pid == 0 && get)
		be_other(get());
	if (pid == 0) {
		snprintf(number, sizeof(number), "%d", pair[1]);
		execl("/proc/self/exe", "offsets", TAKER, number, (char *)NULL);
		_exit(22);
	}
	return pid;
}

static void by_other(void)
{
	char byte = 1;

	if (send(pair[0], &byte, 1, 0) != 1 || recv(pair[0], &byte, 1, 0) != 1)
		_exit(14);
}

static void by_taking(void)
{
	static int taken = -1;

	if (taken < 0)
		taken = (int)syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, getpid(), 0), log_fd, 0);
	if (taken < 0 || write(taken, "taken", 5) != 5)
		_exit(18);
}

static void by_moving(void)
{
	static int from = -1;

	if (from < 0)
		from = open("input", O_RDONLY);
	/* not to a file that is appended to */
	if (sendfile(log_fd, from, NULL, 20) != 20 && errno != EINVAL)
		_exit(19);
}

/* --- all of them ------------------------------------------------------------------ */

static void log_to(int number, int flags)
{
	log_fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | flags, 0666);
	if (log_fd < 0 || (number >= 0 && dup2(log_fd, number) != number))
		_exit(15);
}

/* call writes to number, or, if that is -1, to log_fd. */
static void write_case(void (*call)(void), int number, int flags)
{
	log_to(number, flags);
	for (int k = 0; k < 3; k++) {
		stored(log_fd);
		call();
		stored(log_fd);
	}
	if (number >= 0)
		stored(number);
}

static void read_case(void (*call)(void))
{
	int fd;

	if (link("input", name))
		_exit(16);
	fd = open(name, O_RDONLY);
	if (fd < 0 || dup2(fd, 0) != 0)
		_exit(17);
	loaded(fd);
	call();
	loaded(fd);
	loaded(0);
	call();
	loaded(fd);
}

static void getchar_case(void)
{
	read_case(by_getchar);
}

static void scanf_case(void)
{
	read_case(by_scanf);
}

static void message_case(void)
{
	pid_t pid = begin_other(receive_fd);
	char end = 0;

	log_to(-1, 0);
	stored(log_fd);
	send_fd(log_fd);
	by_other();
	stored(log_fd);
	by_other();
	stored(log_fd);
	if (send(pair[0], &end, 1, 0) == 1)
		waitpid(pid, NULL, 0);
}

/* The other process was begun before the file was opened. */
static void taker_case(int (*get)(void))
{
	pid_t pid = begin_other(get);
	char end = 0;

	/* if only parents may trace their children: fails where there is no such rule */
	prctl(PR_SET_PTRACER, pid, 0, 0, 0);
	log_to(-1, 0);
	stored(log_fd);
	stored(log_fd);
	if (send(pair[0], &log_fd, sizeof(log_fd), 0) != sizeof(log_fd))
		_exit(23);
	by_other();
	stored(log_fd);
	stored(log_fd);
	by_other();
	stored(log_fd);
	if (send(pair[0], &end, 1, 0) == 1)
		waitpid(pid, NULL, 0);
}

static void child_takes_case(void)
{
	taker_case(take_fd);
}

static void program_takes_case(void)
{
	taker_case(NULL);
}

#define WHOLE (-2)		/* as number: call is all of it */
static const struct {
	const char *name;
	void (*call)(void);
	int number;
} cases[] = {
	{ "printf", by_printf, 1 },
	{ "puts", by_puts, 1 },
	{ "stderr", by_stderr, 2 },
	{ "dprintf", by_dprintf, -1 },
	{ "long-dprintf", by_long_dprintf, -1 },
	{ "perror", by_perror, 2 },
	{ "psignal", by_psignal, 2 },
	{ "psiginfo", by_psiginfo, 2 },
	{ "warn", by_warn, 2 },
	{ "error", by_error, 2 },
	{ "syslog", by_syslog, 2 },
	{ "getopt", by_getopt, 2 },
	{ "fmtmsg", by_fmtmsg, 2 },
	{ "herror", by_herror, 2 },
	{ "backtrace_symbols_fd", by_backtrace, -1 },
	{ "wordexp", by_wordexp, 9 },
	{ "system", by_system, 9 },
	{ "spawn", by_spawn, 9 },
	{ "fork", by_fork, 9 },
	{ "vfork", by_vfork, 9 },
	{ "malloc", by_assert, 2 },
	{ "stream", by_stream, -1 },
	{ "number", by_number, -1 },
	{ "thread", by_thread, -1 },
	{ "taken", by_taking, -1 },
	{ "sendfile", by_moving, -1 },
	{ "message", message_case, WHOLE },
	{ "many", message_case, WHOLE },
	{ "child-takes", child_takes_case, WHOLE },
	{ "program-takes", program_takes_case, WHOLE },
	{ "getchar", getchar_case, WHOLE },
	{ "scanf", scanf_case, WHOLE },
};

/* Without arguments: the cases' names. */
int main(int argc, char **argv)
{
	int flags = argc > 2 ? O_APPEND : 0;

	name = argc > 1 ? argv[1] : "";
	if (!strcmp(name, TAKER)) {
		pair[1] = atoi(argv[2]);
		be_other(take_fd());
	}
	truth = argc > 1 ? open("truth", O_WRONLY | O_CREAT | O_APPEND, 0666) : 2;
	if (truth < 0 || dup2(truth, 20) != 20)
		return 1;
	truth = 20;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc == 1)
			puts(cases[i].name);
		else if (!strcmp(name, cases[i].name))
			cases[i].number == WHOLE ? cases[i].call() : write_case(cases[i].call, cases[i].number, flags);
	}
	return 0;
}
