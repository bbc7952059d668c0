#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# linux.pl - what a log says of the kernel's asynchronous I/O.
#
#	linux.pl strace FILE LOG	each request and each result is in strace's output too, in that
#					order, and no other; prints what differs
#	linux.pl sums LOG		the line that t/aio/linux.c prints, from the records; behind
#					it what is wrong with them
#
# Needs: IOTRACE_CAT in the environment.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines qw(line);

my ($how, @files) = @ARGV;
my %names = (PREAD => 'pread', PWRITE => 'pwrite', FSYNC => 'fsync', FDSYNC => 'fdatasync', POLL => 'poll',
	PREADV => 'preadv', PWRITEV => 'pwritev');
my @wrong;

# The records; each completion is of a request that was made before, once.
my (@requests, @completions, %request);
open my $in, '-|', $ENV{IOTRACE_CAT}, '--format=json', '-e', 'request,completion', $files[-1] or die;
while (<$in>) {
	my $c = line($_);
	my $op = $c->{args}{op};
	if ($c->{call} eq 'request') {
		push @wrong, "$op: requested twice" if $request{$op};
		$request{$op} = $c;
		push @requests, $c;
	} else {
		push @completions, $c;
	}
}
close $in or die "iotrace-cat failed\n";
for my $c (@completions) {
	my $op = $c->{args}{op};
	my $r = delete $request{$op};
	push(@wrong, "$op: completed, but not requested"), next unless $r;
	for (qw(fd path size offset)) {
		my ($x, $y) = map { $_ // '-' } $r->{$_}, $c->{$_};
		push @wrong, "$op: $_: $x requested, $y completed" if $x ne $y;
	}
	push @wrong, "$op: issued by $c->{args}{issued}" if $c->{args}{issued} ne 'io_submit';
	push @wrong, "$op: nobody knows how long it took" if !$c->{args}{since};
	push @wrong, "$op: another operation" if $r->{args}{operation} ne $c->{args}{operation};
}
push @wrong, map { "$_: not completed" } sort keys %request;

sub say_request
{
	my ($r) = @_;
	my $said = join ' ', $r->{args}{operation}, $r->{fd}, $r->{size} // 0, $r->{offset} // '-';
	return $r->{args}{operation} =~ /sync/ ? $said : $said . ' ' . ($r->{args}{eventfd} // 0);
}

if ($how eq 'strace') {
	my (@asked, @results);
	open my $st, '<', $files[0] or die "$files[0]: $!\n";
	my %appended;
	while (<$st>) {
		$appended{$1} = 1 if /^\d+ +open(?:at)?\(.*\bO_APPEND\b.* = (\d+)$/;
		next unless /^\d+ +(io_submit|io_p?getevents)\(.* = (\d+)$/;
		my ($call, $n) = ($1, $2);
		if ($call eq 'io_submit') {
			my (undef, @all) = split /\{aio_data=/;
			for (@all[0 .. $n - 1]) {
				my ($opcode) = /IOCB_CMD_([A-Z]+)/;
				my ($fd) = /aio_fildes=(\d+)/;
				my ($offset) = /aio_offset=(\d+)/;
				# nobody knows where the end will be
				$offset = '-' if $appended{$fd} && $opcode =~ /^PWRITE/;
				my $size = 0;
				$size += $_ for /(?:iov_len|aio_nbytes)=(\d+)/g;
				push @asked, join ' ', $names{$opcode}, $fd, $size,
					$opcode =~ /^P(READ|WRITE)/ ? $offset // 0 : '-', /aio_resfd=(\d+)/ ? $1 : 0;
				# strace knows of none there
				$asked[-1] =~ s/ \d+$// if $opcode =~ /SYNC/;
			}
		} else {
			push @results, /\bres=(-?\d+)/g;
		}
	}
	my @ours = map { say_request($_) } @requests;
	my @ends = map { $_->{errno} ? $_->{errno} : $_->{ret} } @completions;
	for ([ 'request', \@ours, \@asked ], [ 'result', \@ends, \@results ]) {
		my ($what, $got, $want) = @$_;
		push @wrong, scalar(@$got) . " ${what}s, strace has " . @$want if @$got != @$want || !@$got;
		for (0 .. $#$want) {
			my ($x, $y) = ($got->[$_] // '-', $want->[$_]);
			push @wrong, "$what $_: $x, strace has $y" if $x ne $y && $x !~ /^E/;
		}
	}
} else {
	my ($failed, $read, $written) = (0, 0, 0);
	for (@completions) {
		my $operation = $_->{args}{operation};
		if (defined $_->{errno}) { $failed++ }
		elsif ($operation =~ /^pread/) { $read += $_->{ret} }
		elsif ($operation =~ /^pwrite/) { $written += $_->{ret} }
	}
	printf "requests %d completions %d failed %d read %d written %d\n", scalar @requests, scalar @completions,
		$failed, $read, $written;
}
print map { "$_\n" } @wrong[0 .. ($#wrong < 20 ? $#wrong : 20)];
