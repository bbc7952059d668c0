#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# offsets.pl HOW CALLS MARKS - compares the offsets in CALLS (iotrace-cat's raw
# lines) with where threads.c read and wrote: a read is followed by a pwrite at
# the offset that it was at; what was written is in MARKS, with its writer.
use strict;
use warnings;

my ($how, $calls, $marks) = @ARGV;
my ($right, $none, $wrong) = (0, 0, 0);
my (%last, %n, $data);

sub judge
{
	my ($said, $true, $line) = @_;
	if ($said eq '') {
		$none++;
	} elsif ($said == $true) {
		$right++;
	} else {
		print "$said, not $true: $line\n" if $wrong++ < 5;
	}
}

if ($how eq 'write' || $how eq 'append') {
	open my $m, '<:raw', $marks or die "$marks: $!\n";
	local $/;
	$data = <$m>;
}
open my $in, '<', $calls or die "$calls: $!\n";
while (my $line = <$in>) {
	chomp $line;
	my ($call, $tid, $path, $offset, $ret) = (split /!/, $line, -1)[8, 4, 13, 14, 16];
	if ($call eq 'write' && $path =~ m{/marks$}) {
		# 8 bytes, two little-endian words: which call, of which thread
		my ($i, $who) = $offset eq '' ? () : unpack 'VV', substr $data, $offset, 8;
		my $mine = $n{$tid}++;
		judge($offset, defined $i && $i == $mine && $who == $tid ? $offset : -1, $line);
	} elsif ($call eq 'read' && $path =~ m{/numbers$}) {
		$last{$tid} = [$offset, $line];
		# at the end of the file
		judge($offset, 160000, $line) if $ret eq '0';
	} elsif ($call eq 'pwrite' && $path =~ m{/where$} && $last{$tid}) {
		judge($last{$tid}[0], $offset, $last{$tid}[1]);
		delete $last{$tid};
	}
}
print "$right right, $none left out, $wrong wrong\n";
