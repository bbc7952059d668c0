#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# agree.pl SAID JSON: requests and completions that a program says it made are those of its
# log: one record each, in the order of submission, with the same result.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines 'line';

my ($said, $json) = @ARGV;
my (@asked, %ended, @request, %completion, $bad);

sub wrong { print "$_[0]\n" if ++$bad <= 20 }

open(my $in, '<', $said) or die "$said: $!";
while (<$in>) {
	my ($what, $n, @rest) = split;
	if ($what eq 'r') { push @asked, [$n, join ' ', @rest] }
	else { push @{ $ended{$n} }, $rest[0] }
}
open($in, '<', $json) or die "$json: $!";
while (<$in>) {
	next unless /"call":"(?:request|completion)"/;
	my $c = line($_);
	if ($c->{call} eq 'request') { push @request, $c }
	else { push @{ $completion{ $c->{args}{op} // 0 } }, $c }
}
my %seen;
for my $c (@request) {
	my $op = $c->{args}{op} or wrong('a request without a number');
	wrong("number $op is there twice") if $op and $seen{$op}++;
}
# threads' records lie in their own blocks: numbers follow the order of submission
@request = sort { $a->{args}{op} <=> $b->{args}{op} } @request;
wrong(@request . ' requests, and not ' . @asked) if @request != @asked;
for my $i (0 .. $#asked) {
	my ($n, $want) = @{ $asked[$i] };
	my $c = $request[$i] or last;
	my $file = $c->{path} // $c->{args}{path} // '-';
	$file =~ s,.*/,,;
	my $is = join ' ', $c->{args}{opcode} =~ s/^IORING_OP_//r, $c->{offset} // '-', $c->{size} // 0, $file;
	wrong("request $n: $is, and not $want") if $is ne $want;
	my @ends = map { exists $_->{errno} ? $_->{errno} : $_->{ret} || ($_->{args}{result} // 0) }
		@{ delete $completion{ $c->{args}{op} } // [] };
	my @wanted = @{ $ended{$n} // [] };
	wrong("request $n ($want) ends with @ends, and not @wanted") if "@ends" ne "@wanted";
}
wrong("completions of unknown operations: " . join ' ', sort keys %completion) if %completion;
exit($bad ? 1 : 0);
