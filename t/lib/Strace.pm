# SPDX-License-Identifier: BSD-3-Clause
#
# Strace.pm - what `strace -f -i [-k] -o FILE` saw, as the program saw it.
#
# strace shows the kernel's side.  A log shows what came back to the program.
# Two things lie between them, and both are undone here, exactly:
#
# Interrupted calls.  A call that a signal interrupts ends in strace with
# "= ? ERESTART..." and then one of these happens:
#  - no handler runs: the kernel makes the call again, from the same
#    instruction.  The program saw one call, with the last result.
#  - a handler runs and returns: rt_sigreturn gives the interrupted call's
#    result, -1 EINTR, or else the kernel makes the call again, as above.
#  - a handler runs and does not return (siglongjmp, cancellation): the call has
#    no result.
# So we follow rt_sigaction to know which signals have handlers, and keep a stack
# of handlers for each thread.  (A handler that is left by siglongjmp into another
# handler's frame, while both interrupted a call, would be taken for the other.)
#
# Processes.  Children inherit handlers, and what executable they run; execve
# replaces both.  Calls of executables that are not ours are none of our
# business, and neither are calls that the recorder makes for itself, which all
# come from one function.

package Strace;

use strict;
use warnings;
no warnings 'portable';	# addresses have 64 bits
use File::Spec;
use Frames;

# Calls that we follow but never report.
our @AUX = qw(rt_sigaction rt_sigreturn restart_syscall exit);
my %aux = map { $_ => 1 } @AUX;
my %forks = map { $_ => 1 } qw(fork vfork clone clone3);
my $DISPATCH_ON = 'PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON';
# Which argument is the descriptor that a log calls "fd", if not the first.
my %fd_arg = (mmap => 4, sendfile => 1);

# new(exe => PATH, cwd => DIR, images => CODE)
# images->(PATH) tells about an executable: undef if it is not ours, else
# { own => [[lo, hi], ...], inline => { SYSCALL => [[lo, hi], ...] }, where => CODE },
# with own where the recorder's calls come from.  With library => PATH too, that
# is relative to where this library will be mapped, and with dispatch => 1 the
# calls count from where Syscall User Dispatch is switched on; if it never is, without
# => { own, inline, where } tells about the executable.  Or else { counts =>
# CODE }: whether a call counts is told by its frames, see Frames::counts, and what is not
# the called function's own system call is kept apart, as beneath.
sub new
{
	my ($class, %o) = @_;
	return bless { %o, threads => {}, child => {}, calls => {}, beneath => {}, ended => {} }, $class;
}

sub read_file
{
	my ($self, $name) = @_;
	my @lines;

	open my $in, '<', $name or die "oracle: $name: $!\n";
	while (<$in>) {
		chomp;
		if (/^(\d+) +(?:(\d+\.\d+) )?\[([0-9a-f?]+)\] (.*)$/) {
			push @lines, [$1, $3, $4, $2];
		} elsif (my $frame = Frames::parse($_)) {
			push @{ $lines[-1][4] }, $frame;
		} else {
			die "oracle: $name:$.: not a line of strace -f -i: $_\n";
		}
	}
	close $in;
	$self->find_children(\@lines);
	$self->find_dispatch(\@lines);
	find_frames(\@lines);
	$self->line(@$_) for @lines;
	return $self;
}

