# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
#
# family.sh - what is tested of every test program, after tap.sh.
#
# family NAME [COMPILER OPTION...]: t/progs/NAME.c (or .cc), built with and
# without iocc, says the same; its log says the same as strace; and no system
# call in it goes past the wrappers.

family()
{
	name=$1
	shift
	src=$top_srcdir/t/progs/$name.c
	compile=$IOCC
	plain=$CC
	if [ ! -f "$src" ]; then
		src=${src}c
		compile=$IOCXX
		plain=$CXX
	fi
	for f in traced plain logs; do
		mkdir -p "$T/$f"
	done
	# shellcheck disable=SC2086 # CC may have options
	ok "$name: compiles without iocc" $plain -static -g -O2 "$@" -o "$T/plain/$name" "$src" -lpthread || return
	ok "$name: compiles with iocc" "$compile" -static -g -O2 "$@" -o "$T/traced/$name" "$src" -lpthread || return
	compare_runs "$name" "$T/plain/$name" "$T/traced/$name"
}

# compare_runs NAME PLAIN TRACED [ARGUMENT...]: run both in a directory of their
# own, the second under the oracle, with $run_stdin, if set, as standard input
compare_runs()
{
	run_name=$1
	run_plain=$2
	run_traced=$3
	shift 3
	mkdir -p "$T/bin" "$T/in-plain" "$T/in-traced" "$T/logs"
	ok "$run_name: no call in it goes past the wrappers" "$IOTRACE_AUDIT" "$run_traced"
	# both by one name, which they may print, and run again
	SELF=$T/bin/${run_plain##*/}
	export SELF
	ln -sf "$run_plain" "$SELF"
	(cd "$T/in-plain" && exec "$SELF" "$@" >"$T/plain.out" 2>"$T/plain.err" <"${run_stdin:-/dev/null}") 2>/dev/null
	run_status=$?
	ln -sf "$run_traced" "$SELF"
	(cd "$T/in-traced" && "$top_srcdir/t/lib/oracle" --dir="$T/logs" --report="$T/report" -- \
		"$SELF" "$@" >"$T/traced.out" 2>"$T/traced.err" <"${run_stdin:-/dev/null}")
	run_oracle=$?
	same "$run_name: standard output is the same" "$T/traced.out" "$T/plain.out"
	same "$run_name: standard error is the same" "$T/traced.err" "$T/plain.err"
	is "$run_name: exit status is the same" "$(cat "$T/logs/status" 2>/dev/null)" "$run_status"
	is "$run_name: the log says what strace says" "$run_oracle" 0 || diag_file "$T/report" 60
	[ ! -f "$T/report" ] || diag "$(tail -n 1 "$T/report")"
	ok "$run_name: iotrace-stat's sums are those of the calls" "$top_srcdir/t/lib/stat-sums" "$T/logs"
}
