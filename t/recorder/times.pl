#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# times.pl FIRST CALLS [STRACE] - compares the starts in CALLS (iotrace-cat's raw lines)
# with the times that times.c gives as offsets, since FIRST: a call begins between the
# time that it was given and that of the next call.  With STRACE also between the times at
# which strace saw the call before it and itself.
#
# Nobody knows how long a program was kept from going on between two clocks.  So the
# tolerance is what the run itself shows: the middle distance between two calls, and as much
# drift as one part in a thousand of the whole.  Prints how many calls there are, by how many
# ns the middle one is outside, the tolerance, and how many began before the one before
# them; exits with 1 if it is too much.
use strict;
use warnings;

my ($first, $calls, $strace) = @ARGV;

sub middle
{
	my @d = sort { $a <=> $b } @_;
	return $d[@d / 2];
}

# how far the starts are outside: of each call, the times before and after it
sub check
{
	my ($what, $log, $from, $to) = @_;
	my @out = map {
		my ($early, $late) = ($from->[$_] - $log->[$_], $log->[$_] - $to->[$_]);
		$early > 0 ? $early : $late > 0 ? $late : 0;
	} 0 .. $#$log;
	my $span = $to->[-1] - $from->[0];
	my $most = middle(map { $to->[$_] - $from->[$_] } 0 .. $#$log) + $span / 1000;
	my $back = grep { $log->[$_] < $log->[$_ - 1] } 1 .. $#$log;
	my ($tenth, @third) = (int(@out / 10));

	# at the beginning, in the middle, and at the end
	@third = map { middle(@out[$_ .. $_ + $tenth]) } 0, int(@out / 2), $#out - $tenth;
	printf "%s: %d calls, outside by %s of %d ns, %d back\n", $what, scalar @out, join(', ', @third), $most, $back;
	return !$back && !grep { $_ > $most } @third;
}

open my $in, '<', $calls or die "$calls: $!\n";
my (@log, @true);
while (<$in>) {
	my @f = split /!/;
	next unless $f[8] eq 'pwrite';
	push @log, $f[0] - $first;
	push @true, $f[14];
}
die "too few calls\n" if @log < 100;
my @till = @true[1 .. $#true];
my @begun = @log[0 .. $#log - 1];
my $right = check('program', \@begun, \@true, \@till);
if ($strace) {
	my @seen;

	open my $s, '<', $strace or die "$strace: $!\n";
	while (<$s>) {
		my ($sec, $frac) = /(\d+)\.(\d{6}) pwrite64\(/ or next;
		push @seen, "$sec${frac}000" - $first;
	}
	die 'strace saw ' . @seen . ', the log has ' . @log . "\n" if @seen != @log;
	shift @log;
	my @before = @seen[0 .. $#seen - 1];
	# its digits end at a microsecond
	my @after = map { $_ + 1000 } @seen[1 .. $#seen];
	$right &= check('strace', \@log, \@before, \@after);
}
exit !$right;
