#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which calls are recorded: those that IOTRACE_CALLS names.  What is left out changes
# nothing of the others: their file, offset and depth.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build which -Wall
run_plain which

# with NAME=VALUE: the program with that setting, otherwise undisturbed, and what it logs
with()
{
	export "${1?}"
	run which
	unset "${1%%=*}"
	undisturbed "$1"
	sound "$1" -y
}

# write_at OFFSET SIZE: one of the program's writes is there, on its file
write_at()
{
	count "$what: $2 bytes at $1 of the file" "\$9 == \"write\" && \$14 ~ \"/in/file\$\" && \$15 == $1 && \$17 == $2" 1
}

with IOTRACE=on
cp "$T/calls" "$T/calls.all"

# same_but AWK-CONDITION: all is there but calls for which it holds
same_but()
{
	"$AWK" -F! "!($1) { print \$9, \$14, \$15, \$17 }" "$T/calls.all" >"$T/expected"
	"$AWK" -F! '{ print $9, $14, $15, $17 }' "$T/calls" >"$T/got"
	same "$what: the others are as they were" "$T/got" "$T/expected"
}

for what in '!mem,!poll' '!mem,poll' '!read' '!lseek' '!write' '!open' '!dup' '!close' '!fopen' '!openat' '!stdio,!pwrite,!dup'; do
	with "IOTRACE_CALLS=$what"
	condition='0'
	for name in $(echo "$what" | tr ',!' '  '); do
		condition="$condition || \$8 == \"$name\" || \$9 == \"$name\" || \$10 == \"$name\""
	done
	count "$what: these are left out" "$condition" 0
	ok "$what: some are" test "$(wc -l <"$T/calls")" -lt "$(wc -l <"$T/calls.all")" -o "$what" = '!mem,poll' -o "$what" = '!mem,!poll'
	same_but "$condition"
done
what=write
with IOTRACE_CALLS=write
count 'write: nothing else' '$9 != "write"' 0
write_at 0 100
write_at 30 5
write_at 35 7
what=write,mem,lseek
with IOTRACE_CALLS=write,mem,lseek
count "$what: nothing else" '$9 != "write" && $9 != "lseek" && $8 != "mem"' 0
count "$what: lseek" '$9 == "lseek" && $17 == 10' 1
write_at 30 5
what=newfstatat,pwrite64
with IOTRACE_CALLS=$what
count "$what: the call of that system call" '$9 == "pwrite" && $15 == 60' 1
count "$what: and no write" '$9 == "write"' 0
what=MPI_Send,proc
with IOTRACE_CALLS=$what
count "$what: a call of MPI is no mistake" '$8 != "proc"' 0

for bad in 'posix,!mem' '!opne' 'wirte' 'write,' '!' '!,mem' 'posix!'; do
	export IOTRACE_CALLS="$bad"
	run which
	like "IOTRACE_CALLS=$bad: is said to be bad" "$T/err" '^iotrace: IOTRACE_CALLS=.*: (neither calls|names with).*ignored$'
	cat_logs -y
	is "IOTRACE_CALLS=$bad: and ignored" "$(wc -l <"$T/calls")" "$(wc -l <"$T/calls.all")"
done
unset IOTRACE_CALLS
done_testing
