#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-cat's text: every kind of record, argument and result.
use strict;
use warnings;
no warnings "portable";
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use MkLog;
use CatTest;

my $log = MkLog->new;
my ($out, $err, $status);
my $base = $log->can('path');

# one record, printed
sub shows
{
	my ($record, $want, $what, @options) = @_;
	my $l = MkLog->new;
	$l->block(window => 1, records => [
		MkLog::path(1, '/data/in'), MkLog::path(2, '/data/out'),
		MkLog::handle(1, 3, 1), MkLog::handle(2, 4, 2), MkLog::handle(3, -1, 0),
		MkLog::handle(4, 1, \'/dev/pts/0'), @$record ]);
	my ($o, $e, $s) = cat(@options, $l->save("$dir/x.iotrace"));
	is($o, $want, $what);
	is($e . $s, '0', "$what: no complaint");
}
my $l = $log;

shows([ $l->compact('write', handle => 1, start => 1000, dur => 1500, size => 42, offset => 7) ],
      "write(3, ..., 42) = 42 <0.000001500>\n", 'compact');
shows([ $l->compact('pwrite', handle => 1, start => 1000, size => 42, offset => 7),
	$l->brief('pwrite', handle => 1, start => 2000, size => 8),
	$l->brief('pwrite', handle => 1, start => 3000, size => 8) ],
      "pwrite(3, ..., 42, 7) = 42 <0.000000100>\npwrite(3, ..., 8, 49) = 8 <0.000000100>\n" .
      "pwrite(3, ..., 8, 57) = 8 <0.000000100>\n", 'brief records go on from the one before');
shows([ $l->compact('pwrite', handle => 1, start => 1000, size => 8, offset => 100),
	$l->compact('pwrite', handle => 1, start => 2000, size => 8, offset => 90),
	$l->compact('read', handle => 1, start => 3000, size => 1, offset => 5),
	$l->brief('pwrite', handle => 1, start => 4000, size => 4),
	$l->brief('pwrite', handle => 1, start => 5000, size => 8) ],
      "pwrite(3, ..., 8, 100) = 8 <0.000000100>\npwrite(3, ..., 8, 90) = 8 <0.000000100>\n" .
      "read(3, ..., 1) = 1 <0.000000100>\npwrite(3, ..., 4, 80) = 4 <0.000000100>\n" .
      "pwrite(3, ..., 8, 66) = 8 <0.000000100>\n", 'or as far behind it as ever');
