#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Findings at their thresholds: logs that just have one, and logs that just have not.  Times stand in the logs, and
# nothing is measured.
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
my $SOCKET = 0140777;
my $PEEK = 2;
my $DONTNEED = 4;
my @calls = (@MkLog::CALLS,
	'net send sendto - bytes sockfd:fd buf:buf len:size flags:msgflags',
	'net recv recvfrom - bytes sockfd:fd buf:buf len:size flags:msgflags',
	'posix fsync fsync - status fd:fd',
	'posix poll poll - count fds:pfds nfds:nfds timeout:msecs',
	'posix posix_fadvise fadvise64 - errcode fd:fd offset:offset len:long advice:fadvice');

# A log's calls, one after the other: each takes so long, and begins a microsecond after the one before.
our ($l, $now, @records);
our $options = '--rule=minor=off';
sub add
{
	my ($call, $dur, %r) = @_;
	push @records, $l->general($call, start => $now, dur => $dur, handle => 1, ret => $r{size}, %r);
	$now += $dur + 1000;
}

# found ID, CODE, [path, mode]...: what is found of that kind in a log of the calls that CODE adds
sub found
{
	my ($id, $code, @files) = @_;
	local ($l, $now, @records) = (MkLog->new(calls => \@calls, latest => 1), 0);
	my $n = 0;
	push @records, MkLog::path(++$n, @$_), MkLog::handle($n, 2 + $n, $n, $_->[1]) for @files;
	$code->();
	$l->{latest} = $now;
	$l->block(stream => 1, tid => 100, seq => 0, records => \@records);
	$l->save("$dir/thresholds.iotrace");
	my $json = decode_json(scalar `'$stat' $options --format=json '$dir/thresholds.iotrace'`);
	my ($f) = grep { $_->{id} eq $id } @{ $json->{findings} };
	return $f;
}

# A rule at what it takes, and at one less: of(N) adds the calls
sub edge
{
	my ($id, $what, $of, $least, $less, @files) = @_;
	my $f = found($id, sub { $of->($least) }, @files);
	ok($f, "$id: $what: $least");
	is(found($id, sub { $of->($less) }, @files), undef, "$id: $what: $less");
	return $f;
}

# ---- expired: ten waits, and 50 ms ----

