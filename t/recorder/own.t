#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The recorder calls nothing that a program can define: a program has functions of its own
# by the names of libc's that one would use, which count and write.  They are called as
# often as without us, and their calls are recorded like all others.  (t/doc/rules.t looks
# through the archives.)
# shellcheck disable=SC2016 # awk's fields
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

source=$top_srcdir/t/recorder/own.c
# its loops are to be loops
flags='-O1 -fno-builtin -fno-stack-protector -U_FORTIFY_SOURCE'
$CC -fno-tree-loop-distribute-patterns -Werror -E -x c /dev/null >/dev/null 2>&1 &&
	flags="$flags -fno-tree-loop-distribute-patterns"

# run OUT PROGRAM [SETTING...]: in a directory of its own
run()
{
	out=$1
	program=$2
	shift 2
	rm -rf "$T/in" "$T/logs"
	mkdir "$T/in" "$T/logs"
	(cd "$T/in" && exec env IOTRACE_DIR="$T/logs" "$@" "$program" >"$out" 2>&1 </dev/null)
	echo "status $?" >>"$out"
}

# traced WHAT PROGRAM [SETTING...]: the same as without; the calls are there, those of its
# own functions too
traced()
{
	what=$1
	shift
	run "$T/out" "$@"
	same "$what: each is called as often as without" "$T/out" "$T/plain.out" || return
	"$IOTRACE_CAT" --format=raw -e pwrite,write "$T/logs" >"$T/raw" 2>"$T/cat.err"
	is "$what: logs are sound" "$? $(cat "$T/cat.err")" '0 '
	is "$what: all of its writes are there" "$(by_column '$call == "pwrite" && $path ~ /data$/' "$T/raw" | wc -l)" 40000
	# the child is another process, and counts for itself
	pid=$(by_column '$path ~ /\/thread$/ { print $pid; exit }' "$T/raw")
	is "$what: those of its own functions too" \
		"$(by_column -v of="$pid" '$pid == of && $call == "write" && $path == "/dev/null"' "$T/raw" | wc -l)" \
		"$(awk '$1 != "status" { n += $2 } END { print n }' "$T/out")"
}

# form NAME CC OPTION...: builds $T/NAME.plain and $T/NAME.traced, and compares
form()
{
	name=$1
	cc=$2
	shift 2
	# shellcheck disable=SC2086 # flags
	ok "$name: compiles" $cc $flags "$@" "$source" -o "$T/$name.plain" || return
	# shellcheck disable=SC2086
	ok "$name: compiles with iocc" env IOCC_CC="$cc" "$IOCC" $flags "$@" "$source" -o "$T/$name.traced" || return
	run "$T/plain.out" "$T/$name.plain"
	like "$name: it does what it is to do" "$T/plain.out" '^status 0$'
	like "$name: its functions are called" "$T/plain.out" '^malloc [1-9]'
	traced "$name" "$T/$name.traced"
	traced "$name, without stacks" "$T/$name.traced" IOTRACE_STACK=0 IOTRACE_BUFFER=64k 'IOTRACE_EXCLUDE=/no(where|thing)$'
}

form static "$CC" -static -DSTATIC
form static-pie "$CC" -static-pie -DSTATIC
if [ -f "$top_builddir/lib/libiotrace-musl.a" ]; then
	form musl "$IOT_MUSL_CC" -static -DSTATIC -DMUSL
else
	skip 'musl' 'built without musl (Debian: musl-tools)'
fi
# -rdynamic: libraries find them, as those of libc.so's are found that it defines
form dynamic "$CC" -rdynamic
if [ -x "$T/dynamic.plain" ]; then
	traced preloaded "$T/dynamic.plain" LD_PRELOAD="$top_builddir/lib/libiotrace.so"
	run "$T/out" "$T/dynamic.plain" "$top_builddir/tools/iotrace-run" --syscalls --
	same 'iotrace run --syscalls: each is called as often as without' "$T/out" "$T/plain.out"
fi
done_testing
