#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# hosts.pl DIRECTORY RANKS - logs of that many ranks, each on a host of its own, all with the same pid.
# Each writes, begins six operations, of which four end in another thread, and has two calls that
# overlap, as in no real thread.
use strict;
use warnings;
use MkLog;
my ($dir, $ranks) = @ARGV;
my $iwrite = 'MPI_File_iwrite_at';
my @calls = (@MkLog::CALLS, "mpiio $iwrite - - status fh:mfile offset:offset size:size op:mpiop",
	'mpiio MPI_Wait - - bytes fh:mfile op:mpidone');
for my $rank (0 .. $ranks - 1) {
	my $l = MkLog->new(calls => \@calls, pid => 100, latest => 20e9,
		keys => [ program => 'ocean', host => "node$rank", boot_id => "boot$rank", rank => $rank ]);
	my $begin = sub { my ($op) = @_; return $l->general($iwrite, handle => 1, start => 0.5e9 + 10000 * $op, size => 10 * $op,
			offset => 100 * $op, ret => 0, depth => 0, args => [ $op ]) };
	$l->block(stream => 1, records => [ MkLog::path(1, "/data/\"rank\" $rank\xff"), MkLog::handle(1, 3, 1),
		map({ $l->compact('write', handle => 1, start => 1e6 * $_, dur => 1000 + $_, size => 4096, offset => 4096 * $_) } 1 .. 50),
		$l->compact('read', handle => 1, start => 100e6, dur => 1000, size => 7, offset => 0),
		$l->compact('read', handle => 1, start => 100e6 + 500, dur => 1000, size => 8, offset => 7),
		map { $begin->($_) } 1 .. 6 ]);
	$l->block(stream => 2, tid => 101, records => [
		map { $l->general('MPI_Wait', start => 0.9e9 + 1e6 * $_, handle => 1, ret => 10 * $_, args => [ $_ ]) } 1, 3, 4, 6 ]);
	$l->save("$dir/rank$rank.iotrace");
}