shows([ $l->compact('open', handle => 1, start => 0, size => 0102 | 02000000, offset => 0644),
	$l->brief('open', handle => 1, start => 1000, size => 0102 | 02000000) ],
      qq(open("/data/in", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 3 <0.000000100>\n) x 2, 'open, compact and brief');
shows([ $l->general('mmap', handle => 1, start => 1000, dur => 0, size => 42, offset => 7, ret => 99, args => [ 5, 3, 2 ], model => 3),
	$l->alike('mmap', handle => 1, start => 2000, place => 2, more => 1),
	$l->alike('mmap', handle => 1, start => 3000, place => 2, more => -2, own => { 3 => 8, 4 => 9, 9 => 1 }) ],
      "mmap(0x5, 42, PROT_READ|PROT_WRITE, MAP_PRIVATE, 3, 7) = 0x63 <0.000000000>\n" .
      "mmap(0x6, 42, PROT_READ|PROT_WRITE, MAP_PRIVATE, 3, 7) = 0x63 <0.000000000>\n" .
      "mmap(0x3, 42, PROT_READ, MAP_PRIVATE, 3, 8) = 0x9 <0.000000000>\n", 'records that are like another before them');
shows([ $l->compact('openat', handle => 1, start => 0, size => 0, offset => 0) ],
      qq(openat(AT_FDCWD, "/data/in", O_RDONLY) = 3 <0.000000100>\n), 'openat, compact');
shows([ $l->general('read', handle => 1, start => 0, size => 100, ret => -1, errno => 9) ],
      "read(3, ..., 100) = -1 EBADF (Bad file descriptor) <0.000000100>\n", 'failure');
shows([ $l->general('open', start => 0, ret => 3, args => [ 1, 0102 | 02000000, 0644 ]) ],
      qq(open("/data/in", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 3 <0.000000100>\n), 'open, creating');
shows([ $l->general('open', start => 0, ret => 3, args => [ 1, 0, 0644 ]) ],
      qq(open("/data/in", O_RDONLY) = 3 <0.000000100>\n), 'open without a mode');
shows([ $l->general('lseek', handle => 1, start => 0, ret => 7, args => [ 7, 1 ]) ],
      "lseek(3, 7, SEEK_CUR) = 7 <0.000000100>\n", 'a name that is a macro too');
shows([ $l->general('open', start => 0, ret => -1, errno => 2, args => [ \"/a\"b\n\xff\xc3\xa4", 1, 0 ]) ],
      qq(open("/a\\"b\\n\\377\xc3\xa4", O_WRONLY) = -1 ENOENT (No such file or directory) <0.000000100>\n),
      'inline path with odd bytes');
shows([ $l->compact('read', handle => 1, start => 0, size => 5), $l->general('open', start => 10000,
	ret => 3, args => [ 2, 0, 0 ]) ],
      qq(read(3</data/in>, ..., 5) = 5 <0.000000100>\nopen("/data/out", O_RDONLY) = 3</data/out> <0.000000100>\n),
      '-y', '-y');
shows([ $l->general('rename', start => 0, ret => 0, args => [ 1, 2 ]) ],
      qq(rename("/data/in", "/data/out") = 0 <0.000000100>\n), 'two paths');
shows([ $l->general('mmap', handle => 1, start => 0, size => 4096, offset => 0, ret => 0x7f0000000000,
	args => [ 0, 3, 0x12 ]) ],
      "mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_FIXED, 3, 0) = 0x7f0000000000 <0.000000100>\n", 'mmap');
shows([ $l->general('pipe', start => 0, ret => 0, args => [ 1 | 2 << 32 ]) ],
      "pipe([3, 4]) = 0 <0.000000100>\n", 'pipe');
shows([ $l->general('dup2', handle => 1, start => 0, ret => 4, args => [ 2 ]) ],
      "dup2(3</data/in>, 4</data/out>) = 4</data/in> <0.000000100>\n", 'dup2 -y', '-y');
shows([ $l->general('readdir', handle => 1, start => 0, ret => 1, args => [ \'file' ]),
	$l->general('readdir', handle => 1, start => 200, ret => 0) ],
      qq(readdir(3) = "file" <0.000000100>\nreaddir(3) = NULL <0.000000100>\n), 'readdir');
shows([ $l->compact('fwrite', handle => 1, start => 0, size => 24, offset => 8) ],
      "fwrite(..., 8, 3, 3) = 3 <0.000000100>\n", 'items, compact');
shows([ $l->general('fwrite', handle => 1, start => 0, size => 24, ret => 2, args => [ 8 ]) ],
      "fwrite(..., 8, 3, 3) = 2 <0.000000100>\n", 'items, general');
shows([ $l->general('posix_fallocate', handle => 1, start => 0, offset => 5, ret => 28, errno => 28, args => [ 9 ]) ],
      "posix_fallocate(3, 5, 9) = 28 ENOSPC (No space left on device) <0.000000100>\n", 'an error as result');
shows([ $l->general('aio_error', handle => 1, start => 0, ret => 115),
	$l->general('aio_error', handle => 1, start => 500, ret => 5, errno => 5) ],
      "aio_error(3) = 115 EINPROGRESS (Operation now in progress) <0.000000100>\n" .
      "aio_error(3) = 5 EIO (Input/output error) <0.000000100>\n", 'a result that may be an error');
shows([ $l->general('close', handle => 3, start => 0, ret => -1, errno => 9) ],
      "close(-1) = -1 EBADF (Bad file descriptor) <0.000000100>\n", 'close(-1)');
shows([ $l->compact('sync', start => 0) ], "sync() <0.000000100>\n", 'void');
shows([ $l->general('fcntl', handle => 1, start => 0, ret => 0, args => [ 4, 02001 ]),
	$l->general('fcntl', handle => 1, start => 500, ret => 1, args => [ 1, 77 ]),
	$l->general('fcntl', handle => 1, start => 1000, ret => 0, args => [ 2, 1 ]) ],
      "fcntl(3, F_SETFL, O_WRONLY|O_APPEND) = 0 <0.000000100>\nfcntl(3, F_GETFD) = 1 (FD_CLOEXEC) <0.000000100>\n" .
      "fcntl(3, F_SETFD, FD_CLOEXEC) = 0 <0.000000100>\n", 'fcntl');
my @fcntl = map { sprintf('%d %s', @$_) } ([ 2, 0 ], [ 2, 3 ], [ 10, 10 ], [ 1024, 1 ], [ 1024, 2 ], [ 1026, 0x8000000c ],
	[ 1033, 0x17 ], [ 1031, 65536 ], [ 0, 10 ], [ 8, -77 ], [ 1036, 0x7fff0010 ], [ 99, 5 ]);
shows([ map { $l->general('fcntl', handle => 1, start => 500 * $_, ret => 0, args => [ split / /, $fcntl[$_] ]) } 0 .. $#fcntl ],
      join('', map { "fcntl(3, $_) = 0 <0.000000100>\n" } 'F_SETFD, 0', 'F_SETFD, FD_CLOEXEC|0x2', 'F_SETSIG, SIGUSR1',
	'F_SETLEASE, F_WRLCK', 'F_SETLEASE, F_UNLCK', 'F_NOTIFY, DN_CREATE|DN_DELETE|DN_MULTISHOT',
	'F_ADD_SEALS, F_SEAL_SEAL|F_SEAL_SHRINK|F_SEAL_GROW|F_SEAL_FUTURE_WRITE', 'F_SETPIPE_SZ, 65536', 'F_DUPFD, 10',
	'F_SETOWN, -77', 'F_SET_RW_HINT, 0x7fff0010', '0x63, 5'), 'what the third argument of fcntl is');
my @gets = ([ 3, 0x8802 ], [ 3, 0 ], [ 1, 0 ], [ 11, 0 ], [ 11, 10 ], [ 1025, 2 ], [ 1034, 6 ], [ 1032, 65536 ], [ 9, 1 ]);
my @got = ('F_GETFL) = 34818 (O_RDWR|O_NONBLOCK|O_LARGEFILE)', 'F_GETFL) = 0 (O_RDONLY)', 'F_GETFD) = 0', 'F_GETSIG) = 0',
	'F_GETSIG) = 10 (SIGUSR1)', 'F_GETLEASE) = 2 (F_UNLCK)', 'F_GET_SEALS) = 6 (F_SEAL_SHRINK|F_SEAL_GROW)',
	'F_GETPIPE_SZ) = 65536', 'F_GETOWN) = 1');
shows([ (map { $l->general('fcntl', handle => 1, start => 500 * $_, ret => $gets[$_][1], args => [ $gets[$_][0], 7 ]) } 0 .. $#gets),
	$l->general('fcntl', handle => 1, start => 9000, ret => -1, errno => 9, args => [ 3, 7 ]) ],
      join('', map { "fcntl(3, $_ <0.000000100>\n" } @got, 'F_GETFL) = -1 EBADF (Bad file descriptor)'), 'what fcntl returns');
shows([ $l->general('connect', handle => 1, start => 0, ret => -1, errno => 111,
	args => [ \pack('SnC4x8', 2, 80, 127, 0, 0, 1), 16 ]) ],
      "connect(3, 127.0.0.1:80, 16) = -1 ECONNREFUSED (Connection refused) <0.000000100>\n", 'address');
shows([ $l->general('fstatat', start => 0, ret => 0, args => [ -100, 1, 0x100 ]) ],
      qq(fstatat(AT_FDCWD, "/data/in", ..., AT_SYMLINK_NOFOLLOW) = 0 <0.000000100>\n), 'dirfd');
shows([ $l->general('inotify_add_watch', start => 0, handle => 1, ret => 1, args => [ 1, 0x1000300 ]) ],
      qq(inotify_add_watch(3, "/data/in", IN_CREATE|IN_DELETE|IN_ONLYDIR) = 1 <0.000000100>\n), 'what is watched for');
shows([ $l->general('open_tree', start => 0, ret => 4, args => [ -100, 1, 02100001 ]) ],
      qq(open_tree(AT_FDCWD, "/data/in", OPEN_TREE_CLONE|OPEN_TREE_CLOEXEC|AT_RECURSIVE) = 4 <0.000000100>\n), 'a tree');
shows([ $l->general('shmget', start => 0, ret => 4, size => 4096, args => [ 7, 05601 | 21 << 26 ]),
	$l->general('shmat', start => 200, ret => 0x7f0000000000, args => [ 4, 0, 0110000 ]),
	$l->general('shmctl', start => 400, ret => 0, args => [ 4, 0, 0 ]) ],
      "shmget(7, 4096, IPC_CREAT|SHM_HUGE_2MB|SHM_HUGETLB|S_IRUSR|S_IWUSR|0x1) = 4 <0.000000100>\n" .
      "shmat(4, NULL, SHM_RDONLY|SHM_EXEC) = 0x7f0000000000 <0.000000100>\n" .
      "shmctl(4, IPC_RMID, NULL) = 0 <0.000000100>\n", 'shared memory of System V');
shows([ $l->general('msgget', start => 0, ret => 4, args => [ 0, 03600 ]),
	$l->general('msgrcv', start => 200, ret => 5, size => 100, args => [ 4, -2, 014000 ]),
	$l->general('msgctl', start => 400, ret => 0, args => [ 4, 13, 0 ]) ],
      "msgget(0, IPC_CREAT|IPC_EXCL|S_IRUSR|S_IWUSR) = 4 <0.000000100>\n" .
      "msgrcv(4, ..., 100, -2, IPC_NOWAIT|MSG_NOERROR) = 5 <0.000000100>\n" .
      "msgctl(4, MSG_STAT_ANY, NULL) = 0 <0.000000100>\n", 'queues of System V');
shows([ $l->general('memfd_create', start => 0, ret => 4, args => [ \"m", 0x54000007 ]),
	$l->general('waitid', start => 200, ret => 0, args => [ 1, 77, 0, 5 ]) ],
      "memfd_create(\"m\", MFD_CLOEXEC|MFD_ALLOW_SEALING|MFD_HUGETLB|MFD_HUGE_2MB) = 4 <0.000000100>\n" .
      "waitid(1, 77, NULL, WNOHANG|WEXITED) = 0 <0.000000100>\n", 'other flags');
shows([ $l->general('frobnicate', start => 0, ret => 7, args => [ 0xabc, -5 ]) ],
      "frobnicate(0xabc, -5) = 7 <0.000000100>\n", 'a kind from the future');
shows([ $l->compact('putc', handle => 4, start => 0, size => 10) ],
      "putc('\\n', 1) = 10 <0.000000100>\n", 'a character');
shows([ $l->general('chown', start => 0, ret => 0, args => [ 1, 0xffffffff, 3000000000 ]),
	$l->general('ftruncate', start => 200, handle => 1, ret => 0, args => [ 3000000000 ]) ],
      qq(chown("/data/in", -1, 3000000000) = 0 <0.000000100>\nftruncate(3, 3000000000) = 0 <0.000000100>\n), 'large numbers');
shows([ $l->general('exit', start => 0, status => 1, args => [ 3 ]) ], "exit(3) = ?\n", 'exit');
shows([ $l->general('fprintf', start => 5, status => 2, handle => 1, depth => 0) ],
      "fprintf(3, ?) = ? <abandoned ...> <0.000000100>\n", 'abandoned');
shows([ $l->general('write', start => 5, status => 4, handle => 1, size => 5, ret => 5, depth => 1) ],
      "  write(3, ..., 5) = 5 <inferred>\n", 'inferred');
shows([ $l->compact('write', handle => 4, start => 0, size => 2), $l->general('write', handle => 4,
	start => 3000000000, full => 1, dur => 2500000000, size => 2, ret => 2, offset => 12) ],
      "write(1</dev/pts/0>, ..., 2) = 2 <0.000000100>\n" .
      "write(1</dev/pts/0>, ..., 2) = 2 \@12 <2.500000000>\n", 'long times; offsets', '-y', '--offsets');
shows([ $l->compact('sync', start => 1234), $l->compact('sync', start => 2000000500) ],
      "22:13:20.000001 sync() <0.000000100>\n22:13:22.000000 sync() <0.000000100>\n", '-t', '-t');
shows([ $l->compact('sync', start => 1234) ],
      "2023-11-14T22:13:20.000001234 sync() <0.000000100>\n", '-tt', '-tt');
shows([ $l->compact('sync', start => 1234) ],
      "1700000000.000001234 sync() <0.000000100>\n", '-ttt', '-ttt');
shows([ $l->compact('sync', start => 1234), $l->compact('sync', start => 2000) ],
      "0.000001234 +0.000000000 sync() <0.000000100>\n0.000002000 +0.000000766 sync() <0.000000100>\n",
      '-s -d', '-s', '-d');
done_testing;
