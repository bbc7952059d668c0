# SPDX-License-Identifier: BSD-3-Clause
#
# Places.pm - the log of a case against what the program was told of its calls by the kernel
# (place.c): offset and file of each are those, or absent, and the stack begins in the
# function that made the call and ends in main.
package Places;

use strict;
use warnings;
use File::Basename;
use Cwd qw(abs_path);
use lib dirname(abs_path(__FILE__)) . '/../lib';
use Forms;
use Lines qw(line);

# What is wrong, or ''.  board: the program's; dir: with its logs; pid: its first process
sub check
{
	my ($cases, $board, $dir, $pid) = @_;
	my (%want, %calls, %log);

	for (split /\n/, $board) {
		my ($op, $call, $fd, $ret, $offset, $path) = /^(\d+) place (\w+) (\d+) (\d+) (-?\d+) (.*)$/ or next;
		$calls{$call} = 1;
		# the log has the name that a file was opened by, which may be a symbolic link
		$path = undef if $path =~ / \(deleted\)$/ || $board =~ /^\d+ (?:syscall )?(?:rename|symlink|names)/m;
		push @{ $want{"$call($fd) = $ret"} }, { op => $op, offset => $offset, path => $path };
	}
	return '' unless %want;
	open my $in, '-|', "'$cases->{forms}{build}/tools/iotrace-cat' --format=json -k -e @{[ join ',', sort keys %calls ]} '$dir' 2>'$dir/places.err'" or die;
	while (<$in>) {
		my $r = line($_);
		next if $r->{pid} != $pid || !defined $r->{fd} || !defined $r->{ret} || ($r->{status} // '') ne '';
		my $call = $r->{call} eq 'syscall' ? $r->{syscall} : $r->{call};
		push @{ $log{"$call($r->{fd}) = $r->{ret}"} }, $r;
	}
	close $in;
	# what is lost is counted; it can't be compared
	return '' if Forms::slurp("$dir/places.err") =~ /not recorded/;
	return join "\n", map { my $key = $_; map { "$key, $_" } missed($want{$key}, $log{$key} // []) } sort keys %want;
}

# Those that no record is like.  The program makes more such calls than it tells of, so
# records in between are left out.
sub missed
{
	my ($want, $log) = @_;
	my $at = 0;

	for my $w (@$want) {
		my @why;
		for (; $at < @$log; $at++) {
			my $why = differs($w, $log->[$at]) or last;
			push @why, $why;
		}
		return "operation $w->{op}: " . (join('; or ', @why) || 'no record') if $at++ >= @$log;
	}
	return ();
}

sub differs
{
	my ($w, $r) = @_;

	return "offset $r->{offset}, not $w->{offset}" if defined $r->{offset} && $w->{offset} >= 0 && $r->{offset} != $w->{offset};
	return "file $r->{path}, not $w->{path}" if defined $r->{path} && defined $w->{path} && $r->{path} ne $w->{path};
	return stack($r->{stack} // []);
}

# From the function that makes calls of the table, or the operation by hand, to where its
# thread begins, or exit calls handlers once main has returned, unless that is 32 frames out.
sub stack
{
	my ($stack) = @_;
	my @ours = grep { ($_->{file} // '') =~ m{/hostile/\w+\.c$} } @$stack or return '';

	return "stack begins in $ours[0]{func}" if $ours[0]{func} !~ /^(?:make|row_run|do_\w+)$/;
	return '' if @$stack >= 32 || $ours[-1]{func} =~ /^(?:main|(?:thread|worker|crowd|cancel|co|task)_entry|destroy|exit_thread)$/ ||
		($ours[-1]{func} eq 'exit_entry' && grep { ($_->{func} // '') eq 'exit' } @$stack);
	return 'stack ends in ' . join ' < ', map { $_->{func} // '?' } @$stack;
}

1;
