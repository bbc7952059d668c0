#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Logs that somebody overwrites, cuts short, lengthens or replaces while they are read or
# followed: readers say something or nothing, and end; none crashes, hangs or eats memory.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build ending -Wall
# shellcheck disable=SC2154 # recorder.sh has $logs
mkdir "$T/in" "$logs"
(cd "$T/in" && IOTRACE_BUFFER=16384 IOTRACE_DIR=$logs exec "$T/traced/ending" forever 0) 2>/dev/null &
program=$!
while [ "$(cat "$logs"/*.iotrace 2>/dev/null | wc -c)" -lt 1000000 ]; do
	sleep 0.05
done
# it lives on, so that a follower waits for more
kill -STOP $program
set -- "$logs"/*.iotrace
log=$1

cat >"$T/spoil.pl" <<'END'
use strict;
use warnings;

my ($file, $how, $seed, $from) = @ARGV;
srand $seed;
my %spoil = (
	garbage => sub {
		open my $f, '+<', $file or return;
		for (1 .. 20) {
			seek $f, int rand(1 + -s $file), 0;
			print $f join '', map { chr rand 256 } 1 .. 1 + rand 300;
		}
	},
	numbers => sub {
		open my $f, '+<', $file or return;
		for (1 .. 20) {
			seek $f, 8 * int rand((-s $file) / 8), 0;
			print $f pack 'Q', (0, 1, ~0, 1 << 62, int rand 1e6)[rand 5];
		}
	},
	truncated => sub { truncate $file, int rand(1 + -s $from); system 'cp', $from, $file if rand() < .5 },
	replaced => sub { system 'cp', $from, "$file.new"; rename "$file.new", $file },
	lengthened => sub { truncate $file, 1 << int(20 + rand 20) },
);
for (1 .. 30) {
	$spoil{$how}->();
	select undef, undef, undef, .01;
}
END
# ended: how the last one ended was no crash, nor by running out of memory
for how in garbage numbers truncated replaced lengthened; do
	bad=
	for seed in 1 2 3; do
		cp "$log" "$T/spoilt.iotrace"
		# of 3 GB of addresses; a file that is longer than that is no reason to want more
		# shellcheck disable=SC3045 # Debian's sh has -v
		(ulimit -v 3000000; exec "$IOTRACE_CAT" -f "$T/spoilt.iotrace" >/dev/null 2>"$T/follow.err") &
		follower=$!
		perl "$T/spoil.pl" "$T/spoilt.iotrace" $how $seed "$log" &
		spoiler=$!
		for tool in "$IOTRACE_CAT" "$IOTRACE_STAT" "$IOTRACE_PACK --force -c"; do
			# shellcheck disable=SC2086,SC3045 # options; Debian's sh has -v
			(ulimit -v 3000000; exec timeout -s KILL 600 $tool "$T/spoilt.iotrace" >/dev/null 2>"$T/err")
			status=$?
			if [ $status -gt 3 ]; then
				bad="$bad ${tool##*/}:$status"
				diag_file "$T/err"
			fi
		done
		wait $spoiler
		kill -INT $follower 2>/dev/null
		wait $follower
		status=$?
		case $status in
		[0-3]|130) ;;
		*)	bad="$bad follower:$status"
			diag_file "$T/follow.err" ;;
		esac
		rm -f "$T"/spoilt.iotrace*
	done
	is "$how: every reader ends as it should" "$bad" ''
done
kill -KILL $program
wait $program 2>/dev/null
done_testing
