#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Stacks as logs define them: a tree, in any order and over several blocks, or one by one as
# they used to be; and what is none of these.
use strict;
use warnings;
no warnings 'portable';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use MkLog;
use CatTest;

my $l = MkLog->new;
my @defs = (MkLog::path(1, '/data/in'), MkLog::handle(1, 3, 1));
sub rd { my ($stack) = @_; return $l->compact('read', handle => 1, start => 1000 + 10 * $stack, size => 1, stack => $stack); }

# the return addresses of each call, as text and as JSON
sub stacks
{
	my ($what, $log, $want, $says, $want_status) = (@_, '', 0);
	my $file = $log->save("$dir/x.iotrace");
	my ($out, $err, $status) = cat('-k', $file);
	my @got = map { join ' ', /> (?:\? )?\[0x([0-9a-f]+)\]/g } $out =~ /^[\d\/ ]*read[^\n]*\n((?: [^\n]*\n)*)/gm;
	is_deeply(\@got, $want, "$what: the stacks") or diag $out;
	like($err, $says ? qr/\Aiotrace-cat: \Q$file\E: [^\n]*$says[^\n]*\n\z/ : qr/\A\z/, "$what: what is said");
	is($status, $want_status, "$what: status");
	my @json = map { join ' ', map { sprintf '%x', $_->{pc} } @{ $_->{stack} // [] } } @{ cat_json('-k', $file) };
	is_deeply(\@json, $want, "$what: as JSON");
	return;
}

my @tree = (MkLog::frames(1, 0, [ 0x10, 0x20, 0x30 ]), MkLog::frames(4, 2, [ 0x5, 0x7fffffff0000 ]),
	MkLog::frames(6, 5, [ 0x7fffffff0000, 0x1, 0x2 ], one_id => 1), MkLog::frames(7, 6, [ 0x40 ]));
my @want = ('10', '20 10', '30 20 10', '5 20 10', '7fffffff0000 5 20 10', '2 1 7fffffff0000 7fffffff0000 5 20 10',
	'40 2 1 7fffffff0000 7fffffff0000 5 20 10');
stacks('a tree', MkLog->new->block(records => [ @defs, @tree, map { rd($_) } 1 .. 7 ]), \@want);
stacks('behind its uses, backwards', MkLog->new->block(records => [ @defs, (map { rd($_) } 1 .. 7), reverse @tree ]), \@want);
stacks('in another stream', MkLog->new->block(stream => 1, records => [ @defs, map { rd($_) } 1 .. 7 ])
	->block(stream => 2, records => [ @tree[2, 3, 0] ])->block(stream => 3, tid => 7, records => [ $tree[1] ]), \@want);
stacks('twice', MkLog->new->block(records => [ @defs, @tree, @tree, map { rd($_) } 1 .. 7 ]), \@want);
stacks('one by one', MkLog->new->block(records => [ @defs, MkLog::stack(1, 0x30, 0x20, 0x10), MkLog::stack(9, 7), map { rd($_) } 1, 9 ]),
	[ '30 20 10', '7' ]);
my $max = ~0;
stacks('any address', MkLog->new->block(records => [ @defs, MkLog::frames(1, 0, [ 1 << 63, 1, 1 << 46 ]), rd(3) ]),
	[ '400000000000 1 8000000000000000' ]);

# --- what leads nowhere
stacks('a caller that is not there', MkLog->new->block(records => [ @defs, @tree[0, 2, 3], map { rd($_) } 3, 7 ]),
	[ '30 20 10', '40 2 1 7fffffff0000' ], 'does not define', 1);
stacks('a stack that is not there', MkLog->new->block(records => [ @defs, $tree[0], map { rd($_) } 3, 9 ]),
	[ '30 20 10', '' ], 'does not define', 1);
stacks('where blocks were lost', MkLog->new->block(records => [ @defs, $tree[0] ])->block(seq => 2, flags => 8, base => 500, lost => 7,
	records => [ @tree[2, 3], map { rd($_) } 3, 7 ]), [ '30 20 10', '40 2 1 7fffffff0000' ],
	'7 calls were not recorded[^\n]*\n[^\n]*does not define', 0);
stacks('only the last has an id', MkLog->new->block(records => [ @defs, MkLog::frames(1, 0, [ 1, 2, 3 ], one_id => 1), map { rd($_) } 1, 2 ]),
	[ '3 2 1', '' ], 'does not define', 1);
for (['its own caller', MkLog::frames(2, 2, [ 0x10 ])], ['a later caller', MkLog::frames(2, 3, [ 0x10 ])],
	['no frame', MkLog::frames(2, 0, [])], ['no id', MkLog::frames(0, 0, [ 0x10 ])],
	['ids beyond the last', MkLog::frames(0xffffffff, 0, [ 0x10, 0x11 ])],
	['fewer frames than it says', MkLog::frames(2, 0, [ 1 << 40 ], n => 9)], ['no bytes', MkLog::def(20, pack 'LL', 2, 0)],
	['an address without an end', MkLog::def(20, pack('LL', 2, 0) . "\1" . "\xff" x 15)],
	['more frames one by one than there are', MkLog::def(4, pack 'Q3', 2, 2, 0x10)],
	['very many one by one', MkLog::def(4, pack 'Q*', 2, 1000, 1 .. 1000)]) {
	my ($what, $def) = @$_;
	my ($out, $err, $status) = cat(MkLog->new->block(records => [ @defs, $def, rd(0) ])->save("$dir/x.iotrace"));
	is("$status$out", "1read(3, ..., 1) = 1 <0.000000100>\n", "$what: what is sound is printed");
	like($err, qr/\A[^\n]*a definition of kind (?:20|4) makes no sense\n\z/, "$what: one line");
}

# --- on and on, and very many
{
	my @deep = map { MkLog::frames($_, $_ - 1, [ 0x1000 + $_ ]) } 1 .. 5000;
	my $file = MkLog->new->block(room => 400000, records => [ @defs, @deep, map { rd($_) } 5000, 200, 4999 ])->save("$dir/x.iotrace");
	my ($out, $err, $status) = cat('-k', $file);
	like($err, qr/\A[^\n]*more than 255 frames\n[^\n]*more than 255 frames\n\z/, 'a stack without an end');
	is("$status " . (() = $out =~ /> /g), '1 ' . (255 + 200 + 255), 'ends');
}
{
	# more than are kept at a time, each asked for again and again
	my @ids = map { $_ % 3 ? 1 + $_ % 9000 : 1 + $_ * 7 % 9000 } 1 .. 20000;
	my $start = 0;
	my $file = MkLog->new->block(room => 2_000_000, records => [ @defs, (map { MkLog::frames($_, 0, [ map { $_ + 4 } ($_) x 50 ], one_id => 1) } 1 .. 9000),
		map { $l->compact('read', handle => 1, start => $start++, size => 1, stack => $_) } @ids ])->save("$dir/x.iotrace");
	my ($out, $err, $status) = cat('-k', $file);
	my @got = map { my %seen; my @pc = grep { !$seen{$_}++ } /\[0x([0-9a-f]+)\]/g; "@pc" } $out =~ /^[\d\/ ]*read[^\n]*\n((?: [^\n]*\n)*)/gm;
	is("$err$status", '0', 'more than are kept');
	is_deeply(\@got, [ map { sprintf '%x', $_ + 4 } @ids ], 'come back when they are asked for');
	my ($json) = cat('-k', '--format=json', $file);
	my @pc = map { /"stack":\[\{"pc":(\d+)/ ? $1 - 4 : 0 } split /\n/, $json;
	is_deeply(\@pc, \@ids, 'as JSON too');
}
done_testing;
