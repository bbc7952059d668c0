/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.c - printing the calls of programs that still run. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "cat.h"

static volatile sig_atomic_t told_to_stop;

static void on_signal(int sig)
{
	(void)sig;
	told_to_stop = 1;
}

/* The first time it is a wish, the second time an order. */
static void catch_signals(void)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

/* Waits; false if nobody reads our output any more.  No signal comes between asking
   whether there was one and waiting. */
static bool pause_ms(int ms)
{
	struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
	struct pollfd out = {.fd = STDOUT_FILENO};
	sigset_t both, before;
	int n = 0;

	sigemptyset(&both);
	sigaddset(&both, SIGINT);
	sigaddset(&both, SIGTERM);
	sigprocmask(SIG_BLOCK, &both, &before);
	if (!told_to_stop)
		n = ppoll(&out, 1, &time, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return n <= 0 || !(out.revents & (POLLERR | POLLHUP));
}

/* Would the call have been printed while it was in progress?  Less was known of it
   then. */
static bool was_printed(const struct iotr_call *call)
{
	struct iotr_call then = *call;
	unsigned i;

	then.status = IOTR_UNFINISHED;
	then.has = 0;
	then.err = 0;
	for (i = 0; i < then.schema->n_params; i++)
		then.value[i].type = IOTR_VAL_NONE;
	return iot_filter_pass(&then);
}

static void print_new(struct iotr_follow *f)
{
	const struct iotr_call *call;

	while ((call = iotr_follow_next(f))) {
		/* one in progress comes again */
		if (call->status != IOTR_UNFINISHED)
			iot_unseen_see(call);
		if (!iot_filter_pass(call))
			continue;
		if (call->resumed && !was_printed(call)) {
			struct iotr_call whole = *call;

			whole.resumed = false;
			iot_print_call(&whole);
		} else {
			iot_print_call(call);
		}
	}
	iot_out_flush(&iot_stdout);
}

/* What goes before the calls of logs that have appeared; from: those before are known. */
static size_t greet(const struct iotr_set *set, size_t from)
{
	size_t n = iotr_set_size(set);

	if (n == from)
		return n;
	iot_filter_check(set);
	for (; iot_options.format->log && from < n; from++)
		iot_options.format->log(&iot_stdout, iotr_set_log(set, from));
	return n;
}

void iot_cat_follow(char **path)
{
	struct iotr_follow *f = iotr_follow_new(iot_options.blocked, iot_on_message, NULL);
	struct iotr_set *set;
	size_t known = 0;
	int ms;

	if (!f)
		iot_no_memory();
	set = iotr_follow_set(f);
	catch_signals();
	iot_symfs_set(set);
	iot_logs_follow(f, path);
	iot_filter_check(set);
	iot_begin(set);
	known = iotr_set_size(set);
	for (;;) {
		/* looked at before the poll: what is done when told is done for good */
		bool stop = told_to_stop;

		ms = iotr_follow_poll(f);
		known = greet(set, known);
		if (stop)
			iotr_follow_stop(f);
		print_new(f);
		if (stop || ms < 0 || !pause_ms(ms))
			break;
	}
	iot_end(set);
	iot_unseen_tell();
	iotr_follow_free(f);
}
