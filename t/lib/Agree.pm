# SPDX-License-Identifier: BSD-3-Clause
#
# Agree.pm - compare what a log says with what strace saw, thread by thread:
# the ordered lists of (kernel call, descriptor, result or errno) are the same.
#
# Where the program's view differs from the kernel's by definition:
#  - a child's own first return from fork, vfork or clone is no line in strace;
#  - a few functions return something else than the system call that they are
#    (%SAYS below);
#  - a call that was abandoned may have been left before it came to the kernel, or
#    behind it, where it has a result: a thread can be cancelled there.
#
# If strace's output has times, so do they agree: strace looks at its clock after
# a call was entered and before it returned, so between start and end of the
# record, whatever either tool costs.

package Agree;

use strict;
use warnings;
no warnings 'portable';	# addresses have 64 bits
use Lines qw(line);
use Strace;

my %forks = map { $_ => 1 } qw(fork vfork clone clone3);

# ns by which the two may differ: the recorder compares its clocks to a few
# microseconds, unless it is preempted at every try.
my $CLOCKS = 1_000_000;

# Functions whose result is not their system call's: what they return when that
# succeeded.  (Those that return an error number are recognised by errno.)
my %SAYS = (
	isatty => sub { $_[0] == 1 },		# the kernel: 0
	sockatmark => sub { $_[0] == 0 || $_[0] == 1 },
);

# new(fd => { CALL => 1 }): calls that cannot be without a descriptor
sub new
{
	my ($class, %o) = @_;
	return bless { %o, calls => {}, said => [], off => 0 }, $class;
}

# Lines of iotrace-cat --format=json
sub read_json
{
	my ($self, $in) = @_;
	my $calls = $self->{calls};

	while (<$in>) {
		my $r = line($_);
		$self->{beneath}->record($r) if $self->{beneath};
		next unless exists $r->{syscall};
		for (qw(tid start call)) {
			die "oracle: a record without \"$_\": $_[0]" unless exists $r->{$_};
		}
		next if $forks{ $r->{syscall} } && defined $r->{ret} && $r->{ret} eq '0';
		push @{ $calls->{ $r->{tid} } }, $r;
	}
	for (values %$calls) {
		@$_ = sort { $a->{start} <=> $b->{start} } @$_;
	}
	return $self;
}

sub number
{
	my ($x) = @_;
	return $x =~ /^0x/ ? hex $x : $x;
}

# How many ns strace's time lies outside the record's.  What musl's open() and others
# call besides is recorded behind them: its time may be in the record before.
sub time_off
{
	my ($e, $r, $before) = @_;

	return 0 unless $e->{time};
	my ($s, $ns) = $e->{time} =~ /^(\d+)\.(\d{9})$/ or die "oracle: strace's times have no ns: $e->{time}\n";
	return 0 if $before && $r->{internal} && $r->{call} eq 'fcntl' && !time_off($e, $before);
	my $after = $s * 1_000_000_000 + $ns - $r->{start};
	return -$after if $after < 0;
	return defined $r->{dur} && $after > $r->{dur} ? $after - $r->{dur} : 0;
}

