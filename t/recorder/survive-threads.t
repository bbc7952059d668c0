#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A process that ends while its threads are in the middle of calls: every call that
# was finished is there, and those that were not are, with the time they began.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build busy -Wall -pthread
n=3000

# What a thread wrote is what the log says, in order; what it was at when the
# process died may have been done or not.
cat >"$T/each.awk" <<'EOT'
BEGIN { FS = "!" }
NR == FNR { size[$1] = $2; next }
$9 != "pwrite" { next }
{ sub(/.*\//, "", $14) }
$19 == "unfinished" { open[$14]++; next }
$15 != 8 * made[$14] || $16 != 8 || $17 != 8 || ($5 in of && of[$5] != $14) {
	print "not as it was: " $0
	exit bad = 1
}
{ made[$14]++; of[$5] = $14 }
END {
	for (t in size) {
		if (bad)
			break
		threads++
		if (open[t] > 1 || made[t] > size[t] || made[t] + open[t] < size[t]) {
			print t ": " made[t] " and " open[t] + 0 " unfinished of " size[t]
			bad = 1
		}
	}
	if (threads != 4) { print threads + 0 " threads"; bad = 1 }
	exit bad
}
EOT

# ends HOW STATUS BLOCKED [LOGS]: with so many reads that never came back
ends()
{
	run busy "$1" $n
	is "$1: it ends as it should" "$(cat "$T/status")" "$2" || diag_file "$T/err"
	is "$1: nothing on stderr" "$(cat "$T/err")" ''
	is "$1: logs" "$(n_logs)" "${4:-1}"
	sound "$1"
	for t in 0 1 2 3; do
		echo "t-$t!$(($(wc -c <"$T/in/t-$t") / 8))"
	done >"$T/sizes"
	ok "$1: every call of every thread" "$AWK" -f "$T/each.awk" "$T/sizes" "$T/calls"
	is "$1: nothing was lost" "$(lost)" 0
	"$IOTRACE_CAT" -ttt "$logs" >"$T/text"
	is "$1: the calls that were blocked" "$(grep -c ' read([0-9]*, <unfinished \.\.\.>$' "$T/text")" "$3"
	# to 10 ms: clocks may be set while it runs
	ok "$1: with the time when they began" by_column '
		NR == FNR { at[NR] = substr($start, 1, length($start) - 6) + 0; next }
		$call == "read" && $status == "unfinished" {
			ms = substr($start, 1, length($start) - 6) + 0
			if (ms < at[1] - 10 || ms > at[2] + 10) { print $start " of " at[1] " to " at[2]; bad = 1 }
		}
		END { exit bad }' "$T/out" "$T/calls"
}

ends return 7 1
ends exit 3 1
ends _exit 4 1
ends syscall 5 1
ends abort 134 1
ends segv 139 1
ends term 143 1
ends kill 137 1
# the new image's exit is the only call that it makes, and libc's
ends exec 6 1 "$(either 2 1)"
ends thread-exit 3 2
ends thread-_exit 4 2
ends thread-abort 134 2
ends thread-segv 139 2
ends thread-kill 137 2
ends thread-exec 6 2 "$(either 2 1)"
done_testing
