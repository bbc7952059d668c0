/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unseen.c - functions of libc.so that are no calls of the table, and that do something
 * to descriptors which the recorder has to know of.  In other executables the calls
 * that they make are seen.
 */
#include <sys/types.h>
#include <termios.h>

#include "wrap.h"

struct winsize;

extern void real_backtrace(void *const *, int, int) __asm__("__real_backtrace_symbols_fd");
void wrap_backtrace(void *const *, int, int) __asm__("__wrap_backtrace_symbols_fd");
extern pid_t real_forkpty(int *, char *, const struct termios *, const struct winsize *) __asm__("__real_forkpty");
pid_t wrap_forkpty(int *, char *, const struct termios *, const struct winsize *) __asm__("__wrap_forkpty");
extern int real_login_tty(int) __asm__("__real_login_tty");
int wrap_login_tty(int) __asm__("__wrap_login_tty");

/* Standard input, output and error have become the terminal. */
static void on_terminal(void)
{
	for (int fd = 0; fd <= 2; fd++)
		iot_fd_closed(iot_mine(), fd);
}

/* Writes. */
void wrap_backtrace(void *const *frames, int n, int fd)
{
	if (iot_libc_unseen())
		iot_fd_shared(fd);
	real_backtrace(frames, n, fd);
}

pid_t wrap_forkpty(int *fd, char *name, const struct termios *t, const struct winsize *w)
{
	pid_t pid = real_forkpty(fd, name, t, w);

	if (iot_libc_unseen() && pid == 0)
		on_terminal();
	else if (iot_libc_unseen())
		iot_fds_shared();
	return pid;
}

/* Closes the terminal's own descriptor. */
int wrap_login_tty(int fd)
{
	int ret = real_login_tty(fd);

	if (iot_libc_unseen() && ret == 0) {
		on_terminal();
		iot_fd_closed(iot_mine(), fd);
	}
	return ret;
}

IOT_EXPORT(backtrace_symbols_fd)
IOT_EXPORT(forkpty)
IOT_EXPORT(login_tty)
