#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat and strace agree on what a static program does: calls and errors by
# system call, as strace -c has them, and bytes by system call and by file.  strace
# watches the program without the recorder, iotrace-stat reads the log of another
# run, so neither can know of the other.
# shellcheck disable=SC2086 # CC may have options
. "${0%/*}/../lib/tap.sh"

calls=openat,close,read,write,pread64,pwrite64,readv,writev,lseek,fsync,poll,newfstatat,readlink,mmap,munmap,unlink,rename,ftruncate,exit_group

# agree NAME PLAIN TRACED [ARGUMENT...]
agree()
{
	name=$1
	plain=$2
	traced=$3
	shift 3
	rm -rf "$T/in" "$T/logs"
	mkdir "$T/in" "$T/logs"
	(cd "$T/in" && exec strace -f -y -q -s 0 -C -e trace=$calls -o "$T/strace" -- "$plain" "$@" >"$T/out.plain" 2>&1 </dev/null)
	rm -rf "$T/in"
	mkdir "$T/in"
	(cd "$T/in" && IOTRACE_MEMORY=1 IOTRACE_DIR=$T/logs exec "$traced" "$@" >"$T/out" 2>&1 </dev/null)
	for call in $(echo $calls | tr , ' '); do
		# 1: there is no such call
		"$IOTRACE_STAT" --format=json --by=file -e $call "$T/logs" >"$T/stat.$call" 2>"$T/said" || [ $? -eq 1 ] ||
			fail "$name: iotrace-stat -e $call"
	done
	ok "$name: iotrace-stat says what strace says" perl "$top_srcdir/t/stat/strace.pl" "$T/strace" "$T"/stat.[a-z]*
	diag "$(tail -n 1 "$T/.said")"
}

ok 'work: compiles without iocc' $CC -static -g -O1 "$top_srcdir/t/stat/work.c" -o "$T/work.plain" -lpthread
ok 'work: compiles with iocc' "$IOCC" -static -g -O1 "$top_srcdir/t/stat/work.c" -o "$T/work.traced" -lpthread
agree work "$T/work.plain" "$T/work.traced"
for prog in posix-rw stdio; do
	ok "$prog: compiles without iocc" $CC -static -g -O2 "$top_srcdir/t/progs/$prog.c" -o "$T/$prog.plain" -lpthread
	ok "$prog: compiles with iocc" "$IOCC" -static -g -O2 "$top_srcdir/t/progs/$prog.c" -o "$T/$prog.traced" -lpthread
	agree $prog "$T/$prog.plain" "$T/$prog.traced"
done
done_testing
