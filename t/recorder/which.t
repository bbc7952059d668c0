#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which calls are recorded: those that IOTRACE_CALLS names, that take longer, come in time,
# in which processes.  What is left out changes nothing of the others: their file, offset
# and depth.
# shellcheck disable=SC2016,SC2119 # awk's fields; n_logs takes a directory, or none
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build which -Wall
run_plain which

ms=1
# with NAME=VALUE: the program with that setting, otherwise undisturbed, and what it logs
with()
{
	export "${1?}"
	run which "$ms"
	unset "${1%%=*}"
	undisturbed "$1"
	sound "$1" -y
}

# write_at OFFSET SIZE: one of the program's writes is there, on its file
write_at()
{
	count "$what: $2 bytes at $1 of the file" "\$call == \"write\" && \$path ~ \"/in/file\$\" && \$offset == $1 && \$ret == $2" 1
}

with IOTRACE=on
cp "$T/calls" "$T/calls.all"

# same_but AWK-CONDITION: all is there but calls for which it holds
same_but()
{
	by_column "!($1) { print \$call, \$path, \$offset, \$ret }" "$T/calls.all" >"$T/expected"
	by_column '{ print $call, $path, $offset, $ret }' "$T/calls" >"$T/got"
	same "$what: the others are as they were" "$T/got" "$T/expected"
}

for what in '!mem,!poll' '!mem,poll' '!read' '!lseek' '!write' '!open' '!dup' '!close' '!fopen' '!openat' '!stdio,!pwrite,!dup'; do
	with "IOTRACE_CALLS=$what"
	condition='0'
	for name in $(echo "$what" | tr ',!' '  '); do
		condition="$condition || \$family == \"$name\" || \$call == \"$name\" || \$syscall == \"$name\""
	done
	count "$what: these are left out" "$condition" 0
	ok "$what: some are" test "$(wc -l <"$T/calls")" -lt "$(wc -l <"$T/calls.all")" -o "$what" = '!mem,poll' -o "$what" = '!mem,!poll'
	same_but "$condition"
done
what='write'
with IOTRACE_CALLS=write
count 'write: nothing else' '$call != "write"' 0
write_at 0 100
write_at 30 5
write_at 35 7
what=write,mem,lseek
with IOTRACE_CALLS=write,mem,lseek
count "$what: nothing else" '$call != "write" && $call != "lseek" && $family != "mem"' 0
count "$what: lseek" '$call == "lseek" && $ret == 10' 1
write_at 30 5
what=newfstatat,pwrite64
with IOTRACE_CALLS=$what
count "$what: the call of that system call" '$call == "pwrite" && $offset == 60' 1
count "$what: and no write" '$call == "write"' 0
what=MPI_Send,proc
with IOTRACE_CALLS=$what
count "$what: a call of MPI is no mistake" '$family != "proc"' 0

for bad in 'posix,!mem' '!opne' 'wirte' 'write,' '!' '!,mem' 'posix!'; do
	export IOTRACE_CALLS="$bad"
	run which
	like "IOTRACE_CALLS=$bad: is said to be bad" "$T/err" '^iotrace: IOTRACE_CALLS=.*: (neither calls|names with).*ignored$'
	cat_logs -y
	is "IOTRACE_CALLS=$bad: and ignored" "$(wc -l <"$T/calls")" "$(wc -l <"$T/calls.all")"
done
unset IOTRACE_CALLS

# --- calls that take longer
what=IOTRACE_LONGER
# noted: how many calls were left out, as iotrace-cat says
noted()
{
	sed -n 's/^.*: \([0-9]*\) calls were left out, as .*/\1/p' "$T/cat.err"
}
# made: calls in $T/calls, without what libc.so is only inferred to have done
made()
{
	by_column -v all="$(either 1 0)" 'all || !$internal { n++ } END { print n + 0 }' "$1"
}
# with_less SETTING: the same as with, where calls are left out
with_less()
{
	export "${1?}"
	run which "$ms"
	unset "${1%%=*}"
	undisturbed "$1"
	cat_logs -y
	is "$1: the log is read" "$cat_status" 0
	ok "$1: tools say that calls were left out" test "$(noted)" -gt 0
}
with IOTRACE_LONGER=1ns
# libc.so writes it at exit: how long that takes is not known
same_but "$(either 0 '$call == "write" && $path ~ "/out$"')"
ms=100
with_less IOTRACE_LONGER=0.05s
count "$what: the call that takes longer" '$call == "poll"' 1
is "$what: all others are counted" $(($(made "$T/calls") + $(noted))) "$(made "$T/calls.all")"
# a fraction of a day in ns is more than 64 bits hold
for long in 1000s 0.900132790d; do
	with_less IOTRACE_LONGER=$long
	count "$what: none takes $long" '$status != "noreturn" && $call != "_exit"' 0
