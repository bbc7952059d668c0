#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Threads: every call of every thread, and file offsets that are right, or left
# out where nobody can know them.  TEST_LONG=1: more of them.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build threads -Wall
quiet()
{
	both threads "$@"
	is "$*: status" "$(cat "$T/status")" 0
}

# --- 24 threads at once, each with a range of its own
if [ "${TEST_LONG:-0}" = 1 ]; then n=200000; else n=30000; fi
quiet count 24 $n
"$IOTRACE_CAT" --format=raw -e pread "$logs" 2>"$T/cat.err" | by_column -v n=$n '
	/^#lost!/ { lost += $2 }
	/^#/ { next }
	{
		k = int($offset / 100)
		if (!($tid in of)) of[$tid] = k
		if (of[$tid] != k || $offset % 100 != at[$tid]++ % 100) wrong++
	}
	END {
		for (t in at) {
			threads++
			if (at[t] != n) { print "thread " t ": " at[t]; bad++ }
		}
		print threads + 0, "threads,", bad + 0, "bad,", wrong + 0, "wrong,", lost + 0, "lost"
	}' >"$T/sum"
is '24 threads: every call of each, in order, with its offset' "$(cat "$T/sum")" '24 threads, 0 bad, 0 wrong, 0 lost'
is '24 threads: the log is sound' "$(cat "$T/cat.err")" ''

# --- threads one after another
quiet churn 2000 5
sound churn
count 'churn: every call' '$call == "pread"' 10000
count 'churn: every thread is there from start to end' '$call == "thread_start" || $call == "thread_end"' 4000
is 'churn: and a process id and a thread id for each' "$(by_column '$call == "thread_start" { print $tid }' "$T/calls" | sort -u | wc -l | tr -d ' ')" 2000
ok 'churn: one window does for all' test "$(cat "$logs"/* | wc -c)" -lt 24000000

# --- eight at a time, of 2000 each, with a call as libc ends them
quiet crowd 2000 3
sound crowd
count 'crowd: every call' '$call == "pread"' 64000
count 'crowd: every thread is there from start to end' '$call == "thread_start" || $call == "thread_end"' 32016

# --- one changes the working directory while the other uses it
quiet dirs 3 20000
sound dirs
count 'dirs: every name is one of its directory' '$call ~ /^open/ && $path ~ /\/([ab])\/in-[ab]$/ && substr($path, length($path)) == substr($path, length($path) - 5, 1)' 20000

# --- offsets: offsets.pl says how many are right, left out and wrong
offsets()
{
	quiet "$@"
	sound "$1"
	perl "$rec_src/offsets.pl" "$1" "$T/calls" "$T/in/marks" >"$T/offsets" 2>&1
	diag "$1: $(cat "$T/offsets")"
	like "$1: none is wrong" "$T/offsets" ', 0 wrong'
}
offsets own 8 2000
like 'own: all are known' "$T/offsets" '^16000 right, 0 left out'
offsets read 8 0
like 'read: some are known' "$T/offsets" '^[1-9]'
offsets write 8 2000
offsets fork 4 0
offsets append 4 2000
offsets read 1 0
like 'read by one thread that did not open it: all are known' "$T/offsets" '^20001 right, 0 left out'
done_testing
