#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Signal handlers that do I/O in the middle of the recorder, and handlers that
# jump out of it: no call is lost, torn, there twice or nested wrongly.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build handlers -Wall

# said NAME: what the program counted
said()
{
	sed -n "s/^$1 //p" "$T/err"
}

for how in storm nested; do
	run handlers $how 50000
	is "$how: the program is unharmed" "$(cat "$T/status")" 0
	sound "$how"
	diag "$(tr '\n' ' ' <"$T/err")"
	ok "$how: there were signals" test "$(said handler)" -gt 100
	count "$how: the program's calls" '$9 == "pwrite" && $14 ~ "/main$" && $16 == 1' $(($(said main) + 1))
	count "$how: its handlers' calls" '$9 == "pwrite" && $14 ~ "/handler$" && $16 == 2' "$(said handler)"
	count "$how: what both opened" '$9 == "open" && $20 ~ "O_RDONLY" && $14 ~ "/(main|handler)$"' "$(said opens)"
	count "$how: none has another size or result" '$9 == "pwrite" && ($16 != $17 || $16 > 2)' 0
	count "$how: no offset twice or left out" '$9 == "pwrite" && $14 ~ "/handler$" && $15 % 2 == 0 && !seen[$15]++' "$(said handler)"
	count "$how: nor of the program's" '$9 == "pwrite" && $14 ~ "/main$" && !seen[$15]++' "$(said main)"
	count "$how: none was left without returning" '$19 ~ "abandoned"' 0
	count "$how: the other thread's calls" '$9 == "pread"' 20000
	is "$how: nothing was lost" "$(lost)" 0
	# who begins while another call is under way ends before it does
	ok "$how: calls lie in the calls around them" "$AWK" -F! '
		$2 == "" { next }
		{
			start = substr($1, length($1) - 12) + 0
			end = start + $2
			if ($12 > 0 && !(($5, $12 - 1) in to)) { print "no parent: " $0; exit bad = 1 }
			if ($12 > 0 && start < to[$5, $12 - 1] && end > to[$5, $12 - 1] + 1) { print "ends after its parent: " $0; exit bad = 1 }
			for (d = $12 + 1; (($5, d) in to); d++)
				delete to[$5, d]
			to[$5, $12] = end
		}
		END { exit bad }' "$T/calls"
done

run handlers jump 3000
is 'jump: the program is unharmed' "$(cat "$T/status")" 0
sound jump
is 'jump: as many jumps' "$(said jumps)" 3000
count 'jump: the call after each is there' '$9 == "pwrite" && $14 ~ "/handler$" && $16 == 3 && $17 == 3 && !seen[$15]++' 3000
count 'jump: and nested in nothing' '$9 == "pwrite" && $14 ~ "/handler$" && $12 != 0' 0
count 'jump: calls were left' '$19 ~ "abandoned" && !m++' 1
is 'jump: no call is there twice' "$("$AWK" -F! '{ print $1, $5, $12 }' "$T/calls" | sort | uniq -d | wc -l | tr -d ' ')" 0
count 'jump: results are right' '$9 == "pread" && $19 == "" && $17 != 1' 0
is 'jump: nothing was lost' "$(lost)" 0
# whoever jumps out of the recorder leaves it to the next call: no call had to go to
# the recorder of those that interrupt it, whose blocks have a level
is 'jump: the recorder was never left busy' "$(cat "$logs"/*.iotrace | perl -0777 -ne '
	for (my $at = 0; $at < length; $at += 4096) {
		my ($magic, $level) = unpack "V x32 V", substr $_, $at, 40;
		$n++ if $magic == 0x424f4949 && $level;
	}
	END { print $n + 0 }')" 0
done_testing