done
for bad in 10y 1hour us 5x -1 1.us 1000001s '1 s'; do
	export IOTRACE_LONGER="$bad"
	run which
	like "IOTRACE_LONGER=$bad: is said to be bad" "$T/err" '^iotrace: IOTRACE_LONGER=.*: not a time \(ns, us, ms, s, min, h, d\) from 0 to 1000000s; '
done
unset IOTRACE_LONGER

# --- a time window
# with nearly two seconds for what comes before the wait, on however busy a machine
ms=2000
with IOTRACE_UNTIL=1000s
same_but 0
what=IOTRACE_AFTER
with_less IOTRACE_AFTER=1.9s
count "$what: nothing before it" '$path ~ "/in/(file|text)$" || $call == "poll"' 0
count "$what: what comes after it, where it is" '$call == "write" && $path ~ "/in/later$" && $offset == 4 && $size == 9' 1
count "$what: its end" '$call == "close" && $path ~ "/in/later$"' 1
what=IOTRACE_UNTIL
with_less IOTRACE_UNTIL=1900ms
write_at 0 100
write_at 30 5
count "$what: a call that begins in time" '$call == "poll"' 1
count "$what: nothing after it" '$call == "write" && $path ~ "/in/later$" && $size == 9' 0
with_less IOTRACE_AFTER=1000
count 'IOTRACE_AFTER: it never came' '$path ~ "/in/"' 0
ok 'IOTRACE_AFTER: all are counted' test "$(noted)" -ge "$(made "$T/calls.all")"
ms=1

# --- some processes
# logs_of WANT NAME=VALUE...: so many
logs_of()
{
	want=$1
	shift
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	(cd "$T/in" && env "$@" IOTRACE_DIR="$logs" "$T/traced/which" >"$T/out" 2>"$T/err" </dev/null)
	echo $? >"$T/status"
	undisturbed "$*"
	is "$*: $want" "$(n_logs)" "$want"
}
logs_of 1 IOTRACE_RANKS=0-3,7
for rank in 0 2 3 7; do
	logs_of 1 IOTRACE_RANKS=0-3,7 PMI_RANK=$rank PMI_SIZE=9
done
for rank in 4 8; do
	logs_of 0 IOTRACE_RANKS=0-3,7 PMI_RANK=$rank PMI_SIZE=9
done
logs_of 1 IOTRACE_SAMPLE=4 PMI_RANK=4 PMI_SIZE=9
logs_of 0 IOTRACE_SAMPLE=4 PMI_RANK=5 PMI_SIZE=9
for bad in 3-1 x '1,' ',' 1-2-3 -1 99999999999; do
	export IOTRACE_RANKS="$bad"
	run which
	like "IOTRACE_RANKS=$bad: is said to be bad" "$T/err" '^iotrace: IOTRACE_RANKS=.*: not a list of ranks, as 0-3,7 is; '
	is "IOTRACE_RANKS=$bad: and ignored" "$(n_logs)" 1
done
unset IOTRACE_RANKS
rm -rf "$logs"
mkdir "$logs"
for _ in $(seq 60); do
	(cd "$T/in" && IOTRACE_SAMPLE=4 IOTRACE_DIR=$logs "$T/traced/which" >/dev/null)
done
ok 'IOTRACE_SAMPLE: some of 60 processes' test "$(n_logs)" -gt 0
ok 'IOTRACE_SAMPLE: not all' test "$(n_logs)" -lt 50
done_testing
