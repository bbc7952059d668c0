#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tasks that thread-local storage does not tell apart, and stacks that a thread
# switches between: programs that count their own calls find as many in the log, each
# once, beneath whatever ran them.  TEST_LONG=1: each way to switch with each kind of stacks and threads.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
src=$top_srcdir/t/tasks
times=${TASKS_TIMES:-1}
many=${TEST_LONG:+-DTIMES=5000}
mkdir plain preloaded dynamic static
# shellcheck disable=SC2086 # CC may have options, and there may be none more
for name in coroutines shared; do
	ok "$name compiles" $CC -g -O1 $many -o plain/$name "$src/$name.c" -lpthread || done_testing
	cp plain/$name preloaded
	ok "$name compiles with iocc" "$IOCC" -g -O1 $many -o dynamic/$name "$src/$name.c" -lpthread
	ok "$name compiles with iocc -static" "$IOCC" -static --iotrace-syscalls -g -O1 $many -o static/$name "$src/$name.c" -lpthread
done

# counts FORM SYSCALLS PROGRAM ARGUMENT...
counts()
{
	form=$1
	dispatched=$2
	shift 2
	what="$form${dispatched:+, --syscalls}: $*"
	program=$1
	shift
	rm -rf logs && mkdir logs
	case $form in
	preloaded) IOTRACE_DIR=$T/logs timeout 600 "$top_builddir/tools/iotrace-run" ${dispatched:+--syscalls} "plain/$program" "$@" ;;
	*) env IOTRACE_DIR="$T/logs" ${dispatched:+IOTRACE_SYSCALLS=1} timeout 600 "$form/$program" "$@" ;;
	esac >made 2>err
	is "$what ends well" "$? $(cat err)" '0 '
	"$top_builddir/tools/iotrace-cat" --format=json logs >json 2>err
	is "$what: the log is sound" "$? $(cat err)" '0 '
	is "$what: no call is in progress any more" "$(grep -c '"status":"unfinished"' json)" 0
	inner=$(grep '"call":"write"' json | grep -c '"size":1,') outer=$(grep -c '"call":"fwrite"' json)
	is "$what: each call once" "$inner $outer" "$(cat made)"
}

i=0
while [ $i -lt "$times" ]; do
	i=$((i + 1))
	for dispatched in '' yes; do
		for form in preloaded dynamic static; do
			for switch in ucontext own longjmp; do
				for stacks in heap main; do
					for threads in 0 4; do
						case ${TEST_LONG:-0}$switch-$stacks-$threads in
						1* | *ucontext-heap-4 | *ucontext-main-0 | *own-main-4 | *longjmp-heap-4 | *longjmp-main-0) ;;
						*) continue ;;
						esac
						counts "$form" "$dispatched" coroutines "$switch" "$stacks" "$threads"
					done
				done
			done
			counts "$form" "$dispatched" shared
			counts "$form" "$dispatched" shared thread
			counts "$form" "$dispatched" shared files
			counts "$form" "$dispatched" shared forks
			counts "$form" "$dispatched" shared raw
			counts "$form" "$dispatched" shared raw thread
		done
	done
done
done_testing
