#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # awk programs
# iotrace-stat --by=region: the same numbers as the program itself counts.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

# of writes to /dev/null; the program's standard output is another file
sums()
{
	"$IOTRACE_STAT" --format=json --by=region -e write,region "$@" "$logs" >"$T/json" 2>"$T/err" || return 1
	perl -MJSON::PP -e '
		local $/;
		for (sort { $a->{region} cmp $b->{region} } @{ decode_json(<STDIN>)->{regions} }) {
			print "$_->{region} $_->{entered} $_->{writes} $_->{written}\n";
		}' <"$T/json"
}

cp "$top_srcdir/t/stat/regions.c" "$T"
for form in -static -pthread; do
	tap_about="$form: "
	ok 'it is built' "$IOCC" $form -g -I"$top_srcdir/include" -o "$T/regions" "$T/regions.c" -lpthread || continue
	for how in '' kill; do
		rm -rf "$logs"
		mkdir "$logs"
		# shellcheck disable=SC2086 # nothing, or a word
		IOTRACE_DIR=$logs IOTRACE_EXCLUDE=/out "$T/regions" $how >"$T/out" 2>"$T/run.err"
		LC_ALL=C sort "$T/out" >"$T/want"
		is "$how: the program counts" "$(wc -l <"$T/want" | tr -d ' ')" 5
		sums -P '^/dev/null$' | sed 's/^/any /' >"$T/filtered"
		sums >"$T/got"
		same "$how: iotrace-stat says so" "$T/got" "$T/want"
		is "$how: options choose calls, and regions as well" "$(sed 's/^any \(.*\) 0 \([0-9]* [0-9]*\)$/\1 \2/' "$T/filtered")" \
			"$(sed 's/ [0-9]* \([0-9]* [0-9]*\)$/ \1/' "$T/want" | grep -v '^unused')"
		ok "$how: as iotrace-cat has them nested" "$top_srcdir/t/lib/stat-sums" "$logs"
	done
	ok 'time in a region has the calls inside' perl -MJSON::PP -e '
		local $/;
		my %r = map { $_->{region} => $_ } @{ decode_json(<>)->{regions} };
		my $inside = 0;
		$inside += $_->{self} for grep { $_->{region} ne "(no region)" } values %r;
		exit !($inside > 0 && $r{outer}{time} >= $inside && $r{outer}{self} < $r{outer}{time})' "$T/json"
	"$IOTRACE_STAT" --by=region --sort=count "$logs" >"$T/text"
	like 'as text' "$T/text" '^entered +calls +errors .* region$'
done
done_testing
