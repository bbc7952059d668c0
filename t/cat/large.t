#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Large logs: memory does not grow with them; output that nobody takes.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use MkLog;
use CatTest;

my @defs = (MkLog::path(1, '/data/in'), MkLog::handle(1, 3, 1));
my $l = MkLog->new;
my $per_block = 2600;
# the records of a block are the same in each: they count from its base
my $records = join '', map { $l->compact('read', handle => 1, start => $_ * 10, dur => 5, size => 1)->(0) } 1 .. $per_block;

sub big
{
	my ($blocks, $streams) = @_;
	my $log = MkLog->new(latest => 10 ** 10);
	for my $s (1 .. $streams) {
		$log->block(stream => $s, tid => 100 + $s, seq => 0, base => 0, records => [ @defs ]);
		for my $b (1 .. $blocks) {
			$log->block(stream => $s, tid => 100 + $s, seq => $b, base => $b * $per_block * 10 + $s,
				    records => [ MkLog::raw($records) ]);
		}
	}
	return $log->save("$dir/big.iotrace");
}
# peak resident kB
sub peak
{
	my ($file) = @_;
	my $pid = fork // die;
	if (!$pid) {
		open STDOUT, '>', "$dir/big.out" or die;
		exec $cat, '--format=json', $file or die;
	}
	waitpid $pid, 0;
	return $?;
}
my $file = big(120, 2);
is(peak($file), 0, 'a log of 624,000 calls');
chomp(my $lines = `wc -l < '$dir/big.out'`);
is($lines + 0, 120 * 2 * $per_block, 'all calls are printed');
my $sorted = 1;
my $last = 0;
open my $f, '<', "$dir/big.out" or die;
while (<$f>) {
	my ($start) = /^{"start":(\d+)/;
	$sorted = 0 if $start < $last;
	$last = $start;
}
ok($sorted, 'by start');

# As much address space as a log of a tenth of the size needs, and a little more
sub lives { my ($kb, $file) = @_; return system("ulimit -v $kb; exec '$cat' --format=raw '$file' >/dev/null 2>'$dir/err'") == 0; }
my $small = big(12, 2);
my ($lo, $hi) = (4000, 400000);
while ($hi - $lo > 500) {
	my $mid = int(($lo + $hi) / 2);
	lives($mid, $small) ? ($hi = $mid) : ($lo = $mid);
}
note("a log of 62,400 calls needs $hi kB of address space");
ok(lives($hi + 1024, big(120, 2)), 'ten times the log, no more memory') or diag(slurp("$dir/err"));

# a reader that goes away
for my $ignore (0, 1) {
	my $sh = $ignore ? "trap '' PIPE; " : '';
	my $got = `{ sh -c "$sh exec '$cat' '$file'" 2>'$dir/err'; } | head -n 1`;
	like($got, qr/^100\/10[12] read\(3/, 'head -1');
	is(slurp("$dir/err"), '', $ignore ? 'EPIPE: quiet' : 'SIGPIPE: quiet');
}
SKIP: {
	skip 'no /dev/full', 2 if !-c '/dev/full';
	my $status = system "'$cat' '$file' >/dev/full 2>'$dir/err'";
	is($status >> 8, 2, 'a full disk: status');
	is(slurp("$dir/err"), "iotrace-cat: can't write to standard output: No space left on device\n", 'a full disk: one line');
}
my $status = system "'$cat' '$file' >&- 2>'$dir/err'";
is($status >> 8, 2, 'a closed stdout: status');
like(slurp("$dir/err"), qr/\Aiotrace-cat: can't write to standard output: [^\n]*\n\z/, 'a closed stdout: one line');

# A log that shrinks while it is read
$file = big(60, 1);
pipe my $r, my $w or die;
my $pid = fork // die;
if (!$pid) {
	close $r;
	open STDOUT, '>&', $w or die;
	open STDERR, '>', "$dir/err" or die;
	exec $cat, $file or die;
}
close $w;
my $first = <$r>;
truncate $file, 20000 or die;
my $n = 1;
$n++ while <$r>;
waitpid $pid, 0;
ok($? >> 8 <= 1 && !($? & 127), 'a log that shrinks meanwhile') or diag("status $?");
cmp_ok($n, '<', 60 * $per_block, "prints what it had read ($n calls)");
done_testing;
