#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Logs that are not what they should be: one clear line, what is sound is
# printed, and the exit status says so.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use MkLog;
use CatTest;

my @defs = (MkLog::path(1, '/data/in'), MkLog::handle(1, 3, 1));
my $l = MkLog->new;
sub rd { my ($start, %r) = @_; return $l->compact('read', handle => 1, start => $start, size => 1, %r); }

# lines printed, status, what stderr says
sub expect
{
	my ($what, $image, $lines, $want_status, $says, $more) = (@_, '');
	my $file = spew("$dir/x.iotrace", $image);
	my ($out, $err, $status) = cat($file);
	is(scalar(my @l = split /\n/, $out), $lines, "$what: what is sound is printed");
	is($status, $want_status, "$what: status");
	like($err, qr/\Aiotrace-cat: \Q$file\E: [^\n]*$says[^\n]*\n(?:$more)\z/, "$what: one line");
}

my $two = MkLog->new->block(seq => 0, records => [ @defs, rd(10) ])
	->block(seq => 1, base => 1000, window => 1, records => [ rd(1010) ]);
my $image = $two->image;
my $text_end = unpack 'Q', substr $image, 32, 8;

expect('empty', '', 0, 0, 'holds no calls');
# as it looks until its header is complete, for which the recorder makes room first
expect('without a header', "\0" x 8192, 0, 0, 'holds no calls');
expect('without its magic', "\0" x 8 . substr($image, 8, $text_end - 8) . "\0" x 4096, 0, 0, 'holds no calls');
# and as no log that was only begun looks
expect('a large file of zeros', "\0" x (2 << 20), 0, 1, 'has zeros where a log begins');
expect('calls without a header', "\0" x $text_end . substr($image, $text_end), 0, 1, 'has zeros where a log begins');
expect('calls without the magic', "\0" x 8 . substr($image, 8), 0, 1, 'has zeros where a log begins');
expect('text', "hello\n" x 1000, 0, 1, 'is no iotrace log');
expect('an ELF file', slurp($cat), 0, 1, 'is no iotrace log');
expect('a database that is damaged', "SQLite format 3\0" . "\0" x 4096, 0, 2, 'file is not a database');
expect('cut within the header', substr($image, 0, 50), 0, 1, 'cut short');
expect('other byte order', do { my $i = $image; substr($i, 8, 8) = reverse substr $i, 8, 8; $i }, 0, 1, 'byte order');
expect('another version', do { my $i = $image; substr($i, 16, 4) = pack 'L', 9; $i }, 0, 1, 'version 9');
expect('cut between blocks', substr($image, 0, $text_end + 4096), 1, 1, 'cut short: \d+ bytes of \d+');
expect('cut within a block', do { my $n = length $image; $n -= 4096; substr $image, 0, $n + 1100 }, 1, 1, 'cut short', '[^\n]*cut short[^\n]*\n');
expect('cut behind what is used', substr($image, 0, -100), 2, 1, 'cut short');
{
	my $l2 = MkLog->new->block(seq => 1, base => 1000, window => 1, records => [ rd(1010) ])
		->block(seq => 0, records => [ @defs, rd(10) ]);
	my $whole = $l2->image;
	my ($used) = unpack 'L', substr $whole, $text_end + 4096 + 8, 4;
	$whole = substr $whole, 0, $text_end + 4096 + 96 + $used;	# a copy
	my ($out, $err, $status) = cat(spew("$dir/x.iotrace", $whole));
	is("$status$err", '0', 'a last block that is written only as far as it is used');
}
{
	# killed between reserving space for a copy of its window and writing it
	my $killed = MkLog->new->block(window => 1, records => [ @defs, rd(10) ]);
	$killed->{end} = length($killed->image) + 4096;
	my ($out, $err, $status) = cat($killed->save("$dir/x.iotrace"));
	is("$status$err", '0', 'a copy that was never begun');
	$killed->{end} += 1 << 30;
	expect('more missing than that', $killed->image, 1, 1, 'cut short');
}
expect('garbage between blocks', MkLog->new->block(seq => 0, records => [ @defs, rd(10) ])
	->gap('rubbish!' x 512)->block(seq => 1, base => 1000, window => 1, records => [ rd(1010) ])->image, 2, 1, 'no records');
expect('a missing block', MkLog->new->block(seq => 0, records => [ @defs, rd(10) ])
	->block(seq => 2, base => 1000, window => 1, records => [ rd(1010) ])->image, 2, 1, 'lacks the blocks before number 2');
expect('a record of no kind', MkLog->new->block(records => [ @defs, rd(10), MkLog::raw(pack 'QQ', 3 << 10 | 3, 0), rd(20) ])->image,
	1, 1, 'makes no sense');
