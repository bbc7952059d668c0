# SPDX-License-Identifier: BSD-3-Clause
package MkLog;
# Writes logs as include/iotrace-format.h lays them out, right or wrong, for
# tests of the readers.  Times are given in ns since the start of the log; ticks
# are half nanoseconds that begin at 1000000.
#
#	my $log = MkLog->new(pid => 7, keys => [ program => 'demo' ]);
#	$log->block(stream => 1, seq => 0, records => [ $log->compact('write', ...) ]);
#	$log->save('x.iotrace');
use strict;
use warnings;
no warnings "portable";

our $EPOCH = 1700000000 * 1000000000;
our $TICK0 = 1000000;
my ($COMPACT, $BRIEF, $GENERAL, $ALIKE) = (0, 1, 2, 3);
my $INLINE = 1 << 63;

# The calls of the synthetic schema, ids from 1.
our @CALLS = (
	'posix open openat effect=open fd pathname:path flags:oflags mode:mode',
	'posix close close - status fd:fd',
	'posix read read hot,seq bytes fd:fd buf:buf count:size',
	'posix write write hot,seq bytes fd:fd buf:buf count:size',
	'posix pwrite pwrite64 hot bytes fd:fd buf:buf count:size offset:offset',
	'stdio fprintf - thin chars stream:FILE format:str',
	'stdio fwrite - hot items ptr:buf size:itemsize nmemb:items stream:FILE',
	'proc exit - hand noreturn status:int',
	'proc execve execve hand status pathname:path argv:ptr envp:ptr',
	'posix rename rename - status oldpath:path newpath:path',
	'mem mmap mmap - map addr:ptr length:size prot:prot flags:mapflags fd:fd offset:offset',
	'posix pipe pipe2 - status pipefd:pipefds',
	'dir readdir - - dirent dirp:DIR',
	'posix dup2 dup2 hand fd oldfd:fd newfd:fd2',
	'proc fork - hand,callback pid',
	'posix remove - - status pathname:path',
	'posix posix_fallocate fallocate - errcode fd:fd offset:offset len:long',
	'net connect connect - status sockfd:fd addr:addr addrlen:addrlen',
	'posix fcntl fcntl - count fd:fd cmd:fcntl arg:long',
	'posix sync sync - void',
	'stdio fclose - - eof stream:FILE',
	'posix unlink unlink - status pathname:path',
	'posix frobnicate - - count x:newkind y:int',
	'posix fstatat newfstatat - status dirfd:dirfd pathname:relpath statbuf:buf flags:atflags',
	'posix chown chown - status pathname:path owner:uid group:gid',
	'posix ftruncate ftruncate - status fd:fd length:long',
	'stdio putc - hot char c:byte stream:FILE',
	'posix lseek lseek - pos fd:fd offset:long whence:whence',
	'posix openat openat hot,effect=open fd dirfd:dirfd pathname:relpath flags:oflags mode:mode',
	'aio aio_error - - progress aiocbp:aiocb',
	'posix memfd_create memfd_create - fd name:str flags:memfdflags',
	'proc waitid waitid - status idtype:int id:uint infop:ptr options:waitflags',
	'posix inotify_add_watch inotify_add_watch - count fd:fd pathname:path mask:watchmask',
	'posix open_tree open_tree - fd dirfd:dirfd path:relpath flags:treeflags',
	'mem shmget shmget - count key:int size:size flags:shmflags',
	'mem shmat shmat - map shmid:int addr:ptr flags:shmatflags',
	'mem shmctl shmctl - count shmid:int cmd:shmcmd buf:ptr',
	'posix msgget msgget - count key:int flags:queueflags',
	'posix msgrcv msgrcv - bytes msqid:int msg:buf len:size type:long flags:queueway',
	'posix msgctl msgctl - count msqid:int cmd:queuecmd buf:ptr',
);

