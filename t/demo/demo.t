#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # awk programs
# The demonstration: a C program that writes in three ways and runs a Fortran
# program; stacks are recorded for some of the files.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"
[ -n "${FC-}" ] || skip_all 'configure found no Fortran compiler'
demo=$top_srcdir/t/demo

# check KIND: what the logs of both programs have
check()
{
	rm -rf "$logs" "$T/in"
	mkdir "$logs" "$T/in"
	cp "$T/hello_c" "$T/hello_fortran" "$T/in"
	(cd "$T/in" && IOTRACE_DIR=$logs IOTRACE_STACK_PATHS='buffered|fortran' exec ./hello_c)
	is "$1: runs" $? 0
	cat "$T/in/buffered.txt" "$T/in/posix.txt" "$T/in/async.txt" "$T/in/fortran.txt" >"$T/files"
	is "$1: files are written" "$(sort "$T/files" | uniq -c | tr -s ' \n' ' ')" \
		' 3 Hello from C 1 Hello from Fortran '
	sound "$1"
	count "$1: AIO" '$call == "aio_write" && $prog == "hello_c" && $path ~ /async/' 1
	count "$1: stdio" '$call == "fprintf" && $prog == "hello_c" && $ret == 13' 1
	count "$1: the statement" '$call == "WRITE" && $prog == "hello_fortran" && $path ~ /fortran.txt/ && $ret == 19' 1
	count "$1: what it caused" '$call == "write" && $prog == "hello_fortran" && $depth == 1 && $ret == 19' 1
	grep -ah '^ancestry ' "$logs"/hello_fortran.* >"$T/ancestry"
	like "$1: the child says where it comes from" "$T/ancestry" \
		'^ancestry [0-9]+-hello_fortran:[0-9]+-hello_c:'
	"$IOTRACE_CAT" --format=json -k "$logs" >"$T/json"
	is "$1: stacks of the files that were named" \
		"$(grep '"stack":' "$T/json" | grep -c '"path":"[^"]*\(buffered\|fortran\)')" \
		"$(grep -c '"stack":' "$T/json")"
	ok "$1: there are" grep -q 'WRITE.*"stack":.*hello_fortran.f90","line":8' "$T/json"
	ok "$1: in C too" grep -q 'fprintf.*"stack":.*"func":"buffered"' "$T/json"
}
for options in -static ''; do
	# shellcheck disable=SC2086 # none or one
	{
		ok "hello_c compiles $options" "$IOCC" $options -g -o "$T/hello_c" "$demo/hello_c.c"
		ok "hello_fortran compiles $options" "$IOF90" $options -g -o "$T/hello_fortran" \
			"$demo/hello_fortran.f90"
	}
	check "${options:-dynamic}"
done
done_testing
