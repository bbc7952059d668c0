#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# What iotrace-stat says that a fix saves: of what threads do at the same time the part of one, in
# the run's time; of what they do one after the other, all; and bytes, which stay, have their price.
# (t/answers/saves.t compares estimates with what fixes save.)
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use MkLog;
use CatTest;

my $stat = $cat =~ s/cat$/stat/r;
my $US = 1000;

# N calls of 5 us each, one every 10 us from START on, of SIZE bytes, every STEP bytes from AT on
sub calls
{
	my ($l, $call, $n, $start, $size, $step, $at) = @_;
	return map { $l->compact($call, handle => 1, start => $start * $US + $_ * 10 * $US, dur => 5 * $US, size => $size, ret => $size,
		offset => $at + $_ * $step) } 0 .. $n - 1;
}

# what a thread has used when so many microseconds have passed, of which it has computed for USER
sub used { my ($us, $user) = @_; return MkLog::def(18, pack 'Q9', MkLog::ticks($us * $US), $user, (0) x 7); }

# finding ID, THREAD...: of a log with these threads, each the arguments of calls; its time
# and what is saved, in microseconds.  A thread that begins with a number has computed for so many.
sub finding
{
	my ($id, @threads) = @_;
	my $l = MkLog->new(latest => 100e6);
	my $stream = 0;
	for my $thread (@threads) {
		my @used = $thread->[0] =~ /^\d/ ? (used(0, 0), used(100000, shift @$thread)) : ();
		$stream++;
		$l->block(stream => $stream, tid => 99 + $stream, seq => 0, records => [
			$stream == 1 ? (MkLog::path(1, '/data/file'), MkLog::handle(1, 3, 1)) : (), @used, calls($l, @$thread) ]);
	}
	$l->save("$dir/saves.iotrace");
	my $json = decode_json(scalar `'$stat' --format=json '$dir/saves.iotrace'`);
	my ($f) = grep { $_->{id} eq $id } @{ $json->{findings} };
	return map { sprintf '%.0f', $_ * 1e6 } $f->{seconds}, @{ $f->{saves} // [ 0, 0 ] };
}

sub between
{
	my ($what, $least, $is, $most) = @_;
	ok($least <= $is && $is <= $most, "$what: $is of $least to $most");
}

my ($time, $low, $high) = finding('small-writes', [ 'write', 2000, 0, 8, 8, 0 ]);
is($time, 10000, 'one thread: the time of all calls');
between('it saves nearly all', 9900, $low, $high);
between('but not more', $low, $high, 10000);
like(scalar `'$stat' '$dir/saves.iotrace'`, qr/ saves 0\.010 s$/m, 'text: one number where both are the same');

($time, $low, $high) = finding('small-writes', map { [ 'write', 2000, 0, 8, 8, $_ * 16000 ] } 1 .. 4);
is($time, 40000, 'four threads at the same time: the time of all calls');
between('the run saves what one saves, at most', 9800, $high, 10100);
between('and at least', 9700, $low, $high);

($time, $low, $high) = finding('small-writes', map { [ 'write', 1000, 10000 * $_, 8, 8, $_ * 8000 ] } 0 .. 3);
is($time, 20000, 'one after the other: the time of all calls');
between('the run saves all', 19500, $high, 20000);

($time, $low, $high) = finding('small-writes', [ 'write', 2000, 0, 8, 8, 0 ], map { [ 'write', 1, 10000, 8, 8, $_ * 16000 ] } 1 .. 3);
between('one of four does nearly all of it: the run saves all of that', 9900, $high, 10015);

# The run takes 100 ms.
my @io = ('write', 2000, 0, 8, 8, 0);
my @computes = ('read', 1, 99000, 8, 8, 16000);
(undef, undef, $high) = finding('small-writes', [ 95000, @io ], [ 2000, @computes ]);
between('the thread that has the calls computes, too: the run saves all', 9900, $high, 10015);
(undef, undef, $high) = finding('small-writes', [ 2000, @io ], [ 60000, @computes ]);
between('another one computes for less than what is left', 9900, $high, 10015);
(undef, $low, $high) = finding('small-writes', [ 2000, 'write', 2000, 0, 8, 8, 0 ], [ 97000, @computes ]);
between('another one computes for nearly all of the run', 2900, $high, 3000);
between('and at least', 2900, $low, $high);

# Others compute 40 ms each: at the same time, or one when the other has ended.
my @long = (2000, 'write', 9000, 0, 8, 8, 0);
(undef, undef, $high) = finding('small-writes', [@long], map { [ 40000, 'read', 1, 1000 + 100 * $_, 8, 8, 16000 ] } 0, 1);
between('others that compute at the same time leave what one of them does', 44000, $high, 45010);
(undef, $low, $high) = finding('small-writes', [@long], map { [ 40000, 'read', 1, 1000 + 45000 * $_, 8, 8, 16000 ] } 0, 1);
between('one after the other, they leave what both do', 19900, $high, 20000);
between('and at least', 19900, $low, $high);
(undef, undef, $high) = finding('small-writes', [@long], map { [ 15000, 'read', 1, 1000 + 16000 * $_, 8, 8, 16000 ] } 0 .. 4);
between('so do five', 24900, $high, 25010);

# Ranks compute while they are in no call, until both have come to a barrier.
# ranks CALL, US...: of the second one, when it comes; what rank 0 saves that writes, and waits for it
sub ranks
{
	my ($call, @us) = @_;
	my @logs;
	my @calls = (@MkLog::CALLS, "$call - collective status comm:comm comm_size:commsize comm_rank:commrank");
	for my $rank (0, 1) {
		my $l = MkLog->new(latest => 100e6, pid => 100 + $rank, calls => \@calls, keys => [ program => 'demo', host => 'node1', rank => $rank ]);
		my $before = 10000;
		my @meets = map { my $from = $rank ? $_ : $before + 1000; $before = $_;
			$l->general((split " ", $call)[1], start => $from * $US, dur => ($_ + 10 - $from) * $US, ret => 0, args => [ 0, 2, $rank ]) } @us;
		$l->block(stream => 1, tid => 100 + $rank, seq => 0, records => [ MkLog::rank($rank, 2), MkLog::path(1, '/data/file'), MkLog::handle(1, 3, 1),
			$rank ? calls($l, 'read', 1, 0, 8, 8, 16000) : calls($l, 'write', 900, 0, 8, 8, 0), @meets ]);
		push @logs, "$dir/rank$rank.iotrace";
		$l->save($logs[-1]);
	}
	my $json = decode_json(scalar `'$stat' --format=json @logs`);
	my ($f) = grep { $_->{id} eq 'small-writes' } @{ $json->{findings} };
	return $f->{saves}[1] * 1e6;
}
$stat .= "' --rule='small-writes.least=500";
between('a rank that comes later, since it computes', 1900, ranks('mpi MPI_Barrier', 98000), 2010);
between('twice', 2900, ranks('mpi MPI_Barrier', 50000, 97000), 3020);
between('one that comes earlier', 4400, ranks('mpi MPI_Barrier', 12000), 4510);
between('without messages in the log nobody knows', 4400, ranks('mpiio MPI_File_sync', 98000), 4510);

# 4,000 bytes in 5 us: at 0.1 to 1 ns a byte 0.4 to 4 us stay; a sixteenth of the calls stays, too
($time, $low, $high) = finding('strided', [ 'read', 2000, 0, 4000, 8192, 0 ]);
is($time, 10000, 'larger parts: the time of all calls');
between('bytes cost as much as in a copy, at most', 8500, $high, 8650);
between('and a nanosecond, at least', 1300, $low, 1450);
done_testing;
