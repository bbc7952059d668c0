#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A log of which one bit has been flipped: readers say so, or what they print is the same.
# Of a process that was killed this holds but for what it had in windows.
# TEST_LONG=1: ten times as many.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/recorder.sh
. "${0%/*}/../lib/recorder.sh"

n=$([ "${TEST_LONG:-0}" = 1 ] && echo 10 || echo 1)

# flips WHAT N WHERE: of $log; TEST_SEED may say another place to begin
flips()
{
	is "$1: nothing changes without a word" \
		"$("$top_srcdir/t/lib/flip-bits" "$IOTRACE_CAT" "$log" $((n * $2)) "${TEST_SEED:-12}" "$3" 2>"$T/flips.err")" 0 || diag_file "$T/flips.err"
}

# sealed WHAT N: but for N windows of $log, all have a checksum
sealed()
{
	is "$1: live windows" "$("$top_srcdir/t/lib/flip-bits" "$IOTRACE_CAT" "$log" 0 0 live)" "$2"
}

# cut WHAT: of $log, whose process has ended, what lies behind each page is missing in turn
cut()
{
	"$IOTRACE_CAT" --format=json "$log" >"$T/whole"
	silent='' size=$(wc -c <"$log")
	for pages in $(seq 1 $(((size - 1) / 4096))); do
		head -c $((pages * 4096)) "$log" >"$T/cut.iotrace"
		"$IOTRACE_CAT" --format=json "$T/cut.iotrace" >"$T/there" 2>"$T/cut.err" && cmp -s "$T/there" "$T/whole" && continue
		[ -s "$T/cut.err" ] || silent="$silent $pages"
	done
	is "$1: what lacks calls since its end is missing says so" "$silent" ''
}

build flips -pthread
# who ended last says how long it is; the shell goes on when the pipe has no writer any more
ok 'dynamic: compiles' "$IOCC" -pthread -o "$T/traced/orphan" "$rec_src/flips.c"
for program in flips orphan; do
	for calls in all posix; do
		: "$(IOTRACE_CALLS=$calls IOTRACE_BUFFER=16384 run $program orphan 3>&1)"
		log=$(echo "$logs"/$program.*)
		cut "end of the child's, $program, $calls"
	done
done

# what ends the process may be no call that is recorded
for how in end exec end-posix exec-posix kill; do
	# blocks of 16 KiB: there are finished ones
	case $how in
	*-posix) IOTRACE_CALLS=posix IOTRACE_BUFFER=16384 run flips "${how%-posix}" ;;
	*) IOTRACE_BUFFER=16384 run flips "$how" ;;
	esac
	# shellcheck disable=SC2154 # recorder.sh has $logs
	set -- "$logs"/flips.*
	log=$1
	sealed "$how" "$([ $how = kill ] && echo 1 || echo 0)"
	case $how in
	kill) flips "$how" 120 rest ;;
	exec | *-posix) flips "$how" 80 all ;;
	*)
		cut "$how"
		flips "$how" 400 all
		flips "$how, headers" 400 heads
		packs "$how, packed" || continue
		mkdir "$T/unpacked"
		"$IOTRACE_PACK" -k "$log" || fail 'it is packed'
		log=$(echo "$logs"/*.packed.iotrace)
		flips "$how, packed" 150 all
		"$IOTRACE_PACK" -d "$log" -o "$T/unpacked/log" || fail 'it is unpacked'
		ok 'unpacked it is what it was' cmp "$1" "$T/unpacked/log"
		log=$1
		;;
	esac
done

# damaged BLOCK: which one is said, once, and the others are there
mkdir "$T/damaged"
cat >"$T/damage.pl" <<'END'
my ($from, $to, $which) = @ARGV;
open my $f, '<:raw', $from or die;
my $log = do { local $/; <$f> };
my $off = unpack 'Q', substr $log, 32, 8;
my $n = 0;
while ($off + 96 <= length $log) {
	my ($magic, $head, $used, undef, $size, $flags) = unpack 'L6', substr $log, $off, 96;
	if ($magic != 0x424f4949) { $off += 64; next; }
	if (!($flags & 1) && $n++ == 1) {
		my $at = $which eq 'records' ? $off + $head + int($used / 2) : $off + 40;
		substr($log, $at, 1) ^= "\x10";
		open my $o, '>:raw', $to or die;
		print $o $log;
		print "$off $size\n";
		exit;
	}
	$off += $size;
}
END
IOTRACE_BUFFER=16384 run flips
set -- "$logs"/flips.*
for which in records header; do
	place=$(perl "$T/damage.pl" "$1" "$T/damaged/x.iotrace" $which)
	off=${place% *} size=${place#* }
	"$IOTRACE_CAT" --format=raw "$T/damaged/x.iotrace" >"$T/calls" 2>"$T/err"
	is "$which: status" $? 1
	is "$which: it says which block, once" "$(grep -c "block at offset ${off}[ ,].*$size bytes.* left out" "$T/err")" 1
	is "$which: which log" "$(grep -c -v "^iotrace-cat: $T/damaged/x.iotrace: " "$T/err")" 0
	ok "$which: the rest is there" [ "$(wc -l <"$T/calls")" -gt 2500 ]
done
done_testing
