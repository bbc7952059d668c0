#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that take from under the recorder what it stands on: its descriptor,
# its directory, disk space, limits, rights.  They behave as ever; recording
# goes on, or what was lost is counted and said.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build hostile -Wall
n=20000

# whole HOW [NUMBER]: undisturbed, and everything is in the log
whole()
{
	both hostile "$1" $n
	# a umask may have kept even us from reading them
	chmod u+r "$logs"/*
	sound "$1"
	count "$1: every call" '$call == "pwrite" && $path ~ "/calls$" && $size == 4 && $ret == 4' "${2:-$((3 * n))}"
	is "$1: nothing was lost" "$(lost)" 0
}

# --- descriptors
for how in none closefrom close_range close-loop syscall-close syscall-close_range raw-close fds nofile; do
	whole $how
done
# Where it may not raise the limit the recorder takes one of the numbers.
whole nofile-soft
# Where it has none of its own, and the program has all, it uses none of the program's.
build full -Wall
(
	# shellcheck disable=SC3045 # Debian's sh has it
	ulimit -n 60
	run_plain full $n
	run full $n
)
undisturbed 'all descriptors in use'
sound 'all descriptors in use'
count 'all descriptors in use: every call' '$call == "write" && $size == 1 && $ret == 1' $n
is 'all descriptors in use: nothing was lost' "$(lost)" 0
# names_and_stacks FILE: of its last calls, but for those that wait or fork, whose place among others varies
names_and_stacks()
{
	"$IOTRACE_CAT" -k "$logs" | sed 's/<[^<>]*>$//; s/\[0x[0-9a-f]*\]//; s/^[0-9]*\/[0-9]* //' |
		awk '/^ dup2\(|^dup2\(/ { last = 1 } !/^ *>/ { on = last && !/wait|[fF]ork/ } on' >"$1"
	"$IOTRACE_CAT" --format=raw "$logs" | by_column '$call == "write" && $size == 2 { print $fd, $path }' >>"$1"
}
like 'all descriptors in use: the program found none' "$T/out" '^all$'
names_and_stacks "$T/full"
(
	# shellcheck disable=SC3045
	ulimit -n 60
	run full $n 40
)
names_and_stacks "$T/most"
like 'some are left' "$T/out" '^most$'
like 'files have names' "$T/most" "^3 $T/in/"
like 'calls have stacks' "$T/most" '^ *> name .*full\.c'
same 'all descriptors in use: names and stacks are as if some were left' "$T/full" "$T/most"
# The program prints what it found there, which without a recorder is nothing.
for how in dup2 dup3; do
	run hostile $how $n
	is "$how: status is the same" "$(cat "$T/status")" 11
	like "$how: the program has the number" "$T/out" 'dup2: 4'
	sound $how
	count "$how: every call" '$call == "pwrite" && $path ~ "/calls$"' $((3 * n + 1))
done
both hostile raw-dup2 $n
sound raw-dup2
count 'raw-dup2: every call' '$call == "pwrite" && $path ~ "/calls$"' $((3 * n + 20000))

# --- rights
whole umask $((3 * n + 10))
whole umask-first
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$T"
	both hostile drop $n
	cat_logs
	count 'drop: every call, of the child too' '$call == "pwrite"' $((3 * n + 10))
	is 'drop: none is lost, though the child may make no file' "$(lost)" 0
	both hostile chroot $n
	cat_logs
	count 'chroot: every call, of the child too' '$call == "pwrite"' $((3 * n + 10))
	is 'chroot: none is lost, though the child finds no directory' "$(lost)" 0
else
	skip 'drop' 'only root has privileges to drop'
	skip 'chroot' 'only root may chroot'
fi

# --- limits
run_plain hostile fsize $n
run hostile fsize $n
undisturbed fsize
counted fsize $((3 * n))
run_plain hostile none 100
(
	ulimit -f 16
	run hostile none 100
)
is 'a tight limit on file size: one line' "$(grep -c '^iotrace: .*limit on file size' "$T/err")" 1
: >"$T/err"
undisturbed 'a tight limit on file size'
is 'a tight limit on file size: no log' "$(n_logs)" 0
both hostile as $n
cat_logs
is 'as: every call is there, or counted' $(($(how_many '$call == "pwrite"') + $(lost))) $((3 * n))

# --- the log's size
run_plain hostile none $n
export IOTRACE_LIMIT=400k
run hostile none $n
undisturbed 'IOTRACE_LIMIT'
counted 'IOTRACE_LIMIT' $((3 * n))
ok 'IOTRACE_LIMIT: the log is no larger' test "$(cat "$logs"/* | wc -c)" -le $((400 * 1024))
IOTRACE_LIMIT=1k
run hostile none $n
undisturbed 'IOTRACE_LIMIT too small for anything'
unset IOTRACE_LIMIT

done_testing
