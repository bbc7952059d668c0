#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# check-hostile.pl - random programs, each run plainly and in every traced form: what
# `make check-hostile` runs.  See HACKING.
#
#	check-hostile.pl [--seconds=N] [--seed=N] [--ops=N] [--features=HEX] [--without=NAME,...]
#		[--forms=NAME,...] [--oracle=N|SEED,...] [--found=DIR] [--bin=DIR]
#	check-hostile.pl --one=SEED [--keep=LIST] ...	one case, to be looked at
#
# Runs for so many seconds, from a seed on; one program in N goes to the oracle as well, or
# those of a list of seeds.
# Each failure is printed with its seed and the fewest operations that show it, and as a
# program of one file that goes to DIR.  With --bin the executables stay there, to be used
# again.  Exit status: 0 nothing was found, 1 something.
# Needs: top_srcdir, top_builddir, CC, AWK, NM in the environment, as t/lib/tap.sh sets them.

use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename;
use File::Temp;
use Getopt::Long;
use Time::HiRes qw(time);
use lib dirname(abs_path($0));
use Case;
use Emit;
use Forms;
use Oracle;

# iotrace(7) says that the log's descriptor can be seen.
my $DEFAULT_WITHOUT = 'lognumber';

my %o = (seconds => 60, seed => 1, ops => 40, features => '3ffffff', oracle => 20, without => $DEFAULT_WITHOUT);
GetOptions(\%o, 'seconds=f', 'seed=i', 'ops=i', 'features=s', 'without=s', 'forms=s', 'oracle=s', 'found=s', 'one=i', 'keep=s',
    'programs=i', 'spoil=s', 'bin=s') && !@ARGV
    or die "usage: check-hostile.pl [--seconds=N] [--seed=N] [--ops=N] [--features=HEX] [--forms=NAME,...]\n";
my $src = dirname(abs_path($0));
my $tmp = File::Temp->newdir('iotrace-storm.XXXXXX', TMPDIR => 1);
my $work = abs_path("$tmp");
chmod 0755, $work;
$ENV{IOTRACE_CAT} = abs_path($ENV{top_builddir}) . '/tools/iotrace-cat';
$ENV{IOTRACE_STAT} = abs_path($ENV{top_builddir}) . '/tools/iotrace-stat';
delete @ENV{ grep { /^IOTRACE_(?!CAT|STAT)/ || $_ eq 'IOTRACE' } keys %ENV };
# more than Places::stack asks for: the recorder's frames, which readers leave out, count too
$ENV{IOTRACE_STACK} = 40;
$| = 1;

my @forms = @Forms::FORMS;
if (defined $o{forms}) {
	my %want = map { $_ => 1 } split /,/, $o{forms};
	@forms = grep { $want{ $_->{name} } } @forms;
}
my $forms = Forms->new(work => $work, src => $src, build => abs_path($ENV{top_builddir}), table => abs_path($ENV{top_builddir}) . "/table/calls.def",
    defined $o{bin} ? (bin => $o{bin}) : ())->build(@forms);
