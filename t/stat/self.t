#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# The time of a call itself: without that of the calls inside of it.  A handler's calls may come
# when an inner call is over and not yet out of the way: they are inside of the outer one.
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

# self_of START...: what fwrite(), write() and read() take themselves, if a read() of 1 ms begins at each
# of these times that was called when write() was not out of the way
sub self_of
{
	my @starts = @_;
	my $l = MkLog->new(latest => 20e9);
	$l->block(stream => 1, tid => 100, seq => 0, records => [ MkLog::path(1, '/data/file'), MkLog::handle(1, 3, 1),
		map({ $l->compact('read', depth => 2, handle => 1, start => $_ * $MS, dur => 1 * $MS, size => 1, ret => 1) } @starts),
		$l->compact('write', depth => 1, handle => 1, start => 1 * $MS, dur => 3 * $MS, size => 1, ret => 1),
		$l->compact('fwrite', depth => 0, handle => 1, start => 0, dur => 10 * $MS, size => 1, ret => 1) ]);
	$l->save("$dir/self.iotrace");
	my $json = decode_json(scalar `'$stat' --format=json '$dir/self.iotrace'`);
	my %self = map { $_->{call} => $_->{self} / $MS } @{ $json->{calls} };
	return join ' ', map { sprintf '%s %.3g', $_, $self{$_} } sort keys %self;
}

is(self_of(2), 'fwrite 7 read 1 write 2', 'inside of the inner call');
is(self_of(6), 'fwrite 6 read 1 write 3', 'after the inner call');
is(self_of(2, 6), 'fwrite 6 read 2 write 2', 'one inside, and one after');
is(self_of(1, 2, 5, 6, 7), 'fwrite 4 read 5 write 1', 'several of both');

# A handler that interrupts the recorder has a stream of its own: its calls come anywhere in the
# log, and the call around them is the one that was under way then.

# selves [LEVEL, RECORD...]...: what all calls take themselves; the first stream has a write() from
# 1 to 4 ms in an fwrite() that lasts 10, and a pwrite() from 12 to 14 that is in nothing
sub selves
{
	my @handlers = @_;
	my $l = MkLog->new(latest => 20e9);
	my @defs = (MkLog::path(1, '/data/file'), MkLog::handle(1, 3, 1));
	my $record = sub {
		my ($name, $depth, $start, $dur) = @_;
		return $l->compact($name, depth => $depth, handle => 1, start => $start * $MS, dur => $dur * $MS, size => 1, ret => 1);
	};
	my @streams = map { [$_->[0], map { $record->(@$_) } @$_[1 .. $#$_]] } @handlers;
	my $n = 2;
	$l->block(stream => 1, tid => 100, seq => 0, records => [ @defs, $record->('write', 1, 1, 3),
		$record->('fwrite', 0, 0, 10), $record->('pwrite', 0, 12, 2) ]);
	$l->block(stream => $n++, tid => 100, level => $_->[0], seq => 0, records => [ @$_[1 .. $#$_] ]) for @streams;
	$l->save("$dir/self.iotrace");
	my $json = decode_json(scalar `'$stat' --format=json '$dir/self.iotrace'`);
	my %self = map { $_->{call} => $_->{self} / $MS } @{ $json->{calls} };
	return join ' ', map { sprintf '%s %.3g', $_, $self{$_} } sort keys %self;
}

is(selves([1]), 'fwrite 7 pwrite 2 write 3', 'no handler');
is(selves([1, ['read', 2, 2, 1]]), 'fwrite 7 pwrite 2 read 1 write 2', 'in the inner call');
is(selves([1, ['read', 2, 6, 1]]), 'fwrite 6 pwrite 2 read 1 write 3', 'when the inner call was over');
is(selves([1, ['read', 1, 5, 1], ['read', 1, 7, 1]]), 'fwrite 5 pwrite 2 read 2 write 3', 'twice in the outer one');
is(selves([1, ['read', 1, 10.5, 1], ['open', 0, 11, 0.5]]), 'fwrite 7 open 0.5 pwrite 2 read 1 write 3',
	'what came before is not in a later call');
is(selves([1, ['read', 1, 13, 0.5], ['read', 1, 15, 1]]), 'fwrite 7 pwrite 1.5 read 1.5 write 3', 'in a later call, and in none');
is(selves([1, ['read', 3, 2.5, 0.5], ['putc', 2, 2, 1]]), 'fwrite 7 putc 0.5 pwrite 2 read 0.5 write 2',
	'what a handler calls has calls inside, too');
is(selves([1, ['putc', 2, 2, 1]], [2, ['read', 3, 2.5, 0.25]]), 'fwrite 7 putc 0.75 pwrite 2 read 0.25 write 2',
	'a handler that interrupts the recorder of a handler');
is(selves([1, ['putc', 2, 2, 1]], [2, ['read', 0, 15, 1]]), 'fwrite 7 putc 1 pwrite 2 read 1 write 2',
	'when that one had no call any more');
is(selves([1, ['putc', 1, 6, 1]], [2, ['read', 2, 2, 1]]), 'fwrite 6 putc 1 pwrite 2 read 1 write 2', 'when it had none yet');
is(selves([1, map { ['read', 1, 4 + $_ / 25, 0.01] } 0 .. 99]), 'fwrite 6 pwrite 2 read 1 write 3', 'a hundred handlers in one call');
done_testing;
