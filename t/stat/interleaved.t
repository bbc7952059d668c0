#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files that several processes write: in pieces between each other's, in a block each, and
# in pieces that one of them writes over when all are done.  Only the order of time tells
# the first from the last.
. "${0%/*}/../lib/tap.sh"

mkdir "$T/logs" "$T/in"
cat >"$T/pieces.c" <<'EOT'
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES 4
#define PIECES 50
#define SIZE 100

static char buf[SIZE * PIECES * PROCESSES];

static int out(const char *name)
{
	return open(name, O_WRONLY | O_CREAT, 0600);
}

static int write_at(int fd, int piece)
{
	return pwrite(fd, buf, SIZE, (off_t)piece * SIZE) != SIZE;
}

static int child(int k)
{
	int mixed = out("mixed"), blocks = out("blocks"), over = out("over"), i, bad = 0;

	for (i = 0; i < PIECES; i++) {
		bad |= write_at(mixed, i * PROCESSES + k);
		bad |= write_at(blocks, k * PIECES + i);
		bad |= write_at(over, i * PROCESSES + k);
	}
	return bad;
}

int main(void)
{
	int over = out("over"), status, k, bad = 0;

	bad |= write_at(over, 0);
	for (k = 0; k < PROCESSES; k++)
		if (fork() == 0)
			_exit(child(k));
	while (wait(&status) > 0)
		bad |= status;
	for (k = 0; k < PIECES * PROCESSES; k++)
		bad |= write_at(over, k);
	return bad;
}
EOT
for form in -static -pthread; do
	tap_about="$form: "
	ok 'it compiles with iocc' "$IOCC" $form -o "$T/pieces" "$T/pieces.c" || continue
	rm -rf "$T/logs" && mkdir "$T/logs"
	ok 'it runs' sh -c "cd '$T/in' && IOTRACE_DIR='$T/logs' '$T/pieces'"
	"$IOTRACE_STAT" --rule=minor=off "$T/logs" >"$T/text" 2>"$T/err"
	is 'the file of small pieces is named, and no other' \
		"$(tr -s ' \n' ' ' <"$T/text" | grep -oE "[a-z]*: [0-9]* processes wrote.* in all")" \
		"mixed: 4 processes wrote 200 pieces between each other's, 20000 bytes in all"
	none 'nothing on stderr' "$T/err"
	"$IOTRACE_STAT" --rule=minor=off -P 'blocks$' "$T/logs" >"$T/text" 2>&1
	unlike 'of calls that are not chosen there is none' "$T/text" 'processes wrote'
done
done_testing
