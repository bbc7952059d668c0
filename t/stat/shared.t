#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# --by=constellation of random logs: several processes and threads that read and write parts of
# two files, with opens, closes, syncs, locks, forks and collective calls at random, against
# constellations.pl, which does it byte by byte.  And what parts of them add up to.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use MkLog;
use CatTest;

my $stat = $cat =~ s/cat$/stat/r;
my ($parts) = grep { -x $_ } ($ENV{top_builddir} // '.') . '/t/stat/parts';
my $cases = $ENV{TEST_LONG} ? 2000 : 200;
my @calls = ((grep { !/ fcntl / } @MkLog::CALLS), 'posix fsync fsync - status fd:fd', 'posix fcntl fcntl - count fd:fd cmd:fcntl arg:long +l_type:locktype +l_whence:whence +l_start:lockstart +l_len:locklen +l_pid:pid',
	'proc wait wait4 - pid wstatus:ptr', 'proc pthread_create - - errcode thread:ptr attr:ptr start_routine:routine arg:ptr', 'proc thread_start - - void', 'proc thread_end - - void',
	'mpi MPI_Barrier - collective status comm:comm comm_size:commsize comm_rank:commrank', 'mpiio MPI_File_sync - collective status fh:mfile comm_size:commsize comm_rank:commrank');

# No two of a case begin or end at the same time.
my %taken;
sub moment { my ($t) = @_; $t++ while $taken{$t}++; return $t; }

# Something random at that time, of the process at that place among pids; when it is over
sub something
{
	my ($l, $at, $state, $me, $pids) = @_;
	my $handle = 1 + int rand 2;
	my ($start, $end) = (moment($at), moment($at + 5 + int rand 60));
	my %r = (start => $start, dur => $end - $start, handle => $handle);
	my $kind = rand;
	if ($kind < 0.5) {
		my $size = 1 + int rand 12;
		my $from = rand() < 0.4 ? $state->{$handle} // 0 : int rand 30;
		$state->{$handle} = $from + $size;
		return ($end, $l->general(rand() < 0.5 ? 'read' : 'pwrite', %r, size => $size, offset => $from, ret => $size));
	}
	return ($end, $l->general('open', %r, handle => 0, ret => 2 + $handle, args => [ $handle, 2, 0 ])) if $kind < 0.62;
	return ($end, $l->general('close', %r, ret => 0)) if $kind < 0.7;
	return ($end, $l->general('fsync', %r, ret => 0)) if $kind < 0.76;
	my $type = rand() < 0.4 ? 2 : int rand 2;
	return ($end, $l->general('fcntl', %r, ret => 0, args => [ 38, 0, $type, 0, rand() < 0.5 ? (0, 0) : (5 * int rand 6, 10), 0 ])) if $kind < 0.92;
	my $other = $pids->[ int rand @$pids ];
	return ($end, $l->general($kind < 0.96 ? 'fork' : 'wait', %r, handle => 0, ret => $other == $pids->[$me] ? -1 : $other, args => [ 0 ]));
}

# Some accesses between open and close
sub session
{
	my ($l, $at, $state, $me, $pids) = @_;
	my $handle = 1 + int rand 2;
	my ($end, @records) = ($at);
	for my $call ('open', ('access') x (1 + int rand 2), 'close') {
		my ($start, $size, $from) = (moment($end + 1), 1 + int rand 12, int rand 30);
		$end = moment($start + 5 + int rand 20);
		my %r = (start => $start, dur => $end - $start, handle => $handle);
		push @records, $call eq 'open' ? $l->general('open', %r, handle => 0, ret => 2 + $handle, args => [ $handle, 2, 0 ]) :
			$call eq 'close' ? $l->general('close', %r, ret => 0) :
			$l->general(rand() < 0.5 ? 'read' : 'pwrite', %r, size => $size, offset => $from, ret => $size);
	}
	return ($end, @records);
}

sub logs
{
	my ($seed) = @_;
	srand $seed;
	%taken = ();
	my $n = 2 + int rand 3;
	my @pids = map { 100 + $_ } 0 .. $n - 1;
	my @rounds = map { int rand 3 } 1 .. 1 + int rand 4;
	my @logs;
	for my $me (0 .. $n - 1) {
		my $l = MkLog->new(shares => 1, calls => \@calls, pid => $pids[$me], latest => 20e9, keys => [ program => 'p', host => 'node', rank => $me ]);
		for my $thread (0 .. (rand() < 0.3 ? 1 : 0)) {
			my (@records, %state);
			my $tid = $pids[$me] + 1000 * $thread;
			push @records, $l->general('thread_start', start => moment(3000), dur => 1, handle => 0) if $thread;
			my $at = $thread ? 3010 : 10 + int rand 50;
			for my $round (0 .. $#rounds) {
				my $begin = 10000 * $round;
				$at = $begin + int rand 2000 if $at < $begin;
				for (0 .. int rand 9) {
					my ($end, @more) = ($seed % 4 ? \&something : \&session)->($l, $at, \%state, $me, \@pids);
					push @records, @more;
					$at = $end + 1 + int rand 500;
				}
				next if $thread || !$rounds[$round];
				# a barrier that all are in at once; or a call that may be one
				my $start = moment($rounds[$round] == 1 ? 8000 + $begin + int rand 500 : $begin + 8000 + int rand 800);
				my $end = moment($rounds[$round] == 1 ? $begin + 9000 + int rand 900 : $start + 300 + int rand 900);
				push @records, $l->general($rounds[$round] == 1 ? 'MPI_Barrier' : 'MPI_File_sync', start => $start, dur => $end - $start, handle => $rounds[$round] == 1 ? 0 : 1, ret => 0,
					args => [ $rounds[$round] == 1 ? 3 : (), $n, $me ]);
				$at = $end + 1;
			}
			push @records, $l->general('pthread_create', start => moment($at), dur => 1, handle => 0, ret => 0, args => [ 0, 0, 0, 0 ]) if !$thread && rand() < 0.3;
			push @records, $l->general('thread_end', start => moment($at), dur => 1, handle => 0) if $thread && rand() < 0.7;
			$l->block(stream => 1 + $thread, tid => $tid, records => [ (map { MkLog::path($_, "/f$_"), MkLog::handle($_, 2 + $_, $_) } 1, 2), MkLog::path(3, 'world'), @records ]);
		}
		push @logs, $l;
	}
	return spew("$dir/job.iotrace", MkLog::job(logs => \@logs));
}

my ($pairs, $bad, %orders, %needs) = (0, 0);
for my $seed (1 .. $cases) {
	my $file = logs($seed);
	my $want = `'$cat' --format=json '$file' | '$^X' '$FindBin::Bin/constellations.pl'`;
	my $json = decode_json(scalar `'$stat' --format=json --by=constellation '$file'`);
	my $got = '';
	for my $c (sort { $a->{path} cmp $b->{path} } grep { $_->{reads} + $_->{writes} } @{ $json->{constellations} }) {
		my %by = %{ $c->{ordered_by} };
		my $causal = 0;
		$causal += $by{$_} for qw(fork wait exec thread lock mpi);
		$got .= "$c->{path} $c->{consistency} depends=$c->{depends} overwritten=$c->{overwritten} replaced=$c->{replaced} causal=$causal" .
			join('', map { " $_=$by{$_}" } qw(close_open sync thread_end nothing)) . "\n";
		$orders{$_} += $by{$_} for keys %by;
		$needs{ $c->{consistency} }++;
	}
	$bad++ < 3 and diag("seed $seed:\n$got- wanted:\n$want") if $got ne $want;
	next unless $parts && $seed <= 20;
	delete $json->{logs};
	my $sum = decode_json(scalar `'$parts' 2 '$file'`);
	is_deeply($sum->{constellations}, $json->{constellations}, "the same from 2 parts, seed $seed");
}
is($bad, 0, "$cases random logs agree");
ok($orders{$_}, "some accesses are ordered by $_") for qw(nothing fork wait lock mpi close_open sync);
ok($needs{$_}, "some files need $_") for qw(none session commit posix);
done_testing;
