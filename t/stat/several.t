#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is found of several files does not say that it was all of one.
. "${0%/*}/../lib/tap.sh"

cat >"$T/seek.c" <<'EOT'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* N: asks 20 times for each of N files that are not there; 0: closes descriptors that are none. */
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	char path[100];

	for (int fd = 100; !n && fd < 1100; fd++)
		close(fd);
	for (int i = 0; i < 20 * n; i++) {
		snprintf(path, sizeof(path), "lost/file%d", i / 20);
		if (access(path, F_OK) == 0)
			return 1;
	}
	return 0;
}
EOT
mkdir "$T/lost"
ok 'it compiles with iocc' "$IOCC" -g -o "$T/seek" "$T/seek.c"
# found N WHAT: what is said of N files
found()
{
	rm -rf "$T/logs" && mkdir "$T/logs"
	ok "$1 files: it runs" sh -c "cd '$T' && IOTRACE_DIR=logs ./seek $1"
	"$IOTRACE_STAT" --rule=minor=off "$T/logs" >"$T/text"
	is "$1 files: the text says which" "$(awk '/calls that fail/ { getline; getline more; print $0 more; exit }' "$T/text" |
		sed "s,$T,,; s/  */ /g; s/^ //; s/ failed.*//")" "$2"
	like "$1 files: and what it costs" "$T/text" '^1 +([1-9][0-9]* us|[0-9]+\.([1-9][0-9]*|0*[1-9][0-9]*) s)  calls that fail'
	"$IOTRACE_STAT" --rule=minor=off --format=json "$T/logs" >"$T/json"
	like "$1 files: JSON says how many" "$T/json" "\"id\":\"failed\".*\"files\":$1,"
}
found 1 '/lost/file0: 20 of 20 calls of access()'
found 3 '/lost/file0 and 2 more: 60 of 60 calls of access()'
found 15 'below /lost: 300 of 300 calls of access()'

# those are no thousand files; one or another may have been open
rm -rf "$T/logs" && mkdir "$T/logs"
ok 'descriptors that are none: it runs' sh -c "cd '$T' && IOTRACE_DIR=logs ./seek 0"
"$IOTRACE_STAT" --by=file --format=csv --top=0 "$T/logs" | cut -d, -f1-5 | grep descriptor >"$T/text"
n=$("$IOTRACE_CAT" "$T/logs" | grep -c 'close.*EBADF')
ok 'there are many' test "$n" -gt 900
is 'they have one line, with all calls' "$(cat "$T/text")" "(descriptor that is not open),0,$n,$n,$n"
done_testing
