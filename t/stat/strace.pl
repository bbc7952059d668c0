#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# strace.pl STRACE STAT.CALL... - compares `strace -f -y -C` with what iotrace-stat
# says of each call alone.  Prints what differs; the last line says how much there was.
use strict;
use warnings;
use Cwd qw(abs_path);
use JSON::PP;

my ($file, @stats) = @ARGV;
my (%calls, %errors, %bytes, %of_file, %summary, %begun);
my %moves = map { $_ => 1 } qw(read write pread64 pwrite64 readv writev);

# One name for what has several: links, and files that were made without a name.
sub real
{
	my ($path) = @_;
	$path =~ s{/#\d+(?: \(deleted\))?$}{};
	return abs_path($path) // $path;
}

open my $in, '<', $file or die "$file: $!\n";
while (<$in>) {
	# the table of -c behind the calls: ... calls [errors] name
	if (/^ *\d+\.\d+ +\d+\.\d+ +\d+ +(\d+)(?: +(\d+))? +(\w+)$/) {
		$summary{$3} = [$1, $2 // 0];
		next;
	}
	next unless s/^(\d+) +//;
	my $tid = $1;
	$begun{$tid} = $1, next if /^(.*) <unfinished \.\.\.>$/;
	$_ = delete($begun{$tid}) . $1 if /^<\.\.\. \w+ resumed>(.*)/s;
	next unless /^(\w+)\((?:(\d+)<((?:[^>\\]|\\.)*)>)?.* = (-?\d+|0x[0-9a-f]+|\?)/s;
	my ($call, $path, $ret) = ($1, $3, $4);
	$calls{$call}++;
	$errors{$call}++ if $ret eq '-1';
	next if !$moves{$call} || $ret !~ /^\d+$/;
	$bytes{$call} += $ret;
	next unless defined $path && $path =~ m{^/};
	$of_file{$call}{ real($path) }[0]++;
	$of_file{$call}{ real($path) }[1] += $ret;
}

my ($bad, $numbers, $total) = (0, 0, 0);
sub same
{
	my ($what, $got, $want) = @_;
	$numbers++;
	return if $got == $want;
	print "$what: iotrace-stat $got, strace $want\n";
	$bad++;
}

for my $stat (@stats) {
	my ($call) = $stat =~ /\.(\w+)$/;
	open my $s, '<', $stat or die "$stat: $!\n";
	my $r = JSON::PP->new->utf8->decode(join '', <$s>);
	my ($t, %files) = ($r->{total});
	same("$call: calls", $t->{syscalls}, $calls{$call} // 0);
	same("$call: errors", $t->{errors}, $errors{$call} // 0) if $calls{$call};
	same("$call: calls of -c", $t->{syscalls}, $summary{$call}[0]) if $summary{$call};
	same("$call: errors of -c", $t->{errors}, $summary{$call}[1]) if $summary{$call};
	$total += $t->{syscalls};
	next unless $moves{$call};
	same("$call: bytes", $t->{read} + $t->{written}, $bytes{$call} // 0);
	for (grep { $_->{path} =~ m{^/} } @{ $r->{files} }) {
		my $f = $files{ real($_->{path}) } //= [0, 0];
		$f->[0] += $_->{reads} + $_->{writes};
		$f->[1] += $_->{read} + $_->{written};
	}
	for my $path (keys %{ { %files, %{ $of_file{$call} // {} } } }) {
		# where the output of the two runs went
		next if $path =~ m{/out(\.plain)?$};
		same("$call: $path: calls", $files{$path}[0] // 0, $of_file{$call}{$path}[0] // 0);
		same("$call: $path: bytes", $files{$path}[1] // 0, $of_file{$call}{$path}[1] // 0);
	}
}
print "$total calls, $numbers numbers, $bad differ\n";
exit !(!$bad && $total);
