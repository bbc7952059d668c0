#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# mpi.pl PAGE CALLS - compares what a page has of MPI-IO with calls that iotrace-cat prints as JSON.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Page;

my ($page, $calls) = @ARGV;

my $p = decode(data_of(slurp($page)))->{picture};
my (%sum, %meet, %nth, %within, %late);
my $moves = qr/^(?:p?readv?|p?writev?|pread64|pwrite64|preadv2|pwritev2)$/;

for my $c (lines($calls)) {
	my $tid = $c->{tid};
	my $open = $within{$tid} ||= [];

	$#$open = $c->{depth} - 1 if $#$open >= $c->{depth};
	my ($outer) = grep { defined } @$open;
	my $mine;
	if ($c->{call} =~ /^MPI_File_(write_all|i?write_at)$/) {
		$mine = $1 eq 'write_all' ? 'collective' : 'independent';
		$sum{"$tid $mine"}[0]++;
		$sum{"$tid $mine"}[1] += $c->{size};
		$sum{"$tid $mine"}[2] += $c->{dur};
	} elsif ($outer && $c->{call} =~ $moves) {
		$sum{"$tid beneath_$outer"}[0]++;
		$sum{"$tid beneath_$outer"}[1] += $c->{ret};
		$sum{"$tid beneath_$outer"}[2] += $c->{dur};
	}
	$open->[$c->{depth}] = $mine;
	if ($c->{args}{collective} && $c->{args}{comm_size} && $c->{args}{comm_size} > 1) {
		my $what = "$c->{call} $c->{path}";
		my $n = $nth{"$tid $what"}++;

		push @{$meet{"$what $n"}}, [$c->{start}, $tid, $c->{dur}];
	}
}

is(scalar @{$p->{mpi}}, 3, 'a row for each rank');
for my $rank (@{$p->{mpi}}) {
	my $lane = $p->{lanes}[$rank->{lane}];

	for my $key (qw(independent collective beneath_independent beneath_collective)) {
		is("@{$rank->{$key}}", join(' ', map { $_ || 0 } @{$sum{"$lane->{tid} $key"}}[0 .. 2]), "rank $lane->{rank}: $key");
	}
}
my @wanted;
for my $m (values %meet) {
	my @by = sort { $a->[0] <=> $b->[0] } @$m;
	my ($waited, $last) = (0, $by[-1]);

	for my $member (@by) {
		$waited += $last->[0] - $member->[0];
		$late{$member->[1]}[0]++;
		$late{$member->[1]}[1] += $last->[0] - $member->[0];
	}
	$late{$last->[1]}[2]++;
	$late{$last->[1]}[3] += $waited;
	push @wanted, join ' ', $waited, map { "$_->[1] $_->[0] $_->[2]" } @by;
}
is($p->{meetings_seen}, scalar @wanted, 'collective calls');
for my $rank (@{$p->{mpi}}) {
	my $lane = $p->{lanes}[$rank->{lane}];

	is(join(' ', @$rank{qw(met waited last kept_waiting)}), join(' ', map { $_ || 0 } @{$late{$lane->{tid}}}[0 .. 3]), "rank $lane->{rank}: waiting");
}
my @got = map {
	my @m = @{$_->{members}};
	my @members;

	while (my ($lane, $start, $dur) = splice @m, 0, 3) {
		push @members, "$p->{lanes}[$lane]{tid} " . ($start + $p->{begin}) . " $dur";
	}
	join ' ', $_->{waited}, @members;
} @{$p->{meetings}};
is(join('; ', sort @got), join('; ', sort @wanted), 'who came when');
is(join(' ', map { $_->{waited} } @{$p->{meetings}}), join(' ', sort { $b <=> $a } map { $_->{waited} } @{$p->{meetings}}), 'the longest wait comes first');
print "end\n";
