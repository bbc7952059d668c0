#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What each thread and each forked child costs beyond its calls, in what can be counted: system
# calls of the recorder's, thread-local storage, mappings.  doc/cost.txt has the time.
# shellcheck disable=SC2119
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build threads -Wall
build processes -Wall
build texts -Wall
build closes -Wall
build held -Wall
n=50 few=12

# calls PROGRAM ARGUMENT...: runs it, made so or so, under strace
calls()
{
	mkdir -p "$T/in" "$logs"
	(cd "$T/in" && IOTRACE_DIR=$logs strace -f -qq -e trace=getrusage,getpid,rt_sigprocmask,process_vm_readv,readlinkat,newfstatat,fcntl -o "$T/strace" "$@" >"$T/out" 2>&1)
	is "${1##*/} under strace: status" $? 0
}

# made NAME: so often
made()
{
	grep -c " $1(" "$T/strace"
}

if command -v strace >/dev/null; then
	calls "$T/plain/threads" churn $n 1
	masks=$(made rt_sigprocmask)
	calls "$T/traced/threads" churn $n 1
	diag "$(made getrusage) getrusage, $(made getpid) getpid, $(made rt_sigprocmask) rt_sigprocmask, $masks of them libc's"
	ok 'a thread: what it used is asked for when it ends' test "$(made getrusage)" -le $((n + few))
	ok 'a thread: its process is known' test "$(made getpid)" -le $few
	ok 'a thread: handlers are kept off once' test "$(made rt_sigprocmask)" -le $((masks + 3 * n + 2 * few))
	calls "$T/traced/processes" orphans $n
	diag "$(made getrusage) getrusage"
	ok 'a child: what it used is asked for when it ends' test "$(made getrusage)" -le $((2 * n + few))
	for where in literal stack; do
		calls "$T/traced/texts" $where $n
		ok "a path beside other threads: nobody copies what stays ($where)" test "$(made process_vm_readv)" -le $few
	done
	calls "$T/traced/texts" heap $n
	ok 'what another thread may unmap is copied by the kernel' test "$(made process_vm_readv)" -ge $n
	calls "$T/traced/closes" $n
	diag "$(made fcntl) fcntl, $(made readlinkat) readlinkat, $(made newfstatat) newfstatat"
	ok 'a descriptor that is not open: the kernel is asked whether it is' test "$(made fcntl)" -ge $n
	ok 'and not for a name' test $(($(made readlinkat) + $(made newfstatat))) -le $((2 * few))
else
	skip 'system calls' 'strace is not installed'
fi

# storage FILE: bytes that each thread has of it
storage()
{
	readelf -lW "$1" | awk '$1 == "TLS" { print $6 }'
}
ok 'thread-local storage is no matter' test $(($(storage "$T/traced/threads") - $(storage "$T/plain/threads"))) -le 128

# said FILE WHAT: a line of what held printed
said()
{
	sed -n "s/^$2 //p" "$T/$1"
}

# The recorder's memory lies beside the executable if the kernel leaves room before the heap.
# How much that is nobody knows before.
mkdir -p "$logs"
i=0
while [ $((i += 1)) -le 20 ] && IOTRACE_DIR=$logs "$T/traced/held" >"$T/traced.out" && [ "$(said traced.out heap)" != apart ]; do
	:
done
ok 'mappings, plain: status' sh -c "'$T/plain/held' >'$T/plain.out'"
diag "untraced: $(tr '\n' ' ' <"$T/plain.out"), traced: $(tr '\n' ' ' <"$T/traced.out")"
if [ "$(said traced.out heap)" = apart ]; then
	ok 'a fork copies three mappings more: the log, what its processes share, threads' \
		test "$(said traced.out mappings)" -le $(($(said plain.out mappings) + 3))
else
	skip 'mappings' 'the heap follows the executable'
fi
done_testing
