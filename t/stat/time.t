#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat --by=time: sums by intervals, bursts, and whether anyone computed meanwhile.
# shellcheck disable=SC2016 # perl's variables
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

value()
{
	perl -MJSON::PP -e 'local $/; my $t = decode_json(<STDIN>)->{time}; print eval $ARGV[0], "\n"' "$1" <"$T/json"
}

ok 'it is built' "$IOCC" -static -pthread -O1 -o "$T/when" "$top_srcdir/t/stat/when.c"
mkdir -p "$logs"
IOTRACE_CACHE=1 IOTRACE_DIR=$logs ok 'it runs' "$T/when" "$T/out"
"$IOTRACE_CAT" --format=json "$logs" >"$T/lines"
for interval in '' =1ms =7ms =100ms =1h; do
	"$IOTRACE_STAT" --by=time$interval --format=json "$logs" >"$T/json"
	ok "time$interval: each interval as iotrace-cat has it" perl "$top_srcdir/t/stat/time.pl" "$T/json" "$T/lines"
done
"$IOTRACE_STAT" --by=time --format=json "$logs" >"$T/json"
ok 'an interval that suits' test "$(value '@{$t->{intervals}} >= 8 && @{$t->{intervals}} <= 40')" = 1
is 'and is round' "$(value '$t->{interval} =~ /^[125]0+$/')" 1
is 'bytes of bursts are all bytes' "$(value 'join " ", map { "$_->{does} $_->{bytes}" } @{$t->{bursts}}')" "write 13107200"
is 'what became dirty is all that did' "$(value 'my $n = 0; $n += $_->{dirtied} for @{$t->{intervals}}; $n')" \
	"$(perl -MJSON::PP -0777 -ne 'print decode_json($_)->{logs}[0]{blocks_out} * 512' "$T/json")"
is 'nobody computes during I/O of one thread' "$(value 'abs($t->{exposed} - $t->{busy}) < 1e-3 * $t->{busy} ? "all" : "$t->{exposed} of $t->{busy}"')" all

"$IOTRACE_STAT" --by=time --format=csv "$logs" >"$T/csv"
is 'csv has the same rows' "$(sed 1d "$T/csv" | wc -l | tr -d ' ')" "$(value 'scalar @{$t->{intervals}}')"
is 'and bytes' "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "written") k = i } NR > 1 { n += $k } END { print n }' "$T/csv")" 13107200
COLUMNS=80 "$IOTRACE_STAT" --by=time "$logs" >"$T/text"
like 'text says how long intervals are' "$T/text" '^intervals of .*; I/O in .*, and nobody computed in .* of these$'
like 'and bars' "$T/text" ' w{20,}$'
is 'in 80 columns' "$(awk 'length > 80 && !/^the kernel counted/' "$T/text")" ''

# strace as the judge of how many calls and bytes there are
if command -v strace >/dev/null && IOTRACE=off strace -o "$T/strace.out" -f -e trace=write "$T/when" "$T/out" 2>"$T/strace.err"; then
	is 'strace has as many writes' "$(grep -c 'write(.*= 65536$' "$T/strace.out")" \
		"$(value 'my $n = 0; $n += $_->{written} for @{$t->{intervals}}; $n / 65536')"
fi

# a busy machine would break bursts in two: of 40 writes in 6 ms each, one every 156 ms
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new;
	$l->block(records => [ MkLog::path(1, "/x"), MkLog::handle(1, 3, 1),
		map { my $at = 156_000_000 * $_; map { $l->general("write", handle => 1, start => $at + 150_000 * $_, full => 1,
			dur => 140_000, size => 65536, ret => 65536, offset => 0) } 0 .. 39 } 0 .. 4 ])->save($ARGV[0])' "$T/bursts.iotrace"
"$IOTRACE_STAT" --by=time --format=json "$T/bursts.iotrace" >"$T/json"
is 'the bursts are found' "$(value '$t->{bursts}[0]{bursts}')" 5
ok 'a period is a pause and its burst' test "$(value 'abs($t->{bursts}[0]{period} - 156e6) < 1e6')" = 1
"$IOTRACE_STAT" --by=time "$T/bursts.iotrace" >"$T/text"
like 'and text has them' "$T/text" '^written in 5 bursts of .*, one every'

# what devices did is known from time to time
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new(latest => 299e6);
	$l->block(records => [ (map { my ($ms, $in) = @$_; MkLog::def(18, pack "Q9", MkLog::ticks(1e6 * $ms), (0) x 4, $in, (0) x 3) }
		[ 0, 10 ], [ 99, 10 + 256 ], [ 199, 10 + 256 ], [ 299, 10 + 1280 ]),
		$l->general("read", start => 10_000_000, dur => 1000, size => 1, ret => 1) ])->save($ARGV[0])' "$T/device.iotrace"
"$IOTRACE_STAT" --by=time=100ms --format=json "$T/device.iotrace" >"$T/json"
is 'bytes of devices are where they can be' "$(value 'join " ", map { $_->{fetched} } @{$t->{intervals}}')" '131072 0 524288'
"$IOTRACE_STAT" --by=time=10ms --format=json "$T/device.iotrace" >"$T/json"
is 'and spread over that time' "$(value 'join " ", map { $_->{fetched} } @{$t->{intervals}}[0, 5, 15, 25]')" '13226 13226 0 52429'
"$IOTRACE_STAT" --by=time=100ms "$T/device.iotrace" >"$T/text"
like 'and in text' "$T/text" '^ *0.1 +0 +0 +0 '

rm -rf "$logs"
mkdir "$logs"
IOTRACE_DIR=$logs ok 'a thread computes' "$T/when" "$T/out" compute
# while there are writes: whoever is kept from the processor when it opens, closes or looks
# for "/", and nobody computes, may be there for longer than all of them
"$IOTRACE_STAT" --by=time=10ms --format=json "$logs" >"$T/json"
ok 'nearly all I/O is behind its back' test "$(value 'my ($busy, $exposed); $busy += $_->{busy}, $exposed += $_->{exposed} for grep { $_->{written} } @{ $t->{intervals} };
	$busy > 0 && $exposed < $busy / 2')" = 1

"$IOTRACE_STAT" --by=time=1us "$logs" >/dev/null 2>"$T/err"
like 'too many intervals are fewer' "$T/err" '^iotrace-stat: --by=time: intervals are [0-9]+ us, since there would be too many'
for bad in time= time=0 time=1ns time=x times; do
	"$IOTRACE_STAT" --by="$bad" "$logs" >/dev/null 2>"$T/err"
	is "$bad is refused" $? 2
	is "$bad: in one line" "$(grep -c "^iotrace-stat: --by" "$T/err") $(wc -l <"$T/err" | tr -d ' ')" '1 1'
done
done_testing
