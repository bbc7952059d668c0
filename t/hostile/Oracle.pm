# SPDX-License-Identifier: BSD-3-Clause
#
# Oracle.pm - a case under strace: static and dispatched forms are held to t/lib/oracle,
# and every form's sums to t/lib/stat-sums.
package Oracle;

use strict;
use warnings;
use Forms;

# A failure, or undef.  Those that were compared are counted in their case.
sub check
{
	my ($cases, $case, $form) = @_;
	my $forms = $cases->{forms};
	my $lib = "$forms->{src}/../lib";
	my $dir = "$forms->{work}/logs/oracle";

	return undef if $form->{name} !~ /static|dispatched/;
	# a signal between a call's record and the kernel: its handler's calls come first for
	# strace, and second in the log
	# settings that the program makes hold for what it executes, of which calls are left out then
	return undef if $cases->show($case) =~ /\b(?:timer|environment)\b/;
	Forms::empty($dir);
	mkdir $dir;
	# also for what the program does as nobody
	chmod 0777, $dir;
	my @options = $form->{syscalls} || $form->{run} ? ('--syscalls') : ();
	# strace makes a call take fifty times as long
	local $forms->{seconds} = 5 * $forms->{seconds};
	# the oracle runs iotrace run by itself
	my $seen = $forms->run({ %$form, run => undef }, $case, undef, "$lib/oracle", @options, "--dir=$dir",
	    "--report=$dir/report", '--');
	# strace has the program's limit on file size
	return undef if $seen->{status} eq 'late' || -s "$dir/strace" >= 16 << 20;
	if ($seen->{status} ne 'exited with 0') {
		my $said = Forms::slurp("$dir/report");
		# what is lost is counted; it can't be compared
		return undef if $said =~ /calls? (?:was|were) not recorded/ || $said =~ /no log in|strace saw no call/;
		$case->{compared}++;
		$said = "$seen->{status}\n$seen->{out}" if $said eq '';
		my ($first) = grep { /:/ } split /\n/, $said;
		return { form => $form, what => 'oracle', why => $said,
			key => 'oracle ' . (($first // '') =~ s/thread \d+, call \d+//r =~ s/\d+/N/gr) };
	}
	$case->{compared}++;
	my $said = `'$lib/stat-sums' '$dir' 2>&1`;
	return $? ? { form => $form, what => 'oracle', why => $said, key => 'sums' } : undef;
}

1;
