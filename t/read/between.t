#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Logs that are followed, whose program makes calls between any two reads of the reader:
# each call is given once.  Likewise of logs that are read while a thread ends.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

between=$top_builddir/t/read/between
built "$between"

cat >"$T/calls.c" <<'EOT'
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
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

static sem_t made, ends;

static void *make_and_stay(void *n)
{
	make(n);
	sem_post(&made);
	sem_wait(&ends);
	return NULL;
}

/* All calls are a thread's, which stays until another line is read; another one, that has its
   memory, comes then. */
static int with_a_thread(void)
{
	char line[32];
	pthread_t thread;

	if (read(0, line, sizeof(line)) != sizeof(line) ||
	    pthread_create(&thread, NULL, make_and_stay, (void *)atol(line)) || sem_wait(&made) || write(1, "", 1) != 1 ||
	    read(0, line, sizeof(line)) != sizeof(line) || sem_post(&ends) || pthread_join(thread, NULL) ||
	    pthread_create(&thread, NULL, make, (void *)10L) || pthread_join(thread, NULL))
		return 1;
	return write(1, "", 1) != 1;
}

/* Makes as many calls as it reads, and says so: of two, one in a thread that ends. */
int main(int argc, char **argv)
{
	char line[32];
	pthread_t thread;

	fd = open("file", O_RDWR | O_CREAT, 0644);
	if (argc > 1 && !strcmp(argv[1], "stays"))
		return with_a_thread();
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

mkdir "$T/ends"
"$between" "$T/ends" ends "$T/calls" stays >"$T/said" 2>&1
is 'a thread ends: status' $? 0
is 'a thread ends: each of its calls is given' "$(sed '$d' "$T/said")" ''
like 'a thread ends: between any two reads' "$T/said" '^[1-9][0-9]* moments$'
done_testing
