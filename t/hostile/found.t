#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What random programs (make check-hostile) found, each as a small program that does the
# same untraced, static, dynamic, preloaded and dispatched, and whose logs are sound.
. "${0%/*}/../lib/tap.sh"

mkdir "$T/plain" "$T/static" "$T/dynamic" "$T/dispatched-static" "$T/plain-static"
src=$top_srcdir/t/found/found.c
# shellcheck disable=SC2086 # CC may have options
ok 'compiles' $CC -g -O1 -o "$T/plain/found" "$src" -lpthread || done_testing
# shellcheck disable=SC2086
ok 'compiles, static' $CC -static -g -O1 -o "$T/plain-static/found" "$src" -lpthread
ok 'compiles with iocc' "$IOCC" -g -O1 -o "$T/dynamic/found" "$src" -lpthread
ok 'compiles with iocc -static' "$IOCC" -static -g -O1 -o "$T/static/found" "$src" -lpthread
ok 'compiles with iocc --iotrace-syscalls' "$IOCC" -static --iotrace-syscalls -g -O1 -o "$T/dispatched-static/found" "$src" -lpthread

# as FORM PART: leaves $T/out and $status
as()
{
	rm -rf "$T/logs" && mkdir "$T/logs"
	(
		export IOTRACE_DIR="$T/logs" IOTRACE_BUFFER=16384
		# so that there is room for the log's descriptor above
		# shellcheck disable=SC3045 # dash and bash have it
		ulimit -S -n 1024
		case $1 in
		preloaded) exec "$top_builddir/tools/iotrace-run" --mpi=none "$T/plain/found" "$2" ;;
		dispatched) exec "$top_builddir/tools/iotrace-run" --mpi=none --syscalls "$T/plain/found" "$2" ;;
		dispatched-static) export IOTRACE_SYSCALLS=1 ;;
		plain*) unset IOTRACE_DIR ;;
		esac
		exec "$T/$1/found" "$2"
	) >"$T/$1.out" 2>&1 </dev/null
	echo "status $?" >>"$T/$1.out"
}

for part in $("$T/plain/found"); do
	as plain "$part"
	as plain-static "$part"
	for form in static dynamic preloaded dispatched dispatched-static; do
		as $form "$part"
		like=plain
		case $form in *static) like=plain-static ;; esac
		same "$part: $form: the same" "$T/$form.out" "$T/$like.out"
		ok "$part: $form: the log is sound" "$IOTRACE_CAT" "$T/logs"
	done
done
done_testing
