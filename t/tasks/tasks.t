#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tasks that thread-local storage does not tell apart, and stacks that a thread
# switches between: programs that count their own calls find as many in the log, each
# once, beneath whatever ran them.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
src=$top_srcdir/t/tasks
times=${TASKS_TIMES:-1}
mkdir plain preloaded dynamic static
for name in coroutines shared; do
	# shellcheck disable=SC2086 # CC may have options
	ok "$name compiles" $CC -g -O1 -o plain/$name "$src/$name.c" -lpthread || done_testing
	cp plain/$name preloaded
	ok "$name compiles with iocc" "$IOCC" -g -O1 -o dynamic/$name "$src/$name.c" -lpthread
	ok "$name compiles with iocc -static" "$IOCC" -static --iotrace-syscalls -g -O1 -o static/$name "$src/$name.c" -lpthread
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
					counts "$form" "$dispatched" coroutines "$switch" "$stacks" 0
					counts "$form" "$dispatched" coroutines "$switch" "$stacks" 4
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