my @names = split /\n/, `'$forms->{bin}/plain' --features`;
my %bit = map { $names[$_] => 1 << $_ } 0 .. $#names;
my $features = hex $o{features};
for (split /,/, $o{without}) {
	$features &= ~($bit{$_} // die "check-hostile: $_: no such feature\n");
}
my $cases = Case->new(forms => $forms, oracle => \&Oracle::check, spoil => spoil($o{spoil}));
my %asked = map { $_ => 1 } $o{oracle} =~ /,/ ? split /,/, $o{oracle} : ();
my (%seen, $found);
my ($begin, $told, $seeds, $oracles, $flaky, $late) = (time, time, 0, 0, 0, 0);

# For the test of all this: a run whose result, or log, is made wrong.
sub spoil
{
	my ($how) = @_;

	return undef unless defined $how;
	my ($form_name, $what, $pattern) = split /:/, $how, 3;
	return sub {
		my ($form, $case, $traced, $logs) = @_;
		return $traced unless $form->{name} eq $form_name && $traced->{board} =~ /$pattern/m;
		if ($what eq 'place') {
			# as if the kernel had said so
			$traced->{places} = $traced->{board} =~ s/^(\d+ place \w+ \d+ \d+) \d+/$1 4711/mr;
		} elsif ($what eq 'log') {
			for my $log (glob "'$logs'/*.iotrace") {
				open my $f, '+<', $log or die;
				seek $f, 8192, 0;
				print $f 'spoilt'; # in the header's text: records must stay
				close $f;
			}
		} else {
			$traced->{$what} =~ s/$pattern/spoilt/m;
		}
		return $traced;
	};
}

sub say_how_far
{
	printf "%d s: %d seeds, %d programs of %d operations run in %d forms, %d by the oracle too; %d failures, %d kinds%s%s\n",
	    time - $begin, $seeds, $cases->{programs}, $o{ops}, scalar @forms, $oracles, $found // 0, scalar keys %seen,
	    $flaky ? ", $flaky seeds differ untraced" : '', $late ? ", $late take too long" : '';
	$told = time;
}

# One that fails: is it the program?  If not, the fewest operations, once for each kind.
sub report
{
	my ($case, $failure) = @_;

	for my $again (1 .. 3) {
		my $plain = $case->{plain}{ $failure->{form}{like} };
		my $other = $forms->run({ exe => $failure->{form}{like} }, $case);
		if (grep { $plain->{$_} ne $other->{$_} } qw(board status out tree)) {
			$flaky++;
			print "seed $case->{seed} differs untraced: " . join(' / ', Case::first_difference($plain->{board}, $other->{board})) . "\n"
			    if $flaky < 20;
			return;
		}
	}
	$found++;
	return if $seen{ $failure->{key} }++;
	my ($least, $last, $tries) = $cases->shrink($case, $failure);
	my $n = () = ($least->{keep} // '') =~ /\w+/g;
	print "FAILED: $failure->{form}{name}, $last->{what}, seed $case->{seed}", $tries ? ", $n operations ($tries tries)" : ', not every time',
	    "\n$last->{why}\n", $tries ? $cases->show($least) : "at first: $failure->{why}\n",
	    "again: --one=$case->{seed} --ops=$case->{ops} --features=$case->{features} --forms=$failure->{form}{name}",
	    defined $least->{keep} ? " --keep=$least->{keep}" : '', "\n\n";
	$seen{ $last->{key} }++;
	Emit::write("$o{found}/case-$case->{seed}-$failure->{form}{name}.c", $src, "$forms->{bin}/table.h", $least, $last, $cases->show($least))
	    if defined $o{found};
}

if (defined $o{one}) {
	my $case = { seed => $o{one}, ops => $o{ops}, features => sprintf('%x', $features), keep => $o{keep}, with_oracle => $o{oracle} ne '0' };
	print $cases->show($case);
	for my $form (@forms) {
		my $failure = $cases->check($case, $form);
		$found++ if $failure;
		print "$form->{name}: ", $failure ? "$failure->{what}\n$failure->{why}\n" : "as it should be\n";
	}
	print "untraced:\n$case->{plain}{ $forms[0]{like} }{board}$case->{plain}{ $forms[0]{like} }{status}\n";
	exit !!$found;
}

my $seed = $o{seed};
my @batch;
while (time - $begin < $o{seconds} && (!defined $o{programs} || $seeds < $o{programs})) {
	my $case = { seed => $seed, ops => $o{ops}, features => sprintf('%x', $features), plain => {} };
	my $dir = "$work/logs/$seed";
	mkdir $dir;
	for my $name (qw(plain plain-static)) {
		next unless $cases->plain($case, $name)->{status} eq 'late';
		$late++;
		print "seed $seed takes too long untraced\n" if $late < 20;
	}
	report($case, $_) for $cases->failures($case, $dir, @forms);
	push @batch, [$case, $dir];
	if (%asked ? $asked{$seed} : $o{oracle} && $seed % $o{oracle} == 0) {
		$case->{with_oracle} = 1;
		for my $form (@forms) {
			my $failure = Oracle::check($cases, $case, $form);
			report($case, $failure) if $failure;
		}
		$oracles++ if $case->{compared};
	}
	if (@batch == 10) {
		look_at_logs();
	}
	$seeds++;
	$seed++;
	say_how_far() if time - $told >= 60;
}
look_at_logs();
say_how_far();
exit !!$found;

# Many at once; those that are complained of one by one.
sub look_at_logs
{
	my @dirs = map { my $d = $_->[1]; map { "$d/$_->{name}" } @forms } @batch;

	if ($cases->complaints(@dirs)) {
		for my $b (@batch) {
			for my $form (@forms) {
				my $said = $cases->complaints("$b->[1]/$form->{name}");
				report($b->[0], Case::log_failure($form, $said)) if $said;
			}
		}
	}
	Forms::empty($_->[1]) for @batch;
	@batch = ();
}
