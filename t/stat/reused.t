#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# An inode that is used again is another file's, however the calls of processes lie: one name is
# removed while an open() makes the other, or after somebody had looked for it in vain.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use MkLog;
use CatTest;

my $stat = $cat =~ s/cat$/stat/r;
my $INODE = 4711;
our $jobs;

# process NAME, PID, [NAME's id, call, start, duration, result]...: its log
sub process
{
	my ($file, $pid, @calls) = @_;
	my $l = MkLog->new(pid => $pid, latest => 20e9);
	my $n = 0;
	my %id;

	$id{ $_->[0] } //= ++$n for grep { $_->[4] >= 0 } @calls;
	$l->block(stream => 1, tid => $pid, seq => 0, records => [
		(map { MkLog::path($id{$_}, $_, 0100644, $INODE) } sort { $id{$a} <=> $id{$b} } keys %id),
		map {
			my ($name, $call, $start, $dur, $ret) = @$_;
			$l->general($call, full => 1, start => $start, dur => $dur, ret => $ret, errno => $ret < 0 ? 2 : 0,
				args => [ $ret < 0 ? \$name : $id{$name}, $call eq 'open' ? (0102, 0644) : () ]);
		} @calls ]);
	$l->save("$dir/$file.iotrace");
	return "$dir/$file.iotrace";
}

# names LOG...: of each line, sorted
sub names
{
	my $files = decode_json(scalar `'$stat' --by=file --jobs=$jobs --format=json @_`)->{files};
	return join ' ', sort map { join '=', sort $_->{path}, @{ $_->{names} // [] } } @$files;
}

for $jobs (1, 2) {
	my $lock = process('lock', 100, [ '/lock', 'open', 1000, 100, 3 ], [ '/lock', 'unlink', 2000, 100, 0 ]);

	is(names($lock, process('after', 200, [ '/data', 'open', 3000, 100, 3 ])), '/data /lock', 'made when the other was removed');
	is(names($lock, process('during', 200, [ '/data', 'open', 1900, 500, 3 ])), '/data /lock', 'made by a call that waited for that');
	is(names($lock, process('sought', 200, [ '/data', 'open', 500, 100, -1 ], [ '/data', 'open', 3000, 100, 3 ])), '/data /lock',
		'looked for before, in vain');
	is(names($lock, process('before', 200, [ '/data', 'open', 1500, 100, 3 ])), '/data=/lock', 'seen before: two names of one file');
	is(names(process('data', 100, [ '/data', 'open', 2500, 100, 3 ]), process('lock', 200, [ '/lock', 'open', 1000, 100, 3 ],
		[ '/lock', 'unlink', 2000, 100, 0 ])), '/data /lock', 'in the other order of logs');
}
done_testing;
