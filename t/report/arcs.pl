#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# arcs.pl PAGE CALLS N - compares the operations that a page draws as arcs with the completions that
# iotrace-cat prints as JSON, N or more: each says itself how long ago its operation was issued.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Page;

my ($page, $calls, $least) = @ARGV;

my $d = decode(data_of(slurp($page)));
my $p = $d->{picture};
my (@wanted, %issued, %mpi);

for my $c (lines($calls)) {
	my $op = $c->{args}{op} or next;
	next if defined $c->{args}{told}; # it was collected
	my $since = $c->{args}{elapsed} || $c->{args}{since};

	if (!$since) {
		$issued{"$c->{pid} $c->{family} $op"} = $c;
		next;
	}
	my $i = $issued{"$c->{pid} $c->{family} $op"};
	my $end = $c->{start} + $c->{dur};

	push @wanted, join ' ', $end - $since, $since, $i->{tid}, $c->{tid}, $i->{size} || 0, $c->{path};
	next if $c->{family} ne 'mpiio';
	$mpi{$i->{tid}}[0]++;
	$mpi{$i->{tid}}[1] += $since;
	$mpi{$i->{tid}}[2] += $i->{dur} + $c->{dur};
}

my (@got, %got);
my ($at, @arcs) = ($p->{begin}, @{$p->{arcs}});
while (my ($step, $dur, $lane, $to, $name, $file, $size) = splice @arcs, 0, 8) {
	$at += $step;
	push @got, join ' ', $at, $dur, $p->{lanes}[$lane]{tid}, $p->{lanes}[$to]{tid}, $size, $d->{stat}{files}[$file]{path};
}
ok(@wanted >= $least, 'there are operations');
is($p->{arcs_seen}, scalar @wanted, 'all have arcs');
is(join("\n", sort @got), join("\n", sort @wanted), 'from when and where they were issued to when and where they were complete');
my @sums = @{$p->{operations}};
while (my ($lane, @sum) = splice @sums, 0, 4) {
	$got{$p->{lanes}[$lane]{tid}} = \@sum;
}
is(join('; ', map { "$_ @{$got{$_}}" } sort keys %got), join('; ', map { "$_ @{$mpi{$_}}" } sort keys %mpi), 'how long those of MPI were in flight, and in calls');
print "end\n";
