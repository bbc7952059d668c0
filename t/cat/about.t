#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-cat --about, of logs made by hand: old ones, and such as make no sense.
use strict;
use warnings;
no warnings "portable";
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use MkLog;
use CatTest;

my $none = 0xffffffffffffffff;

# a log of these definitions, and one call
sub log_of
{
	my $l = MkLog->new;
	$l->block(window => 1, records => [ @_, MkLog::path(1, '/old'), MkLog::handle(1, 3, 1),
		$l->compact('write', handle => 1, start => 1000, dur => 10, size => 4, offset => 0) ]);
	return $l->save("$dir/x.iotrace");
}

# what is printed of these definitions, without the first line, which is about the process
sub shows
{
	my ($defs, $want, $what, $damage) = @_;
	my ($out, $err, $status) = cat('--about', log_of(@$defs));
	$out =~ s/^process .*\n//;
	$out =~ s{^file "/old": device 0:8, inode 1001, mode 0100644\n}{}m or fail("$what: /old is there");
	is($out, $want, $what);
	is($status, $damage ? 1 : 0, "$what: status");
	like($err, $damage ? qr/makes no sense/ : qr/^$/, "$what: messages");
}

sub name { my ($s) = @_; return pack('Q', 1 << 63 | length $s) . $s . "\0" x (-length($s) % 8); }
sub file { return MkLog::def(2, pack('Q4', 2, 0x801, 7, 0100600) . name('/new') . pack('Q*', @_)); }
my $new = 'file "/new": device 8:1, inode 7, mode 0100600';

shows([], '', 'a log of before');
shows([ file(123, 4096) ], "$new, 123 bytes when it was opened, blocks of 4096 bytes\n", 'a file');
shows([ file(123) ], "$new\n", 'half of it');
shows([ MkLog::def(16, pack 'Q3', 0x801, 0xef53, 4096) ], "device 8:1 (ext2/3/4), blocks of 4096 bytes\n", 'a device');
shows([ MkLog::def(16, pack 'Q3', 0x801, $none, $none) ],
	"device 8:1 (0xffffffff), blocks of 4294967295 bytes\n", 'one that nobody knows');
shows([ map { MkLog::def(16, pack 'Q3', 0x801, 0x6969, $_) } 1 .. 5 ], "device 8:1 (nfs), blocks of 5 bytes\n",
	'the last definition holds');
shows([ MkLog::def(16, pack 'Q2', 0x801, 1) ], '', 'a device cut short', 1);
shows([ map { MkLog::def(16, pack 'Q3', $_, 0x6969, 1) } 0 .. 999 ],
	join('', map { "device 0:$_ (nfs), blocks of 1 bytes\n" } 0 .. 63), 'more than there can be');
shows([ MkLog::def(17, pack 'Q6', 2, 65536, 4, 3, 100, $none), file(1, 1),
	MkLog::def(17, pack 'Q6', 2, 4096, 1, $none, 0, 100) ],
	"$new, 1 bytes when it was opened, blocks of 1 bytes; from offset 0 stripes of 4096 bytes on 1 targets" .
	"; from offset 100 stripes of 65536 bytes on 4 targets from number 3\n", 'stripes, in any order');
shows([ MkLog::def(17, pack 'Q6', 99, 1, 1, 1, 1, 1) ], '', 'stripes of nothing');
shows([ MkLog::def(17, pack 'Q5', 2, 1, 1, 1, 1) ], '', 'stripes cut short', 1);
shows([ MkLog::def(17, pack 'Q6', 0, 1, 1, 1, 1, 1) ], '', 'of no path', 1);
{
	my ($out, $err, $status) = cat('--about', log_of(file(1, 1), map { MkLog::def(17, pack 'Q6', 2, 1, 1, 1, $_ * 7919 % 4001, 1) } 1 .. 4000));
	is($status . $err, '0', 'very many stripes');
	like($out, qr/stripes of/, 'are there');
}

# what threads used: $tid is MkLog's
my ($tid) = (cat('--format=json', log_of()))[0] =~ /"tid":(\d+)/;
sub used { return MkLog::def(18, pack 'Q*', @_); }
for ([ [ used(100, 1 .. 8) ], [ (0) x 8 ], 'one moment' ],
	[ [ used(100, 1 .. 8), used(200, 11, 22, 33, 44, 55, 66, 77, 88) ], [ 10, 20, 30, 40, 50, 60, 70, 80 ], 'between two' ],
	[ [ used(200, 11, 22, 33, 44, 55, 66, 77, 88), used(100, 1 .. 8), used(150, ($none) x 8) ],
		[ 10, 20, 30, 40, 50, 60, 70, 80 ], 'in any order' ],
	[ [ used(100, ($none) x 8), used(200, (0) x 8) ], [ (0) x 8 ], 'that run backwards' ],
	[ [ used(100, (0) x 8), used(200, ($none) x 8) ], undef, 'of any size' ]) {
	my ($defs, $want, $what) = @$_;
	my ($out, $err, $status) = cat('--about', '--format=json', log_of(@$defs));
	is($status . $err, '0', "$what: no complaint");
	my ($line) = $out =~ /(\{"about":"thread".*\})/;
	ok($line, "$what: is there") or next;
	my @keys = qw(user system minor major in out voluntary involuntary);
	is($line =~ s/.*"tid":$tid,//r, join(',', map { sprintf '"%s":%u', $keys[$_], $want->[$_] * ($_ < 2 ? 1000 : 1) } 0 .. 7) . '}', $what) if $want;
}
{
	my ($out, $err, $status) = cat('--about', '--format=json', log_of(used(1, 2, 3)));
	is("$status$err", '0', 'what is cut short is nothing');
	unlike($out, qr/thread/, 'so that no thread is there');
	($out, $err, $status) = cat('--about', '--format=csv', log_of());
	is($status, 2, 'not as csv');
	($out, $err, $status) = cat('--about', '-f', log_of());
	is($status, 2, 'nor followed');
}
done_testing;
