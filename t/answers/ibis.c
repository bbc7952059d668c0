/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ibis.c - asks a helper process, through a socket, how far birds have flown, by a function that
 * sends a question and waits for its answer.
 *
 * build: iocc -static
 * as: magpie
 */
#include <err.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define BIRDS 20000
#ifdef FIXED
#define BATCH 5000
#else
#define BATCH 1
#endif

static void serve(int s)
{
	static long birds[BATCH];
	ssize_t n;

	while ((n = recv(s, birds, sizeof(birds), MSG_WAITALL)) > 0) {
		for (int i = 0; i < BATCH; i++)
			birds[i] *= 7;
		if (send(s, birds, (size_t)n, 0) != n)
			err(1, "answer");
	}
}

static long ask(int s, long *birds, size_t size)
{
	if (send(s, birds, size, 0) != (ssize_t)size)
		err(1, "question");
	if (recv(s, birds, size, MSG_WAITALL) != (ssize_t)size)
		err(1, "answer");
	return birds[0];
}

int main(void)
{
	static long birds[BATCH];
	int s[2];
	long sum = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		err(1, "socketpair");
	if (!fork()) {
		close(s[0]);
		serve(s[1]);
		_exit(0);
	}
	close(s[1]);
	for (long i = 0; i < BIRDS; i += BATCH) {
		birds[0] = i;
		sum += ask(s[0], birds, sizeof(birds)); /* FINDING piped ~socket~ - */
	}
	close(s[0]);
	wait(NULL);
	return sum < 0;
}
