/* SPDX-License-Identifier: BSD-3-Clause */
/* wiped.c - writes by aio_write(3), is told of the end by a signal, and uses the control block's memory for
   something else. */
#include <aio.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

int main(void)
{
	static char data[300];
	static struct aiocb cb;
	sigset_t set;
	int is;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	cb.aio_fildes = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	cb.aio_buf = data;
	cb.aio_nbytes = sizeof(data);
	cb.aio_offset = 1000;
	cb.aio_sigevent.sigev_notify = SIGEV_SIGNAL;
	cb.aio_sigevent.sigev_signo = SIGUSR1;
	if (aio_write(&cb) || sigwait(&set, &is))
		return 1;
	memset(&cb, 0, sizeof(cb));
	return 0;
}
