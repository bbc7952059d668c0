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

# self_of START: what fprintf(), write() and read() take themselves, if a read() of 1 ms begins then
# that was called when write() was not out of the way
sub self_of
{
	my ($start) = @_;
	my $l = MkLog->new(latest => 20e9);
	$l->block(stream => 1, tid => 100, seq => 0, records => [ MkLog::path(1, '/data/file'), MkLog::handle(1, 3, 1),
		$l->compact('read', depth => 2, handle => 1, start => $start * $MS, dur => 1 * $MS, size => 1, ret => 1),
		$l->compact('write', depth => 1, handle => 1, start => 1 * $MS, dur => 3 * $MS, size => 1, ret => 1),
		$l->compact('fwrite', depth => 0, handle => 1, start => 0, dur => 10 * $MS, size => 1, ret => 1) ]);
	$l->save("$dir/self.iotrace");
	my $json = decode_json(scalar `'$stat' --format=json '$dir/self.iotrace'`);
	my %self = map { $_->{call} => $_->{self} / $MS } @{ $json->{calls} };
	return join ' ', map { sprintf '%s %.3g', $_, $self{$_} } sort keys %self;
}

is(self_of(2), 'fwrite 7 read 1 write 2', 'inside of the inner call');
is(self_of(6), 'fwrite 6 read 1 write 3', 'after the inner call');
done_testing;
