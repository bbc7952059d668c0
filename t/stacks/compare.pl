#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# compare.pl CAT LOG... <OUTPUT - the stacks of writes to /dev/null, against what the
# program said of them (site.h).  Prints each that differs; ends with how many were the
# same, and how many were not.
#
# Of what a signal has interrupted a log has the address, plus 1: names of calls in handlers
# end in !.  On a stack that is not known (a name that ends in ?) it may have fewer.
use strict;
use warnings;
use JSON::PP;

my ($cat, @logs) = @ARGV;
my (%want, %got, %name, @own);

# where logs say that the recorder's code lies: readers leave out what is there
for my $log (@logs) {
	open my $in, '<:raw', $log or die;
	read $in, my $header, 1 << 16;
	push @own, [$1, $2] while $header =~ /^recorder (\d+) (\d+)$/mg;
}

sub is_own
{
	my ($pc) = @_;
	return grep { $pc > $_->[0] && $pc <= $_->[1] } @own;
}

while (<STDIN>) {
	my ($n, $name, @pc) = /^(\d+) ([^0-9]*[!?\w])((?: \d+)*)$/ ? ($1, $2, split ' ', $3) : next;
	$want{$n} = \@pc;
	$name{$n} = $name;
}
open my $json, '-|', $cat, '-k', '--format=json', '-e', 'write', @logs or die;
while (<$json>) {
	my $call = decode_json($_);
	next unless ($call->{path} // '') eq '/dev/null';
	my @pc = map { $_->{pc} } grep { !$_->{inlined} } @{ $call->{stack} // [] };
	$got{ $call->{ret} } = [ @pc[1 .. $#pc] ];
}
my ($same, $other) = (0, 0);
for my $n (sort { $a <=> $b } keys %want) {
	my @want = @{ $want{$n} };
	my @got = @{ $got{$n} // [] };
	if ($name{$n} =~ /!$/) {
		for (1 .. $#want) { $got[$_]-- if $_ < @got && $got[$_] == $want[$_] + 1 }
	}
	splice @want, @got ? scalar @got : 1 if $name{$n} =~ /\?$/;
	# libgcc says 0 where a stack ends, and 64 are all that are asked for
	pop @want while @want && !$want[-1];
	$#want = 62 if $#want > 62;
	@want = grep { !is_own($_) } @want;
	if ("@want" eq "@got") {
		$same++;
		next;
	}
	$other++;
	printf "%s (%d):\n\tunwinder %s\n\trecorder %s\n", $name{$n}, $n, map { join ' ', map { sprintf '%x', $_ } @$_ } \@want, \@got;
}
print "$same same, $other not\n";