# Who is whose child has to be known before the child's first line, and that may
# come before its parent's call returns.
sub find_children
{
	my ($self, $lines) = @_;
	my %flags;

	for (@$lines) {
		my ($tid, undef, $text) = @$_;
		next unless $text =~ /^(?:<\.\.\. )?(fork|vfork|clone3?)(?:\(| resumed>)/;
		my $call = $1;
		$flags{$tid} = '' if $text =~ /^\w+\(/;
		$flags{$tid} .= $text;
		if ($text =~ / = (\d+)$/) {
			$self->{child}{$1} = { parent => $tid, flags => $flags{$tid} };
		}
	}
}

# Whether what a thread executes switches Syscall User Dispatch on has to be known when
# it begins: one word for each.
sub find_dispatch
{
	my ($self, $lines) = @_;

	for (@$lines) {
		my ($tid, undef, $text) = @$_;
		my $images = $self->{dispatches}{$tid} //= [0];

		if ($text =~ /^(?:<\.\.\. )?execve(?:at)?(?:\(| resumed>).* = 0$/) {
			push @$images, 0;
		} elsif ($text =~ /^prctl\($DISPATCH_ON/) {
			$images->[-1] = 1;
		}
	}
}

# A call's frames come behind the line in which it returns, or the thread ends; whoever
# is killed in a call has none.
sub find_frames
{
	my ($lines) = @_;
	my %open;

	for (@$lines) {
		my ($tid, $text) = @$_[0, 2];
		if ($text =~ /^\w+\(/) {
			$open{$tid} = $_;
		} elsif ($text =~ /^(?:<\.\.\. \w+ resumed>|\+\+\+ (killed|exited))/ && $open{$tid}) {
			$open{$tid}[4] //= $_->[4] // ($1 && []);
		}
	}
}

sub thread
{
	my ($self, $tid) = @_;
	my $t = $self->{threads}{$tid};

	return $t if $t;
	my $c = $self->{child}{$tid};
	if (!%{ $self->{threads} }) {
		my $proc = { cwd => $self->{cwd}, handlers => {}, opened => {}, dying => {}, image => undef };
		$t = { proc => $proc, frames => [], tid => $tid, images => 0 };
	} else {
		my $parent = $c && $self->{threads}{ $c->{parent} };
		# the parent died before it could say so: whoever is in a fork
		($parent) = grep { $_->{open} && $forks{ $_->{open}{call} } } values %{ $self->{threads} }
		    unless $parent;
		die "oracle: strace shows no parent of $tid\n" unless $parent;
		my $old = $parent->{proc};
		my $proc = $c && $c->{flags} =~ /CLONE_THREAD/ ? $old
		    : { %$old, ends => undef, dying => {}, handlers => { %{ $old->{handlers} } }, opened => { %{ $old->{opened} } } };
		# what a shell forks is traced no more than the shell
		$t = { proc => $proc, frames => [], tid => $tid, images => 0, unseen => $parent->{unseen} };
	}
	$self->{calls}{$tid} = [];
	$self->{beneath}{$tid} = [];
	return $self->{threads}{$tid} = $t;
}

sub line
{
	my ($self, $tid, $ip, $text, $time, $frames) = @_;
	my $t = $self->thread($tid);

	if ($text =~ /^--- (SIG\w+) \{/) {
		$self->signal($t, $1);
	} elsif ($text =~ /^\+\+\+ superseded by execve in pid (\d+)/) {
		# another thread's execve took over this tid
		my $other = $self->{threads}{$1};
		$t->{open} = delete $other->{open} if $other;
	} elsif ($text =~ /^\+\+\+ (?:killed by (SIG\w+)|exited with)/) {
		$self->died($t, $tid, $1);
	} elsif ($text =~ /^(?:---|\+\+\+) /) {
		# stopped
	} elsif ($text =~ /^(?:<\.\.\. )?\?\?\?/) {
		# dead before strace could ask which call it had entered
	} elsif ($text =~ /^<\.\.\. (\w+) resumed>(.*)$/) {
		my ($call, $rest) = ($1, $2);
		my $e = delete $t->{open} or die "oracle: $tid resumes $call, which it did not begin\n";
		$e->{text} .= $rest;
		$self->finish($t, $e);
	} elsif ($text =~ /^(\w+)\(/) {
		my $e = { call => $1, ip => $ip, text => $text, time => $time, frames => $frames };
		if ($text =~ s/(?: <unfinished \.\.\.>|<pid changed to \d+ \.\.\.>)$//) {
			$e->{text} = $text;
			$self->begin($t, $tid, $e);
			$t->{open} = $e;
		} elsif ($text =~ s/ <unfinished \.\.\.>\) += \?$//) {
			# died in it
			$e->{text} = $text;
			$self->begin($t, $tid, $e);
			$t->{open} = $e;
		} else {
			$self->begin($t, $tid, $e);
			$self->finish($t, $e);
		}
	} else {
		die "oracle: cannot read this line of strace: $text\n";
	}
}

# If not by its own doing: see cut_short.
sub died
{
	my ($self, $t, $tid, $by) = @_;
	my ($calls, $last) = ($self->{calls}{$tid}, $t->{last} || '');

	# Of a thread that is dead already when strace wants to know which call it has
	# entered, strace says the one that it was told of before, or what is no number of a
	# call any more: while the process ends, or a signal kills it.
	if ($t->{open} && ($t->{open}{late} || ($by && $t->{open}{dying}{$by}))) {
		pop @$calls if @$calls && $calls->[-1] == $t->{open};
		$last = '';
	}
	$self->{ended}{$tid} = 1 if $last ne 'exit' && $last ne 'exit_group';
}

sub signal
{
	my ($self, $t, $sig) = @_;
	my $h = $t->{proc}{handlers}{$sig};

	if (!$h) {
		# another hash, since calls have the one that was there when they began
		$t->{proc}{dying} = { %{ $t->{proc}{dying} }, $sig => 1 };
		return;
	}
	push @{ $t->{frames} }, { call => delete $t->{pending} };
	delete $t->{proc}{handlers}{$sig} if $h eq 'once';
}

# A call is entered: decide whose it is, and whether it continues another.
sub begin
{
	my ($self, $t, $tid, $e) = @_;
	my $image = $t->{proc}{image};
	my $call = $t->{last} = $e->{call};

	# signals that nobody handles have come
	$e->{dying} = $t->{proc}{dying};
	# another thread is ending the process
	$e->{late} = 1 if ($t->{proc}{ends} // $tid) != $tid;
	$t->{proc}{ends} //= $tid if $call eq 'exit_group';
	if (my $again = delete $t->{pending}) {
		if ($again->{ip} eq $e->{ip} && ($call eq $again->{call} || $call eq 'restart_syscall')) {
			$e->{again} = $again;
			return;
		}
	}
	# what the kernel does not have is no I/O
	return if $aux{$call} || $call =~ /^syscall_0x/;
	if (!$t->{proc}{started}) {
		# strace's own execve of the program
		$e->{first} = $t->{proc}{started} = 1;
		return;
	}
	return unless $image;
	if ($image->{counts}) {
		$image->{counts}->($e) or return;
		my $own = ($e->{by}{sys} // '') eq $call;
		push @{ $self->{ $own ? 'calls' : 'beneath' }{$tid} }, $e;
		return;
	}
	if ($call eq 'prctl') {
		$t->{unseen} = 0 if $e->{text} =~ /^prctl\($DISPATCH_ON/;
		return;
	}
	return if $t->{unseen};
	my $ip = hex($e->{ip} =~ s/\?.*//r || 0) - ($image->{library} ? $t->{proc}{base} : 0);
	return if grep { $ip >= $_->[0] && $ip < $_->[1] } @{ $image->{own} };
	for (@{ $image->{inline}{$call} || [] }) {
		return if $ip >= $_->[0] && $ip < $_->[1];
	}
	$e->{where} = $image->{where}->($ip);
	push @{ $self->{calls}{$tid} }, $e;
}

# A call returned, in whole or for now.
sub finish
{
	my ($self, $t, $e) = @_;
	my $call = $e->{call};
	my ($ret, $note) = $e->{text} =~ /^.* = (-?\d+|0x[0-9a-f]+|\?)((?: .*)?)$/s;

	die "oracle: no result in this line of strace: $e->{text}\n" unless defined $ret;
	if ($ret eq '?' && $note =~ /^ ERESTART/) {
		$t->{pending} = $e->{again} || $e;
		return;
	}
	if ($call eq 'rt_sigaction') {
		$self->sigaction($t, $e->{text}) if $ret eq '0';
	} elsif ($call eq 'rt_sigreturn') {
		my $frame = pop @{ $t->{frames} };
		my $e0 = $frame && $frame->{call} or return;
		if ($ret eq '-1' && $note =~ /^ EINTR/) {
			@$e0{qw(ret err)} = (-1, 'EINTR');
		} else {
			$t->{pending} = $e0;
		}
		return;
	}
	$self->loads($t, $e->{text}, $ret) if $t->{unseen};
	my $to = $e->{again} || $e;
	return if $ret eq '?';
	if ($ret eq '-1' && $note =~ /^ (E[A-Z0-9]+)/) {
		$to->{err} = $1;
		$to->{ret} = -1;
		return;
	}
	if ($call eq 'execve' || $call eq 'execveat') {
		$self->new_image($t, $e);
		return;
	}
	$to->{ret} = $ret =~ /^0x/ ? hex $ret : $ret =~ /^0\d/ ? oct $ret : $ret;
	$self->moved($t, $e->{text}) if $call eq 'chdir';
	# for fexecve
	$t->{proc}{opened}{$ret} = path_argument($t, $e->{text}) if $call =~ /^open(at)?$/;
}

# Where the loader maps the recorder.
sub loads
{
	my ($self, $t, $text, $ret) = @_;
	my $library = $t->{proc}{image}{library} or return;

	if ($text =~ /^openat\(AT_FDCWD, "\Q$library\E"/) {
		$t->{library_fd} = $ret;
	} elsif (defined $t->{library_fd} && $text =~ /^mmap\(NULL, .*, $t->{library_fd}, 0\)/) {
		$t->{proc}{base} = hex $ret;
		delete $t->{library_fd};
	}
}

sub sigaction
{
	my ($self, $t, $text) = @_;

	# the new action comes first; NULL: it was only asked for
	return unless $text =~ /^rt_sigaction\((SIG\w+), \{sa_(?:handler|sigaction)=(\w+), .*?sa_flags=([\w|]+)/;
	my ($sig, $handler, $flags) = ($1, $2, $3);
	my $h = $t->{proc}{handlers};
	if ($handler =~ /^SIG_/) {
		delete $h->{$sig};
	} else {
		$h->{$sig} = $flags =~ /SA_RESETHAND/ ? 'once' : 'always';
	}
}

sub unquote
{
	my ($s) = @_;
	my %c = (n => "\n", t => "\t", r => "\r", v => "\013", f => "\f");

	$s =~ s/\\(?:([0-7]{1,3})|x([0-9a-f]{2})|(.))/defined $1 ? chr oct $1 : defined $2 ? chr hex $2 : $c{$3} || $3/ges;
	return $s;
}

sub path_argument
{
	my ($t, $text) = @_;

	return undef unless $text =~ /"((?:[^"\\]|\\.)*)"/;
	return File::Spec->rel2abs(unquote($1), $t->{proc}{cwd});
}

sub moved
{
	my ($self, $t, $text) = @_;
	my $to = path_argument($t, $text);

	$t->{proc}{cwd} = $to if defined $to;
}

sub new_image
{
	my ($self, $t, $e) = @_;
	my $path = $e->{first} ? $self->{exe} : path_argument($t, $e->{text});

	$path = $t->{proc}{opened}{$1} if $e->{text} =~ /^execveat\((\d+), "",/;
	my $image = defined $path ? $self->{images}->($path) : undef;
	my $dispatched = $self->{dispatches}{ $t->{tid} }[++$t->{images}];
	$image = $image->{without} if $image && $image->{without} && !$dispatched;
	# a process of its own from here on, whatever it shared before
	$t->{proc} = { %{ $t->{proc} }, handlers => {}, dying => {}, image => $image };
	$t->{frames} = [];
	$t->{unseen} = $image && $image->{dispatch};
	delete $t->{pending};
}

# Whether a thread was ended from outside: by a signal, or by another thread's
# exit_group.  Then nobody knows how far its last call got in the eyes of the
# program: it may have a result in the kernel and none in the log, and the log
# may know a call that the kernel was not asked for any more.
sub cut_short
{
	my ($self, $tid) = @_;
	return $self->{ended}{$tid};
}

# The descriptor argument, if it is a number.
sub fd
{
	my ($e) = @_;
	my ($args) = $e->{text} =~ /^\w+\((.*)/s;
	my @a = split /, */, $args, 6;
	my $a = $a[$fd_arg{ $e->{call} } || 0];

	return defined $a && $a =~ /^(-?\d+)\b/ ? $1 : undef;
}

1;
