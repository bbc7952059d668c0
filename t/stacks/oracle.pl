#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# oracle.pl [--until=FUNCTION] FRAMES JSON NAMES [ENDS...] - the stacks of a log against those that frames.c
# took from outside, of the same run.  NAMES has the recorder's functions.  Prints a line for
# each kind of difference, and how many stacks are the same, end early, and are wrong.
#
# A stop belongs to the innermost record of its thread whose time it lies in.  The record's
# stack is to be, frame by frame but for the recorder's, that of the stop from the wrapper's caller on, or from what
# made a system call that was dispatched, up to the thread's start.  It may end early where that
# is known: ENDS are patterns, of the last frame that it has and the next,
# as in "MODULE:FUNCTION < MODULE:FUNCTION".  Beyond FUNCTION nothing is compared.
# "< nothing": libdw ends there.
use strict;
use warnings;
no warnings 'portable';
use Cwd qw(abs_path);
use File::Basename;
use lib dirname(abs_path($0)) . '/../lib';
use Lines qw(line);

my $until = @ARGV && $ARGV[0] =~ /^--until=(.*)/ && shift @ARGV ? $1 : '';
my ($frames, $json, $names, @ends) = @ARGV;
my (%recorder, %calls, %name, %own, %open, %said, %n);
my $MOST = 64;		# frames in a record

sub read_lines
{
	my ($file, $each) = @_;
	open my $f, '<', $file or die "$file: $!\n";
	while (<$f>) { chomp; $each->($_) }
}

