# SPDX-License-Identifier: BSD-3-Clause
#
# Frames.pm - who made a system call in a dynamic program, by the frames that
# `strace -k` lists.
#
# The innermost frames are, from the system call outwards:
#  - iot_syscall, or iot_task_begin, in the recorder: a call of the recorder's own;
#  - of libc.so or the loader.  The first frame behind them is the one that called
#    libc.  If it lies in the recorder, that is a wrapper, and its name is the
#    function that the program called.  Else the program, or a library, called libc
#    past the wrappers, and the name of libc's outermost frame is what it called.  If
#    none comes behind them, libc works for itself: helper threads, the end of one;
#  - of anything else: a system call that a program makes without libc, which no
#    wrapper sees.
#
# strace knows exported symbols alone and takes the nearest, so names are looked up
# here, where a function's size counts: libc.so's functions that are not exported
# have no name.  Those can be called past the exported ones only by libc itself, but
# an exported one may end in a jump to one of them and leave no frame: what was called
# is then told by the caller's instruction (system, which jumps to do_system).

package Frames;

use strict;
use warnings;
no warnings 'portable';	# addresses have 64 bits

# new(rows => { NAME => ROW }, watch => { NAME => 1 }: of the table; io => [SYSCALL...];
# archive => PATH, library => PATH: of libiotrace-dynamic.a and libiotrace.so)
sub new
{
	my ($class, %o) = @_;
	my %io = map { $_ => 1 } @{ $o{io} };
	return bless { %o, io => \%io, modules => {}, count => {} }, $class;
}

