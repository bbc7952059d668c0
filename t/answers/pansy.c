/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pansy.c - petals are counted by a process of its own, which is told of each: by a connection for each, or
 * by one for all of them.
 *
 * build: iocc -static
 */
#include <err.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define PETALS	6000
#define AT_ONCE	500

static const struct sockaddr_un where = {AF_UNIX, "petals"};

static void count(int listening)
{
	long n = 0;

	while (n < PETALS) {
		char petals[4 * AT_ONCE];
		int from = accept(listening, NULL, NULL);
		ssize_t got;

		if (from < 0)
			err(1, "accept");
		while ((got = read(from, petals, sizeof petals)) > 0)
			n += got / 4;
		close(from);
	}
	_exit(0);
}

static int counter(void)
{
	int to = socket(AF_UNIX, SOCK_STREAM, 0);

	if (to < 0 || connect(to, (const struct sockaddr *)&where, sizeof where)) /* FINDING reconnected ~socket~ */
		err(1, "petals");
	return to;
}

static void tell(int to, const int *petals, size_t n)
{
	if (write(to, petals, 4 * n) != (ssize_t)(4 * n))
		err(1, "petals");
}

int main(void)
{
	int listening = socket(AF_UNIX, SOCK_STREAM, 0), petals[AT_ONCE];

	if (bind(listening, (const struct sockaddr *)&where, sizeof where) || listen(listening, 100))
		err(1, "petals");
	if (!fork())
		count(listening);
	memset(petals, 1, sizeof petals);
#ifdef FIXED
	int to = counter();

	for (int n = 0; n < PETALS; n += AT_ONCE)
		tell(to, petals, AT_ONCE);
	close(to);
#else
	for (int n = 0; n < PETALS; n++) {
		int to = counter();

		tell(to, petals, 1);
		close(to);
	}
#endif
	wait(NULL);
	return unlink("petals");
}
