/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heather.c - a gauge tells another process its readings through a socket, one by one.
 *
 * build: iocc
 * as: magpie
 */
#include <err.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct reading {
	int64_t when;
	double what[2];
};

static void tell(int s, const void *p, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t k = send(s, (const char *)p + done, n - done, MSG_NOSIGNAL); /* FINDING piped ~socket~ - */

		if (k < 0)
			err(1, "send");
		done += (size_t)k;
	}
}

static void gauge(int s)
{
#ifdef FIXED
	static struct reading r[5000];

	for (int i = 0; i < 40; i++)
		tell(s, r, sizeof(r));
#else
	for (int i = 0; i < 200000; i++) {
		struct reading r = {i, {i * 0.5, i * 0.25}};

		tell(s, &r, sizeof(r)); /* FINDING piped ~socket~ - */
	}
#endif
}

int main(void)
{
	static char block[1 << 16];
	int s[2];
	long sum = 0;
	ssize_t n;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		err(1, "socketpair");
	if (!fork()) {
		close(s[0]);
		gauge(s[1]);
		_exit(0);
	}
	close(s[1]);
	while ((n = recv(s[0], block, sizeof(block), 0)) > 0)
		sum += n;
	wait(NULL);
	return sum != 200000L * 24;
}
