#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# The fuzzing corpus, and each of its files cut short and with words broken.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use CatTest;

# replay-pack is there if packed logs are
my ($replay, @others) = grep { -x $_ } glob(($ENV{top_builddir} // '.') . '/t/fuzz/replay{,-pack}');
die "t/fuzz/replay is not built (make check TESTS= builds it)\n" if !$replay;
my @files = glob "$FindBin::Bin/../fuzz/corpus/*";
ok(@files > 5, 'there is a corpus');
srand 1;
for my $file (@files) {
	my $image = slurp($file);
	my @variants = $file;
	for my $n (1 .. 40) {
		my $x = $n % 4 ? $image : substr $image, 0, int rand length $image;
		substr($x, 4 * int(rand(length($x) / 4)), 4) = pack 'L', $n % 3 ? int rand 2 ** 32 : 1 << int rand 32
			for 1 .. 4;
		push @variants, spew("$dir/v$n", $x);
	}
	for my $target ($replay, @others) {
		my $pid = fork // die;
		if (!$pid) {
			open STDOUT, '>', "$dir/out";
			alarm 600;	# a hang is a failure
			exec $target, @variants or die;
		}
		waitpid $pid, 0;
		is($?, 0, $file =~ s{.*/}{}r . ': ' . $target =~ s{.*/}{}r);
		like(slurp("$dir/out"), qr/^1\.\.41$/m, 'all of it was read');
	}
}
done_testing;