# A line of strace -k: [path, offset in that file]; undef if it is not one.
sub parse
{
	return [$1, hex $2] if $_[0] =~ /^ > ([^(]*)\(.*\) \[0x([0-9a-f]+)\]$/;
	return ['', 0] if $_[0] =~ /^ > /;
	return;
}

# Symbols as nm prints them: [address, size, name], by address.
sub symbols
{
	my ($path, @options) = @_;
	my $nm = $ENV{NM} || 'nm';
	my @all;

	open my $in, '-|', "$nm @options -S '$path' 2>/dev/null" or return [];
	while (<$in>) {
		next unless /^([0-9a-f]+) (?:([0-9a-f]+) )?[tTwWi] ([^\s\@]+)/;
		push @all, [hex $1, hex($2 // 0), $3];
	}
	close $in;
	return [sort { $a->[0] <=> $b->[0] } @all];
}

# Functions of the archive, which is linked in whole: "NAME SIZE".
sub recorder_functions
{
	my ($self) = @_;

	$self->{functions} //= { map { ("$_->[2] $_->[1]" => 1) } @{ symbols($self->{archive}) } };
	return $self->{functions};
}

sub module
{
	my ($self, $path) = @_;
	my $m = $self->{modules}{$path};

	return $m if $m;
	$m = { path => $path, load => [loads($path)], symbols => [] };
	if ($path =~ m,/(?:libc\.so\.6|ld-linux[^/]*\.so\.\d|libc-[\d.]+\.so|ld-[\d.]+\.so)$,) {
		$m->{libc} = 1;
		$m->{symbols} = symbols($path, '-D');
	} elsif (@{ $m->{load} }) {
		$m->{symbols} = symbols($path);
		$m->{library} = $path eq $self->{library};
		$m->{recorder} = grep { $_->[2] eq 'iot_syscall' } @{ $m->{symbols} };
	}
	return $self->{modules}{$path} = $m;
}

# Segments: [offset, bytes, address]
sub loads
{
	my ($path) = @_;

	open my $in, '<:raw', $path or return;
	read $in, my $head, 4096 or return;
	return unless substr($head, 0, 6) eq "\x7fELF\2\1";
	my ($phoff, $n) = (unpack('Q<', substr $head, 32, 8), unpack('S<', substr $head, 56, 2));
	my @found;
	for (0 .. $n - 1) {
		my ($type, undef, $offset, $address, undef, $bytes) = unpack 'L<L<Q<Q<Q<Q<', substr $head, $phoff + 56 * $_, 40;
		push @found, [$offset, $bytes, $address] if $type == 1;
	}
	return @found;
}

sub address
{
	my ($m, $offset) = @_;

	for (@{ $m->{load} }) {
		return $offset - $_->[0] + $_->[2] if $offset >= $_->[0] && $offset - $_->[0] < $_->[1];
	}
	return;
}

# The functions that have this address within them, each by all of its names.
sub functions_at
{
	my ($m, $address) = @_;
	my $s = $m->{symbols};
	my ($lo, $hi) = (0, scalar @$s);

	while ($lo < $hi) {
		my $mid = int(($lo + $hi) / 2);
		$s->[$mid][0] <= $address ? ($lo = $mid + 1) : ($hi = $mid);
	}
	my @found;
	for (my $i = $lo - 1; $i >= 0 && $i >= $lo - 40; $i--) {
		push @found, $s->[$i] if $address - $s->[$i][0] < ($s->[$i][1] || 16);
	}
	return @found;
}

# What lies at a frame.  A return address may be behind the end of a function that
# ends in a call.
sub look
{
	my ($self, $frame) = @_;
	my ($path, $offset) = @$frame;
	my $at = "$path $offset";

	return $self->{looked}{$at} if $self->{looked}{$at};
	my $m = $self->module($path);
	my $address = address($m, $offset - 1);
	my @f = defined $address ? functions_at($m, $address) : ();
	my $what = 'other';
	if ($m->{libc}) {
		$what = 'libc';
	} elsif ($m->{recorder}) {
		my $ours = $m->{library} ? {} : $self->recorder_functions;
		$what = 'recorder' if $m->{library} || grep { $ours->{"$_->[2] $_->[1]"} } @f;
	}
	return $self->{looked}{$at} = { what => $what, names => [map { $_->[2] } @f], module => $m, address => $address };
}

# What the instruction before a return address calls: (1, name) if it is a function of
# another module, by way of the table of imports; (0, names) if it is one of the same.
sub called_from
{
	my ($self, $f) = @_;
	my ($m, $to) = ($f->{module}, ($f->{address} // return) + 1);
	my $code = bytes_at($m, $to - 6, 6);

	return unless length $code == 6;
	return (1, imported($m, $to + unpack('l<', substr $code, 2))) if substr($code, 0, 2) eq "\xff\x15";
	return unless substr($code, 1, 1) eq "\xe8";
	my $stub = $to + unpack('l<', substr $code, 2);
	my $jump = bytes_at($m, $stub, 11);
	$jump =~ /^(?:\xf3\x0f\x1e\xfa)?\xf2?\xff\x25(....)/s or return (0, map { $_->[2] } functions_at($m, $stub));
	return (1, imported($m, $stub + $+[0] + unpack('l<', $1)));
}

sub bytes_at
{
	my ($m, $address, $n) = @_;
	my ($load) = grep { $address >= $_->[2] && $address - $_->[2] < $_->[1] } @{ $m->{load} };

	return '' unless $load;
	open my $in, '<:raw', $m->{path} or return '';
	seek $in, $address - $load->[2] + $load->[0], 0;
	read $in, my ($bytes), $n;
	return $bytes;
}

# The symbol of which the loader puts the address there.
sub imported
{
	my ($m, $place) = @_;

	if (!$m->{imported}) {
		my %at;
		open my $in, '-|', "readelf -rW '$m->{path}' 2>/dev/null" or return;
		while (<$in>) {
			$at{ hex $1 } = $2 if /^([0-9a-f]+)\s+[0-9a-f]+\s+\S+\s+[0-9a-f]+\s+([^\s\@]+)/;
		}
		close $in;
		$m->{imported} = \%at;
	}
	return $m->{imported}{$place} // ();
}

# Who made the call: (what, ROW), see at the head.  What: recorder, raw, inner (libc for
# itself, or below a function without a row, which comes in place of ROW), wrapper, past
# (a row's function, called past its wrapper), or unknown (and why).
sub who
{
	my ($self, $call, $frames) = @_;
	my @f = map { $self->look($_) } @{ $frames // [] };
	my $rows = $self->{rows};
	my ($libc, $wrapper);

	return $frames ? 'killed' : ('unknown', 'no frames') unless @f;
	return 'recorder' if grep { /^iot_(?:syscall|task_begin)$/ } @{ $f[0]{names} };
	return 'raw' if $f[0]{what} eq 'other';
	$libc = shift @f while @f && $f[0]{what} eq 'libc';
	return 'inner' unless @f;
	# clone's frame does not tell who called it; what is not exported, only libc can
	return $call eq 'clone3' ? 'inner' : ('wrapper', $rows->{clone})
	    if $call =~ /^clone3?$/ && !defined $f[0]{address};
	$wrapper = shift @f while @f && $f[0]{what} eq 'recorder';
	my ($import, @called) = @f ? $self->called_from($f[0]) : ();
	if ($wrapper) {
		# it may have been left by a jump
		for (@called, map { s/^(?:iot_hand|iot_wrap|__wrap)_//r } @{ $wrapper->{names} }) {
			return ('wrapper', $rows->{$_}) if $rows->{$_};
			return ('inner', $_) if $self->{watch}{$_};
		}
		return ('unknown', "recorder's @{ $wrapper->{names} }");
	}
	# libc may have jumped from what the program calls to what has a row
	my @names = $import && @called ? @called : @{ $libc->{names} };
	return ('unknown', "libc's, from $f[0]{module}{path}") unless @names;
	my ($row) = grep { $rows->{$_} } @names;
	return defined $row ? ('past', $rows->{$row}) : ('inner', $names[0]);
}

# Whether a call of a Strace is to be in the log, or beneath one that is.  Then "by" is the
# row of the function that the program called.
sub counts
{
	my ($self, $e) = @_;
	my ($what, $by) = $self->who($e->{call}, $e->{frames});

	$self->{count}{$what}++;
	if ($what eq 'unknown') {
		# which is a difference
		$by = { name => $by, sys => $e->{call} };
	} elsif ($what eq 'inner' && ($by // '') eq '__libc_start_main') {
		# exit, where main returns
		$by = { name => 'return', call => 'exit' };
	} elsif (ref $by && $by->{name} eq 'syscall' && $self->{io}{ $e->{call} }) {
		# recorded as the call that it makes
		$by = { %$by, sys => $e->{call} };
	}
	return unless ref $by;
	$e->{by} = $by;
	$e->{where} = "$what $by->{name}";
	return 1;
}

# How many calls were whose, in words.
sub summary
{
	my ($self) = @_;
	my $n = $self->{count};

	return join(', ', map { "$_ $n->{$_}" } sort keys %$n);
}

1;
