#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# fio.pl JSON LOGS DEPTH [READ,WRITE] - numbers of reads and writes of a fio job, their bytes, and how
# long they took, by fio and by the logs, on standard output; what the logs say otherwise, on standard
# error.
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
	warn "operation $c->{args}{op} completes twice\n" if $done{"$c->{pid} $c->{args}{op}"}++;
	$n{$way}++;
	$bytes{$way} += $c->{ret};
	push @{ $took{$way} }, $c->{args}{since};
}
close $cat or warn "iotrace-cat fails\n";

my @percents = (50, 90, 99);

# row(WAY, WHO, NUMBER, BYTES, [NS...])
sub row
{
	my ($way, $who, $n, $bytes, $took) = @_;
	printf "%8s %-3s %6d calls %9d bytes", $way, $who, $n, $bytes;
	printf " %8.1f", $_ / 1000 for @$took;
	print " us\n";
}

print ' ' x 39, join(q(), map { sprintf '%7d %%', $_ } @percents), "\n";
for my $way (qw(read write)) {
	my $of = $job->{$way};
	my ($n, $bytes) = ($n{$way} // 0, $bytes{$way} // 0);
	my @took = sort { $a <=> $b } @{ $took{$way} // [] };
	my @theirs = map { $of->{lat_ns}{percentile}{ sprintf '%.6f', $_ } // 0 } @percents;
	my @ours = map { $took[ @took * $_ / 100 ] // 0 } @percents;
	row($way, 'fio', $of->{total_ios}, $of->{io_bytes}, \@theirs);
	row($way, 'log', $n, $bytes, \@ours);
	warn "$way: fio counts $of->{total_ios} requests, the log $n\n" if !$merged && $n != $of->{total_ios};
	warn "$way: fio counts $of->{io_bytes} bytes, the log $bytes\n" if $bytes != $of->{io_bytes};
	next if $merged || !@took;
	# of the slowest one in a hundred too few are left to compare
	for (0, 1) {
		my $room = 0.25 * $theirs[$_] + 50_000;
		warn "$way: $percents[$_] % take up to $theirs[$_] ns by fio, $ours[$_] ns by the log\n"
			if $ours[$_] - $theirs[$_] > $room || ($depth == 1 && $theirs[$_] - $ours[$_] > $room);
	}
}