sub record
{
	my $call = line($_[0]);
	my @frames = grep { !$_->{inlined} } @{ $call->{stack} // [] };
	my @pc;
	# functions of Python stand in the place of one frame of C, that of the interpreter's loop
	for (@frames) {
		push @pc, $_->{lang} ? 'loop' : sprintf '%x', $_->{pc} unless $_->{lang} && @pc && $pc[-1] eq 'loop';
	}
	push @{ $calls{ $call->{tid} } }, { %$call, pc => \@pc, n => scalar @frames,
		end => defined $call->{dur} ? $call->{start} + $call->{dur} : ~0 };
}

sub where { my ($pid, $pc) = @_; return defined $pc ? $name{"$pid $pc"} // '?' : 'nothing' }

# In a stop's frames, what the recorder's wrapper returns to, or its handler: where pc may
# be, from the innermost on.
sub places
{
	my ($stop, $pc) = @_;
	my @pc = @{ $stop->{pc} };
	my $behind = sprintf '%x', hex($pc) + 1;
	return grep {
		my ($module, $function) = split /:/, where($stop->{pid}, $pc[ $_ - 1 ]), 2;
		($function // '') eq 'iot_sigreturn' ? $pc[$_] eq $behind : $pc[$_] eq $pc &&
			($module eq 'libiotrace.so' || $function =~ /^iot_/ || $recorder{$function});
	} 1 .. $#pc;
}

# caller.c makes up a frame, for dlopen, that comes back to it; no log has either.
sub without_made_up
{
	my ($pid, @pc) = @_;
	my @ours = map { where($pid, $_) =~ /:iot_call_returning_to$/ ? 1 : 0 } @pc, undef;
	return @pc[ grep { !$ours[$_] && !$ours[ $_ + 1 ] } 0 .. $#pc ];
}

# What is the recorder's is stored, and not shown.
sub is_own { my ($pid, $pc) = @_; return $own{"$pid $pc"} }

# Were as many frames stored as there is room for?
sub is_full
{
	my ($pid, $shown, @pc) = @_;
	$#pc = $MOST - 1 if @pc > $MOST;
	return $shown + (grep { is_own($pid, $_) } @pc) >= $MOST;
}

# How a record's frames and the oracle's compare: same, early, or wrong, and where.
sub compared
{
	my ($pid, $call, $full, $got, @want) = @_;
	my ($last) = $until ? grep { where($pid, $want[$_]) =~ /:\Q$until\E$/ } 0 .. $#want : ();
	return ('outside', '') if $until && !defined $last;
	if (defined $last) {
		$#want = $last;
		$got = [@$got[0 .. $last]] if @$got > $last;
	}
	my $i = 0;
	$i++ while $i < @$got && $i < @want && $got->[$i] =~ /^(?:loop|\Q$want[$i]\E)$/;
	return ('same', '') if $i == @$got && ($i == @want || $full);
	my $at = join ' < ', $i > 1 ? () : $call, map { where($pid, $want[$_]) } ($i < 2 ? 0 : $i - 2) .. $i;
	return ('wrong', "$at, not $got->[$i] " . where($pid, $got->[$i])) if $i < @$got && $i < @want;
	return ('early', $at) if grep { $at =~ /$_/ } @ends;
	return $i == @$got ? ('short', $at) : ('wrong', "$at, but $got->[$i]");
}

sub check
{
	my ($r, $stop) = @_;
	my ($pid, @got) = ($stop->{pid}, @{ $r->{pc} });
	# a child goes on elsewhere; its call was its parent's; what is inferred at exit nobody called
	return if grep { where($pid, $_) =~ /:iot_(leap_|landed)/ } @{ $stop->{pc} };
	return if !@got && (($r->{status} // '') eq 'inferred' || ($r->{call} =~ /fork|clone/ && !$r->{ret}));
	return if $r->{done}++;
	my @best = ('wrong', (@got ? where($pid, $got[0]) : '') . ' is not in the stack: ' . join ' < ', map { where($pid, $_) } @{ $stop->{pc} });
	my @at = @got ? places($stop, $got[0]) : ();
	# a statement's stack is that of its begin
	if (!@at && $r->{family} eq 'fortran' && @got > 1) {
		shift @got;
		@at = grep { $stop->{pc}[$_] eq $got[0] } 0 .. $#{ $stop->{pc} };
	}
	@best = ('short', 'no stack: ' . join ' < ', map { where($pid, $_) } @{ $stop->{pc} }) unless @got;
	for my $from (@at) {
		my (undef, @want) = @{ $stop->{pc} }[$from .. $#{ $stop->{pc} }];
		@want = without_made_up($pid, $got[0], @want);
		my $full = is_full($pid, $r->{n}, @want);
		my @now = compared($pid, $r->{call}, $full, \@got, grep { !is_own($pid, $_) } @want);
		@best = @now if $now[0] eq 'same' || $best[0] eq 'wrong';
	}
	$n{ $best[0] }++;
	return if $best[0] =~ /same|outside/;
	$said{"$best[0] $r->{call}: $best[1]"}++;
}

# The calls of the stop's thread that are in progress.
sub in_progress
{
	my ($stop) = @_;
	my ($open, $calls) = ($open{ $stop->{tid} } //= [], $calls{ $stop->{tid} } // []);
	while (@$calls && $calls->[0]{start} <= $stop->{time}) {
		my $r = shift @$calls;
		pop @$open while @$open && $open->[-1]{end} < $r->{start};
		push @$open, $r;
	}
	pop @$open while @$open && $open->[-1]{end} < $stop->{time};
	return @$open;
}

read_lines($names, sub { $recorder{ $_[0] } = 1 });
read_lines($json, \&record);
@$_ = sort { $a->{start} <=> $b->{start} } @$_ for values %calls;
read_lines($frames, sub {
	my ($kind, @field) = split ' ', $_[0];
	if ($kind eq 'f') {
		$name{"$field[0] $field[1]"} = "$field[2]:$field[3]";
		$own{"$field[0] $field[1]"} = @field > 4;
		return;
	}
	my %stop = (time => shift @field, pid => shift @field, tid => shift @field, pc => \@field);
	my @open = in_progress(\%stop);
	check($open[-1], \%stop) if @open;
});
print "$said{$_} times $_\n" for sort keys %said;
printf "%d same, %d early, %d not\n", map { $_ // 0 } @n{qw(same early)}, ($n{wrong} // 0) + ($n{short} // 0);