# Why record $r is not strace's call $e; undef if it is.
sub differ
{
	my ($self, $e, $r) = @_;

	return 'another call' if $e->{call} ne $r->{syscall};
	my $fd = Strace::fd($e);
	if (defined $fd) {
		if (defined $r->{fd}) {
			# what can be no descriptor is -1 in the log
			return 'another descriptor' if $r->{fd} != ($fd < 0 ? -1 : $fd);
		} elsif ($self->{fd}{ $r->{call} } && $fd >= 0) {
			return 'no descriptor in the log';
		}
	}
	return undef if ($r->{status} // '') eq 'abandoned';
	if (defined $e->{err}) {
		return defined $r->{errno} && $r->{errno} eq $e->{err} ? undef : 'another errno';
	}
	return 'an error in the log' if defined $r->{errno};
	if (!defined $e->{ret}) {
		return defined $r->{ret} ? 'a result in the log' : undef;
	}
	# fadvise and the like: void functions have no result to compare
	return undef if !defined $r->{ret} && $self->{void}{ $r->{call} };
	return 'no result in the log' unless defined $r->{ret};
	if (my $says = $SAYS{ $r->{call} }) {
		return $says->($r->{ret}) ? undef : 'another result';
	}
	return number($r->{ret}) == $e->{ret} ? undef : 'another result';
}

sub show_record
{
	my ($r) = @_;

	return 'nothing' unless $r;
	return sprintf '%s(%s) = %s%s   [%s%s]', $r->{syscall}, $r->{fd} // '', $r->{ret} // '?',
	    defined $r->{errno} ? " $r->{errno}" : '', $r->{call}, $r->{internal} ? ', internal' : '';
}

sub show_call
{
	my ($e) = @_;

	return 'nothing' unless $e;
	my $text = length $e->{text} > 120 ? substr($e->{text}, 0, 117) . '...' : $e->{text};
	$text .= ', in the end ' . ($e->{err} // $e->{ret} // '?') if $text !~ / = / || $text =~ / = \? ERESTART/;
	return $text . ($e->{where} ? "   [$e->{where}]" : '');
}

# Compare with a Strace; say up to $max differences per thread.  Returns
# (calls that agree, differences).
sub with
{
	my ($self, $strace, $max) = @_;
	my ($good, $bad) = (0, 0);
	my %tids = map { $_ => 1 } keys %{ $strace->{calls} }, keys %{ $self->{calls} };

	for my $tid (sort { $a <=> $b } keys %tids) {
		my ($e, $r) = ($strace->{calls}{$tid} || [], $self->{calls}{$tid} || []);
		$self->cut_short($e, $r) if $strace->cut_short($tid);
		my ($g, $b) = $self->thread($tid, $e, $r, $max);
		$good += $g;
		$bad += $b;
	}
	return ($good, $bad);
}

# A call, or one around calls, whose end is not in the log.
sub is_in_progress
{
	my ($self, $r, @later) = @_;

	return 0 if defined $r->{ret} || ($r->{status} // '') eq 'abandoned' || $self->{void}{ $r->{call} };
	return !grep { ($_->{depth} // 1) <= ($r->{depth} // 0) } @later;
}

# See Strace::cut_short.  Of calls that are in progress within each other only the innermost,
# if any, is the kernel's; the others may not have come to make theirs.
sub cut_short
{
	my ($self, $e, $r) = @_;
	my $i = $#$e;
	my @in_progress = map { $self->is_in_progress(@$r[$_ .. $#$r]) } 0 .. $#$r;

	for my $j (reverse 0 .. $#$r) {
		if ($in_progress[$j]) {
			my %begun = $i >= 0 ? %{ $e->[$i] } : (call => '');
			delete @begun{qw(ret err)};
			if ($i < 0 || $self->differ(\%begun, $r->[$j])) {
				splice @$r, $j, 1;
				next;
			}
			$e->[$i] = \%begun;
		}
		$i-- if ($r->[$j]{status} // '') ne 'abandoned' || ($i >= 0 && !$self->differ($e->[$i], $r->[$j]));
	}
}

sub thread
{
	my ($self, $tid, $e, $r, $max) = @_;
	my ($i, $j, $good, $bad) = (0, 0, 0, 0);
	my $say = sub {
		my ($why, $x, $y) = @_;
		push @{ $self->{said} }, "thread $tid, call $i: $why", '    strace  ' . show_call($x),
		    '    log     ' . show_record($y)
		    if $bad < $max;
		$bad++;
	};

	while ($i < @$e || $j < @$r) {
		if ($i < @$e && $j < @$r) {
			my $why = $self->differ($e->[$i], $r->[$j]);
			my $left = ($r->[$j]{status} // '') eq 'abandoned';
			# not taken for the same call made again
			$why ||= 'another time' if $left && time_off($e->[$i], $r->[$j]) > $CLOCKS;
			if (!$why) {
				my $off = time_off($e->[$i], $r->[$j], $j ? $r->[$j - 1] : undef);
				$self->{off} = $off if $off > $self->{off};
				$say->('another time, by ' . $off / 1000 . ' us', $e->[$i], $r->[$j]) if $off > $CLOCKS;
				$i++, $j++, $good++;
				next;
			}
			if ($left) {
				$j++;
				next;
			}
			my ($skip_e, $skip_r) = $self->resync($e, $i, $r, $j);
			if (!$skip_e && !$skip_r) {
				$say->($why, $e->[$i++], $r->[$j++]);
				next;
			}
			$say->('missing in the log', $e->[$i++], undef) while $skip_e-- > 0;
			$say->('not seen by strace', undef, $r->[$j++]) while $skip_r-- > 0;
		} elsif ($i < @$e) {
			$say->('missing in the log', $e->[$i++], undef);
		} else {
			$say->('not seen by strace', undef, $r->[$j++]);
		}
	}
	push @{ $self->{said} }, "thread $tid: $bad differences, " . @$e . ' calls seen by strace, ' . @$r . ' in the log'
	    if $bad;
	return ($good, $bad);
}

# How much to leave out on either side so that the lists go on alike.
sub resync
{
	my ($self, $e, $i, $r, $j) = @_;

	# the same call with other values
	return (0, 0) if $e->[$i]{call} eq $r->[$j]{syscall} && $self->alike($e, $i + 1, $r, $j + 1);
	for my $n (1 .. 40) {
		for my $skip_e (0 .. $n) {
			my $skip_r = $n - $skip_e;
			return ($skip_e, $skip_r) if $self->alike($e, $i + $skip_e, $r, $j + $skip_r);
		}
	}
	return (0, 0);
}

# Whether the next three calls agree, or all that there are.
sub alike
{
	my ($self, $e, $i, $r, $j) = @_;

	for (0 .. 2) {
		return 1 if $i == @$e && $j == @$r;
		return 0 if $i >= @$e || $j >= @$r || $self->differ($e->[$i++], $r->[$j++]);
	}
	return 1;
}

1;
