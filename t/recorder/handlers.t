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
	count "$how: the program's calls" '$call == "pwrite" && $path ~ "/main$" && $size == 1' $(($(said main) + 1))
	count "$how: its handlers' calls" '$call == "pwrite" && $path ~ "/handler$" && $size == 2' "$(said handler)"
	count "$how: what both opened" '$call == "open" && $args ~ "O_RDONLY" && $path ~ "/(main|handler)$"' "$(said opens)"
	count "$how: none has another size or result" '$call == "pwrite" && ($size != $ret || $size > 2)' 0
	count "$how: no offset twice or left out" '$call == "pwrite" && $path ~ "/handler$" && $offset % 2 == 0 && !seen[$offset]++' "$(said handler)"
	count "$how: nor of the program's" '$call == "pwrite" && $path ~ "/main$" && !seen[$offset]++' "$(said main)"
	count "$how: none was left without returning" '$status ~ "abandoned"' 0
	count "$how: the other thread's calls" '$call == "pread"' 20000
	is "$how: nothing was lost" "$(lost)" 0
	# who begins while another call is under way ends before it does
	ok "$how: calls lie in the calls around them" by_column '
		$dur == "" { next }
		{
			begin = substr($start, length($start) - 12) + 0
			end = begin + $dur
			if ($depth > 0 && !(($tid, $depth - 1) in to)) { print "no parent: " $0; exit bad = 1 }
			if ($depth > 0 && begin < to[$tid, $depth - 1] && end > to[$tid, $depth - 1] + 1) { print "ends after its parent: " $0; exit bad = 1 }
			for (d = $depth + 1; (($tid, d) in to); d++)
				delete to[$tid, d]
			to[$tid, $depth] = end
		}
		END { exit bad }' "$T/calls"
done

run handlers jump 3000
is 'jump: the program is unharmed' "$(cat "$T/status")" 0
sound jump
is 'jump: as many jumps' "$(said jumps)" 3000
count 'jump: the call after each is there' '$call == "pwrite" && $path ~ "/handler$" && $size == 3 && $ret == 3 && !seen[$offset]++' 3000
count 'jump: and nested in nothing' '$call == "pwrite" && $path ~ "/handler$" && $depth != 0' 0
count 'jump: calls were left' '$status ~ "abandoned" && !m++' 1
is 'jump: no call is there twice' "$(by_column '{ print $start, $tid, $depth }' "$T/calls" | sort | uniq -d | wc -l | tr -d ' ')" 0
count 'jump: results are right' '$call == "pread" && $status == "" && $ret != 1' 0
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
