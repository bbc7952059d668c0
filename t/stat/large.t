#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Five million calls: iotrace-stat and iotrace-cat need no more memory for them than
# for sixty thousand.  And many files, each of which has seven kinds of calls, once: what
# iotrace-stat keeps of a file, with what it finds.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use File::Temp qw(tempdir);
use JSON::PP;
use MkLog;

my $build = $ENV{top_builddir} // '.';
my $dir = tempdir(CLEANUP => 1);
my $per_block = 2600;
my $l = MkLog->new;
# the records of a block are the same in each: they count from its base
my $records = join '', map { $l->compact('read', handle => 1, start => $_ * 10, dur => 5, size => 7)->(0) } 1 .. $per_block;

# A log is written block by block: it need not fit into our memory either.
sub make_log
{
	my ($file, $blocks) = @_;
	my $head = MkLog->new(latest => 10 ** 10, end => 4096 * 16 * ($blocks + 100))
		->block(records => [ MkLog::path(1, '/data/in'), MkLog::handle(1, 3, 1) ]);
	open my $f, '>:raw', $file or die "$file: $!";
	print $f $head->image;
	for my $b (1 .. $blocks) {
		my $log = MkLog->new->block(seq => $b, base => $b * $per_block * 10, records => [ MkLog::raw($records) ]);
		print $f $log->{blocks}[0];
	}
	my $end = tell $f;
	# "end" lies behind magic, byte order, four numbers and text_end
	seek $f, 8 + 8 + 16 + 8, 0;
	print $f pack 'Q', $end;
	close $f or die "$file: $!";
	return $file;
}
# A filter that nothing passes is told by the status 1.
sub lives
{
	my ($kb, $command, $file) = @_;
	my $status = system("ulimit -v $kb; exec $command '$file' >'$dir/out' 2>'$dir/err'");
	return $status == ($command =~ /-e none$/ ? 256 : 0);
}

my $small = make_log("$dir/small.iotrace", 24);
my $big = make_log("$dir/big.iotrace", 1925);
my $calls = 1925 * $per_block;
cmp_ok($calls, '>', 5_000_000, "a log of $calls calls");
# The least address space that a command needs for a log, in KB.
sub needs
{
	my ($command, $file) = @_;
	my ($lo, $hi) = (4000, 400000);
	while ($hi - $lo > 500) {
		my $mid = int(($lo + $hi) / 2);
		lives($mid, $command, $file) ? ($hi = $mid) : ($lo = $mid);
	}
	return $hi;
}
for my $command ("'$build/tools/iotrace-stat' --format=json --by=call,file,process,thread,site", "'$build/tools/iotrace-cat' --format=json -e none",
		 "'$build/tools/iotrace-cat' -e none") {
	my $hi = needs($command, $small);
	my $name = $command =~ s{'[^']*/}{}r =~ s{'}{}r;
	note("$name: $hi kB of address space for a small log");
	ok(lives($hi + 1024, $command, $big), "$name: no more memory for the big one") or diag(`cat '$dir/err'`);
}
lives(400000, "'$build/tools/iotrace-stat' --format=json", $big);
open my $in, '<', "$dir/out" or die;
my $r = JSON::PP->new->utf8->decode(join '', <$in>);
is($r->{total}{calls}, $calls, 'all of them are counted');
is($r->{total}{read}, 7 * $calls, 'with their bytes');

# Each block has so many files.
my @kinds = qw(write read pwrite close ftruncate lseek posix_fallocate);
sub of_files
{
	my ($file, $blocks) = @_;
	my $log = MkLog->new(latest => 10 ** 10);
	for my $b (0 .. $blocks - 1) {
		my $at = 10 ** 6 * $b;
		$log->block(seq => $b, base => $at, records => [ map {
			my $id = 100 * $b + $_;
			(MkLog::path($id, "/data/out/file-$id"), MkLog::handle($id, 3, $id),
				map { $log->compact($_, handle => $id, start => $at += 10, dur => 5, size => 7, offset => 0) } @kinds)
		} 1 .. 100 ]);
	}
	$log->save($file);
	return $file;
}
my $stat = "'$build/tools/iotrace-stat'";
my $few = needs($stat, of_files("$dir/few.iotrace", 5));
my $many = of_files("$dir/many.iotrace", 65);
note("iotrace-stat: $few kB of address space for 500 files");
ok(lives($few + 6000 * 2, $stat, $many), '6000 files more take 2 kB each') or diag(`cat '$dir/err'`);
like(`cat '$dir/out'`, qr/^45500 calls/m, 'all of their calls are counted');
done_testing;
