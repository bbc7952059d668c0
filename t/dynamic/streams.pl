#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
#
# streams.pl - for each call of streams.c: the bytes that strace saw it read and
# write, by descriptor, and what the log says for it.
#
#	streams.pl STRACE JSON
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines qw(line);

my ($strace, $log) = @ARGV;
my (@want, @unknown);
open my $in, '<', $strace or die "$strace: $!\n";
while (<$in>) {
	if (/^get(pgid|sid)\((\d+)\)/) {
		$want[$2] = {};
		$unknown[$2] = $1 eq 'sid';
	} elsif (@want && /^(read|write)\((\d+),.* = (\d+)$/) {
		$want[-1]{"$1 $2"} += $3 if $3;
	}
}
my (@got, @call, %inside);
open $in, '<', $log or die "$log: $!\n";
while (<$in>) {
	my $c = line($_);
	# not its children's
	next unless $c->{prog} eq 'traced' || $c->{prog} eq 'plain';
	if ($c->{depth} == 0) {
		push @got, {};
		push @call, $c;
		# a call that is none of streams.c's own
		pop @got, pop @call unless $c->{family} eq 'stdio' || $c->{call} eq 'exit' || $c->{call} eq 'dprintf';
	}
	next if ($c->{status} // '') ne 'inferred';
	die "not a child of a call: $_" unless $c->{depth} == 1;
	die "more than bytes: $_" if exists $c->{dur} || exists $c->{syscall} || $c->{size} != $c->{ret};
	$got[-1]{"$c->{call} $c->{fd}"} += $c->{ret};
}
my ($same, $with, $out) = (0, 0, 0);
sub text { my $h = shift; join ', ', map { "$_: $h->{$_}" } sort keys %$h }
for my $i (1 .. $#want) {
	my ($want, $got) = (text($want[$i]), text($got[$i - 1] // {}));
	if ($unknown[$i] && $got eq '') {
		$out++ if $want ne '';
	} elsif ($want eq $got) {
		$same++;
		$with++ if $want ne '';
	} else {
		print "call $i, $call[$i - 1]{call}: strace '$want', log '$got'\n";
	}
}
printf "%d calls, %d with bytes beneath, %d left out\n", $same, $with, $out;
