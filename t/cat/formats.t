#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Formats: each that --help names prints all calls, the other messages name the same, and
# what a format can't show is refused.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use MkLog;
use CatTest;

my $l = MkLog->new;
my $file = MkLog->new->block(records => [ MkLog::path(1, '/data/in'), MkLog::handle(1, 3, 1),
	map { $l->compact('pwrite', handle => 1, start => 1000 * $_, size => 8, offset => 0) } 1 .. 7 ])
	->save("$dir/x.iotrace");

my ($help) = cat('--help');
$help =~ s/\s+/ /g;
my ($list) = $help =~ /--format=FORMAT (.*?) (?=-)/;
my @formats = grep { $_ ne 'or' } split /[ ,]+/, $list =~ s/\(the default\)//r;
cmp_ok(scalar @formats, '>=', 4, "--help names formats: @formats");
for my $format (@formats) {
	my ($out, $err, $status) = cat("--format=$format", $file);
	is("$status$err", '0', "$format: all is well");
	is((scalar grep { /^(?!#).*pwrite/ } split /\n/, $out), 7, "$format: all calls");
	($out, $err, $status) = cat('-f', "--format=$format", $file);
	is((scalar grep { /^(?!#).*pwrite/ } split /\n/, $out), 7, "$format: and with -f");
}

# tsv: the fields of raw, which come back as the bytes that they were
my $odd = "/a\tb\nc\rd\\n\\e\x01f\xff\xc3\xa4!\"";
my $odd_file = MkLog->new(keys => [ program => "p\tq" ])->block(records => [
	$l->general('open', start => 0, ret => -1, errno => 2, args => [ \$odd, 0, 0 ]) ])->save("$dir/odd.iotrace");
my %unescaped = (t => "\t", n => "\n", r => "\r", '\\' => '\\');
my @tsv = split /\n/, (cat('--format=tsv', $odd_file))[0];
my @raw = grep { !/^#/ } split /\n/, (cat('--format=raw', $odd_file))[0];
is(scalar @tsv, 2, 'tsv: a line of names and a line a call');
my @values = map { s/\\([0-7]{3}|.)/length $1 == 3 ? chr oct $1 : $unescaped{$1}/ger } split /\t/, $tsv[1], -1;
is_deeply(\@values, [ map { s/\\([0-7]{3})/chr oct $1/ger } split /!/, $raw[0], -1 ], 'tsv: the values of raw');
is($values[13], $odd, 'tsv: the path');

my ($out, $err, $status) = cat('--format=xml', $file);
is($status, 2, 'another one is refused');
my $all = join(', ', @formats[0 .. $#formats - 1]) . " and $formats[-1]";
is($err, "iotrace-cat: --format: 'xml' is none of $all\n", 'with the same names');

# which options a format can do nothing about
my %can = ('--stacks' => 'text and json', '--about' => 'text and json', '--relative' => 'text', '--since-start' => 'text');
for my $option (sort keys %can) {
	for my $format (@formats) {
		($out, $err, $status) = cat($option, "--format=$format", $file);
		if (grep { $_ eq $format } split / and /, $can{$option}) {
			is("$status$err", '0', "$option is something for $format");
			next;
		}
		is("$status$out", '2', "$option is nothing for $format");
		is($err, "iotrace-cat: $option: can't be shown as $format; leave it out, or use --format=text " .
			"(formats that can: $can{$option})\n", 'which says so');
	}
}
done_testing;
