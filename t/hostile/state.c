/* SPDX-License-Identifier: BSD-3-Clause */
/* state.c - what the process has, as far as two runs have it in common. */
#define _GNU_SOURCE
#include "storm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* The log's is above. */
#define SEEN 1000

/* But not where the soft limit is low and can't be raised: see iotrace(7). */
static bool may_be_logs(int fd, const struct rlimit *rl)
{
	return rl->rlim_cur == rl->rlim_max && (fd == 127 || fd == 511);
}

static void say_descriptors(const struct op *op)
{
	char text[500] = "";
	struct rlimit rl;
	int n = 0;

	getrlimit(RLIMIT_NOFILE, &rl);
	for (int fd = 0; fd < SEEN && n < (int)sizeof(text) - 40; fd++) {
		int flags = may_be_logs(fd, &rl) ? -1 : fcntl(fd, F_GETFD);

		if (flags >= 0 && (fd < (int)rl.rlim_cur || fd == 900 || fd == 901))
			n += snprintf(text + n, sizeof(text) - n, " %d%s", fd, flags ? "e" : "");
	}
	say(op, "descriptors%s", text);
}

static void say_signals(const struct op *op)
{
	sigset_t mask, pending;
	char text[400] = "";
	int n = 0;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	sigpending(&pending);
	/* a worker that does not block it takes that of a child, or has not yet */
	sigdelset(&pending, SIGCHLD);
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		struct sigaction action;

		/* SIGBUS is the recorder's while the program has no handler */
		if (sigaction(sig, NULL, &action) || sig == SIGBUS || sig == SIGALRM)
			continue;
		/* what a process of several threads executes does not find it ignored: iotrace-run(1) */
		if (sig == SIGSYS && op->index == EXECUTED)
			continue;
		if (action.sa_handler != SIG_DFL || sigismember(&mask, sig) || sigismember(&pending, sig))
			n += snprintf(text + n, sizeof(text) - n, " %d%s%s%s%x", sig,
				      action.sa_handler == SIG_IGN ? "i" : action.sa_handler ? "h" : "",
				      sigismember(&mask, sig) ? "b" : "", sigismember(&pending, sig) ? "p" : "",
				      (unsigned)action.sa_flags);
		if (n > 350)
			break;
	}
	say(op, "signals%s", text);
}

void say_state(const struct op *op)
{
	static const int limits[] = { RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_STACK, RLIMIT_CORE };
	char cwd[300];
	mode_t mask = umask(0);
	stack_t stack;

	umask(mask);
	say_descriptors(op);
	say_signals(op);
	memset(&stack, 0, sizeof(stack));
	sigaltstack(NULL, &stack);
	say(op, "umask %o, altstack %x %zu, in %s", mask, stack.ss_flags, stack.ss_size,
	    getcwd(cwd, sizeof(cwd)) ? cwd : error_name(errno));
	for (unsigned i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct rlimit rl;

		getrlimit(limits[i], &rl);
		say(op, "limit %d: %lx %lx", limits[i], (long)rl.rlim_cur, (long)rl.rlim_max);
	}
	for (int i = 0; i < N_STREAMS; i++)
		if (streams[i])
			say(op, "stream %d: %d %d %d", i, fileno(streams[i]), ferror(streams[i]), feof(streams[i]));
}
