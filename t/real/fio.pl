#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# fio.pl JSON LOGS DEPTH [READ,WRITE] - what the logs of a fio job say otherwise than fio: numbers of
# reads and writes, their bytes, and how long they took.
#
# READ and WRITE are the calls that do it at once; without them requests and their completions do.
# With a ? behind them several requests may be one call.
#
# Both times begin before the call that issues a request.  fio's ends when fio comes to look at the
# request.  The log's ends earlier if another call of fio's, or a helper thread's own, tells sooner: with
# one request in flight, which fio waits for, there is none.  So the log's median, and what nine of ten
# take, are not longer than fio's, and with one in flight not shorter either, with room for what lies
# between two readings of a clock on a busy machine.
#
# Needs: IOTRACE_CAT in the environment.
use strict;
use warnings;
use JSON::PP;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines qw(line);

my ($file, $logs, $depth, $calls) = @ARGV;
my $merged = defined $calls && $calls =~ s/[?]$//;
local $/ = undef;
open my $in, '<', $file or die "$file: $!\n";
(my $text = <$in>) =~ s/^[^{]*//;
my $job = decode_json($text)->{jobs}[0];
$/ = "\n";

my (%n, %bytes, %took, %done);
open my $cat, '-|', $ENV{IOTRACE_CAT}, '--format=json', '-e', $calls // 'completion', '-P', '/data$', $logs or die;
while (<$cat>) {
	my $c = line($_);
	if ($calls) {
		my $way = $c->{call} eq (split /,/, $calls)[0] ? 'read' : 'write';
		# splice writes by the same call, which is on record with the file that it reads
		$way = 'write' if $c->{call} eq 'splice' && ($c->{path} // q()) !~ m,/data$,;
		$n{$way}++;
		$bytes{$way} += $c->{ret};
		push @{ $took{$way} }, $c->{dur};
		next;
	}
	my ($way) = $c->{args}{operation} =~ /(read|write)/ or next;
	print "operation $c->{args}{op} completes twice\n" if $done{"$c->{pid} $c->{args}{op}"}++;
	$n{$way}++;
	$bytes{$way} += $c->{ret};
	push @{ $took{$way} }, $c->{args}{since};
}
close $cat or print "iotrace-cat fails\n";

for my $way (qw(read write)) {
	my $of = $job->{$way};
	my ($n, $bytes) = ($n{$way} // 0, $bytes{$way} // 0);
	print "$way: fio counts $of->{total_ios} requests, the log $n\n" if !$merged && $n != $of->{total_ios};
	print "$way: fio counts $of->{io_bytes} bytes, the log $bytes\n" if $bytes != $of->{io_bytes};
	my @took = sort { $a <=> $b } @{ $took{$way} // [] } or next;
	next if $merged;
	for my $percent (50, 90) {
		my $theirs = $of->{lat_ns}{percentile}{ sprintf '%.6f', $percent };
		my $ours = $took[ @took * $percent / 100 ];
		my $room = 0.25 * $theirs + 50_000;
		print "$way: $percent % take up to $theirs ns by fio, $ours ns by the log\n"
			if $ours - $theirs > $room || ($depth == 1 && $theirs - $ours > $room);
	}
}
