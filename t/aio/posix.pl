#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# posix.pl HOW LOG - what a log says of POSIX AIO: the lines that t/aio/posix.c prints, in another
# order, and behind them what is wrong with the records.
#
# HOW: seen, if the calls of helper threads are on record, else unseen.
#
# Needs: IOTRACE_CAT in the environment.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines qw(line);

my ($how, $log) = @ARGV;
my %errno = (EBADF => 9, EINVAL => 22, ECANCELED => 125);
my (%of, @wrong, %calls);
my %helper = (pread => 'pread', pwrite => 'pwrite', read => 'pread', write => 'pwrite', fsync => 'fsync',
	fdatasync => 'fdatasync');

open my $in, '-|', $ENV{IOTRACE_CAT}, '--format=json', $log or die;
while (<$in>) {
	my $c = line($_);
	my $op = $c->{args}{op};
	if ($c->{call} =~ /^(request|completion|collection)$/) {
		push @wrong, "$op: two of $c->{call}" if $of{$op}{$1};
		$of{$op}{$1} = $c;
	} elsif ($c->{internal} && $helper{ $c->{call} } && $c->{fd} && $c->{fd} != 1) {
		# libc reads what is no file by read, and makes interrupted calls again
		$calls{ $helper{ $c->{call} } }++ unless ($c->{errno} // '') =~ /^(ESPIPE|EINTR)$/;
	}
}
close $in or die "iotrace-cat failed\n";
my %seen;
for my $op (sort { $a <=> $b } keys %of) {
	my ($r, $c, $l) = @{ $of{$op} }{qw(request completion collection)};
	push(@wrong, "$op: completed or collected, but not requested"), next unless $r;
	push(@wrong, "$op: never completed"), next unless $c;
	for my $x (grep { defined } $c, $l) {
		for (qw(fd path size offset)) {
			my ($is, $was) = map { $_ // '-' } $x->{$_}, $r->{$_};
			push @wrong, "$op: $_: $was requested, $is in $x->{call}" if $is ne $was;
		}
		push @wrong, "$op: another operation" if $x->{args}{operation} ne $r->{args}{operation};
		push @wrong, "$op: issued by $x->{args}{issued}" unless $x->{args}{issued} =~ /^(aio_(read|write|fsync)|lio_listio)$/;
	}
	if ($c->{args}{refused}) {
		push @wrong, "$op: refused without an error, or collected" if !$c->{errno} || $l;
		next;
	}
	push @wrong, "$op: completed at $c->{start}, collected at $l->{start}" if $l && $c->{start} > $l->{start};
	push @wrong, "$op: completed for longer than it was in flight" if $l && $l->{args}{ended} > $l->{args}{since};
	push @wrong, "$op: nobody was told of its end" if $l && !$l->{args}{told};
	my $unsure = $c->{args}{unsure} // 0;
	push @wrong, "$op: ended $unsure before, after $c->{args}{since}" if $unsure > $c->{args}{since};
	if ($how eq 'seen') {
		push @wrong, "$op: the call that carried it out was not found" if !$c->{args}{seen} && ($c->{errno} // '') ne 'ECANCELED';
		push @wrong, "$op: when it ended is not known" if $unsure && ($c->{errno} // '') ne 'ECANCELED';
		$seen{ $r->{args}{operation} }++ unless ($c->{errno} // '') eq 'ECANCELED';
	} else {
		push @wrong, "$op: a call that carried it out is said to be on record" if $c->{args}{seen};
	}
	my $result = $c->{errno} ? '-' . ($errno{ $c->{errno} } // $c->{errno}) : $c->{ret};
	printf "%s %s %s %s %s\n", $r->{args}{operation}, $r->{size} // 0, $r->{offset} // '-', $result,
		$l ? 'collected' : 'left';
}
if ($how eq 'seen') {
	for (sort keys %{ { %calls, %seen } }) {
		my ($calls, $ends) = map { $_ // 0 } $calls{$_}, $seen{$_};
		push @wrong, "$_: $calls calls of helpers, $ends operations that they ended" if $calls != $ends;
	}
}
print "$_\n" for @wrong;
