#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# The JSON contract: which keys there are, when, and with which values; csv and
# raw say the same.
use strict;
use warnings;
no warnings 'portable';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use MkLog;
use CatTest;

my @defs = (MkLog::path(1, '/data/in'), MkLog::path(2, '/data/out'), MkLog::handle(1, 3, 1),
	    MkLog::handle(2, 4, 2), MkLog::handle(3, -1, 0), MkLog::stack(9, 0x401000));
my $l = MkLog->new;

sub record_of
{
	my ($record, %o) = @_;
	my $log = MkLog->new(%o);
	$log->block(window => 1, records => [ @defs, $record ]);
	my $calls = cat_json($log->save("$dir/x.iotrace"));
	is(scalar @$calls, 1, 'one call');
	return $calls->[0];
}

is_deeply(record_of($l->compact('write', handle => 1, start => 1000, dur => 1500, size => 42, offset => 7)),
	  { start => $MkLog::EPOCH + 1000, dur => 1500, host => 'node1', pid => 100, tid => 100,
	    prog => 'demo', family => 'posix', call => 'write', syscall => 'write',
	    internal => JSON::PP::false, depth => 0, fd => 3, path => '/data/in', offset => 7,
	    size => 42, ret => 42 }, 'a write');
is_deeply(record_of($l->general('open', start => 10, ret => -1, errno => 2, internal => 1, depth => 9,
				args => [ \'/no', 01101, 0600 ]), keys => [ rank => 3 ]),
	  { start => $MkLog::EPOCH + 10, dur => 100, pid => 100, tid => 100, rank => 3, family => 'posix',
	    call => 'open', syscall => 'openat', internal => JSON::PP::true, depth => 9, path => '/no',
	    ret => -1, errno => 'ENOENT', args => { flags => 'O_WRONLY|O_CREAT|O_TRUNC', mode => 0600 } },
	  'a failing open');
my $r = record_of($l->compact('fwrite', handle => 1, start => 0, size => 24, offset => 8));
ok(!exists $r->{syscall}, 'no syscall where the record stands for none');
is_deeply($r->{args}, { size => 8, nmemb => 3 }, 'items');
is($r->{ret}, 3, 'items written');
ok(!exists $r->{offset}, 'an itemsize is no offset');
$r = record_of($l->general('open', start => 0, ret => -1, errno => 38, status => 8, args => [ 1, 0, 0 ]));
ok(!exists $r->{syscall}, 'no syscall where none was made');
$r = record_of($l->general('rename', start => 0, ret => 0, args => [ 1, 2 ]));
is($r->{path}, '/data/in', 'first path');
is_deeply($r->{args}, { newpath => '/data/out' }, 'second path');
is(record_of($l->general('close', handle => 3, start => 0, ret => -1, errno => 9))->{fd}, -1, 'close(-1)');
is(record_of($l->general('dup2', handle => 1, start => 0, ret => 4, args => [ 2 ]))->{args}{newfd}, 4, 'fd2');
is_deeply(record_of($l->general('pipe', start => 0, ret => 0, args => [ 1 | 2 << 32 ]))->{args}{pipefd}, [ 3, 4 ], 'pipe');
$r = record_of($l->general('exit', start => 0, status => 1, args => [ 3 ]));
is($r->{status}, 'noreturn', 'exit');
ok(!exists $r->{ret} && !exists $r->{dur}, 'which has no result and no end');
is($r->{args}{status}, 3, 'but its argument');
is(record_of($l->general('read', start => 0, status => 2))->{status}, 'abandoned', 'abandoned');
is(record_of($l->general('read', start => 0, status => 4))->{status}, 'inferred', 'inferred');
is(record_of($l->general('mmap', start => 0, ret => 0x7f0000000000, size => 1, offset => 0, args => [ 0, 0, 0x21 ]))->{args}{prot},
   'PROT_NONE', 'no flag');
