/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * held.c - the compiler as a child, what it says being kept until it has ended.
 *
 * It writes to terminals where it would, so that it says things in the same way;
 * signals for us are for it, and it ends when we do.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "iocc.h"

static volatile pid_t child;
static const int passed_on[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

static void pass_on(int signal)
{
	if (child > 0)
		kill(child, signal);
}

static void wake_up(int signal)
{
	(void)signal;
}

/* Both ends of a terminal like this one */
static bool open_terminal(int like, int ends[2])
{
	struct termios mode;
	struct winsize size;
	char name[64];

	ends[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (ends[0] < 0 || grantpt(ends[0]) || unlockpt(ends[0]) ||
	    ptsname_r(ends[0], name, sizeof(name)))
		return false;
	ends[1] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (ends[1] < 0 || tcgetattr(like, &mode))
		return false;
	mode.c_oflag &= ~OPOST; /* which is done when it is written */
	mode.c_lflag &= ~ECHO;
	tcsetattr(ends[1], TCSANOW, &mode);
	if (!ioctl(like, TIOCGWINSZ, &size))
		ioctl(ends[1], TIOCSWINSZ, &size);
	return true;
}

static bool open_ends(int like, int ends[2])
{
	if (isatty(like) ? !open_terminal(like, ends) : pipe2(ends, O_CLOEXEC) != 0)
		return false;
	return !fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

static bool is_same(int one, int other)
{
	struct stat a, b;

	return !fstat(one, &a) && !fstat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* False when there is nothing more. */
static bool take(struct held *h)
{
	char buffer[4096];
	ssize_t n = read(h->from, buffer, sizeof(buffer));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (!n)
		return false;
	h->text = realloc(h->text, h->n + n);
	if (!h->text)
		iot_die(1, "out of memory");
	memcpy(h->text + h->n, buffer, n);
	h->n += n;
	return true;
}

static void take_rest(struct held *h)
{
	size_t before;

	do
		before = h->n;
	while (h->from >= 0 && take(h) && h->n > before);
}

static void start(const struct words *args, const int ends[2][2], const sigset_t *mask,
		  const struct sigaction *on_child)
{
	child = vfork();
	if (child)
		return;
	/* what may be left of us when we are killed */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (int i = 0; i < 2; i++)
		if (ends[i][1] >= 0)
			dup2(ends[i][1], i + 1);
	sigaction(SIGCHLD, on_child, NULL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execve(iot_self.path, args->v, environ);
	_exit(127);
}

/* Reads until the child has ended: others may have its output open for longer. */
static int collect(struct held held[2], sigset_t mask)
{
	struct pollfd from[2] = { { held[0].from, POLLIN, 0 }, { held[1].from, POLLIN, 0 } };
	int status;

	sigdelset(&mask, SIGCHLD);
	while (waitpid(child, &status, WNOHANG) != child) {
		if (ppoll(from, 2, NULL, &mask) <= 0)
			continue;
		for (int i = 0; i < 2; i++)
			if (from[i].revents && !take(&held[i]))
				from[i].fd = -1;
	}
	take_rest(&held[0]);
	take_rest(&held[1]);
	return status;
}

void iot_write_held(const struct held held[2])
{
	for (int i = 0; i < 2; i++)
		for (size_t done = 0; done < held[i].n;) {
			ssize_t n = write(held[i].to, held[i].text + done, held[i].n - done);

			if (n < 0 && errno != EINTR)
				break;
			done += n > 0 ? n : 0;
		}
}

/* As the compiler has ended. */
static void end_likewise(int status, const struct held held[2])
{
	iot_write_held(held);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	_exit(128 + WTERMSIG(status));
}

int iot_run_held(const struct words *args, struct held held[2])
{
	struct sigaction now = { .sa_handler = pass_on }, old[4], child_old;
	int ends[2][2] = { { -1, -1 }, { -1, -1 } }, status = -1;
	sigset_t block, mask;

	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	sigprocmask(SIG_BLOCK, &block, &mask);
	sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = wake_up }, &child_old);
	for (int i = 0; i < 2; i++)
		held[i] = (struct held){ .to = i + 1, .from = -1 };
	if (!open_ends(STDOUT_FILENO, ends[0]))
		return -1;
	if (is_same(STDOUT_FILENO, STDERR_FILENO))
		ends[1][1] = ends[0][1]; /* in the order in which it is said */
	else if (!open_ends(STDERR_FILENO, ends[1]))
		return -1;
	start(args, (const int(*)[2])ends, &mask, &child_old);
	if (child > 0) {
		for (size_t i = 0; i < 4; i++) {
			sigaction(passed_on[i], NULL, &old[i]);
			if (old[i].sa_handler == SIG_DFL)
				sigaction(passed_on[i], &now, NULL);
		}
		for (int i = 0; i < 2; i++) {
			held[i].from = ends[i][0];
			if (ends[i][1] >= 0)
				close(ends[i][1]);
		}
		status = collect(held, mask);
		child = 0;
		for (size_t i = 0; i < 4; i++)
			sigaction(passed_on[i], &old[i], NULL);
	}
	sigaction(SIGCHLD, &child_old, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (status >= 0 && WIFSIGNALED(status))
		end_likewise(status, held);
	return status;
}
