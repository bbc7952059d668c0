#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# page.pl PAGE STAT CALLS [N] - compares a page's data with what iotrace-stat and iotrace-cat
# print as JSON; N: so many calls may be there one by one.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use Page;

my ($page, $stat, $calls, $most) = @ARGV;

my $html = slurp($page);
my $data = data_of($html);
ok(defined $data && $data !~ /</, 'no HTML is in the data');
my $d = decode($data);
my $s = decode(slurp($stat));
my @calls = lines($calls);
my $p = $d->{picture};
my $canonical = JSON::PP->new->canonical;

for my $key (qw(job total calls files processes threads sites findings)) {
	is($canonical->encode([$d->{stat}{$key}]), $canonical->encode([$s->{$key}]), "$key are those of iotrace-stat");
}
is(scalar(() = $html =~ /<script/g), scalar(() = $html =~ m{</script>}g), 'scripts begin as often as they end');
ok($html !~ /(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i, 'nothing is fetched');

# lanes: times of all parts are those of the tables
my %time;
for my $lane (@{$p->{lanes}}) {
	$time{$p->{parts}[$_]} += $lane->{time}[$_] for 0 .. $#{$lane->{time}};
	for my $part (0 .. $#{$lane->{bins}}) {
		my @bins = @{$lane->{bins}[$part]};
		my $sum = 0;

		while (my ($bin, $ns) = splice @bins, 0, 2) {
			die 'a bin has more than its time' if $bin >= $p->{bins} || $ns > 1.001 * $p->{width} + 1;
			$sum += $ns;
		}
		my $off = abs($sum - $lane->{time}[$part]);
		die "bins of part $part: $sum of $lane->{time}[$part]" if $off > 1e-5 * $sum + $p->{bins};
	}
}
ok(1, 'bins add up to the lanes');
is(scalar @{$p->{lanes}}, $s->{job}{threads}, 'a lane for each thread');
is($time{reading} + $time{writing}, $s->{total}{moving}, 'time of reads and writes');
is($time{$_}, $s->{total}{$_}, "time of $_") for qw(metadata syncing waiting);

# bytes
for my $way (qw(read written)) {
	my @bins = @{$p->{$way}};
	my $sum = 0;

	while (my ($bin, $bytes) = splice @bins, 0, 2) { $sum += $bytes }
	is($sum, $s->{total}{$way}, "bytes $way, by time");
	for my $file (@{$p->{files}}) {
		my ($of, @b) = (0, @{$file->{$way}});

		while (my ($bin, $bytes) = splice @b, 0, 2) { $of += $bytes }
		next if $of == $s->{files}[$file->{row}]{$way};
		die "file $file->{row}: $of";
	}
}
ok(1, 'and by file');

# calls
my @columns = qw(start dur lane name file node offset size ret err depth part);
my @drawn;
my ($at, @numbers) = (0, @{$p->{calls}});
while (my @c = splice @numbers, 0, scalar @columns) {
	my %c;

	@c{@columns} = @c;
	$at += $c{start};
	push @drawn, join ' ', $at + $p->{begin}, $c{dur}, $p->{names}[$c{name}], $p->{lanes}[$c{lane}]{tid}, $c{depth},
		$c{offset} < 0 ? '-' : $c{offset};
}
my @wanted;
for my $c (grep { !$_->{inferred} } @calls) {
	my $ended = !defined $c->{status};

	push @wanted, [$ended ? $c->{dur} : 0, join ' ', $c->{start}, $ended ? $c->{dur} : 0, $c->{call}, $c->{tid}, $c->{depth},
		defined $c->{offset} ? $c->{offset} : '-'];
}
is($p->{seen}, scalar @wanted, 'calls that were seen');
@wanted = grep { $_->[0] >= $p->{shortest} } @wanted;
is(scalar @drawn, scalar @wanted, 'calls one by one');
ok(!$most || ($p->{shortest} && @drawn <= $most && @drawn), 'as many as were asked for');
is(join("\n", sort @drawn), join("\n", sort map { $_->[1] } @wanted), 'and these are they');

# what each thread did to each file
my (%of, %by);
my @cells = @{$p->{cells}};
while (my ($lane, $file, @c) = splice @cells, 0, 6) {
	my $row = $p->{files}[$file];
	my $pid = "$p->{lanes}[$lane]{pid} $p->{lanes}[$lane]{tid}";

	$of{$row ? $row->{row} : -1}[$_] += $c[$_] for 0 .. 3;
	$by{$pid}[$_] += $c[$_] for 2 .. 3;
}
for my $i (map { $_->{row} } @{$p->{files}}) {
	my $f = $s->{files}[$i];

	is(join(' ', @{$of{$i}}), join(' ', $f->{calls}, $f->{io} + $f->{waiting}, $f->{read}, $f->{written}), "cells of file $i");
}
for my $t (@{$s->{threads}}) {
	is(join(' ', map { $_ || 0 } @{$by{"$t->{pid} $t->{tid}"}}[2, 3]), "$t->{read} $t->{written}", "cells of thread $t->{tid}")
		if 1 == grep { $_->{tid} == $t->{tid} } @{$s->{threads}};
}

# marks
my $marks = sub { join '|', sort @_ };
is($marks->(map { ($_->[0] + $p->{begin}) . " $p->{lanes}[$_->[1]]{tid} $_->[2]" } @{$p->{marks}}),
	$marks->(map { "$_->{start} $_->{tid} $_->{args}{text}" } grep { $_->{call} eq 'mark' } @calls), 'marks');
is($p->{marks_seen}, scalar @{$p->{marks}}, 'all of them');

# stacks: the tree's calls and bytes are all those that have a stack
my ($n, $bytes) = (0, 0);
for my $node (@{$p->{nodes}}) {
	$n += $node->[4];
	$bytes += $node->[5];
}
is($n, scalar(grep { $_->{stack} && !$_->{inferred} } @calls), 'calls of all stacks');
is($bytes, $s->{total}{read} + $s->{total}{written}, 'bytes of all stacks');

# lines of source: of each function that is there, as its file has them
my ($lines, $other) = (0, 0);
for my $file (keys %{$p->{sources}}) {
	open my $f, '<', $file or next;
	my @text = <$f>;

	for my $n (keys %{$p->{sources}{$file}}) {
		my ($is) = $text[$n - 1] =~ /^\s*(.*?)\s*$/;
		$file =~ /\/program\.c$/ ? $lines++ : 0;
		$other++ if $is ne $p->{sources}{$file}{$n};
	}
}
my %at = map { ("$_->[3]", 1) } grep { defined $_->[2] && $_->[2] =~ m{/program\.c$} && $_->[3] } @{$p->{nodes}};
is($lines, scalar keys %at, 'each line of the program that made calls has its source');
is($other, 0, 'which is what stands there');
print "end\n";
