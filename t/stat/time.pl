# SPDX-License-Identifier: BSD-3-Clause
# time.pl - what iotrace-stat --by=time --format=json should say, by what iotrace-cat prints.
#
#	perl time.pl STAT-JSON CAT-JSON-LINES
#
# Prints a line for each number that differs.  Calls of one depth only: no time is inside of
# another call's.
use strict;
use warnings;
use JSON::PP;
use bigint;

open my $in, '<', shift or die;
my $time = decode_json(do { local $/; <$in> })->{time};
my @rows = @{ $time->{intervals} };
my ($begin, $width) = ($rows[0]{start}, $time->{interval});
my @want = map { { calls => 0, read => 0, written => 0, io => 0 } } @rows;
sub row { my ($n) = @_; return $n < 0 ? 0 : $n > $#rows ? $#rows : $n; }
my %moves = (read => 'read', write => 'written');
my $calls = 0;
while (<>) {
	my $c = decode_json($_);
	die "$c->{call} at depth $c->{depth}\n" if $c->{depth} && ($c->{status} // '') eq '';
	my ($start, $dur) = (0 + $c->{start}, 0 + ($c->{dur} // 0));
	my $first = row(($start - $begin) / $width);
	$want[$first]{calls}++;
	$calls++;
	next if ($c->{status} // '') ne '' || !$dur;
	my $done = 0;
	for my $n ($first .. row(($start + $dur - 1 - $begin) / $width)) {
		my $to = $n == $#rows ? $start + $dur : $begin + ($n + 1) * $width;
		$to = $start + $dur if $to > $start + $dur;
		my $behind = $to - $start;
		if (my $key = $moves{ $c->{call} }) {
			my $bytes = 0 + $c->{ret};
			$want[$n]{$key} += $bytes * $behind / $dur - $bytes * $done / $dur if $bytes > 0;
		}
		$want[$n]{io} += $behind - $done unless $c->{call} =~ /^(exit|exit_group|_exit|clone.*|pthread.*|nanosleep|clock_nanosleep|mmap|munmap|mprotect|brk|poll|futex|execve|mremap|madvise)$/;
		$done = $behind;
	}
}
die "no calls\n" unless $calls;
my $bad = 0;
for my $n (0 .. $#rows) {
	for my $key (qw(calls read written io)) {
		next if "$want[$n]{$key}" eq "$rows[$n]{$key}";
		print "interval $n: $key: $rows[$n]{$key}, not $want[$n]{$key}\n";
		$bad = 1;
	}
}
exit($bad ? 1 : 0);
