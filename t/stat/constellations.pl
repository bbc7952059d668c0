#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# What iotrace-stat --by=constellation has to say of calls, worked out another way: byte by
# byte, with a graph of all beginnings and ends of calls that is searched for each question.
#
#	iotrace-cat --format=json LOG... | constellations.pl
#
# A line for each file: path, depends, overwritten, replaced, consistency, bytes by what orders
# them.  It knows read, pwrite, open, close, fsync, fcntl, fork, wait, pthread_create,
# MPI_Barrier and MPI_File_sync, no two of which are one inside of the other.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines qw(line);

my @calls = sort { $a->{start} <=> $b->{start} } map { line($_) } <STDIN>;
my (%task, %first, %next, %edge);
for my $c (@calls) {
	$c->{end} = $c->{start} + ($c->{dur} // 0);
	$c->{task} = "$c->{pid}/$c->{tid}";
	push @{ $task{ $c->{task} } }, $c;
	$c->{n} = @{ $task{ $c->{task} } } - 1;
}
sub from { my ($c) = @_; return "$c->{task} $c->{n} from"; }
sub to { my ($c) = @_; return "$c->{task} $c->{n} to"; }
sub edge { my ($x, $y, $why) = @_; push @{ $edge{$x} }, [ $y, $why ]; return; }
for my $t (values %task) {
	for my $i (0 .. $#$t) {
		edge(from($t->[$i]), to($t->[$i]), '');
		edge(to($t->[$i - 1]), from($t->[$i]), '') if $i;
	}
}
sub ok { my ($c, $name) = @_; return $c->{call} eq $name && ($c->{ret} // 0) >= 0; }

# processes and threads
my %of_pid;
push @{ $of_pid{ $task{$_}[0]{pid} } }, $task{$_} for sort keys %task;
for my $c (@calls) {
	if (ok($c, 'fork')) {
		for my $t (@{ $of_pid{ $c->{ret} } // [] }) {
			edge(from($c), from($t->[0]), 'fork') if $c->{start} <= $t->[0]{start};
		}
	} elsif (ok($c, 'wait')) {
		for my $t (@{ $of_pid{ $c->{ret} } // [] }) {
			my ($last) = sort { $b <=> $a } map { $_->{end} } @$t;
			edge(to($t->[-1]), to($c), 'wait') if $last <= $c->{end};
		}
	}
}
for my $tasks (values %of_pid) {
	my ($made) = grep { $_->{call} eq 'pthread_create' } map { @$_ } @$tasks;
	my ($begun) = grep { $_->[0]{call} eq 'thread_start' } @$tasks;
	edge(from($made), from($begun->[0]), 'thread') if $made && $begun && $made->{start} <= $begun->[0]{start};
}

# locks, those that close() gives back among them
my (@locked, @unlocked);
for my $t (values %task) {
	my @held;
	for my $c (@$t) {
		my $l = $c->{args};
		if ($c->{call} eq 'fcntl') {
			my %r = (path => $c->{path}, low => $l->{l_start}, high => $l->{l_len} ? $l->{l_start} + $l->{l_len} : 9e15, shared => $l->{l_type} eq 'F_RDLCK', c => $c);
			@held = grep { $_->{path} ne $r{path} || $_->{low} < $r{low} || $_->{high} > $r{high} } @held;
			if ($l->{l_type} eq 'F_UNLCK') { push @unlocked, \%r }
			else { push @locked, \%r; push @held, \%r }
		} elsif ($c->{call} eq 'close') {
			push @unlocked, map { { %$_, c => $c } } grep { $_->{path} eq $c->{path} } @held;
			@held = grep { $_->{path} ne $c->{path} } @held;
		}
	}
}
for my $u (@unlocked) {
	for my $l (@locked) {
		next if $u->{path} ne $l->{path} || $u->{low} >= $l->{high} || $l->{low} >= $u->{high};
		next if $u->{shared} && $l->{shared};
		edge(from($u->{c}), to($l->{c}), 'lock') if $u->{c}{start} <= $l->{c}{end};
	}
}

# collective calls: the n-th of each task
my %met;
for my $t (values %task) {
	my %n;
	for my $c (grep { $_->{call} =~ /^MPI_/ } @$t) {
		my $what = join ' ', $c->{call}, $c->{path} // '';
		push @{ $met{ $what . ' ' . $n{$what}++ } }, $c;
	}
}
for my $m (values %met) {
	my ($come) = sort { $b <=> $a } map { $_->{start} } @$m;
	my ($left) = sort { $a <=> $b } map { $_->{end} } @$m;
	next if $m->[0]{call} ne 'MPI_Barrier' && (@$m < $m->[0]{args}{comm_size} || $come > $left);
	for my $x (@$m) {
		for my $y (@$m) { edge(from($x), to($y), 'mpi') if $x != $y }
	}
}

# What is known at the beginning of a call: all that lies before it.
my %before;
for my $x (keys %edge) { push @{ $before{ $_->[0] } }, $x for @{ $edge{$x} } }
sub known
{
	my ($c) = @_;
	my (%seen, @todo);
	@todo = (from($c));
	while (defined(my $at = pop @todo)) {
		next if $seen{$at}++;
		push @todo, @{ $before{$at} // [] };
	}
	return \%seen;
}

# ---- runs ----
my %runs;
for my $t (values %task) {
	my (%last, $events, %marks, $at);
	$events = 0;
	for my $c (grep { ($_->{ret} // 0) >= 0 } @$t) {
		if ($c->{call} eq 'read' || $c->{call} eq 'pwrite') {
			next unless $c->{ret} && defined $c->{offset};
			my $key = "$c->{path} $c->{call} $events " . ($marks{ $c->{path} } // 0);
			my $run = $last{"$c->{path} $c->{call}"};
			my $end = $c->{offset} + $c->{ret};
			if ($run && $run->{key} eq $key && $run->{end} == $c->{offset}) {
				@$run{qw(end last)} = ($end, $c);
				next;
			}
			$run = { key => $key, start => $c->{offset}, end => $end, first => $c, last => $c, task => $c->{task}, pid => $c->{pid}, writes => $c->{call} eq 'pwrite' };
			$last{"$c->{path} $c->{call}"} = $run;
			push @{ $runs{ $c->{path} } }, $run;
		} elsif ($c->{call} =~ /^(?:open|close|fsync)$/) {
			$marks{ $c->{path} }++;
			$events++ if $c->{call} eq 'close' && grep { $_->{c} == $c } @unlocked;
		} else {
			$events++;
		}
	}
}

sub marks
{
	my ($path, $pid, $call) = @_;
	return grep { $_->{call} eq $call && $_->{path} eq $path && $_->{pid} == $pid } @calls;
}

# what orders two runs, and what the second one needs
sub judge
{
	my ($path, $x, $y) = @_;
	my $same = $x->{pid} == $y->{pid};
	my $known = $y->{known} //= known($y->{first});
	my @closed = grep { $_->{start} >= $x->{last}{end} } marks($path, $x->{pid}, 'close');
	my @synced = grep { $_->{start} >= $x->{last}{end} && $_->{end} <= $y->{first}{start} } @closed, marks($path, $x->{pid}, 'fsync');
	my ($session, $commit) = (0, !$same && $x->{writes} && @synced);
	for my $c (@closed) {
		$session ||= grep { $_->{start} >= $c->{end} && $_->{end} <= $y->{first}{start} } marks($path, $y->{pid}, 'open');
	}
	$session &&= !$same;
	my $needs = $same || !$x->{writes} ? 'none' : $session ? 'session' : $commit ? 'commit' : 'posix';
	# something that x's task did later is known: then what it did before is, too
	return ('causal', $needs) if $known->{ to($x->{last}) };
	return ('close_open', $needs) if $session;
	return ('sync', $needs) if $commit;
	return ('thread_end', $needs) if $same && grep { $_->{call} eq 'thread_end' && $_->{start} <= $y->{first}{start} } @{ $task{ $x->{task} } };
	return ('nothing', $needs);
}

my %order = (none => 0, session => 1, commit => 2, posix => 3);
for my $path (sort keys %runs) {
	my @runs = sort { $a->{first}{start} <=> $b->{first}{start} } @{ $runs{$path} };
	my %n = map { $_ => 0 } qw(depends overwritten replaced causal close_open sync thread_end nothing);
	my ($needs, @writer, @readers, %tasks) = ('none');
	$tasks{ $_->{task} } = 1 for @runs;
	for my $r (@runs) {
		my %judged;
		my $pair = sub {
			my ($x) = @_;
			$judged{$x} //= [ judge($path, $x, $r) ];
			$n{ $judged{$x}[0] }++;
			$needs = $judged{$x}[1] if $order{ $judged{$x}[1] } > $order{$needs};
		};
		for my $b ($r->{start} .. $r->{end} - 1) {
			my $w = $writer[$b];
			if ($w && $w->{task} ne $r->{task}) {
				$n{ $r->{writes} ? 'overwritten' : 'depends' }++;
				$pair->($w);
			}
			if ($r->{writes}) {
				for my $x (grep { $_->{task} ne $r->{task} } values %{ $readers[$b] // {} }) {
					$n{replaced}++;
					$pair->($x);
				}
				$writer[$b] = $r;
				$readers[$b] = {};
			} else {
				$readers[$b]{ $r->{task} } = $r;
			}
		}
	}
	print join(' ', $path, $needs, map { "$_=$n{$_}" } qw(depends overwritten replaced causal close_open sync thread_end nothing)), "\n";
}
