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
IOTRACE_DIR=$logs ok 'it runs' "$T/when" "$T/out"
"$IOTRACE_CAT" --format=json "$logs" >"$T/lines"
for interval in '' =1ms =7ms =100ms =1h; do
	"$IOTRACE_STAT" --by=time$interval --format=json "$logs" >"$T/json"
	ok "time$interval: each interval as iotrace-cat has it" perl "$top_srcdir/t/stat/time.pl" "$T/json" "$T/lines"
done
"$IOTRACE_STAT" --by=time --format=json "$logs" >"$T/json"
ok 'an interval that suits' test "$(value '@{$t->{intervals}} >= 8 && @{$t->{intervals}} <= 40')" = 1
is 'and is round' "$(value '$t->{interval} =~ /^[125]0+$/')" 1
is 'bytes of bursts are all bytes' "$(value 'join " ", map { "$_->{does} $_->{bytes}" } @{$t->{bursts}}')" "write 13107200"
is 'nobody computes during I/O of one thread' "$(value 'abs($t->{exposed} - $t->{busy}) < 1e-3 * $t->{busy} ? "all" : "$t->{exposed} of $t->{busy}"')" all

"$IOTRACE_STAT" --by=time --format=csv "$logs" >"$T/csv"
is 'csv has the same rows' "$(sed 1d "$T/csv" | wc -l | tr -d ' ')" "$(value 'scalar @{$t->{intervals}}')"
is 'and bytes' "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "written") k = i } NR > 1 { n += $k } END { print n }' "$T/csv")" 13107200
COLUMNS=80 "$IOTRACE_STAT" --by=time "$logs" >"$T/text"
like 'text says how long intervals are' "$T/text" '^intervals of .*; I/O in .*, and nobody computed in .* of these$'
like 'and bars' "$T/text" ' w{20,}$'
is 'in 80 columns' "$(awk 'length > 80' "$T/text")" ''

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
