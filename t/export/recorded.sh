# shellcheck shell=sh disable=SC2154 # top_srcdir is tap.sh's
# SPDX-License-Identifier: BSD-3-Clause
# recorded.sh - what tests of formats begin with: logs of programs, each in a directory of its name, which
# the caller's agrees compares with what was exported.

# recorded WHAT NAME...: programs of t/progs, static; agrees has the log's directory and WHAT
recorded()
{
	recorded_what=$1
	shift
	for name; do
		ok "$name: compiles" "$IOCC" -static -g -O1 -pthread -I"$top_srcdir/t/progs" -o "$name.bin" "$top_srcdir/t/progs/$name.c"
		mkdir -p "$name" "in.$name"
		# some end by a signal, or with a status of their own
		(cd "in.$name" && IOTRACE_DIR="$T/$name" "../$name.bin" </dev/null >"$T/$name.said" 2>&1)
		agrees "$name" "$recorded_what"
	done
}

# recorded_dynamic WHAT: transfers inside of libc are inferred: they are there, and by their names no calls
recorded_dynamic()
{
	ok 'dynamic: compiles' "$IOCC" -g -O1 -I"$top_srcdir/t/progs" -o dynamic.bin "$top_srcdir/t/progs/stdio.c"
	mkdir dynamic in.dynamic
	(cd in.dynamic && IOTRACE_DIR="$T/dynamic" ../dynamic.bin </dev/null >"$T/dynamic.said" 2>&1)
	"$IOTRACE_CAT" dynamic >dynamic.calls
	like 'dynamic: some are inferred' dynamic.calls '<inferred>'
	agrees dynamic "$1"
}
