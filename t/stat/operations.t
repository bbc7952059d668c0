#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Asynchronous operations: which are waited for at once (no-overlap), and which calls wait for a
# ring of requests, where others hand it some.
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

# found ID, LOG: the first such finding
sub found
{
	my ($id, $log) = @_;
	my ($f) = grep { $_->{id} eq $id } @{ decode_json(scalar `'$stat' --format=json '$log'`)->{findings} };
	return $f;
}

# operations of which each is waited for so many ms after it began
my @calls = (@MkLog::CALLS, 'aio aio_read - - status fd:fd', 'aio aio_suspend - - status list:ptr',
	'aio io_uring_enter io_uring_enter - count fd:fd to_submit:uint min_complete:uint');
sub operations
{
	my ($between) = @_;
	my $l = MkLog->new(latest => 20e9, calls => \@calls);
	$l->block(stream => 1, tid => 100, seq => 0, records => [ MkLog::path(1, '/data/file'), MkLog::handle(1, 3, 1),
		map {
			my $start = $_ * 30 * $MS;
			($l->general('aio_read', handle => 1, start => $start, dur => 10 * $MS, ret => 0, args => [3]),
			 $l->general('aio_suspend', start => $start + (10 + $between) * $MS, dur => 10 * $MS, ret => 0, args => [0]))
		} 0 .. 19 ]);
	return $l->save("$dir/operations.iotrace") && "$dir/operations.iotrace";
}
ok(found('no-overlap', operations(0.05)), 'waited for at once');
is(found('no-overlap', operations(0.5)), undef, 'something has been computed meanwhile, if only little');

# operations without an end, which may be among the calls that were lost
sub left
{
	my $l = MkLog->new(latest => 20e9, calls => [ @MkLog::CALLS, 'mpiio MPI_File_iwrite - - status fh:mfile size:size op:mpiop' ]);
	$l->block(stream => 1, tid => 100, seq => 0, records => [ MkLog::path(1, '/data/file'), MkLog::handle(1, 3, 1), @_,
		map { $l->general('MPI_File_iwrite', handle => 1, start => $_ * $MS, dur => 100, size => 100, ret => 0, args => [ $_ ]) } 1 .. 5 ]);
	return $l->save("$dir/left.iotrace") && "$dir/left.iotrace";
}
is((found('incomplete', left()) // {})->{count}, 5, 'operations without an end');
is(found('incomplete', left(MkLog::lost(1, 28))), undef, 'or with one that was lost');
like(scalar `'$stat' '$dir/left.iotrace' 2>/dev/null`, qr/^Nothing stands out in what was recorded, which is not all\.$/m, 'and the text says so');

my $l = MkLog->new(latest => 20e9, calls => \@calls);
$l->block(stream => 1, tid => 100, seq => 0, records => [ MkLog::path(1, 'anon_inode:[io_uring]'), MkLog::handle(1, 3, 1),
	$l->general('io_uring_enter', handle => 1, start => 0, dur => 1 * $MS, ret => 8, args => [ 8, 0 ]),
	$l->general('io_uring_enter', handle => 1, start => 2 * $MS, dur => 5 * $MS, ret => 0, args => [ 0, 1 ]) ]);
$l->save("$dir/ring.iotrace");
my $json = decode_json(scalar `'$stat' --format=json '$dir/ring.iotrace'`);
my ($enter) = grep { $_->{call} eq 'io_uring_enter' } @{ $json->{calls} };
is($enter->{moving}, 1 * $MS, 'io_uring_enter() with requests is I/O');
is($enter->{waiting}, 5 * $MS, 'and without any, it waits');
is($enter->{metadata}, 0, 'none of it is about names and descriptors');
done_testing;
