#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat --file lists asynchronous requests in order, with operation, offset, bytes, how many were in flight, and
# the function, as the program says; how long they took, as the records say; and the least, the most and the sum of these.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

src=$top_srcdir/t/aio/listed.c
# shellcheck disable=SC2086 # CC may have options
ok 'plain compiles' $CC -O1 -o plain "$src" -lrt || done_testing
ok 'dynamic compiles' "$IOCC" -O1 -o dynamic "$src" -lrt
ok 'static compiles' "$IOCC" -static -O1 -o static "$src" -lrt
./plain >said
[ $? -ne 77 ] || skip_all 'the kernel has no asynchronous I/O'

for form in static dynamic plain; do
	run=
	[ $form != plain ] || run=$top_builddir/tools/iotrace-run
	rm -rf logs && mkdir logs
	# shellcheck disable=SC2086 # nothing, or a command
	IOTRACE_DIR=logs $run ./$form >said
	is "$form: runs" $? 0
	"$IOTRACE_STAT" --file='/file$' --format=json logs >json
	perl -MJSON::PP -0777 -ne '
		my $r = decode_json($_)->{details}[0]{requests};
		my ($least, $most, $sum, $depth) = (9e18, 0, 0, 0);
		for (@{ $r->{list} }) {
			print join(" ", @$_{qw(operation offset size depth)}, $_->{site} =~ /^(\w+)/), "\n";
			$least = $_->{wait} if $_->{wait} < $least;
			$most = $_->{wait} if $_->{wait} > $most;
			$depth = $_->{depth} if $_->{depth} > $depth;
			$sum += $_->{wait};
			print STDERR "$_->{op} $_->{wait}\n";
		}
		print "not the least, most, sum, depth\n"
			if "$least $most $sum $depth" ne join " ", @$r{qw(shortest longest waited depth)}' json >list 2>waits
	same "$form: the requests are those of the program, in order" list said
	"$IOTRACE_CAT" --format=json -e completion logs |
		perl -MJSON::PP -ne '$c = decode_json($_); print "$c->{args}{op} $c->{args}{since}\n"' | sort -n >records
	sort -n waits >sorted
	same "$form: how long they took is in the records" sorted records
	"$IOTRACE_STAT" --file='/file$' logs >text
	ok "$form: the text says how many, and the most at once" \
		grep -q "^asynchronous requests: $(grep -c . said); at most 6 in flight" text
	# the text has the first ones
	sed -n '/^ *at s request/,/^ *and/s/^ *[0-9.]* \(p[a-z]*\) *\([0-9]*\) *\([0-9]*\) .* \([0-9]*\) \([a-z]*\)\( .*\)*$/\1 \2 \3 \4 \5/p' text >lines
	head -n "$(grep -c . lines)" said >first
	ok "$form: the text lists some" test -s lines
	same "$form: the text has the same" lines first
done
done_testing
