#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Ranks of a parallel job as the tools that read logs know them, and the clocks of
# their hosts.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use MkLog;
use CatTest;

my $stat = $cat =~ s/cat$/stat/r;
my ($scan) = grep { -x $_ } ($ENV{top_builddir} // '.') . '/t/read/scan'
	or die "t/read/scan is not built (make check TESTS= builds it)\n";
my $l = MkLog->new;
my $n = 0;
sub logs_in
{
	my (@logs) = @_;
	my $d = "$dir/" . ++$n;
	mkdir $d or die;
	$_->save("$d/" . $_->{pid} . '.iotrace') for @logs;
	return $d;
}
# a rank whose calls begin at these times
sub rank_log
{
	my ($rank, $keys, $defs, @starts) = @_;
	my $log = MkLog->new(pid => 100 + $rank, keys => [ program => 'demo', host => "node$rank", @$keys ], latest => 20e9);
	return $log->block(records => [ @$defs, map { $log->general('sync', start => $_, dur => 1000, full => 1, depth => 0, late => 1) } @starts ]);
}
sub starts { my ($calls) = @_; return join ' ', map { "$_->{rank}@" . ($_->{start} - $MkLog::EPOCH) } @$calls; }

# ---- who is who
my $d = logs_in(rank_log(0, [ rank => 0, size => 3 ], [], 10, 40), rank_log(2, [ rank => 2 ], [], 20), rank_log(1, [], [], 30));
my @calls = @{ cat_json($d) };
is(join(' ', map { $_->{rank} // '-' } @calls), '0 2 - 0', 'the launcher said so');
like((cat($d))[0], qr{^r0 100/100 sync\(\).*\nr2 102/102 sync\(\).*\n101/101 sync\(\).*\nr0 100/100 sync}, 'text');
is((cat('--format=csv', $d))[0] =~ s/^(?:[^,\n]*,){5}([^,\n]*).*\n/$1 /mgr, 'rank 0 2  0 ', 'csv');
for my $case ([ '0', 2 ], [ '1-2', 1 ], [ '0,2', 3 ], [ '0-9', 3 ], [ '1', 0 ]) {
	my ($list, $want) = @$case;
	my ($out, $err, $status) = cat('--format=json', "--rank=$list", $d);
	is(() = $out =~ /^\{/mg, $want, "--rank=$list");
	is("$err$status", $want ? '0' : "iotrace-cat: no call passes --rank\n1",
		$want ? "--rank=$list: no complaint" : "--rank=$list: nothing passes, which is said");
}
for my $bad ('', 'x', '-1', '3-1', '1-', '1,y', '99999999999') {
	my ($out, $err, $status) = cat("--rank=$bad", $d);
	is($status, 2, "--rank='$bad' is refused");
	like($err, qr/^iotrace-cat: --rank: .*rank.*\n\z/, "--rank='$bad': one line says why");
}

# ---- MPI knows better
my ($out, $err, $status) = cat('--format=json', logs_in(rank_log(4, [ rank => 4, size => 9 ], [ MkLog::rank(5, 6) ], 10)));
like($out, qr/"rank":5,/, "MPI's rank counts");
like($err, qr/is of rank 5, not 4 as the launcher said/, 'that they differ is said');
is($status, 0, 'and is no damage');
($out, $err) = cat('--format=json', logs_in(rank_log(4, [ rank => 4 ], [ MkLog::rank(4, 6) ], 10)));
is($err, '', 'nothing is said if they agree');
($out, $err) = cat('--format=json', logs_in(rank_log(4, [], [ MkLog::rank(7, 8) ], 10)));
like("$err$out", qr/^\{.*"rank":7,/, 'or if the launcher said nothing');
for my $bad ([ 8, 8 ], [ 1 << 40, 1 << 41 ]) {
	($out, $err, $status) = cat('--format=json', logs_in(rank_log(4, [ rank => 4 ], [ MkLog::rank(@$bad) ], 10)));
	is($status, 1, "rank $bad->[0] of $bad->[1] is damage");
	like($out, qr/"rank":4,/, 'and is not believed');
}
for my $bad ('x', '-1', '99999999999', '') {
	is(cat_json(logs_in(rank_log(1, [ rank => $bad ], [], 10)))->[0]{rank}, undef, "a header's rank '$bad' is none");
}

# ---- sums by rank
my $json = decode_json(scalar `'$stat' --format=json --by=rank,process '$d'`);
is(join(' ', map { ($_->{rank} // '-') . ":$_->{calls}" } sort { ($a->{rank} // -1) <=> ($b->{rank} // -1) } @{ $json->{ranks} }),
   '-:1 0:2 2:1', 'iotrace-stat --by=rank');
is(join(' ', map { $_->{rank} // '-' } sort { $a->{pid} <=> $b->{pid} } @{ $json->{processes} }), '0 - 2', 'and processes have theirs');
is(join(' ', map { $_->{rank} // '-' } @{ $json->{logs} }), '0 - 2', 'and logs');
like(`'$stat' --by=rank '$d'`, qr/^rank  calls.*\n +0 +2 .*demo\n/m, 'as text');
is(`'$stat' --format=csv --by=rank --rank=2 '$d' | cut -d, -f1-4`, "prog,host,rank,calls\ndemo,node2,2,1\n", 'as csv, of one rank');

# ---- clocks.  Rank 1's host is 3 s behind, rank 2's 5 s ahead and runs too fast by
# a tenth.
$d = logs_in(rank_log(0, [ rank => 0 ], [ MkLog::clock(1e9, 0), MkLog::clock(11e9, 0) ], 2e9, 6e9, 10e9),
	     rank_log(1, [ rank => 1 ], [ MkLog::clock(0, 3e9) ], 0, 4e9),
	     rank_log(2, [ rank => 2 ], [ MkLog::clock(6e9, -5e9), MkLog::clock(17e9, -6e9) ], 5e9, 7.1e9, 11.5e9, 19e9));
($out, $err, $status) = cat('--format=json', $d);
is("$err$status", '0', 'no complaint');
is(starts(cat_json($d)), '2@0 0@2000000000 2@2000000000 1@3000000000 0@6000000000 2@6000000000 1@7000000000 0@10000000000 2@13000000000',
   'times are those of rank 0, constant outside of the two measurements and linear between them');
like(`'$scan' $d/*`, qr/^\S* 3 same\n\S* 2 same\n\S* 4 same\n\z/, 'the same when read in any order');
is(starts(cat_json('--rank=2', '--to=5.5', $d)), '2@0', "--to counts from the rank's own start");
like((cat('-s', '--rank=1', $d))[0], qr{^r1 101/101 0\.000000000 sync\(\).*\nr1 101/101 4\.000000000 sync}, 'and so does -s');
# durations follow
my $long = MkLog->new(latest => 20e9);
$long->block(records => [ MkLog::clock(0, 0), MkLog::clock(10e9, 1e9), $long->general('sync', start => 1e9, dur => 5e9, full => 1) ]);
is(cat_json(logs_in($long))->[0]{dur}, 5500000000, 'durations are by that clock, too');
# in whichever order the definitions lie, only the first and the last count
is(starts(cat_json(logs_in(rank_log(3, [ rank => 3 ], [ MkLog::clock(11e9, 2e9), MkLog::clock(1e9, 0), MkLog::clock(6e9, 7e9) ], 6e9)))),
   '3@7000000000', 'three measurements in any order');
($out, $err, $status) = cat('--format=json', logs_in(rank_log(3, [ rank => 3 ], [ MkLog::clock(1e9, 0), MkLog::clock(2e9, 2e9) ], 1.5e9)));
like("$status$err", qr/^1.*distances to that of rank 0 make no sense/, 'no clock is that fast');
is(decode_json($out)->{start} - $MkLog::EPOCH, 1500000000, 'then the first measurement counts');
# any numbers
for my $words ([ 0, 0, 0 ], [ ~0, ~0, ~0 ], [ 1, ~0, 0 ], [ ~0, 1, 0 ], [ 1 << 63, 1, 0 ]) {
	for my $more ([], [ MkLog::clock(9e9, 0) ]) {
		my ($out, $err, $status) = cat('--format=json', logs_in(rank_log(3, [], [ MkLog::def(8, pack 'Q3', @$words), @$more ], 5)));
		ok($status < 2 && (() = $out =~ /^\{/mg) == 1, "clock @$words");
	}
}
done_testing;
