#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# --by=seek and --by=layout: seeks and ranges of each process and file, and files in the order in
# which they were first read, against what iotrace-cat prints of each call; of random logs, of
# programs, and of parts of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use Lines qw(line);
use MkLog;
use CatTest;

my $stat = $cat =~ s/cat$/stat/r;
my $build = $ENV{top_builddir} // '.';
my ($parts) = grep { -x $_ } "$build/t/stat/parts"
	or die "t/stat/parts is not built (make check TESTS= builds it)\n";
my @numbers = qw(threads reads writes read written seeks back distance unknown ranges);

# What of the calls that iotrace-cat prints is read or written, and where: by process and file,
# [seeks], and [files] as they were first read
sub oracle
{
	my @calls = sort { $a->{start} <=> $b->{start} } map { line($_) } split /\n/, scalar `@_`;
	my (%rows, %tasks, %first, %opened);
	for my $c (@calls) {
		next if ($c->{status} // '') ne '' || ($c->{ret} // 0) <= 0 || !defined $c->{path};
		$opened{ $c->{ret} } //= $c->{path} if $c->{call} eq 'open';
		my @moves;
		push @moves, [ $c->{path}, 0 ] if $c->{call} =~ /^(read|pread|sendfile)$/;
		push @moves, [ $c->{path}, 1 ] if $c->{call} =~ /^p?write$/;
		push @moves, [ $opened{ $c->{args}{out_fd} }, 1 ] if $c->{call} eq 'sendfile';
		if ($c->{call} eq 'mmap') {
			my $f = $first{ $c->{path} } //= { path => $c->{path}, first => $c->{start}, reads => 0, read => 0, mapped => 0 };
			$f->{mapped}++;
		}
		for (@moves) {
			my ($path, $writes) = @$_;
			my $r = $rows{"$path $c->{pid}"} //= { path => $path, pid => $c->{pid}, order => [], map { $_ => 0 } @numbers };
			my $t = $tasks{"$path $c->{pid} $c->{tid}"};
			$r->{threads}++ if !$t;
			$t = $tasks{"$path $c->{pid} $c->{tid}"} //= {};
			$r->{ $writes ? 'writes' : 'reads' }++;
			$r->{ $writes ? 'written' : 'read' } += $c->{ret};
			if (!$writes) {
				my $f = $first{$path} //= { path => $path, first => $c->{start}, reads => 0, read => 0, mapped => 0 };
				$f->{reads}++;
				$f->{read} += $c->{ret};
			}
			if ($c->{call} eq 'sendfile' || !defined $c->{offset}) {
				$r->{unknown}++;
				next;
			}
			my $seeks = defined $t->{at} && $t->{at} != $c->{offset};
			if ($seeks) {
				$r->{seeks}++;
				$r->{back} += $c->{offset} < $t->{at};
				$r->{distance} += abs $c->{offset} - $t->{at};
			}
			if (!defined $t->{at} || $seeks || $t->{writes} != $writes) {
				push @{ $r->{order} }, $t->{range} = [ $c->{offset}, 0, $writes ? 'write' : 'read', $c->{start} ];
				$r->{ranges}++;
			}
			$t->{range}[1] = $t->{at} = $c->{offset} + $c->{ret};
			$t->{writes} = $writes;
		}
	}
	for my $r (values %rows) {
		my @sorted = sort { $a->[3] <=> $b->[3] || $a->[0] <=> $b->[0] || $a->[2] cmp $b->[2] } @{ $r->{order} };
		$r->{order} = [ map { [ @$_[ 0 .. 2 ] ] } @sorted ];
	}
	return ([ map { $rows{$_} } sort keys %rows ], [ sort { $a->{first} <=> $b->{first} || $a->{path} cmp $b->{path} } values %first ]);
}

# The same as iotrace-stat, or another tool, has it
sub told
{
	my $json = decode_json(scalar `@_`);
	my @seeks = map { my $r = $_; +{ map { $_ => $r->{$_} } qw(path pid order), @numbers } } @{ $json->{seeks} };
	return ([ sort { "$a->{path} $a->{pid}" cmp "$b->{path} $b->{pid}" } @seeks ], $json->{layout});
}

# ---- random logs ----

sub random_log
{
	my ($seed) = @_;
	srand $seed;
	my ($at, @logs) = (100);
	for my $me (0 .. 1 + int rand 3) {
		my $l = MkLog->new(shares => 1, pid => 100 + $me, latest => 20e9, keys => [ program => 'p', host => 'node', rank => $me ]);
		for my $thread (0 .. int rand 3) {
			my (@records, %next);
			for (0 .. int rand 40) {
				my $handle = 1 + int rand 3;
				my $size = 1 + int rand 9000;
				my $offset = rand() < 0.5 ? $next{$handle} // 0 : int rand 50000;
				my %r = (handle => $handle, start => $at, dur => 10, size => $size);
				my $call = qw(read write pwrite)[ rand 3 ];
				push @records, rand() < 0.1 ? $l->general('mmap', %r, offset => 0, ret => 4096, args => [ 0, 1, 1 ])
					: rand() < 0.1 ? $l->general($call, %r, offset => $offset, ret => -1, errno => 5)
					: $l->general($call, %r, $call ne 'pwrite' && rand() < 0.1 ? () : (offset => $offset), ret => $size);
				$next{$handle} = $offset + $size;
				$at += 20 + int rand 100;
			}
			$l->block(stream => 1 + $thread, tid => 100 + $me + 1000 * $thread,
				records => [ (map { MkLog::path($_, "/f$_"), MkLog::handle($_, 2 + $_, $_) } 1 .. 3), @records ]);
		}
		push @logs, $l;
	}
	return spew("$dir/job.iotrace", MkLog::job(logs => \@logs));
}

my ($differ, $seeks) = (0, 0);
for my $seed (1 .. ($ENV{TEST_LONG} ? 1000 : 60)) {
	my $file = random_log($seed);
	my ($want, $layout) = oracle("'$cat' --format=json '$file'");
	my ($got, $order) = told("'$stat' --by=seek,layout --format=json '$file'");
	$seeks += $_->{seeks} for @$want;
	my $bad = encode_json([ $got, $order ]) ne encode_json([ $want, $layout ])
		&& !(eq_array($got, $want) && eq_array($order, $layout));
	$differ++ < 3 and is_deeply([ $got, $order ], [ $want, $layout ], "seed $seed") if $bad;
	next if $seed > 20;
	($got, $order) = told("'$parts' 2 '$file'");
	$differ++ if !eq_array($got, $want) || !eq_array($order, $layout);
}
is($differ, 0, 'random logs: seeks, ranges and first reads are those of iotrace-cat, from parts, too');
ok($seeks > 1000, "which have $seeks seeks");

# ---- programs ----

for my $form ('', '-static') {
	my $what = $form || 'dynamic';
	is(system("'$build/compiler-wrappers/iocc' $form -pthread -o '$dir/seek' '$FindBin::Bin/seek.c'"), 0, "$what: it is built");
	spew("$dir/$_", "\1" x (1 << 21)) for qw(one two);
	for my $seed (1 .. 3) {
		mkdir "$dir/logs";
		unlink glob "$dir/logs/*";
		local $ENV{IOTRACE_DIR} = "$dir/logs";
		is(system("$dir/seek", 100 * $seed, map { "$dir/$_" } qw(one two copy)), 0, "$what $seed: it runs");
		my $which = "-P '^$dir/(one|two|copy)\$' '$dir/logs'";
		my ($want, $layout) = oracle("'$cat' --format=json $which");
		my ($got, $order) = told("'$stat' --by=seek,layout --format=json $which");
		is_deeply($got, $want, "$what $seed: seeks and ranges");
		is_deeply($order, $layout, "$what $seed: files by their first read");
		is(join(' ', map { $_->{path} =~ s{.*/}{}r } @$order), 'two one', "$what $seed: in the order of the program");
		is(scalar(grep { $_->{threads} == 2 } @$got), 2, "$what $seed: with two threads each");
	}
	my $text = `'$stat' --by=seek,layout -P '^$dir/two\$' '$dir/logs'`;
	like($text, qr{^\Q$dir\E/two, process \d+, 2 threads\n    \d+ reads of \d+ bytes, \d+ writes of \d+ bytes, \d+ seeks, back \d+ times, on average over \d+ bytes\n(    reads and writes .*\n)?    blocks (read|written) \d+}m, "$what: as text");
	like($text, qr{^  0\.000000 +\d+ +[\d.]+[KM]? +4  \Q$dir\E/two$}m, "$what: the layout, too");
	my @csv = map { [ split /,/ ] } split /\n/, `'$stat' --by=seek --format=csv -P '^$dir/two\$' '$dir/logs'`;
	is(join(',', @{ $csv[0] }), join(',', qw(path host pid rank), @numbers), "$what: csv has the names");
	is(scalar @csv, 3, "$what: and a line for each process");
	is((split /\n/, `'$stat' --by=layout --format=csv -P '^$dir/two\$' '$dir/logs'`)[0], 'path,first,reads,read,mapped', "$what: and for the layout");
}

# ---- ranges as blocks ----

my $l = MkLog->new;
my $at = 0;
$l->block(stream => 1, records => [ MkLog::path(1, '/f'), MkLog::handle(1, 3, 1),
	map { $l->general($_->[0], handle => 1, start => $at += 100, dur => 10, size => $_->[2], offset => $_->[1], ret => $_->[2]) }
		[ 'read', 0, 4096 ], [ 'read', 4096, 28672 ], [ 'read', 81920, 100 ], [ 'read', 82000, 50 ], [ 'write', 4096, 1 ], [ 'read', 40960, 4097 ] ]);
like(scalar `'$stat' --by=seek '@{[ spew("$dir/blocks.iotrace", $l->image) ]}'`,
	qr/^    blocks read 0-7, 20, written 1, read 10-11$/m, 'neighbours are one range of blocks');
is(system("'$stat' --diff --by=seek '$dir/job.iotrace' '$dir/job.iotrace' 2>'$dir/err'") >> 8, 2, '--diff compares no seeks');
like(slurp("$dir/err"), qr/^iotrace-stat: --diff: compares no --by=seek$/, 'which it says');
done_testing;
