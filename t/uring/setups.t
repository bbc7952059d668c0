#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# io_uring: rings of each setup that the kernel knows (polled for completions, read by a thread of the kernel's
# that goes to sleep, in the program's memory, of one thread, without an array, ...), called by descriptor or
# by index, by other threads and by other processes: each process' log has the requests that it made, and how
# they ended.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
src=$top_srcdir/t/uring
run=$top_builddir/tools/iotrace-run

# shellcheck source=t/uring/forms.sh
. "$src/forms.sh"
forms_of setups -lpthread

# setups FORM SEED FLAGS [WAY]: false: there is nothing to look at
setups()
{
	what="setups $*"
	form=$1
	shift
	in_form "$form" setups "$@" >said 2>&1
	[ $status != 77 ] || { skip "$what" 'this kernel has no such ring' && return 1; }
	is "$what: ends well" "$status $(cat said)" '0 ' || return
	"$IOTRACE_CAT" --format=json -e request,completion logs >json 2>err
}

# process FILE: what the process says in it is in the log
process()
{
	grep "\"pid\":${1##*.}," json | grep -v '"operation":"unknown"' >json.own
	perl "$src/agree.pl" "$1" json.own >differs
	none "$what: the log has what the process asked for, and how it ended" differs
}

# agrees FORM SEED FLAGS [WAY]: of each process
agrees()
{
	setups "$@" || return
	is "$what: nothing is lost" "$(cat err)" ''
	for said in in/*.*; do
		process "$said"
	done
}

# passed FORM SEED FLAGS passed: of the process that has made the ring; what the other one does with it is counted
passed()
{
	setups "$@" || return
	process "$(echo in/maker.*)"
	lost=$(sed -n 's/.*: \([0-9]*\) calls were not recorded (requests or completions of an io_uring.*/\1/p' err)
	is "$what: requests and completions are in the log, or counted" \
		$(($(grep -c . json) + lost)) "$(cat in/*.* | grep -c '^[rc]')"
	like "$what: calls whose requests are not seen are counted" err \
		"io_uring_enter: $(cat in/calls) calls; what the kernel reads and writes for them is not recorded"
}

iopoll=0x1 sqpoll=0x2 submit_all=0x80 coop=0x300 large=0xc00 single=0x1000 defer=0x3000 no_mmap=0x4000
no_array=0x10000 hybrid=0x20001 mixed=0x40000
for form in static dynamic preloaded dispatched; do
	for flags in $iopoll 0x3 $sqpoll 0x3001 0x3c00 0x17000 $hybrid; do
		agrees "$form" 1 "$flags"
	done
	for way in index closed forked thread; do
		agrees "$form" 2 0 $way
	done
	agrees "$form" 3 $no_mmap forked
	passed "$form" 4 0 passed
done
for flags in $submit_all $coop $large $single $defer $no_mmap $no_array $mixed; do
	agrees static 5 "$flags"
	agrees static 6 "$flags" closed
done
done_testing