sub new
{
	my ($class, %o) = @_;
	my $self = bless { pid => 100, blocks => [], keys => [ program => 'demo', host => 'node1' ],
			   timebase => 'rdtsc', calls => \@CALLS, %o }, $class;
	my $n = 0;
	$self->{id} = { map { ((split ' ')[1] // '') => ++$n } @{ $self->{calls} } };
	return $self;
}

sub ticks { return $TICK0 + 2 * $_[0]; }
sub anchor { my ($ns) = @_; return pack 'Q3', ticks($ns), $EPOCH + $ns, 5000000000 + $ns; }
sub bytes
{
	my ($s) = @_;
	return pack('Q', $INLINE | length $s) . $s . "\0" x (-length($s) % 8);
}

sub word0
{
	my ($self, $r, $form, $dt) = @_;
	my $depth = $r->{depth} // 0;
	my $call = $r->{call} =~ /^\d+$/ ? $r->{call} : $self->{id}{ $r->{call} };
	return pack 'Q', $call | $form << 10 | ($r->{internal} ? 1 << 12 : 0) |
		($depth > 7 ? 7 : $depth) << 13 | (($r->{handle} // 0) & 0xffff) << 16 | $dt << 32;
}

# Records are functions of the base that they count from.  start, dur: ns.
sub compact
{
	my ($self, $call, %r) = @_;
	$r{call} = $call;
	return sub {
		my ($base) = @_;
		return $self->word0(\%r, $COMPACT, 2 * ($r{start} - $base)) .
			pack 'QQ', 2 * ($r{dur} // 100) | ($r{size} // 0) << 32,
			($r{offset} // (1 << 40) - 1) | ($r{stack} // 0) << 40;
	};
}

sub brief
{
	my ($self, $call, %r) = @_;
	$r{call} = $call;
	return sub {
		my ($base) = @_;
		return $self->word0(\%r, $BRIEF, 2 * ($r{start} - $base)) .
			pack 'Q', 2 * ($r{dur} // 100) | ($r{size} // 0) << 32;
	};
}

# args: numbers, or references to strings.  full: with start and duration in
# words of their own.
sub general
{
	my ($self, $call, %r) = @_;
	$r{call} = $call;
	return sub {
		my ($base) = @_;
		my ($present, $words, $argc) = (0, '', 0);
		my $late = $r{full} || $r{start} < $base;
		my $dur = 2 * ($r{dur} // 100);
		($present, $words) = ($present | 1, $words . pack 'Q', ticks($r{start})) if $late;
		($present, $words) = ($present | 2, $words . pack 'Q', $dur) if $r{full};
		($present, $words) = ($present | 4, $words . pack 'Q', $r{size}) if defined $r{size};
		($present, $words) = ($present | 8, $words . pack 'Q', $r{offset}) if defined $r{offset};
		($present, $words) = ($present | 16, $words . pack 'q', $r{ret}) if defined $r{ret};
		for my $a (@{ $r{args} // [] }) {
			$words .= ref $a ? bytes($$a) : pack 'q', $a;
			$argc++;
		}
		my $n = 4 + length($words) / 8;
		return $self->word0(\%r, $GENERAL, $late ? 0 : 2 * ($r{start} - $base)) .
			pack('QQQ', ($r{full} ? 0 : $dur) | $n << 32 | $present << 48,
			     ($r{handle} // 0) | ($r{stack} // 0) << 32,
			     ($r{errno} // 0) | ($r{depth} // 0) << 16 | ($r{status} // 0) << 32 |
			     ($r{argc} // $argc) << 40 | ($r{model} // 0) << 48) . $words;
	};
}

# Like the model in that place (model - 1 of a general record); own: { bit => value }; more: added to the
# first argument.
sub alike
{
	my ($self, $call, %r) = @_;
	$r{call} = $call;
	return sub {
		my ($base) = @_;
		my ($own, $words) = (0, '');
		for my $bit (sort { $a <=> $b } keys %{ $r{own} // {} }) {
			$own |= 1 << $bit;
			$words .= pack 'q', $r{own}{$bit};
		}
		return $self->word0(\%r, $ALIKE, 2 * ($r{start} - $base)) .
			pack('Q', ($r{place} // 0) | $own << 16 | (($r{more} // 0) & 0xffffffff) << 32) . $words;
	};
}

sub def
{
	my ($kind, $payload) = @_;
	return [ pack('QQ', $GENERAL << 10 | $kind << 16, (2 + length($payload) / 8) << 32) . $payload,
		 $kind ];
}
# base: what dt counts from behind this
sub time_def { my ($ns) = @_; my $d = def(1, pack('Q', ticks($ns)) . anchor($ns)); $d->[2] = $ns; return $d; }
sub path
{
	my ($id, $name, $mode, $inode) = @_;
	return def(2, pack('Q4', $id, 8, $inode // $id + 1000, $mode // 0100644) . bytes($name));
}
sub handle
{
	my ($id, $fd, $path, $mode) = @_;
	return def(3, pack('Qq', $id, $fd) . (ref $path ? bytes($$path) : pack 'Q', $path) . pack 'Q', $mode // 0100000);
}
sub stack { my ($id, @pc) = @_; return def(4, pack 'Q*', $id, scalar @pc, @pc); }
# frames of stacks, the outermost first: its id, that of its caller; one_id => 1; n => how
# many it says there are
sub frames
{
	my ($first, $caller, $pc, %o) = @_;
	my ($bytes, $before) = (chr(($o{n} // @$pc) | ($o{one_id} ? 0x80 : 0)), 0);
	for my $at (@$pc) {
		my $by = $at < $before ? 2 * ($before - $at) - 1 : 2 * ($at - $before);
		for (; $by > 127; $by >>= 7) { $bytes .= chr($by & 127 | 128) }
		$bytes .= chr $by;
		$before = $at;
	}
	return def(20, pack('LL', $first, $caller) . $bytes . "\0" x (-length($bytes) % 8));
}
sub map_def { my ($start, $end, $off, $id, $name) = @_; return def(5, pack('Q3', $start, $end, $off) . bytes($id) . bytes($name)); }
sub lost { my ($n, $why) = @_; return def(6, pack 'QQ', $n, $why); }
sub rank { my ($rank, $size) = @_; return def(7, pack 'QQ', $rank, $size); }
# ns of the log's own clock; how much later it was by the job's
sub clock { my ($ns, $later) = @_; return def(8, pack 'QQQ', 5000000000 + $ns, $EPOCH + $ns + $later, 100); }
sub process { my ($number, $pid, $parent, $ns) = @_; return def(9, pack 'Q4', $number, $pid, $parent, ticks($ns)); }
# the same with a name that is one of the job's strings: see job
sub shared_path { my ($id, $at, $mode) = @_; return def(2, pack 'Q5', $id, 8, $id + 1000, $mode // 0100644, $INLINE | 1 << 62 | $at); }
sub raw { my ($bytes) = @_; return sub { return $bytes }; }

# One block.  window => 1, slots => [ [ depth, call, start, handle, stack ], ... ];
# base: ns; room: bytes of the
# block.  Anything of the header can be overridden by its field's name.
sub block
{
	my ($self, %b) = @_;
	my $base = $b{base} // 0;
	my ($records, $n_defs, $n_late, $dt_base) = ('', 0, 0, $base);
	for my $r (@{ $b{records} // [] }) {
		if (ref $r eq 'ARRAY') {
			$records .= $r->[0];
			$n_defs++ if $r->[1] != 1 && $r->[1] != 18;
			$dt_base = $r->[2] if $r->[1] == 1;
			next;
		}
		my $bytes = $r->($dt_base);
		my ($w0, $w1) = unpack 'QQ', $bytes;
		$n_late++ if ($w0 >> 10 & 3) == $GENERAL && $w1 >> 48 & 1 &&
			unpack('Q', substr $bytes, 32, 8) < ticks($base);
		$records .= $bytes;
	}
	my $slots = '';
	if ($b{window}) {
		my %s = map { $_->[0] => $_ } @{ $b{slots} // [] };
		for my $d (0 .. 31) {
			my $s = $s{$d};
			$slots .= $s ? pack 'QLLQLL', ticks($s->[2]), $self->{id}{ $s->[1] },
				$s->[3] // 0, 0, $s->[4] // 0, 0 : "\0" x 32;
		}
	}
	my $header_size = 96 + length $slots;
	my $size = $header_size + length $records;
	$size += -$size % ($b{window} ? 4096 : 64);
	$size = $b{room} if ($b{room} // 0) > $size;
	$self->align if $b{window};
	my %h = (magic => 0x424f4949, header_size => $header_size, used => length $records,
		 seq => 0, size => $size, flags => ($b{window} ? 1 : 0) | ($b{helper} ? 2 : 0),
		 stream => 1, pid => $self->{pid}, tid => $self->{pid}, level => 0,
		 n_defs => $n_defs, n_late => $n_late, lost => 0, depth => $b{window} ? 32 : 0, process => 0, %b);
	my $block = pack('L10Q', @h{qw(magic header_size used seq size flags stream pid tid level)},
			 ticks($base)) . anchor($base) . pack('L6', @h{qw(n_defs n_late lost depth process)}, 0) .
		$slots . $records;
	push @{ $self->{blocks} }, $block . "\0" x ($size - length $block);
	return $self;
}

# Zeroes up to where a window may begin.
sub align
{
	my ($self) = @_;
	my $n = 0;
	$n += length for @{ $self->{blocks} };
	$self->gap("\0" x (-$n % 4096)) if $n % 4096;
	return $self;
}

# Bytes between blocks.
sub gap { my ($self, $bytes) = @_; push @{ $self->{blocks} }, $bytes; return $self; }

sub text
{
	my ($self) = @_;
	my @keys = (@{ $self->{keys} }, $self->{shares} ? (include => 'text') : (timebase => $self->{timebase}));
	my $text = '';
	while (my ($k, $v) = splice @keys, 0, 2) {
		$v =~ s/([\x00-\x1f\\])/sprintf '\\%03o', ord $1/ge;
		$text .= "$k $v\n";
	}
	return $self->{shares} ? $text : $text . calls_text($self);
}

sub calls_text
{
	my ($self) = @_;
	my ($text, $n) = ('', 0);
	for my $c (@{ $self->{calls} }) {
		my @w = split ' ', $c;
		my $call = join ' ', ++$n, @w;
		$text .= "call $call\n";
	}
	return $text;
}

# Logs (made with shares => 1, or not) as that of a job.  strings: names that
# definitions refer to by their place, which is a multiple of 8.  room: behind each.
# Fields of the header can be overridden by their names, and the index.
sub job
{
	my (%o) = @_;
	my @logs = @{ $o{logs} };
	my $text = $o{text} // "timebase $logs[0]{timebase}\n" . calls_text($logs[0]);
	my $strings = join '', map { bytes($_) } @{ $o{strings} // [] };
	my %h = (byte_order => 0x0102030405060708, version => 1, n => scalar @logs, text_size => length $text, %o);
	my $strings_at = 4096 + length($text) + -length($text) % 8;
	my $index_at = $strings_at + length $strings;
	my $end = $index_at + 24 * @logs;
	$end += -$end % 4096;
	my ($index, $body, $i) = ('', '', 0);
	for my $log (@logs) {
		my $image = $log->image;
		$image .= "\0" x (-length($image) % 4096 + ($o{room} // 0));
		$index .= pack 'QQLL', $end + length $body, length $image, $i++, $log->{pid};
		$body .= $image;
	}
	my $head = pack 'a8QLLQQQQQ', "IOTJOB\n", $h{byte_order}, $h{version}, $h{n}, 4096, $h{text_size},
		$strings_at, $h{strings_size} // length $strings, $h{index} // $index_at;
	my $file = $head . "\0" x (4096 - length $head) . $text;
	$file .= "\0" x ($strings_at - length $file) . $strings . ($o{index_bytes} // $index);
	return $file . "\0" x ($end - length $file) . $body;
}

sub image
{
	my ($self) = @_;
	my $text = $self->text;
	my $fixed = $self->{header_size} // 4096;
	my $text_end = $fixed + length $text;
	$text_end += -$text_end % 4096;
	my $body = join '', @{ $self->{blocks} };
	my $latest = $self->{latest} // 1000000000;
	my $header = pack('a8QLLLLQQ', "IOTRACE\n", $self->{byte_order} // 0x0102030405060708,
			  $self->{version} // 1, $fixed, length $text, $self->{pid}, $text_end,
			  $self->{end} // $text_end + length $body) .
		anchor(0) . ($latest ? anchor($latest) : "\0" x 24) .
		pack 'QQQ', $self->{lost_calls} // 0, $self->{lost_reason} // 0, $self->{ended} // 1;
	return $header . "\0" x ($fixed - length $header) . $text .
		"\0" x ($text_end - $fixed - length $text) . $body;
}

sub save
{
	my ($self, $file) = @_;
	open my $f, '>:raw', $file or die "$file: $!";
	print $f $self->image;
	close $f or die "$file: $!";
	return $file;
}

1;
