#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Slow reads that computing waits for (unprefetched), and a rank whose I/O takes longer than that
# of the others (straggler): logs that have it, and logs that almost do.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use MkLog;
use CatTest;

my $stat = $cat =~ s/cat$/stat/r;
my $MS = 1e6;
my $MB = 1 << 20;

# log_of NAME, RANK, THREAD...: a log, of that rank or none, with these threads: each has n reads of a
# MB, or SIZE bytes, one after the other or every STEP bytes, that take so many ms, so many ms after each other
sub log_of
{
	my ($name, $rank, @threads) = @_;
	my $l = MkLog->new(latest => 20e9, pid => 100 + ($rank // 0));
	my $stream = 0;
	for my $t (@threads) {
		my ($start, $size) = (0, $t->{size} // $MB);
		my @reads = map {
			my $at = $start;
			$start += ($t->{takes} + $t->{after}) * $MS;
			$l->compact('read', handle => 1, start => $at, dur => $t->{takes} * $MS, size => $size, ret => $size,
				offset => $_ * ($t->{step} // $size))
		} 0 .. $t->{n} - 1;
		$stream++;
		$l->block(stream => $stream, tid => 99 + ($rank // 0) + $stream, pid => 100 + ($rank // 0), seq => 0, records => [
			$stream == 1 ? (MkLog::path(1, '/data/file'), MkLog::handle(1, 3, 1)) : (),
			$stream == 1 && defined $rank ? MkLog::rank($rank, 4) : (), @reads ]);
	}
	$l->save("$dir/$name.iotrace");
	return "$dir/$name.iotrace";
}

# found ID, LOG...: the first such finding
sub found
{
	my ($id, @logs) = @_;
	my $json = decode_json(scalar `'$stat' --format=json @logs`);
	my ($f) = grep { $_->{id} eq $id } @{ $json->{findings} };
	return $f;
}

sub ms { return sprintf '%.0f', $_[0] * 1000; }

my $f = found('unprefetched', log_of('slow', undef, { n => 50, takes => 8, after => 6 }));
ok($f, 'slow reads, with time between them');
is($f->{calls}, 50, 'all of them');
is(ms($f->{seconds}), 400, 'the time of all');
is(ms($f->{saves}[1]), 294, 'what can be read meanwhile is saved, at most');
cmp_ok(ms($f->{saves}[0]), '>', 200, 'and most of it, at least');
is(found('unprefetched', log_of('fast', undef, { n => 500, takes => 0.5, after => 6 })), undef, 'reads as from memory');
is(found('unprefetched', log_of('busy', undef, { n => 50, takes => 8, after => 1 })), undef, 'with little to compute');
ok(found('unprefetched', log_of('here', undef, { n => 50, takes => 8, after => 6, step => 3 * $MB })), 'large parts out of order');
is(found('unprefetched', log_of('bits', undef, { n => 50, takes => 8, after => 6, size => 8192, step => 3 * $MB })), undef,
	'small ones out of order');
is(found('unprefetched', log_of('two', undef, { n => 50, takes => 8, after => 6 }, { n => 1, takes => 8, after => 0 })), undef,
	'a second thread, which may be the one that computes');
ok(found('unprefetched', '--rule=unprefetched.time=40ms', log_of('busy', undef, { n => 50, takes => 8, after => 1 })),
	'less is enough, if that is wanted');

# ranks: how long each of 40 reads takes
sub ranks { my $n = 0; return map { log_of("rank$n", $n++, { n => 40, takes => $_, after => 1 }) } @_; }
$f = found('straggler', ranks(5, 5, 15, 5));
ok($f, 'one rank of four is slow');
is(ms($f->{seconds}), 300, 'others wait for what it takes longer than they do on average');
like($f->{text}, qr/one of 4 .* 300 %/, 'and it says so');
is(found('straggler', ranks(5, 5, 9, 5)), undef, 'not twice as slow');
my @once = (log_of('rank0', 0, { n => 40, takes => 5, after => 1 }), log_of('rank1', 1, { n => 1, takes => 900, after => 1 }));
is(found('straggler', @once), undef, 'one call that stood still');
is(found('straggler', ranks(15, 5, 15, 15)), undef, 'one that is fast');
is(found('straggler', ranks(1, 1, 3, 1)), undef, 'by little');

# team TAKEN, MS...: threads that begin with the same function, and how long each of 40 reads takes; others had the processor
# so often, which the process had in calls for half of the time
sub team
{
	my ($taken, @takes) = @_;
	my $l = MkLog->new(latest => 20e9, pid => 100, calls => [ @MkLog::CALLS,
		'proc pthread_create - hand errcode thread:ptr attr:ptr start_routine:routine arg:ptr' ]);
	my $used = sub { MkLog::def(18, pack 'Q9', MkLog::ticks($_[0] * 1e9), map { $_ * $_[0] } 50000, 50000, (0) x 5, $taken) };
	my $stream = 1;

	$l->block(stream => 1, tid => 100, pid => 100, seq => 0, records => [ $used->(0), MkLog::path(1, '/data/file'), MkLog::handle(1, 3, 1),
		MkLog::map_def(0x400000, 0x410000, 0, '12345678', '/none/demo'), MkLog::stack(5, 0x401010), (map { $l->general('pthread_create', start => 1000 * $_, ret => 0, args => [ 1, 0, 0x401000, 0 ]) } 1 .. @takes), $used->(1) ]);
	for my $takes (@takes) {
		$l->block(stream => ++$stream, tid => 99 + $stream, pid => 100, seq => 0, records => [ map {
			$l->compact('read', handle => 1, stack => 5, start => (1 + $_ * ($takes + 1)) * $MS, dur => $takes * $MS, size => $MB, ret => $MB,
				offset => $_ * $MB)
		} 0 .. 39 ]);
	}
	$l->save("$dir/team.iotrace");
	return "$dir/team.iotrace";
}
ok(found('straggler', team(5, 5, 5, 15, 5)), 'one thread of four is slow');
is(found('straggler', team(50, 5, 5, 15, 5)), undef, 'it may have waited for a processor');
done_testing;
