#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A write to a pipe has no offset, whatever its name stood for when that was opened before; one to
# a file has one, and that it is a file is in the log.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

# shellcheck disable=SC2086 # CC may have options
ok 'what reads types compiles' sh "$top_builddir/libtool" --silent --tag=CC --mode=link $CC "-I$top_srcdir/include" "-I$top_builddir/include" \
	-o "$T/types" "$top_srcdir/t/recorder/types.c" "$top_builddir/reader/libiotrace-read.la" || done_testing

# agrees HOW PROGRAM...: what the log says is what the program says
agrees()
{
	how=$1
	shift
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	(cd "$T/in" && IOTRACE_DIR=$logs exec "$@" >"$T/out" 2>"$T/err" </dev/null)
	same "$how: output is the same" "$T/out" "$T/plain.out"
	sound "$how"
	is "$how: a lock of a pipe has no place" "$("$IOTRACE_CAT" --format=json -e lockf "$logs" | grep -c '"offset"')" 0
	"$T/types" "$logs"/*.iotrace >"$T/got" 2>&1
	same "$how: each write has the offset that the kernel had, or none, and its file's type" "$T/got" "$T/plain.out"
}

build replaced
run_plain replaced
ok 'there are pipes and files' grep -q absent "$T/plain.out"
agrees traced "$T/traced/replaced"
if [ "$form" = dynamic ]; then
	agrees preloaded "$top_builddir/tools/iotrace-run" -o "$logs" "$T/plain/replaced"
	agrees dispatched "$top_builddir/tools/iotrace-run" --syscalls -o "$logs" "$T/plain/replaced"
fi
done_testing
