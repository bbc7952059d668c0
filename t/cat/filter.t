#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Which calls iotrace-cat prints: -e -P -p -Z -z --from --to, and bad arguments.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use MkLog;
use CatTest;

my $l = MkLog->new;
my $log = MkLog->new->block(stream => 1, records => [
	MkLog::path(1, '/data/in'), MkLog::path(2, '/var/out'), MkLog::handle(1, 3, 1), MkLog::handle(2, 4, 2),
	$l->general('open', start => 1000000000, ret => 3, args => [ 1, 0, 0 ]),
	$l->compact('read', handle => 1, start => 2000000000, size => 1),
	$l->general('write', handle => 2, start => 2500000000, full => 1, size => 1, ret => 1, depth => 1),
	$l->general('fprintf', handle => 2, start => 2400000000, full => 1, dur => 400000000, ret => 1) ]);
$log->block(stream => 2, tid => 101, records => [
	$l->general('open', start => 3000000000, full => 1, ret => -1, errno => 13, args => [ \"/etc/shadow", 0, 0 ]),
	$l->general('rename', start => 3500000000, full => 1, ret => 0, args => [ 1, 2 ]),
	$l->general('exit', start => 4000000000, full => 1, status => 1, args => [ 0 ]) ]);
my $file = $log->save("$dir/x.iotrace");

sub prints
{
	my ($want, @options) = @_;
	my $got = join ' ', map { $_->{call} } @{ cat_json(@options, $file) };
	is($got, $want, "@options");
	my (undef, $err, $status) = cat(@options, $file);
	is("$status$err", $want ? '0' : "1iotrace-cat: no call passes " . ($options[0] eq '-p' ? '--pid' : '--calls') . "\n",
	   "@options: " . ($want ? 'no complaint' : 'says that nothing passes'));
}
prints('open read fprintf write open rename exit');
prints('read', '-e', 'read');
prints('open open', '-e', 'open');
prints('open open', '-e', 'openat');
prints('open read open', '-e', 'trace=open,read');
prints('read fprintf write rename exit', '-e', '!open');
prints('read fprintf write rename exit', '-e', '!open,!socket');
prints('fprintf', '-e', 'stdio');
prints('open read write open rename exit', '-e', '!stdio');
prints('read exit', '-e', 'read', '-e', 'proc');
prints('', '-e', 'socket');	# a call, though not of this program
prints('', '-e', 'none');
prints('open read fprintf write open rename exit', '-e', 'all');
prints('open read rename', '-P', '^/data/');
prints('fprintf write rename', '-P', 'out$');
prints('open read fprintf write open rename', '-P', 'in|out|shadow');
prints('open', '-P', 'shadow');
prints('open rename exit', '-p', '101');
prints('open read fprintf write open rename exit', '-p', '100');
prints('', '-p', '5,6');
prints('open', '-Z');
prints('open read fprintf write rename', '-z');
prints('fprintf write open rename exit', '--from=2.4');
prints('open read', '--to', '2.4');
prints('read fprintf write', '--from=1.5', '--to=2.6');
prints('open rename exit', '--from=@1700000003');
prints('open rename exit', '--from=2023-11-14T22:13:23');
prints('open rename exit', '--from=2023-11-14T22:13:22.9Z');
prints('open', '-Z', '-e', 'posix', '-p', '101', '-P', 'etc', '--from=1', '--to=9');

my ($out, $err, $status) = cat('-e', 'open', $file);
is($out, qq(100/100 open("/data/in", O_RDONLY) = 3 <0.000000100>\n) .
   qq(100/101 open("/etc/shadow", O_RDONLY) = -1 EACCES (Permission denied) <0.000000100>\n), 'ids stand before the calls of several threads');

sub refuses
{
	my ($says, @args) = @_;
	my ($out, $err, $status) = cat(@args);
	is($out, '', "@args: prints nothing");
	is($status, 2, "@args: status");
	like($err, qr/\Aiotrace-cat: [^\n]*$says[^\n]*\n\z/, "@args: one line");
}
refuses("'opne' is no call", '-e', 'opne', $file);
refuses("'opne' is no call", '-e', '!read,opne', $file);
refuses('no call is named', '-e', '', $file);
refuses('mixed', '-e', 'read', '-e', '!write', $file);
refuses('no extended regular expression', '-P', '(', $file);
refuses('twice', '-P', 'a', '-P', 'b', $file);
refuses("'x' is no process", '-p', 'x', $file);
refuses("'' is no|no process", '-p', ',', $file);
refuses("'-5' is no process", '-p', '-5', $file);
refuses('nothing', '-z', '-Z', $file);
refuses("'soon' is no time", '--from=soon', $file);
refuses("'1.5x' is no time", '--to=1.5x', $file);
refuses("'2023-99-14T1' is no time", '--to=2023-99-14T1', $file);
refuses("'xml' is none of text", '--format=xml', $file);
refuses('no log is given');

($out, $err, $status) = cat('--frobnicate', $file);
is("$out$status", '2', 'an unknown option: status');
like($err, qr/frobnicate/, 'an unknown option is named');
($out, $err, $status) = cat('--help');
is("$err$status", '0', '--help');
like($out, qr/--format.*--from/s, '--help lists options');
($out, $err, $status) = cat('--version');
like($out, qr/^iotrace-cat \(iotrace\) \d/, '--version');
($out, $err, $status) = cat($file, '-e', 'read');
is($out, "100/100 read(3, ..., 1) = 1 <0.000000100>\n", 'options may follow logs');
done_testing;