is(record_of($l->general('mmap', start => 0, ret => 0x7f0000000000, size => 1, offset => 0, args => [ 0, 0x83, 0x21 ]))->{args}{prot},
   'PROT_READ|PROT_WRITE|0x80', 'unknown flags');
is(record_of($l->general('fcntl', handle => 1, start => 0, ret => 0, args => [ 1033, 6 ]))->{args}{arg},
   'F_SEAL_SHRINK|F_SEAL_GROW', 'the third argument of fcntl');
is(record_of($l->general('readdir', handle => 1, start => 0, ret => 1, args => [ \'x' ]))->{args}{name}, 'x', 'readdir');
is_deeply(record_of($l->general('frobnicate', start => 0, ret => 7, args => [ 5, -5 ]))->{args}, { x => 5, y => -5 }, 'unknown kinds');
$r = record_of($l->compact(77, start => 0, size => 5));
is($r->{call}, 'call#77', 'a call that the schema lacks');

# bytes: whatever they are, they come back
my $all = join '', map { chr } 1 .. 255;
for my $s ($all, "ascii", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xed\xa0\x80", "\xc0\xaf", "\xe2\x82", "\xf5\x80\x80\x80", "\xff\xff", "q\"\\\n\t\x01\x7f") {
	my $log = MkLog->new;
	$log->block(records => [ $l->general('unlink', start => 0, ret => 0, args => [ \$s ]) ]);
	my ($out) = cat('--format=json', $log->save("$dir/x.iotrace"));
	# JSON::PP refuses lone surrogates, which Python takes
	(my $plain = $out) =~ s{\\udc([89a-f][0-9a-f])}{<$1>}g;
	my $bytes = JSON::PP->new->latin1->decode($plain)->{path};
	$bytes =~ s{<([89a-f][0-9a-f])>}{chr hex $1}ge;
	is(join(' ', map { ord } split //, $bytes), join(' ', map { ord } split //, $s), 'bytes survive');
	utf8::decode(my $u = $out);
	ok(utf8::is_utf8($u) || $out !~ /[\x80-\xff]/, 'and the line is UTF-8');
}

# The same in rows
my $log = MkLog->new(keys => [ program => 'a!b,"c"', host => 'h' ], lost_calls => 2);
$log->block(records => [ @defs, $l->compact('write', handle => 1, start => 1000, dur => 1500, size => 42, offset => 7),
	$l->general('open', start => 3000, ret => -1, errno => 2, args => [ \"/a!b,\"c\"\n", 0, 0 ]) ]);
my $file = $log->save("$dir/x.iotrace");
my ($out, $err, $status) = cat('--format=csv', $file);
is($out, "start,dur,host,pid,tid,rank,prog,family,call,syscall,internal,depth,fd,path,offset,size,ret,errno,status,args,mpi_own\n" .
   "${\($MkLog::EPOCH + 1000)},1500,h,100,100,,\"a!b,\"\"c\"\"\",posix,write,write,0,0,3,/data/in,7,42,42,,,,0\n" .
   "${\($MkLog::EPOCH + 3000)},100,h,100,100,,\"a!b,\"\"c\"\"\",posix,open,openat,0,0,,\"/a!b,\"\"c\"\"\n\",,,-1,ENOENT,,\"{\"\"flags\"\":\"\"O_RDONLY\"\"}\",0\n",
   'csv');
like($err, qr/: 2 calls were not recorded \(/, 'losses are reported');
is($status, 0, 'and are no damage');
($out) = cat('--format=raw', $file);
like($out, qr/\A#format!iotrace-raw 1\n#log!\Q$file\E\n#pid!100\n/, 'raw header');
like($out, qr/^#program!a\\041b,"c"$/m, 'raw keys are escaped');
like($out, qr/^#lost!2$/m, 'raw says what was lost');
my @rows = grep { !/^#/ } split /\n/, $out;
is(scalar @rows, 2, 'a line a call');
my @f = split /!/, $rows[1], -1;
is(scalar @f, 21, 'raw columns');
is($f[13], '/a\\041b,"c"\\012', 'raw path');
done_testing;
