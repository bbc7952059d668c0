#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Logs in any state are packed and come back the same; packed logs in any state
# give what is sound, and nothing that was not in the log.
use strict;
use warnings;
no warnings "portable";
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use MkLog;
use CatTest;

my $pack = ($ENV{top_builddir} // '.') . '/tools/iotrace-pack';
plan skip_all => 'iotrace-pack was built without zstd' if `nm -D '$pack'` !~ /ZSTD_createCCtx/;
my @defs = (MkLog::path(1, '/data/in'), MkLog::handle(1, 3, 1), MkLog::handle(2, 4, \'/data/out'));
srand 3;

# (stderr, status)
sub tool
{
	my $pid = fork // die;
	if (!$pid) {
		open STDOUT, '>', "$dir/.tool" or die;
		open STDERR, '>', "$dir/.tool.err" or die;
		alarm 600;
		exec $pack, @_ or die "$pack: $!";
	}
	waitpid $pid, 0;
	return (slurp("$dir/.tool.err"), $? & 127 ? 128 + ($? & 127) : $? >> 8);
}

# --- logs of every kind, whole and broken
sub broken
{
	my ($image, $n) = @_;
	my $x = $n % 4 ? $image : substr $image, 0, 8 + int rand(length($image) - 8);
	substr($x, 8 + int(rand(length($x) - 8)), 1 + int rand 4) = pack 'L', rand 2 ** 32 for 1 .. $n % 5;
	return $x;
}
my @random = map { [ pack('Q*', map { int rand 2 ** 52 } 1 .. 1 + rand 9), 9 ] } 1 .. 2000;
my $l = MkLog->new;
my @many = map { $l->general('open', handle => $_ & 0xffff, start => $_ * 10, ret => $_, args => [ \"name-$_", $_ % 7, 0644 ]) } 1 .. 3000;
my @tags = map { MkLog::raw(pack 'Q3', (1 + $_ % 1000) | ($_ % 8) << 13 | $_ << 16 | $_ << 33, $_, $_ << 40) } 1 .. 9000;
my %image = map { s{.*/}{}r => slurp($_) } glob "$FindBin::Bin/../fuzz/corpus/*";
$image{random} = MkLog->new->block(records => [ @defs, @random ])->image;
$image{many} = MkLog->new->block(records => [ @defs, @many ])->image;
$image{tags} = MkLog->new->block(records => [ @tags ])->block(seq => 1, records => [ reverse @tags ])->image;
$image{old} = do {	# a window with old records behind those in use
	my $w = MkLog->new->block(window => 1, used => 1000, records => [ @defs, @many[0 .. 900] ]);
	$w->image;
};
$image{odd} = $image{many} . 'x' x 5;
$image{short} = substr $image{forms}, 0, 8;
mkdir "$dir/$_" for 'logs', 'work';
my %kept;
for my $name (keys %image) {
	my $n = 0;
	for my $x ($image{$name}, map { broken($image{$name}, $_) } 1 .. 12) {
		next if substr($x, 0, 8) ne "IOTRACE\n";
		$kept{"$name-" . $n} = $x;
		spew("$dir/work/$name-" . $n++ . '.iotrace', $x);
	}
}
cmp_ok(scalar keys %kept, '>', 150, 'there are logs');
is(join(' ', tool("$dir/work")), ' 0', 'all are packed');
is(scalar(my @p = glob "$dir/work/*.packed.iotrace"), scalar keys %kept, 'each for itself');
my (@differ, @differ_by_file);
sub differ
{
	my ($name, @options) = @_;
	my @plain = cat(@options, spew("$dir/logs/x.iotrace", $kept{$name}));
	my @packed = cat(@options, "$dir/work/$name.packed.iotrace");
	s{\Q$dir\E/\w+/[^:]*}{LOG}g for $plain[1], $packed[1];
	return "@plain" ne "@packed" if !grep { $_ eq '-P' } @options;
	return $plain[0] ne $packed[0];	# what is wrong with blocks that are not read is not said
}
for my $name (sort keys %kept) {
	push @differ, $name if differ($name, '-y');
	push @differ_by_file, $name if $name =~ /-0\z|[05]\z/ && differ($name, '-y', '-P', 'out|e-1|[ab]');
}
is("@differ", '', 'they read the same, with the same complaints');
is("@differ_by_file", '', 'and have the same calls of some files');
is(join(' ', tool('-d', "$dir/work")), ' 0', 'all are unpacked');
is(join(' ', grep { slurp("$dir/work/$_.iotrace") ne $kept{$_} } sort keys %kept), '', 'they are the same, byte by byte');

# --- a packed log that was damaged
my $log = MkLog->new(latest => 10 ** 9);
for my $b (0 .. 7) {
	$log->block(seq => $b, base => $b * 40000, window => $b == 7, records => [ $b ? () : @defs,
		map { $l->compact($_ % 3 ? 'read' : 'write', handle => 1 + $_ % 2, start => $b * 40000 + $_ * 10,
			dur => rand 9, size => 100 + rand 1000, offset => rand 2 ** 30) } 1 .. 2600 ]);
}
my $plain = $log->save("$dir/x.iotrace");
my ($all) = cat('--offsets', '-t', $plain);
my %is_call = map { $_ => 1 } split /\n/, $all;
is(join(' ', tool('-k', $plain)), ' 0', 'a log of several chunks is packed');
my $packed = slurp("$dir/x.packed.iotrace");
cmp_ok(length $packed, '<', length(slurp($plain)) / 2, 'and is smaller');
my $n_chunks = () = $packed =~ /\x1f\xad\x50\x43/g;
cmp_ok($n_chunks, '>', 3, 'there are chunks');

# sound FILE: (number of calls, whether all of them are the log's, what was said, status)
sub sound
{
	my ($out, $err, $status) = cat('--offsets', '-t', $_[0]);
	my @lines = split /\n/, $out;
	return (scalar @lines, !grep({ !$is_call{$_} } @lines), $err, $status);
}
my ($last, $bad) = (0, '');
for my $i (1 .. 60) {
	my $n = int(length($packed) * $i / 61);
	my ($calls, $true, $err, $status) = sound(spew("$dir/y.iotrace", substr $packed, 0, $n));
	$bad .= "at $n: $calls calls, status $status: $err" if !$true || $calls < $last || $status != 1 || $err !~ /cut short/;
	$last = $calls;
}
is($bad, '', 'cut short anywhere: the calls before it, and a word');
cmp_ok($last, '>', 15000, 'which are many');
($last, $bad) = (0, '');
for my $i (1 .. 150) {
	my $x = $packed;
	my $at = int rand length $x;
	substr($x, $at, 1) ^= chr(1 << int rand 8);
	my ($calls, $true, $err, $status) = sound(spew("$dir/y.iotrace", $x));
	# zstd has bits that mean nothing, such as those reserved: then all is as it was
	my $same = $calls == keys %is_call && $status == 0 && !$err;
	$bad .= "at $at: $calls calls, status $status: $err" if !$true || !$same && ($status != 1 || !$err);
	$last += $calls;
}
is($bad, '', 'a bit is wrong: it is noticed, and no call is wrong');
cmp_ok($last / 150, '>', 10000, 'most calls are there');
my ($err, $status) = tool('-d', $dir . '/y.iotrace', '-o', "$dir/z");
is($status, 1, 'a damaged one is not unpacked');
like($err, qr/y.iotrace: is kept, since it is damaged\n\z/, 'which is said');
ok(!-e "$dir/z", 'nothing is written');

# --- one that lies, with checksums that are right
sub check
{
	my ($x, $at) = @_;
	my $sum = 2166136261;
	$sum = (($sum ^ $_) * 16777619) & 0xffffffff for unpack 'C*', substr $x, $at + 8, 24;
	substr($x, $at + 4, 4) = pack 'L', $sum;
	return $x;
}
my $end = length($packed) - 32;
sub lie
{
	my ($what, $at, $offset, $bytes, $says) = @_;
	my $x = $packed;
	substr($x, $at + $offset, length $bytes) = $bytes;
	my ($calls, $true, $said, $status) = sound(spew("$dir/y.packed.iotrace", check($x, $at)));
	like("$status $said", qr/^[01] .*$says/s, "$what: said");
	ok($true, "$what: no call is wrong");
	unlink "$dir/y.iotrace";
	my (undef, $tool) = tool('-d', "$dir/y.packed.iotrace");
	cmp_ok($tool, '<=', 2, "$what: unpacking comes to an end");
	unlink glob "$dir/y.*";
}
is(check($packed, $end), $packed, 'the checksum is known here');
my $second = index $packed, "\x1f\xad\x50\x43", 30;
lie('a log of a petabyte', $end, 8, pack('Q', 1 << 50), '');
lie('a log of all that there is', $end, 8, pack('Q', ~0), '');
lie('a chunk far away', $second, 8, pack('Q', 1 << 40), 'chunk');
lie('a chunk without bytes', $second, 16, pack('L', 0), 'no chunk');
lie('a chunk of 4 GB', $second, 16, pack('L', ~0), 'no chunk');
lie('headers of 4 GB', $second, 20, pack('L', ~0), 'no chunk');
lie('a body of 4 GB', $second, 24, pack('L', ~0), 'no chunk');
lie('columns of 4 GB', $second, 28, pack('L', ~0), 'no chunk');
lie('columns of 1 byte', $second, 28, pack('L', 1), 'damaged');
my $files = index $packed, "\x1f\xad\x50\x46";
cmp_ok($files, '>', $second, 'it says which files blocks name');
lie('files of no block', $files, 16, pack('L', 0), 'no chunk');
lie('files of 4 GB', $files, 28, pack('L', ~0), 'no chunk');
lie('files of more blocks than there are', $files, 16, pack('L', 77), 'which files its blocks name.*damaged');
lie('other numbers of chunks', $end, 24, pack('Q', 1000), 'of 1000 chunks');

# --- another's
for (['byte order', 8, scalar reverse(pack 'Q', 0x0102030405060708), 'other byte order'],
	['version', 16, pack('L', 7), 'version 7']) {
	my ($what, $at, $bytes, $says) = @$_;
	my $x = $packed;
	substr($x, $at, length $bytes) = $bytes;
	my ($out, $said, $status) = cat(spew("$dir/y.iotrace", $x));
	is("$out$status", 1, "another $what: status");
	like($said, qr/\A[^\n]*$says[^\n]*\n\z/, 'one line');
}

# --- as much address space as a log of a tenth of the size needs, and chunks
my $records = join '', map { $l->compact('read', handle => 1, start => $_ * 10, size => 1)->(0) } 1 .. 2600;
sub large
{
	my ($blocks) = @_;
	my $log = MkLog->new(latest => 10 ** 10)->block(records => [ @defs ]);
	$log->block(seq => $_, base => $_ * 30000, records => [ MkLog::raw($records) ]) for 1 .. $blocks;
	$log->save("$dir/large-$blocks.iotrace");
	tool("$dir/large-$blocks.iotrace");
	return "$dir/large-$blocks.packed.iotrace";
}
sub lives { my ($kb, $file) = @_; return system("ulimit -v $kb; exec '$cat' --format=raw '$file' >/dev/null 2>&1") == 0; }
my ($small, $large) = (large(24), large(240));
my ($lo, $hi) = (4000, 400000);
while ($hi - $lo > 500) {
	my $mid = int(($lo + $hi) / 2);
	lives($mid, $small) ? ($hi = $mid) : ($lo = $mid);
}
note("a log of 62,400 calls needs $hi kB of address space");
ok(lives($hi + 9 * 1024, $large), 'ten times the log, 8 MB more') or diag((cat($large))[1]);
done_testing;
