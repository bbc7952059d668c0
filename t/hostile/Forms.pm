# SPDX-License-Identifier: BSD-3-Clause
#
# Forms.pm - the forms in which storm is run: built here, and run in a directory that
# is made anew each time.
package Forms;

use strict;
use warnings;
use Digest::MD5 qw(md5_hex);
use File::Basename qw(basename);
use Errno;
use Fcntl ':mode';
use POSIX ();
use Time::HiRes qw(time sleep);

# Each traced form, what it has to be like, its executable, and what runs it.
our @FORMS = (
	{ name => 'static', like => 'plain-static', exe => 'traced-static' },
	{ name => 'dynamic', like => 'plain', exe => 'traced' },
	{ name => 'preloaded', like => 'plain', exe => 'plain', run => [] },
	{ name => 'dispatched', like => 'plain', exe => 'plain', run => ['--syscalls'] },
	{ name => 'static-dispatched', like => 'plain-static', exe => 'dispatched-static', syscalls => 1 },
);

my ($PRLIMIT64, $NOFILE, $FSIZE) = (302, 7, 1);

# new(work => DIR, src => t/hostile, table => table/calls.def, build => builddir); bin =>
# DIR: executables are there, or will be
sub new
{
	my ($class, %o) = @_;
	my $self = bless { seconds => 60, %o }, $class;

	$self->{bin} //= "$self->{work}/bin";
	mkdir $_ for $self->{bin}, "$self->{work}/logs";
	return $self;
}

sub command
{
	my (@command) = @_;

	system(@command) == 0 or die "check-hostile: @command: failed\n";
}

# Storm for these forms; plain says what there is.  Compiled once with iocc and once
# without, and linked for each.
sub build
{
	my ($self, @forms) = @_;
	my ($bin, $src) = ($self->{bin}, $self->{src});
	my $iocc = "$self->{build}/compiler-wrappers/iocc";
	my @cc = split ' ', $ENV{CC} // 'cc';
	my %how = (
		'plain' => [@cc],
		'plain-static' => [@cc, '-static'],
		'traced' => [$iocc],
		'traced-static' => [$iocc, '-static'],
		'dispatched-static' => [$iocc, '-static', '--iotrace-syscalls'],
	);
	my %needed = map { $_ => 1 } 'plain', map { @$_{qw(exe like)} } @forms;

	command("'$ENV{AWK}' -f '$src/table.awk' '$self->{table}' >'$bin/table.h'");
	for my $kind (qw(plain traced)) {
		my @exes = grep { !-e "$bin/$_" && /^plain/ == ($kind eq 'plain') } sort keys %needed or next;
		my @objects = map { "$bin/$kind-" . basename($_, '.c') . '.o' } glob "$src/*.c";

		for my $object (grep { !-e } @objects) {
			my ($name) = $object =~ /-(\w+)\.o$/;
			command($kind eq 'plain' ? @cc : $iocc, '-g', '-O1', '-w', "-I$bin", '-c', '-o', $object, "$src/$name.c");
		}
		command(@{ $how{$_} }, '-o', "$bin/$_", @objects, '-lpthread') for @exes;
	}
	return $self;
}

# Or as much as there may be.
sub limit
{
	my ($what, $soft, $hard) = @_;
	my $now = pack 'QQ', 0, 0;

	syscall($PRLIMIT64, 0, $what, 0, $now) == 0 or die "check-hostile: prlimit: $!\n";
	my ($may) = (unpack 'QQ', $now)[1];
	$hard = $may if $hard > $may;
	syscall($PRLIMIT64, 0, $what, pack('QQ', $soft, $hard), 0) == 0 or die "check-hostile: prlimit: $!\n";
}

