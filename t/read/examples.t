#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples of libiotrace-read are built with the installed library, and see the calls
# that iotrace-cat and iotrace-stat see.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/installed.sh"
examples=$top_srcdir/reader/examples

cat >"$T/work.c" <<'EOT'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* three processes, the last of which waits until standard input ends */
int main(int argc, char **argv)
{
	char name[20], c;
	FILE *f;

	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "out-%d", i);
		f = fopen(name, "w");
		for (int j = 0; j < 2000 * (i + 1); j++)
			fprintf(f, "line %d of %s\n", j, name);
		fclose(f);
		unlink("no-such-file");
		if (i < 2 && fork() > 0) {
			wait(NULL);
			return 0;
		}
	}
	return argc > 1 && *argv[1] == 'w' && read(0, &c, 1) < 0;
}
EOT
ok 'a program is traced' "$IOCC" -static -O2 "$T/work.c" -o "$T/work"
mkdir "$T/logs" "$T/in"
# run [ARGUMENT]: logs of three runs of it in $T/logs
for _ in 1 2 3; do
	(cd "$T/in" && IOTRACE_DIR=$T/logs exec ../work </dev/null) || fail 'it runs'
done
set -- "$T"/logs/*.iotrace
is 'there are logs' "$#" 3
LD_LIBRARY_PATH=$libdir
export LD_LIBRARY_PATH

# --- the manual page ---------------------------------------------------------
awk -v to="$T/page" '/^\.RS/ { on = to (++n) ".c"; next } /^\.RE/ { on = "" } on { gsub(/\\-/, "-"); gsub(/\\e/, "\\"); print > on }' \
	"$top_srcdir/doc/libiotrace-read.3"
for n in 1 2; do
	# shellcheck disable=SC2086 # several options
	ok "example $n of libiotrace-read(3) compiles" $CC -Wall -Wextra -Werror "$T/page$n.c" -o "$T/page$n" $read_cflags $read_libs
done
"$T/page1" "$@" | cut -d ' ' -f 2 >"$T/got"
"$IOTRACE_CAT" --format=csv "$@" | awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["call"] }' >"$T/want"
same 'example 1: the calls of iotrace-cat' "$T/got" "$T/want"
"$T/page2" "$@" | awk '{ sum[$2] += $1 } END { for (path in sum) print sum[path], path }' | sort >"$T/got"
wc -c "$T"/in/out-* | awk '$2 != "total" { print 3 * $1, $2 }' | sort >"$T/want"
same 'example 2: the bytes that the files have, of three runs' "$T/got" "$T/want"

# --- C: calls in order -------------------------------------------------------
# shellcheck disable=SC2086 # several options
ok 'in-order.c compiles' $CC -Wall -Wextra -Werror "$examples/in-order.c" -o "$T/in-order" $read_cflags $read_libs
# shellcheck disable=SC2016 # the inner shell's
ok 'it is linked with the shared library' sh -c 'ldd "$1" | grep -q "libiotrace-read.so.0 => $2"' sh "$T/in-order" "$libdir"
"$T/in-order" "$@" >"$T/out" 2>&1
is 'in-order: status' "$?" 0
# iotrace-cat's csv: by the names of its columns
"$IOTRACE_CAT" --format=csv "$@" | awk -F , '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ print $at["pid"] "/" $at["tid"], $at["start"], $at["call"] }' >"$T/want"
awk '{ print $3, $4, $6 }' "$T/out" >"$T/got"
same 'in-order: the calls of iotrace-cat' "$T/got" "$T/want"
awk '$2 && !($2 in seen) { print "call " $1 " has a parent that did not come: " $2 } { seen[$1] }' "$T/out" >"$T/bad"
none 'in-order: parents come before their children' "$T/bad"
like 'in-order: there are parents' "$T/out" '^[0-9]+ [1-9][0-9]* .* write '

# --- C++: files, in parallel -------------------------------------------------
# shellcheck disable=SC2086
ok 'by-file.cc compiles' $CXX -std=c++17 -Wall -Wextra -Werror "$examples/by-file.cc" -o "$T/by-file" $read_cflags $read_libs -pthread
"$T/by-file" "$@" >"$T/out" 2>&1
is 'by-file: status' "$?" 0
awk '{ print $2, $1 }' "$T/out" | sort >"$T/got"
"$T/in-order" "$@" | awk '$7 != "-" { n[$7]++ } END { for (f in n) print f, n[f] }' | sort >"$T/want"
same 'by-file: as many calls of each file' "$T/got" "$T/want"
awk '$2 ~ /out-2$/ { print $1 }' "$T/out" >"$T/got"
"$IOTRACE_STAT" --format=csv --by=file "$@" | awk -F , '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$0 ~ /out-2[,"]/ { print $at["calls"] }' >"$T/want"
ok 'by-file: there are some' grep -q '^[0-9]\{2,\}$' "$T/got"
same 'by-file: what iotrace-stat counts of a file' "$T/got" "$T/want"

# --- Python: a running program -----------------------------------------------
if command -v python3 >/dev/null && python3 -c 'import ctypes' 2>/dev/null; then
	mkdir "$T/live"
	mkfifo "$T/fifo" "$T/seen"
	# descriptors of make's and of the driver's are none of the program's
	(cd "$T/in" && IOTRACE_DIR=$T/live exec ../work wait <"$T/fifo") &
	work=$!
	exec 9>"$T/fifo"
	LIBIOTRACE_READ=$libdir/libiotrace-read.so.0 timeout 600 python3 "$examples/follow.py" "$T/live" >"$T/seen" 2>"$T/err" 9>&- &
	python=$!
	# it shows what was done before the program waits; then the program may end
	: >"$T/lines"
	while read -r line; do
		echo "$line"
		case $line in
		*' unlink '*)
			n=$((${n:-0} + 1))
			[ "$n" -lt 3 ] || exec 9>&-
			;;
		esac
	done <"$T/seen" >>"$T/lines"
	exec 9>&-
	wait "$work"
	wait "$python"
	is 'follow.py: status' "$?:$(cat "$T/err")" 0:
	sed 's/^[0-9]* //' "$T/lines" | sort >"$T/got"
	"$T/in-order" "$T"/live/*.iotrace | awk '{ print $6, $7 }' | sort >"$T/want"
	ok 'follow.py: there are calls' grep -q '^write .*out-2$' "$T/got"
	same 'follow.py: the calls that the log has in the end' "$T/got" "$T/want"
else
	skip 'follow.py' 'there is no Python with ctypes'
fi
done_testing
