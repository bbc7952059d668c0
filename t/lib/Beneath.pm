# SPDX-License-Identifier: BSD-3-Clause
#
# Beneath.pm - what strace saw libc do within the calls of a dynamic program, where no
# wrapper sees it, against the log: a system call beneath a function that has a row must
# lie in time within a record of that function.  And the bytes of calls that the log has
# inferred there must be those of the system calls that strace saw there, by call and
# descriptor; where the log says nothing of them they are counted.  fork returns what its
# clone does.

package Beneath;

use strict;
use warnings;

# Within so many ns two clocks may differ, see Agree.pm.
my $CLOCKS = 1_000_000;

# What the inferred calls stand for.
my %moves = map { $_ => 1 } qw(read write);

# libc may read the time zone beneath these, from a stream of its own: of that the log says nothing.
my %ask_zone = map { $_ => 1 } qw(syslog vsyslog);

sub new
{
	my ($class) = @_;
	return bless { named => {}, around => {}, order => [], good => 0, told => 0, untold => 0 }, $class;
}

# A record, in the order in which iotrace-cat prints them.
sub record
{
	my ($self, $r) = @_;
	my $tid = $r->{tid};
	my $around = $self->{around}{$tid} //= [];
	my $depth = $r->{depth} // 0;

	$#$around = $depth - 1 if @$around > $depth;
	if (($r->{status} // '') eq 'inferred') {
		# exit's, where main has returned, are nobody's
		my $of = $depth ? $around->[$depth - 1] : $self->leaving($r);
		push @{ $self->{order} }, $of unless $of->{moved};
		$of->{moved}{"$r->{call} $r->{fd}"} += $r->{ret};
		return;
	}
	$around->[$depth] = $r;
	push @{ $self->{named}{$tid}{ $r->{call} } }, $r;
}

# In place of the record of exit, if it was not called.
sub leaving
{
	my ($self, $r) = @_;
	my $exits = $self->{named}{ $r->{tid} }{exit} //= [];

	push @$exits, { tid => $r->{tid}, call => 'exit', start => $r->{start} } unless @$exits;
	return $exits->[-1];
}

sub within
{
	my ($r, $time, $off) = @_;
	return $r->{start} - $off <= $time && (!defined $r->{dur} || $time <= $r->{start} + $r->{dur} + $off);
}

# The record of the function beneath which a call was made.
sub around
{
	my ($self, $tid, $e) = @_;
	my $all = $self->{named}{$tid}{ $e->{by}{call} } || [];
	my ($lo, $hi) = (0, scalar @$all);

	my $time = $e->{time} =~ s/\.//r;
	while ($lo < $hi) {
		my $mid = int(($lo + $hi) / 2);
		$all->[$mid]{start} <= $time ? ($lo = $mid + 1) : ($hi = $mid);
	}
	for my $off (0, $CLOCKS) {
		# handlers may have called it within itself, and the clocks put it behind
		for (my $i = $lo; $i >= 0 && $i > $lo - 20; $i--) {
			return $all->[$i] if $all->[$i] && within($all->[$i], $time, $off);
		}
	}
	return;
}

sub text
{
	my ($h) = @_;
	return join(', ', map { "$_: $h->{$_}" } sort keys %$h) || 'none';
}

# Compare with a Strace; differences go to @$said.  Returns their number.
sub with
{
	my ($self, $strace, $said) = @_;
	my $bad = 0;
	my (@moved, %known);

	for (map { values %$_ } values %{ $self->{named} }) {
		@$_ = sort { $a->{start} <=> $b->{start} } @$_;
	}
	for my $tid (sort { $a <=> $b } keys %{ $strace->{beneath} }) {
		for my $e (@{ $strace->{beneath}{$tid} }) {
			my $r = $self->around($tid, $e);
			next if !$r && $e->{by}{name} eq 'return';
			if (!$r) {
				push @$said, "thread $tid: no record of $e->{by}{call}, beneath which strace saw",
				    "    $e->{text}";
				$bad++;
				next;
			}
			if ($e->{by}{call} eq 'fork' && ($r->{ret} // '') ne ($e->{ret} // '')) {
				push @$said, "thread $tid: fork has another result: " . ($r->{ret} // 'none'), "    $e->{text}";
				$bad++;
				next;
			}
			$self->{good}++;
			next unless $moves{ $e->{call} } && ($e->{ret} // 0) > 0;
			next if $e->{call} eq 'read' && $ask_zone{ $r->{call} };
			push @moved, $r unless $r->{seen};
			$r->{seen}{"$e->{call} " . Strace::fd($e)} += $e->{ret};
		}
	}
	for my $r (grep { !$known{$_}++ } @{ $self->{order} }, @moved) {
		my ($log, $seen) = (text($r->{moved} // {}), text($r->{seen} // {}));
		if ($r->{moved} && $log ne $seen) {
			push @$said, "thread $r->{tid}: other bytes beneath $r->{call}", "    strace  $seen", "    log     $log";
			$bad++;
		} elsif ($r->{moved}) {
			$self->{told}++;
		} elsif (($r->{family} // '') eq 'stdio') {
			$self->{untold}++;
		}
	}
	return $bad;
}

sub summary
{
	my ($self) = @_;
	return "$self->{good} calls lie beneath others; beneath $self->{told} the bytes are as inferred, "
	    . "beneath $self->{untold} of stdio the log says nothing of them";
}

1;
