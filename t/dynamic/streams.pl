#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
#
# streams.pl - for each call of streams.c: the bytes that strace saw it read and
# write, by descriptor, and what the log says for it, also where they begin, if it does.
#
#	streams.pl STRACE JSON
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines qw(line);

my ($strace, $log) = @ARGV;
my (@want, @unknown, @want_at);
# where descriptors are, and the end of files that are appended to, if libc has sought it
my %at = map { $_ => 0 } 0 .. 2;
my %end;
open my $in, '<', $strace or die "$strace: $!\n";
while (<$in>) {
	if (/^get(pgid|sid)\((\d+)\)/) {
		$want[$2] = {};
		$unknown[$2] = $1 eq 'sid';
		$want_at[$2] = {};
	} elsif (/^openat\([^"]*"[^"]*", (\S+).* = (\d+)$/) {
		$at{$2} = 0;
		delete $end{$2};
		$end{$2} = undef if index($1, 'O_APPEND') >= 0;
	} elsif (/^lseek\((\d+), .*, (SEEK_\w+)\) += (\d+)$/) {
		$at{$1} = $3;
		$end{$1} = $3 if $2 eq 'SEEK_END' && exists $end{$1};
	} elsif (/^(?:close|dup|dup2|fcntl)\(/) {
		delete @at{/(\d+)/g};
	} elsif (/^(read|write)\((\d+),.* = (\d+)$/) {
		$at{$2} = $end{$2} if $1 eq 'write' && exists $end{$2};
		if (@want && $3) {
			$want_at[-1]{"$1 $2"} //= $at{$2};
			$want[-1]{"$1 $2"} += $3;
		}
		$at{$2} += $3 if defined $at{$2};
		$end{$2} = $at{$2} if $1 eq 'write' && exists $end{$2};
	}
}
my (@got, @call, @got_at);
open $in, '<', $log or die "$log: $!\n";
while (<$in>) {
	my $c = line($_);
	# not its children's
	next unless $c->{prog} eq 'traced' || $c->{prog} eq 'plain';
	if ($c->{depth} == 0) {
		push @got, {};
		push @call, $c;
		push @got_at, {};
		# a call that is none of streams.c's own
		pop @got, pop @call, pop @got_at unless $c->{family} eq 'stdio' || $c->{call} eq 'exit' || $c->{call} eq 'dprintf';
	}
	next if ($c->{status} // '') ne 'inferred';
	die "not a child of a call: $_" unless $c->{depth} == 1;
	die "more than bytes: $_" if exists $c->{dur} || exists $c->{syscall} || $c->{size} != $c->{ret};
	$got_at[-1]{"$c->{call} $c->{fd}"} //= $c->{offset} unless exists $got[-1]{"$c->{call} $c->{fd}"};
	$got[-1]{"$c->{call} $c->{fd}"} += $c->{ret};
}
my ($same, $with, $out, $placed) = (0, 0, 0, 0);
sub text { my $h = shift; join ', ', map { "$_: $h->{$_}" } sort keys %$h }
for my $i (1 .. $#want) {
	my ($want, $got) = (text($want[$i]), text($got[$i - 1] // {}));
	if ($unknown[$i] && $got eq '') {
		$out++ if $want ne '';
	} elsif ($want eq $got) {
		$same++;
		$with++ if $want ne '';
	} else {
		print "call $i, $call[$i - 1]{call}: strace '$want', log '$got'\n";
	}
	for (grep { defined $got_at[$i - 1]{$_} && defined $want_at[$i]{$_} } keys %{ $got_at[$i - 1] // {} }) {
		my ($is, $was) = ($got_at[$i - 1]{$_}, $want_at[$i]{$_});
		print "call $i, $call[$i - 1]{call}: $_ at $is, strace has it at $was\n" if $is ne $was;
		$placed++;
	}
}
printf "%d calls, %d with bytes beneath, %d left out, %d at their places\n", $same, $with, $out, $placed;
