#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Descriptors: however a program asks for them, and however many it has, it gets the
# numbers that it would get without the log's, and as many.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build numbers -Wall
# users without privileges write logs there
chmod 755 "$T"
mkdir -m 1777 "$T/for-all"
# shellcheck disable=SC3045 # Debian's sh has it
most=$(ulimit -Hn)
[ "$most" != unlimited ] || most=1048576

# numbers HOW LIMIT...
numbers()
{
	run_plain numbers "$@"
	if [ "$(cat "$T/plain.status")" = 77 ]; then
		skip "$*" 'only root may do that'
		return
	fi
	IOTRACE_DIR=$T/for-all run numbers "$@"
	undisturbed "$*"
}

for limit in 64 300 5000; do
	for how in open fopen opendir dup dupfd dupfd-from dup2 eventfd socket syscall pipe socketpair accept recvmsg recvmmsg children; do
		numbers $how $limit
	done
done
for limit in 6 7 20 64 65 124 128 129 500 512 513 1024 1025 4096 16384 16385 20000; do
	[ $limit -le "$most" ] || continue
	numbers open $limit
	numbers open $limit hard
	numbers open $limit hard user
	numbers open $limit user
	numbers open $limit hard user again
	numbers children $limit hard user
done
# bash shows the number that it gets so
for limit in 64 256 5000; do
	numbers downwards $limit
	numbers downwards $limit hard user
done
# TEST_LONG=1, where the system allows that many: a minute for each
for limit in 100000 1000000; do
	if [ "${TEST_LONG:-0}" != 1 ] || [ $limit -gt "$most" ]; then
		continue
	fi
	numbers dup $limit
	numbers dupfd-from $limit hard user
done
done_testing
