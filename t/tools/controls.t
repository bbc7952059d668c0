#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# No character that a terminal obeys reaches it: controls, and those that turn the direction
# of text, in names of files, programs and hosts, in all formats and in messages.  Nor does
# a spreadsheet get a formula.
use strict;
use warnings;
use File::Spec;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use MkLog;
use CatTest;

my @points = (1 .. 0x1f, 0x7f .. 0x9f, 0x61c, 0x200e, 0x200f, 0x2028 .. 0x202e, 0x2066 .. 0x2069);
my $odd = join '', map { my $c = chr $_; utf8::encode($c); "$c." } @points;
my $raw_c1 = "\x9b31m\xff";
my $path = "/d/$odd$raw_c1";
my $file_odd = "/f\x1b[31m\xe2\x80\xae.txt";

# What a terminal obeys in these bytes, besides line ends and tabs, as hex
sub obeyed
{
	my ($bytes) = @_;
	my @found;
	push @found, unpack 'H*', $1 while $bytes =~ /([\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9])/g;
	push @found, "byte " . unpack 'H*', $1 while $bytes =~ /(?<![\x80-\xff])([\x80-\x9f])/g;
	return join ' ', @found;
}
is(scalar(split / /, obeyed($odd)), @points - 2, 'the test sees all of them but tab and line end');

my $l = MkLog->new;
my $log = MkLog->new(keys => [ program => "p$odd", host => "h$odd" ])->block(records => [
	MkLog::path(1, $path), MkLog::handle(1, 3, 1),
	$l->compact('write', handle => 1, start => 1000, size => 8, offset => 0),
	$l->general('open', start => 2000, ret => -1, errno => 2, args => [ \$file_odd, 0, 0 ]) ])
	->save("$dir/x.iotrace");

for my $options (map({ "--format=$_" } qw(text json csv tsv raw)), '-y', '--about', '--about --format=json', '-f') {
	my ($out, $err, $status) = cat(split(/ /, $options), $log);
	is("$status$err", '0', "iotrace-cat $options");
	is(obeyed($out), '', "iotrace-cat $options: nothing that a terminal obeys");
}
$cat = File::Spec->rel2abs($cat);
my $stat = $cat =~ s/cat$/stat/r;
for my $format ('text --by=call,file,process,site', 'json', 'csv --by=file', 'csv --by=process') {
	is(obeyed(scalar `'$stat' --format=$format '$log'`), '', "iotrace-stat --format=$format: nothing that a terminal obeys");
}

# and all of it comes back
sub from_octal { return $_[0] =~ s/\\([0-3][0-7]{2})/chr oct $1/ger }
my $json = (split /\n/, (cat('--format=json', $log))[0])[0];
$json =~ s/\\udc([89a-f][0-9a-f])/<$1>/g;
my $read = JSON::PP->new->utf8->decode($json)->{path};
utf8::encode($read);
is($read =~ s/<([0-9a-f]{2})>/chr hex $1/ger, $path, 'JSON: the bytes');
sub cells { my @c; my $s = $_[0]; push @c, defined $1 ? $1 =~ s/""/"/gr : $2 while $s =~ /\G(?:"((?:[^"]|"")*)"|([^,\n]*))[,\n]/g; return @c }
my $csv = (cat('--format=csv', $log))[0];
is(from_octal((cells(substr $csv, 1 + index $csv, "\n"))[13]), $path, 'csv: the bytes');

# messages about files by such names
my $name = "$dir/m\x1b]0;t\x07\r\n\xe2\x80\xaex\xc2\x9b.iotrace";
my $shown = "m\\033]0;t\\007\\015\\012\\342\\200\\256x\\302\\233.iotrace";
for my $what ('missing', 'no log') {
	spew($name, "text") if $what eq 'no log';
	for my $tool ($cat, $stat, map { $cat =~ s/cat$/$_/r } 'pack', 'audit') {
		my $err = do { open my $e, '-|', 'sh', '-c', 'exec "$0" "$1" 2>&1', $tool, $name or die; local $/; <$e> };
		is(obeyed($err), '', "$tool: $what: nothing that a terminal obeys");
		like($err, qr/\A[a-z-]+: [^\n]*\Q$shown\E: [^\n]*\n\z/, 'in one line');
	}
}
my (undef, $err) = cat('-e', "\x1b[31m", $log);
is($err, "iotrace-cat: -e: '\\033[31m' is no call, system call or family of calls; see iotrace-calls(7)\n", 'what the user wrote, too');
rename $log, $name or die;
my $pack = $cat =~ s/cat$/pack/r;
SKIP: {
	skip 'iotrace-pack was built without zstd', 2 if `nm -D '$pack'` !~ /ZSTD_createCCtx/;
	system $pack, '-k', $name;
	my $listed = `cd '$dir' && '$pack' -l .`;
	like($listed, qr/packed.*\n.*m\\033\]0;t/, 'iotrace-pack --list: the name');
	is(obeyed($listed), '', 'iotrace-pack --list: nothing that a terminal obeys');
}

# what looks like an option, and is a file's name
for my $tool (qw(cat stat pack audit export report ctl run warm)) {
	for my $option ("--\x1b[31m", "--\xe2\x80\xae=x", "-\x1b") {
		my $said = qx{'${\ ($cat =~ s/cat$/$tool/r)}' '$option' 2>&1};
		like($said, qr/^iotrace-$tool: '.*' is no option/, "iotrace-$tool refuses " . unpack('H*', $option));
		is(obeyed($said), '', 'and prints nothing that a terminal obeys');
	}
}
is(qx{'${\ ($cat =~ s/cat$/run/r)}' -o '$dir' printf %s '--\x1b'}, "--\x1b", 'iotrace-run: a program may be given it');

# formulas
my @formulas = ('=cmd|x', '+1', '-1', '@SUM(1)', "\tx", "\rx", '=a,b', '=HYPERLINK("x")');
for my $f (@formulas) {
	my $file = MkLog->new(keys => [ program => $f ])->block(records => [
		$l->general('open', start => 0, ret => -1, errno => 2, args => [ \$f, 0, 0 ]) ])->save("$dir/f.iotrace");
	my $out = (cat('--format=csv', $file))[0];
	my @cells = cells(substr $out, 1 + index $out, "\n");
	is(from_octal($cells[13]), "'$f", 'csv: ' . unpack('H*', $f) . ' is no formula');
	is(from_octal($cells[6]), "'$f", 'nor as a program');
	is($cells[16], -1, 'and a number is one');
	my $sums = `'$stat' --format=csv --by=process '$file'`;
	is(from_octal((cells(substr $sums, 1 + index $sums, "\n"))[0]), "'$f", 'iotrace-stat: the same');
}
# a backslash and digits that stand there for themselves
my $digits = '/a\\101\\9\\b';
my $file = MkLog->new->block(records => [
	$l->general('open', start => 0, ret => -1, errno => 2, args => [ \$digits, 0, 0 ]) ])->save("$dir/f.iotrace");
my $out = (cat('--format=csv', $file))[0];
is((cells(substr $out, 1 + index $out, "\n"))[13], '/a\\134101\\9\\b', 'csv: a backslash before digits');
done_testing;