# Runs one, traced if there is a directory for logs; returns what can be seen of it.
# form: one of @FORMS, or { exe => NAME }
sub run
{
	my ($self, $form, $case, $logs, @before) = @_;
	my ($work, $in) = ($self->{work}, "$self->{work}/in");
	my $exe = "$self->{bin}/$form->{exe}";
	my @command = ($exe, "--board=$work/board", "--features=$case->{features}", "--ops=$case->{ops}",
	    defined $case->{keep} ? "--keep=$case->{keep}" : (),
	    # the oracle would take its questions for calls that we miss
	    @before ? () : '--places', $case->{seed});

	if ($form->{run}) {
		unshift @command, "$self->{build}/tools/iotrace-run", '--mpi=none', @{ $form->{run} };
	}
	unshift @command, @before;
	unlink "$work/board", "$work/out";
	# anew, since a program may give it attributes
	unlink "$work/input";
	open my $input, '>', "$work/input" or die "check-hostile: $work/input: $!\n";
	print $input "line $_ of standard input\n" for 1 .. 40;
	close $input;
	empty($in);
	mkdir $in or die "check-hostile: $in: $!\n";
	my $pid = fork // die "check-hostile: fork: $!\n";
	if (!$pid) {
		setpgrp;
		umask 022;
		chdir $in or POSIX::_exit(97);
		open STDIN, '<', "$work/input" or POSIX::_exit(97);
		open STDOUT, '>', "$work/out" or POSIX::_exit(97);
		open STDERR, '>&', \*STDOUT or POSIX::_exit(97);
		POSIX::close($_) for 3 .. 40;
		$ENV{IOTRACE_DIR} = $logs if $logs;
		$ENV{IOTRACE_SYSCALLS} = 1 if $form->{syscalls};
		limit($NOFILE, 1024, 4096);
		limit($FSIZE, 16 << 20, 16 << 20);
		{ no warnings 'exec'; exec { $command[0] } @command; }
		POSIX::_exit(97);
	}
	my $status = $self->wait_for($pid);
	return { status => $status, pid => $pid, board => slurp("$work/board", 1), out => slurp("$work/out"), tree => tree($in, '') };
}

sub wait_for
{
	my ($self, $pid) = @_;
	my $status;

	eval {
		local $SIG{ALRM} = sub { die "late\n" };
		alarm $self->{seconds};
		waitpid $pid, 0;
		$status = $?;
		alarm 0;
	};
	alarm 0;
	my $late = !defined $status;
	kill KILL => -$pid;
	waitpid $pid, 0 if $late;
	return 'late' if $late;
	return $status & 127 ? 'killed by ' . ($status & 127) : 'exited with ' . ($status >> 8);
}

sub slurp
{
	my ($name, $board) = @_;

	open my $in, '<:raw', $name or return '';
	local $/;
	my $text = <$in> // '';
	if ($board) {
		my $n = length $text >= 4 ? unpack 'L', $text : 0;
		$text = substr $text, 4, $n;
	}
	return $text;
}

# What the program has left, name by name; logs aside.
sub tree
{
	my ($dir, $below) = @_;
	my $text = '';

	opendir my $d, $dir or return "$below: cannot be read\n";
	for my $name (sort grep { !/^\.\.?$/ && !/\.iotrace$/ } readdir $d) {
		my @st = lstat "$dir/$name";
		my ($mode, $nlink, $size) = @st[2, 3, 7];
		my $what = S_ISDIR($mode) ? '' : S_ISLNK($mode) ? readlink "$dir/$name" : S_ISREG($mode) ? "$size " . sum("$dir/$name") : '';
		$text .= sprintf "%s%s %o %d %s\n", $below, $name, $mode, $nlink, $what;
		$text .= tree("$dir/$name", "$below$name/") if S_ISDIR($mode);
	}
	return $text;
}

sub sum
{
	my ($name) = @_;

	sysopen my $in, $name, 0 or return "$!";
	sysread $in, my $bytes, 1 << 18;
	return md5_hex($bytes // '');
}

sub empty
{
	my ($dir) = @_;

	opendir my $d, $dir or return;
	for (grep { !/^\.\.?$/ } readdir $d) {
		my $name = "$dir/$_";
		if (-d $name && !-l $name) {
			empty($name);
		} else {
			unlink $name;
		}
	}
	rmdir $dir;
}

1;
