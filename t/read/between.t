#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Logs that are followed, whose program makes calls between any two reads of the reader:
# each call is given once.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

between=$top_builddir/t/read/between
built "$between"

cat >"$T/calls.c" <<'EOT'
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int fd;
static long at;

/* Each call has an offset of its own. */
static void *make(void *n)
{
	char byte;

	for (long i = 0; i < (long)n; i++)
		if (pread(fd, &byte, 1, at++))
			_exit(1);
	return NULL;
}

/* Makes as many calls as it reads, and says so: of two, one in a thread that ends. */
int main(int argc, char **argv)
{
	char line[32];
	pthread_t thread;

	fd = open("file", O_RDWR | O_CREAT, 0644);
	while (read(0, line, sizeof(line)) == sizeof(line)) {
		long n = atol(line), others = argc > 1 ? n / 2 : 0;

		if (others && pthread_create(&thread, NULL, make, (void *)others) == 0)
			pthread_join(thread, NULL);
		make((void *)(n - others));
		if (write(1, "", 1) != 1)
			return 1;
	}
	return 0;
}
EOT
ok 'compiles with iocc' "$IOCC" -static -O2 "$T/calls.c" -o "$T/calls" || done_testing

# follow N [ARGUMENT]: N calls between any two reads
follow()
{
	rm -rf "$logs"
	mkdir "$logs"
	"$between" "$logs" "$1" "$T/calls" ${2:+"$2"} >"$T/said" 2>&1
	is "$1 calls${2:+, $2}: status" $? 0
	is "$1 calls${2:+, $2}: each is given once" "$(sed '$d' "$T/said")" ''
	like "$1 calls${2:+, $2}: between any two reads" "$T/said" '^[1-9][0-9]+ moments$'
}

follow 1
follow 40		# some more in the block
follow 300		# the next one is begun
follow 3000		# blocks that were never seen as a window
follow 40 threads
follow 600 threads
done_testing