# an answer, behind which there is a wait in vain, and the next request
sub ask
{
	my ($n, $wait, %o) = @_;
	for (1 .. $n) {
		add('send', 5000, size => 20, args => [ 0 ]);
		add('recv', 5000, ret => 100, size => 4096, args => [ 0 ]);
		add('poll', $wait, handle => 0, ret => $o{comes} // 0, args => [ 0, 1, 10 ]);
	}
	add('send', 5000, size => 20, args => [ 0 ]);
}
my @socket = [ 'socket:[5]', $SOCKET ];
my $f = edge('expired', 'waits', sub { ask($_[0], 6 * $MS) }, 10, 9, @socket);
is($f->{count} // $f->{calls}, 10, 'expired: all of them');
edge('expired', 'ns each, of ten', sub { ask(10, $_[0]) }, 5 * $MS, 5 * $MS - 1000, @socket);
is(found('expired', sub { ask(20, 6 * $MS, comes => 1) }, @socket), undef, 'expired: there is more each time');

# ---- peeked: a thousand looks, at four times what is taken ----

sub peek
{
	my ($n, $sees, $takes) = @_;
	for (1 .. $n) {
		add('recv', 5000, ret => $sees, size => 65536, args => [ $PEEK ]);
		add('read', 5000, ret => $takes, size => 65536);
	}
}
$f = edge('peeked', 'looks', sub { peek($_[0], 4000, 24) }, 1000, 999, @socket);
is($f->{bytes}, 4000 * 1000, 'peeked: bytes that were looked at');
edge('peeked', 'bytes seen, where 100 are taken', sub { peek(1000, $_[0], 100) }, 404, 400, @socket);
found('peeked', sub { peek(10, 4000, 24) }, @socket);
my ($file) = @{ decode_json(scalar `'$stat' --by=file --format=json '$dir/thresholds.iotrace'`)->{files} };
is_deeply([ @$file{qw(reads read)} ], [ 20, 240 ], 'peeked: what stays in the socket is not read');

# ---- evicted: dropped ten times, and read twice ----

sub drop
{
	my ($n, $different) = @_;
	for my $i (0 .. $n - 1) {
		add('read', 50000, size => 65536, offset => ($i % $different) * 65536);
		add('posix_fadvise', 5000, ret => 0, offset => 0, args => [ 0, $DONTNEED ]);
	}
}
my @file = [ '/data/file', 0100644 ];
edge('evicted', 'advice', sub { drop($_[0], 5) }, 10, 9, @file);
edge('evicted', 'reads of ten parts', sub { drop($_[0], 10) }, 20, 19, @file);

# ---- moved-again: four times each byte, 20 % of the time of all I/O and a twentieth of the run ----

# n large writes of as many parts, and other I/O that takes so long, in files that are no other rule's
sub again
{
	my ($n, $different, $other) = @_;
	add('write', 100000, size => 1 << 20, offset => ($_ % $different) << 20) for 0 .. $n - 1;
	add('read', $other, handle => 2, size => 1 << 24, offset => 0) if $other;
}
my @two = (@file, [ '/data/other', 0100644 ]);
edge('moved-again', 'writes of five parts', sub { again($_[0], 5, 0) }, 20, 19, @two);
# one of the calls may have stood still, and does not count
edge('moved-again', 'ns of others, beside 1.9 ms', sub { again(20, 5, $_[0]) }, 7.4 * $MS, 7.6 * $MS, @two);

# ---- reconnected: 200 connections, for fewer than 64 KiB each ----

sub links
{
	my ($n, $bytes) = @_;
	for my $i (1 .. $n) {
		push @records, MkLog::path($i, "socket:[$i]", $SOCKET), MkLog::handle($i, 3, $i, $SOCKET);
		add('connect', 50000, handle => $i, ret => 0, args => [ 0, 16 ]);
		add('send', 5000, handle => $i, size => $bytes, args => [ 0 ]);
		add('close', 5000, handle => $i, ret => 0);
	}
}
edge('reconnected', 'connections', sub { links($_[0], 500) }, 200, 199);
edge('reconnected', 'bytes of each', sub { links(200, $_[0]) }, 65535, 65536);

# ---- polled: a thousand reads that find nothing, beside those by which the end is noticed ----

# pipes, of each the end is read so often
sub ends
{
	my ($n, $times) = @_;
	for my $i (1 .. $n) {
		push @records, MkLog::path($i, "pipe:[$i]", 0010600), MkLog::handle($i, 3, $i, 0010600);
		add('read', 5000, handle => $i, ret => 0, size => 4096) for 1 .. $times;
	}
}
edge('polled', 'reads at the end of a pipe', sub { ends(1, $_[0]) }, 1001, 1000);
is(found('polled', sub { ends(3000, 1) }), undef, 'polled: the end of each pipe');

# ---- sync: of stores into memory nothing tells how many bytes they are ----

found('sync', sub { add('fsync', 5e6, ret => 0) for 1 .. 20 }, @file);
like(scalar `COLUMNS=200 '$stat' $options '$dir/thresholds.iotrace'`, qr{/data/file: 20 calls of fsync\(\)$}m, 'sync: no bytes, no word of them');
found('sync', sub { add('write', 1000, size => 100, offset => 100 * $_), add('fsync', 5e6, ret => 0) for 1 .. 20 }, @file);
like(scalar `COLUMNS=200 '$stat' $options '$dir/thresholds.iotrace'`, qr{/data/file: 20 calls of fsync\(\), for 2000 bytes that were written$}m,
	'sync: bytes');

# ---- minor: what takes little is not printed, unless it is five hundred calls, and a quarter of all ----

# seeks to where the offset is, so many ns each and the first so many more, among that many reads, with ns between them
sub seek_among
{
	my ($n, $reads, $dur, $more, $between) = @_ > 2 ? @_ : (@_, 50, 0, 0);
	for my $i (0 .. $reads - 1) {
		add('lseek', $dur + ($i == 1 ? $more : 0), ret => $i * 8192, args => [ $i * 8192, 0 ]) if $i > 0 && $i <= $n;
		add('read', 20000, size => 8192, offset => $i * 8192);
		$now += $between;
	}
}
$options = '';
edge('idle-seeks', 'seeks among 3168 reads', sub { seek_among($_[0], 3168) }, 1000, 990, @file);
edge('idle-seeks', 'seeks among 700 reads', sub { seek_among($_[0], 700) }, 500, 499, @file);
ok(found('minor', sub { seek_among(499, 700) }, @file), 'idle-seeks: added up with what costs next to nothing');

# a run of half a second, of which the reads took 80 ms
edge('idle-seeks', 'ns of 200 seeks in a long run', sub { seek_among(200, 4000, $_[0], 0, 1e5) }, 13000, 12000, @file);
edge('idle-seeks', 'ns of 200 seeks, a millisecond in all', sub { seek_among(200, 400, $_[0], 0, 5e5) }, 5100, 4900, @file);
is(found('idle-seeks', sub { seek_among(200, 4000, 1000, 5 * $MS, 1e5) }, @file), undef, 'idle-seeks: one of them stood still');
done_testing;
