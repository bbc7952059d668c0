#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# The log of a parallel job, which holds those of its ranks: it is read as they are
# by themselves, whatever became of it.
use strict;
use warnings;
no warnings "portable";
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use MkLog;
use CatTest;

my $stat = $cat =~ s/cat$/stat/r;
my $pack = $cat =~ s/cat$/pack/r;
my ($scan) = grep { -x $_ } ($ENV{top_builddir} // '.') . '/t/read/scan'
	or die "t/read/scan is not built (make check TESTS= builds it)\n";
my @names = ('/shared/one', '/shared/two, a longer name');
# of three ranks; alone: as it would be in a file of its own
sub rank_log
{
	my ($rank, $alone) = @_;
	my $l = MkLog->new(pid => 100 + $rank, shares => !$alone, keys => [ program => 'demo', host => "node$rank", rank => $rank, size => 3 ]);
	return $l->block(seq => 0, records => [
		$alone ? (MkLog::path(1, $names[0]), MkLog::path(2, $names[1])) : (MkLog::shared_path(1, 0), MkLog::shared_path(2, 24)),
		MkLog::path(3, "/own/$rank"), MkLog::handle(1, 3, 1), MkLog::handle(2, 4, 3),
		$l->compact('write', handle => 1, start => 1000 + 10 * $rank, size => $rank + 1, offset => 0),
		$l->compact('write', handle => 2, start => 2000 + 10 * $rank, size => 7, offset => 0) ])
	->block(seq => 1, base => 2500, window => 1, slots => [ [ 0, "read", 9000 + $rank, 1 ] ], records => [
		$l->general('rename', start => 3000 + 10 * $rank, ret => 0, args => [ 1, 2 ]) ]);
}
my @logs = map { rank_log($_) } 0 .. 2;
my %common = (logs => \@logs, strings => \@names);
my $job = MkLog::job(%common);
my $file = spew("$dir/job.iotrace", $job);
mkdir "$dir/own" or die;
my @own = map { rank_log($_, 1)->save("$dir/own/$_.iotrace") } 0 .. 2;

my ($want) = cat('--format=json', @own);
is(() = $want =~ /^\{/mg, 12, 'there is something to compare');
my ($out, $err, $status) = cat('--format=json', $file);
is("$err$status", '0', 'no complaint');
is($out, $want, 'the same calls as of the logs by themselves');
is((cat('--format=json', '--rank=1', $file))[0], join('', grep { /"rank":1,/ } $want =~ /^.*\n/mg), 'those of a rank');
like(`'$scan' '$file'`, qr/ 12 same\n\z/, 'the same when read in any order');
sub stat_of
{
	my $json = decode_json(scalar `'$stat' --format=json --by=call,file,process,thread,rank @_`);
	delete $json->{logs};
	return $json;
}
is_deeply(stat_of($file), stat_of(@own), 'the same sums');
is((cat('--format=json', "-f", $file))[0], $want, 'followed, which ends at once');

# beside the logs themselves
mkdir "$dir/both" or die;
spew("$dir/both/a-job.iotrace", $job);
rank_log(1, 1)->save("$dir/both/z.iotrace");
for my $order ('a first', 'z first') {
	($out, $err, $status) = cat('--format=json', "$dir/both");
	is($out, $want, "$order: a rank that kept its log is read once");
	like($err, qr{^\S+ \S+/\w+-job.iotrace:1: is left out: \S+/[az].iotrace is the same log\n\z}, "$order: from its own");
	is($status, 0, "$order: that is no damage");
	rename "$dir/both/z.iotrace", "$dir/both/a.iotrace";
	rename "$dir/both/a-job.iotrace", "$dir/both/z-job.iotrace";
}

SKIP: {
	skip 'built without zstd', 4 if slurp(($ENV{top_builddir} // '.') . '/config.status') !~ /^S\["HAVE_ZSTD_TRUE"\]=""/m;
	is(system("'$pack' -c '$file' >'$dir/packed.iotrace' 2>'$dir/.err'"), 0, 'packed');
	($out, $err, $status) = cat('--format=json', "$dir/packed.iotrace");
	is("$err$status", '0', 'packed: no complaint');
	is($out, $want, 'packed: the same calls');
	ok(-s "$dir/packed.iotrace" < -s $file, 'packed: smaller');
}

# ---- damage
sub damaged
{
	my ($what, $bytes, $want_calls, $message, $want_status) = @_;
	my ($out, $err, $status) = cat('--format=json', spew("$dir/d.iotrace", $bytes));
	is(() = $out =~ /^\{/mg, $want_calls, "$what: calls");
	like($err, $message, "$what: message");
	is($status, $want_status // 1, "$what: status");
	return $out;
}
is(damaged('a wrong index', MkLog::job(%common, index_bytes => "\xff" x 72), 12, qr/index of its logs is damaged; 3 of 3 were found/), $want,
   'a wrong index: nothing is lost');
damaged('no index', MkLog::job(%common, index => 1 << 62), 12, qr/index of its logs is damaged; 3 of 3 were found/);
damaged('too many', MkLog::job(%common, n => 99999), 12, qr/index .* 3 of 99999 were found/);
damaged('members out of order', MkLog::job(%common, index_bytes => pack('QQLL', 8192, 4096, 0, 0) x 3), 12, qr/index of its logs is damaged/);
damaged('no strings', MkLog::job(%common, strings_size => 0), 12, qr/a definition of kind 2 makes no sense/);
damaged('strings beyond the end', MkLog::job(%common, strings_size => 1 << 40), 12, qr/the names that its logs share are not there/);
damaged('another version', MkLog::job(%common, version => 9), 0, qr/log of a job as of version 9; this reader knows versions up to 2/);
damaged('the other byte order', MkLog::job(%common, byte_order => 0x0807060504030201), 0, qr/other byte order/);
damaged('a broken byte order mark', MkLog::job(%common, byte_order => 5), 0, qr/damaged header \(byte order mark\)/);
damaged('cut within the header', substr($job, 0, 40), 0, qr/cut short within its header/);
damaged('cut behind the header', substr($job, 0, 4096), 0, qr/index .*damaged.*\n.*holds none/);
damaged('cut within the last log', substr($job, 0, length($job) - 4096), 10, qr/:2: .*cut short/);
damaged('cut within the second log', substr($job, 0, length($job) - 16384 - 4096), 6, qr/index of its logs is damaged; 2 of 3/);
my $zapped = $job;
substr($zapped, index($zapped, "IOTRACE\n", 4096), 8) = 'garbage!';
damaged('a log without its magic', $zapped, 8, qr/index of its logs is damaged; 2 of 3/);
# what lies behind a log and was not used is no damage
is((cat('--format=json', spew("$dir/r.iotrace", MkLog::job(%common, room => 40960))))[0], $want, 'room behind each log');
is((cat('--format=json', spew("$dir/r.iotrace", substr MkLog::job(%common, room => 40960), 0, -40960)))[2], 0, 'of which the last is not there');
done_testing;
