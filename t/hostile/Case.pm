# SPDX-License-Identifier: BSD-3-Clause
#
# Case.pm - what is held against each other of one case: a seed, and the operations of
# it that are kept.  A failure is { form, what, why, key }: key is what makes two alike.
package Case;

use strict;
use warnings;
use Forms;
use Places;

# What a traced form shows that its plain one did not; undef if they are alike.
sub differ
{
	my ($form, $plain, $traced) = @_;

	for my $what (qw(board status out tree)) {
		next if $plain->{$what} eq $traced->{$what};
		my ($want, $got) = first_difference($plain->{$what}, $traced->{$what});
		my $key = join ' ', $what, map { s/^-?\d+ //r =~ s/[0-9a-f]+$//r } substr($want, 0, 80), substr($got, 0, 80);
		return { form => $form, what => $what, why => "expected: $want\n     got: $got\n($plain->{status}; $traced->{status})", key => $key };
	}
	return undef;
}

sub first_difference
{
	my ($want, $got) = @_;
	my @want = split /\n/, $want, -1;
	my @got = split /\n/, $got, -1;

	while (@want && @got && $want[0] eq $got[0]) {
		shift @want;
		shift @got;
	}
	return map { $_ // '(nothing)' } $want[0], $got[0];
}

# new(forms => Forms, say => CODE)
sub new
{
	my ($class, %o) = @_;
	return bless { operations => 0, programs => 0, %o }, $class;
}

# The plain run that a form is held to, made once for a case.
sub plain
{
	my ($self, $case, $name) = @_;

	return $case->{plain}{$name} //= $self->{forms}->run({ exe => $name }, $case);
}

# Runs a case in the forms; returns failures.  Logs stay in $dir/FORM.
sub failures
{
	my ($self, $case, $dir, @forms) = @_;
	my @failures;

	for my $form (@forms) {
		my $plain = $self->plain($case, $form->{like});
		next if $plain->{status} eq 'late';
		my $logs = "$dir/$form->{name}";
		mkdir $logs;
		# also for what the program does as nobody
		chmod 0777, $logs;
		my $traced = $self->{forms}->run($form, $case, $logs);
		$traced = $self->{spoil}->($form, $case, $traced, $logs) if $self->{spoil};
		$self->{programs}++;
		my $failure = differ($form, $plain, $traced) // misplaced($form, Places::check($self, $traced->{places} // $traced->{board}, $logs, $traced->{pid}));
		push @failures, $failure if $failure;
	}
	return @failures;
}

# Complaints of the readers about logs in these directories.
sub complaints
{
	my ($self, @dirs) = @_;
	my $build = $self->{forms}{build};
	my @said;

	@dirs = grep { my @logs = glob "'$_'/*.iotrace"; @logs } @dirs;
	return '' unless @dirs;
	my $list = join ' ', map { "'$_'" } @dirs;
	for my $tool ("iotrace-cat --format=json", "iotrace-stat --format=json --by=call,file,process,thread") {
		my ($name) = $tool =~ /^(\S+)/;
		my $said = `'$build/tools/'$tool $list 2>&1 >/dev/null`;
		my $status = $?;
		# what was lost is counted, which is sound, if there was a reason
		my @bad = grep { !/^iotrace-\w+: \S+: \d+ calls? (?:was|were) not recorded/ } split /\n/, $said;
		# not mended yet: what a lost block defined is used by those behind it
		@bad = grep { !/uses? of paths, handles or stacks that the log does not define/ } @bad if $said =~ /not recorded/;
		push @said, "$name: status " . ($status >> 8) . ($status & 127 ? ", killed by " . ($status & 127) : '') if $status;
		push @said, @bad;
	}
	return join "\n", map { s{\S*/(\S+\.iotrace)}{$1}r } @said;
}

# All that is wrong with a case in one form: for shrinking.
sub check
{
	my ($self, $case, $form) = @_;
	my $dir = "$self->{forms}{work}/logs/check";

	Forms::empty($dir);
	mkdir $dir;
	my ($failure) = $self->failures($case, $dir, $form);
	if (!$failure) {
		my $said = $self->complaints("$dir/$form->{name}");
		$failure = log_failure($form, $said) if $said;
	}
	if (!$failure && $self->{oracle} && $case->{with_oracle}) {
		$failure = $self->{oracle}->($self, $case, $form);
	}
	return $failure;
}

sub misplaced
{
	my ($form, $said) = @_;

	return $said eq '' ? undef : { form => $form, what => 'places', why => $said, key => 'places ' . ($said =~ s/\d+/N/gr) };
}

sub log_failure
{
	my ($form, $said) = @_;
	my ($first) = split /\n/, $said;

	return { form => $form, what => 'log', why => $said, key => 'log ' . ($first =~ s/\S+\.iotrace//r =~ s/\d+/N/gr) };
}

# The fewest operations with which it still fails so: ddmin.
sub shrink
{
	my ($self, $case, $failure) = @_;
	my @ops = (0 .. $case->{ops} - 1, 'end');
	my $parts = 2;
	my $tries = 0;

	my $fails = sub {
		my %less = (%$case, keep => join(',', @_), plain => {});
		for (1 .. ($self->{again} // 2)) {
			$tries++;
			my $f = $self->check(\%less, $failure->{form});
			return $f if $f && $f->{what} eq $failure->{what};
		}
		return undef;
	};
	return ($case, $failure, 0) unless $fails->(@ops);
	my $last = $failure;
	while (@ops > 1 && $tries < 400) {
		my $size = int((@ops + $parts - 1) / $parts);
		my $done;
		for (my $at = 0; $at < @ops; $at += $size) {
			my @less = @ops;
			splice @less, $at, $size;
			next unless @less;
			if (my $f = $fails->(@less)) {
				@ops = @less;
				$last = $f;
				$parts = $parts > 2 ? $parts - 1 : 2;
				$done = 1;
				last;
			}
		}
		next if $done;
		last if $size == 1;
		$parts = $parts * 2 > @ops ? @ops : $parts * 2;
	}
	return ({ %$case, keep => join(',', @ops), plain => {} }, $last, $tries);
}

# The operations, for people.
sub show
{
	my ($self, $case) = @_;
	my $keep = defined $case->{keep} ? "--keep=$case->{keep}" : '';

	return `'$self->{forms}{bin}/plain' --show --features=$case->{features} --ops=$case->{ops} $keep $case->{seed}`;
}

1;
