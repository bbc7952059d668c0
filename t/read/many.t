#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# More logs than a process may have files open: all of them are read, by each tool, in
# memory that they do not add up to.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use MkLog;
use CatTest;

my $stat = $cat =~ s/cat$/stat/r;
my $n = 2000;
my $few = 'ulimit -n 24;';

# A schema as long as the recorder's, and a log for each rank
my @calls = (@MkLog::CALLS, map { "posix long_name_of_a_call_$_ long_name_of_a_call_$_ - status dirfd:dirfd pathname:relpath flags:atflags" } 1 .. 900);
my $logs = "$dir/many";
mkdir $logs or die;
my $l = MkLog->new(calls => \@calls);
for my $rank (0 .. $n - 1) {
	my $log = MkLog->new(pid => 1000 + $rank, calls => \@calls, keys => [ program => 'demo', host => 'node' . $rank % 8, rank => $rank ]);
	$log->block(records => [ MkLog::path(1, "/own/$rank"), MkLog::handle(1, 3, 1), MkLog::stack(1, 0x401000, 0x402000),
		map { $l->compact('pwrite', handle => 1, start => 1000 * $_ + $rank, size => $rank + 1, offset => 0, stack => 1) } 1 .. 3 ]);
	$log->save(sprintf '%s/%05d.iotrace', $logs, $rank);
}
my ($out, $err, $status);
sub said { my ($text, $what) = @_; is("$err$status", '0', "$what: no complaint") or diag(substr $err, 0, 2000); return $text; }

sub sh
{
	my ($command) = @_;
	$out = `$command 2>'$dir/err'`;
	$status = $? >> 8;
	$err = slurp("$dir/err");
}
sh("$few exec '$cat' --format=csv '$logs'");
said($out, 'iotrace-cat');
my @rows = grep { /pwrite/ } split /\n/, $out;
is(scalar @rows, 3 * $n, 'iotrace-cat: all calls');
my @starts = map { (split /,/)[0] } @rows;
ok(!(grep { $starts[$_] < $starts[ $_ - 1 ] } 1 .. $#starts), 'iotrace-cat: merged by time');
sh("$few exec '$stat' --format=json --by=rank '$logs'");
my $sums = decode_json(said($out, 'iotrace-stat'));
is(join(',', sort { $a <=> $b } map { $_->{written} } @{ $sums->{ranks} }), join(',', map { 3 * $_ } 1 .. $n), 'iotrace-stat: the bytes of each rank');
sh("$few exec '$cat' --format=csv -f '$logs' | grep -c pwrite");
is($out, 3 * $n . "\n", 'iotrace-cat -f: all calls');

# 2,000 schemas of 900 calls would be a gigabyte
for my $tool ("'$cat' --format=json -k", "'$stat' -k") {
	sh("ulimit -v 300000; exec $tool '$logs' >'$dir/out'");
	said('', "$tool: in bounded memory");
}

# A file that is another one when it is opened again: iotrace-cat waits for us to read
# what it prints while we replace the first log, of which a block is read at the end.
my $replaced = "$dir/replaced";
mkdir $replaced or die;
for my $rank (0 .. 30) {
	my $log = MkLog->new(pid => 1000 + $rank, latest => 1e9);
	$log->block(seq => 0, records => [ MkLog::path(1, '/x'), MkLog::handle(1, 3, 1), map { $l->compact('read', handle => 1, start => $_, size => 1) } 1000, 4e8 ]);
	$log->block(seq => 1, base => 2000, records => [ map { $l->compact('write', handle => 1, start => 2000 + 1000 * $_, size => 1) } 1 .. 20000 ]) if $rank == 30;
	$log->block(seq => $rank == 30 ? 2 : 1, base => 5e8, records => [ $l->compact('read', handle => 1, start => 5e8, size => 1) ]);
	$log->save("$replaced/" . (10 + $rank) . '.iotrace');
}
open my $in, '-|', "$few exec '$cat' --format=csv '$replaced' 2>'$dir/err'" or die;
my @lines = scalar <$in>;
spew("$replaced/other", slurp("$replaced/10.iotrace"));
rename "$replaced/other", "$replaced/10.iotrace" or die;
push @lines, <$in>;
close $in;
is($? >> 8, 1, 'a log that was replaced is damage');
is(slurp("$dir/err"), <<END, 'which is said');
iotrace-cat: $replaced/10.iotrace: can't be opened again while it is read: it is another file now
iotrace-cat: $replaced/10.iotrace: the block at offset 8448 changed or shrank while it was read
END
is(scalar(grep { /write|read/ } @lines), 20000 + 92, 'all the others are read');
done_testing;
