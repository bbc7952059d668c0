#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tables of iotrace-stat on terminals of some widths: no line is longer than a terminal, and
# what doesn't fit is named; where there is no terminal all is there.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new;
	$l->block(records => [ MkLog::path(1, "/scratch/a/very/long/path/\xc3\xa4\xc3\xb6\xc3\xbc/" . "d/" x 40 . "the-end.dat"), MkLog::handle(1, 3, 1),
		MkLog::path(2, "/short"), MkLog::handle(2, 4, 2),
		(map { $l->compact("write", handle => 1, start => 1000 * $_, size => 100_000_000, offset => $_) } 1 .. 50),
		$l->compact("read", handle => 2, start => 100_000, size => 7, offset => 0),
		$l->compact("fwrite", handle => 2, start => 200_000, size => 24, offset => 8),
		$l->general("open", start => 1_000_000, ret => -1, errno => 2, args => [ \"/etc/no", 0, 0 ]) ]);
	$l->save($ARGV[0])' "$T/x.iotrace"
unset COLUMNS

# on COLUMNS [ENV...]: the report, on a terminal of that width
on()
{
	on_width=$1
	shift
	script -qec "stty cols $on_width && env NO_COLOR=1 $* '$IOTRACE_STAT' '$T/x.iotrace'" /dev/null 2>&1 </dev/null | tr -d '\r' >"$T/screen"
}

# longest: line of a table or of names that didn't fit, in characters
longest()
{
	sed -n '/  call$/,/^What stands out/p' "$T/screen" | grep -E '^ *[0-9]|^ *calls ' |
		perl -CI -ne 'chomp; $n = length if length > ($n // 0); END { print $n }'
}

"$IOTRACE_STAT" "$T/x.iotrace" >"$T/all"
all=$(sed -n 's/  file$//p' "$T/all")
like 'no terminal: the whole name' "$T/all" '/scratch/a/very/long/.*the-end\.dat$'
unlike 'no terminal: all columns' "$T/all" 'too narrow'
COLUMNS=40 "$IOTRACE_STAT" "$T/x.iotrace" >"$T/columns"
ok 'also with COLUMNS' cmp "$T/all" "$T/columns"
for width in 40 80 120; do
	on $width
	like "$width columns: a table" "$T/screen" '^ *calls  .*  (file|call)$'
	ok "$width columns: no line is longer" test "$(longest)" -le $width
	ok "$width columns: what a star says has no longer line" test "$(sed -n '/^\* /,/^$/p' "$T/screen" |
		awk 'length > n { n = length } END { print n + 0 }')" -le $width
	ok "$width columns: nor has what is left out" test "$(sed -n '/^too narrow/,/^[*A-Za-z]*$/p' "$T/screen" |
		grep -v '^What\|^\*' | awk 'length > n { n = length } END { print n + 0 }')" -le $width
	like "$width columns: what a star says" "$T/screen" '^\* no system call'
	like "$width columns: the end of a name" "$T/screen" ' \.\.\..*/the-end\.dat$'
	# names of columns that are there, and that are not
	{
		sed -n 's/  file$//p' "$T/screen"
		sed -n ':a; N; $!ba; s/\n            / /g; p' "$T/screen" | sed -n '/  file$/,$s/^too narrow for: //p'
	} | sed 's/, /  /g; s/   */\n/g' | tr -s '\n' | sed '/^$/d; s/^ *//' | sort >"$T/named"
	is "$width columns: those that don't fit are named" "$(paste -s -d ' ' "$T/named")" \
		"$(echo "$all" | sed 's/   */\n/g; s/^ *//' | sed '/^$/d' | sort | paste -s -d ' ')"
	like "$width columns: the time is there" "$T/screen" '^ *errors .*self s.*  file$'
done
on 40 COLUMNS=80
cp "$T/screen" "$T/columns"
on 80
ok 'COLUMNS counts more than the terminal' cmp "$T/screen" "$T/columns"
on 1000
unlike 'a wide terminal: everything' "$T/screen" 'too narrow|\.\.\./'

packs 'iotrace-pack -l' || done_testing
mkdir -p "$T/a-directory/of-a-name/that-is-long"
"$IOTRACE_PACK" -c "$T/x.iotrace" >"$T/a-directory/of-a-name/that-is-long/x.packed.iotrace"
script -qec "stty cols 80 && '$IOTRACE_PACK' -l '$T'/a-directory/*/*/*.iotrace" /dev/null 2>&1 </dev/null |
	tr -d '\r' >"$T/screen"
is 'iotrace-pack -l: no line is longer' "$(awk 'length > n { n = length } END { print n }' "$T/screen")" 80
like 'iotrace-pack -l: the end of a name' "$T/screen" ' \.\.\..*/?x\.packed\.iotrace$'
done_testing
