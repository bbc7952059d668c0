#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stacks that are deeper than what is kept of a walk: each has the frames that it has, as many
# as were asked for, and nothing that lies beside is written over.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

cat >frames.pl <<'P'
# frames.pl MOST: how many writes there are, and how many are not beneath as many calls as they have bytes
use strict;
use warnings;
use JSON::PP;
my ($most) = @ARGV;
my ($n, $wrong) = (0, 0);
while (<STDIN>) {
	my $call = decode_json($_);
	my @stack = @{ $call->{stack} // [] };
	my $want = $call->{ret} > $most - 1 ? $most - 1 : $call->{ret}; # beneath placeN()
	$n++;
	$wrong++ if @stack > $most || $want != grep { ($_->{func} // '') =~ /^(?:go|around|below)$/ } @stack;
}
print "$n $wrong\n";
P

for keep in -fno-omit-frame-pointer -fomit-frame-pointer; do
	for link in '' -static --iotrace-syscalls; do
		# shellcheck disable=SC2086 # none or one
		ok "compiles $keep $link" "$IOCC" -O1 -g $keep $link -o deep "$top_srcdir/t/stacks/deep.c" || continue
		for most in 16 17 35 64; do
			rm -rf logs && mkdir logs
			IOTRACE_DIR=$T/logs IOTRACE_STACK=$most ./deep 600
			is "$keep $link: $most frames: status" $? 0
			is "$keep $link: $most frames: as many as there are" \
				"$("$IOTRACE_CAT" -k --format=json -e write logs | perl frames.pl $most)" '3600 0'
		done
	done
done
done_testing
