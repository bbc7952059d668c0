#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# times.pl FIRST CALLS [STRACE] - compares the starts in CALLS (iotrace-cat's raw
# lines) with the times that times.c gives as offsets, since FIRST, or with
# strace's.  Prints what it found in ns: how many, the middle difference, how
# much it drifts from the first to the last tenth in parts per thousand of the
# whole, and how many calls began before the one before them.
use strict;
use warnings;

my ($first, $calls, $strace) = @ARGV;

sub middle
{
	my @d = sort { $a <=> $b } @_;
	return $d[@d / 2];
}

open my $in, '<', $calls or die "$calls: $!\n";
my (@log, @true);
while (<$in>) {
	my @f = split /!/;
	next unless $f[8] eq 'pwrite';
	push @log, $f[0] - $first;
	push @true, $f[14];
}
if ($strace) {
	@true = ();
	open my $s, '<', $strace or die "$strace: $!\n";
	while (<$s>) {
		my ($sec, $frac) = /(\d+)\.(\d{6}) pwrite64\(/ or next;
		push @true, "$sec${frac}000" - $first;
	}
	die 'strace saw ' . @true . ', the log has ' . @log . "\n" if @true != @log;
}
my @d = map { $log[$_] - $true[$_] } 0 .. $#log;
my $tenth = int(@d / 10);
my $drift = middle(@d[-$tenth .. -1]) - middle(@d[0 .. $tenth - 1]);
my $back = grep { $log[$_] < $log[$_ - 1] } 1 .. $#log;
my $span = $true[-1] - $true[0];
printf "%d calls, middle %d ns, drift %.3f in 1000 of %d us, %d back\n",
    scalar @d, middle(map { abs } @d), 1000 * abs($drift) / $span, $span / 1000, $back;