expect('a record that is longer than its block', MkLog->new->block(records => [ @defs, rd(10),
	MkLog::raw(pack 'Q4', 2 << 10 | 3, 60000 << 32, 0, 0) ])->image, 1, 1, 'makes no sense');
expect('an undefined handle', MkLog->new->block(records => [ @defs, $l->compact('read', handle => 9, start => 1, size => 1) ])->image,
	1, 1, 'does not define');
expect('a brief record that leans on none', MkLog->new->block(records => [ @defs, rd(1), $l->brief('write', handle => 1, start => 2, size => 1), rd(3) ])->image,
	1, 1, 'makes no sense');
for my $like ([ 'none', 'mmap', place => 3 ], [ 'one of a place that there is not', 'mmap', place => 99 ],
	[ "another call's", 'read', place => 2 ], [ 'one that has less to differ in', 'mmap', place => 2, own => { 13 => 1 } ],
	[ 'one whose first argument it has itself', 'mmap', place => 2, own => { 8 => 1 } ]) {
	my ($what, $call, @how) = @$like;
	expect("a record that is like $what", MkLog->new->block(records => [ @defs,
		$l->general('mmap', handle => 1, start => 1, dur => 0, size => 8, ret => 9, args => [ 5, 3, 2 ], model => 3),
		$l->alike($call, handle => 1, start => 2, @how), rd(3) ])->image, 1, 1, 'makes no sense');
}
expect('an unknown call', MkLog->new->block(records => [ @defs, $l->compact(500, start => 1, size => 1) ])->image,
	1, 1, 'call 500');
expect('a bad definition', MkLog->new->block(records => [ @defs, MkLog::def(2, pack 'Q5', 7, 0, 0, 0, 1 << 63 | 1 << 40), rd(5) ])->image,
	1, 1, 'definition of kind 2');
expect('a bad end', MkLog->new(end => 5)->block(records => [ @defs, rd(5) ])->image, 1, 1, "end of data");
expect('a bad schema', MkLog->new(calls => [ @MkLog::CALLS, 'posix' ])->block(records => [ @defs, rd(5) ])->image, 1, 1, 'call line');
expect('a block that claims more than it has', MkLog->new->block(used => 9000, records => [ @defs, rd(5) ])->image, 1, 1, 'claims 9000',
	'[^\n]*makes no sense[^\n]*\n');

{
	# killed before its first call was recorded: nothing is missing
	my ($out, $err, $status) = cat(MkLog->new(latest => 0)->save("$dir/x.iotrace"));
	is("$out$status$err", '0', 'a log without a call');
}

# An endless hole is no endless loop
my $file = MkLog->new->block(records => [ @defs, rd(10) ])->save("$dir/hole.iotrace");
my $end = 1 << 40;
my $i = slurp($file);
substr($i, 40, 8) = pack 'Q', $end;
spew($file, $i);
SKIP: {
	truncate $file, $end or skip 'no sparse files here', 1;
	my ($out, $err, $status) = cat($file);
	is("$out$err$status", "read(3, ..., 1) = 1 <0.000000100>\n0", 'a terabyte of hole');
}

# Every byte of the layout, broken in turn: no crash, no hang
my $small = MkLog->new(header_size => 128, calls => [ @MkLog::CALLS[0 .. 3] ]);
$small->block(window => 1, records => [ @defs, rd(10), $l->general('open', start => 90, ret => 3, args => [ 1, 0, 0 ]) ],
	      slots => [ [ 0, 'read', 200, 1 ] ]);
my $ok = $small->image;
my $bad = '';
for my $at (0 .. 127, 4096 .. 4096 + 150, 5208 .. 5208 + 60) {
	for my $v ("\xff", "\0", "\x80") {
		my $x = $ok;
		next if $at >= length $x;
		substr($x, $at, 1) = $v;
		my (undef, $err, $status) = cat('-y', spew("$dir/y.iotrace", $x));
		$bad .= "byte $at: status $status\n" if $status > 1;
	}
}
is($bad, '', 'bytes broken one by one');

# files that can't be read are another matter
my ($out, $err, $status) = cat("$dir/none.iotrace");
is("$err$status", "iotrace-cat: $dir/none.iotrace: can't be opened: No such file or directory\n2", 'no such log');
mkdir "$dir/empty";
($out, $err, $status) = cat("$dir/empty");
is("$err$status", "iotrace-cat: $dir/empty: is a directory without logs (*.iotrace); -r looks below it, too\n2", 'no log there');
my $good = MkLog->new->block(records => [ @defs, rd(10) ])->save("$dir/good.iotrace");
($out, $err, $status) = cat("$dir/none.iotrace", $good);
is("$out$status", "read(3, ..., 1) = 1 <0.000000100>\n2", 'the others are printed');
system 'mkfifo', "$dir/fifo.iotrace";
($out, $err, $status) = cat("$dir/fifo.iotrace");
is($status, 2, 'a FIFO does not make it wait');
done_testing;
