#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# compare.pl CALLS.DEF PROGRAM REFERENCE.JSON OTHER.JSON - how the calls that a program
# made itself differ in two logs of it, a line each:
#
#	CALL what FIELDS...
#
# what: missing or extra in the other log, or other, with the fields that are
# other.  What libc made within its own calls is left out, and what other programs
# did, and what changes from run to run: addresses, process ids, numbers in names.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines qw(line);

my ($table, $prog, @logs) = @ARGV;
my (%kind, %result, %callback);

# the kinds of parameters and results, from the table
sub read_table {
	open(my $in, '<', $table) or die "$table: $!\n";
	while (<$in>) {
		/^[a-z]+\s+(\w+) (\w+)\((.*?)\)\s*(.*)/ or next;
		my ($result, $name, $params, $attrs) = ($1, $2, $3, $4);
		my $as = $attrs =~ /\bas=(\w+)/ ? $1 : $name;

		$result{$as} //= $result;
		$callback{$as} = 1 if $attrs =~ /\bcallback\b/ or $name =~ /exit$/;
		$kind{$as}{$2} //= $1 eq 'uint' && $2 eq 'id' ? 'pid' : $1 while $params =~ /(\w+) (\w+)/g;
	}
}

# A value that is another in the next run becomes what stays of it.
sub steady {
	my ($kind, $v) = @_;

	return join(' ', @$v) if ref $v;
	return $v ? ($v eq '-1' ? 'failed' : 'some') : 'none' if $kind =~ /^(ptr|routine|queue|envp|map|pid|cookiefns)$/;
	return $v if $kind !~ /^(long|ulong|flock|addr|str|path)$/;
	$v =~ s/\bt(\d)-\w{6}/t$1-X/g;
	$v =~ s/[0-9]{3,}/N/g;
	return $v;
}

sub fields {
	my ($r) = @_;
	my $call = $r->{call};
	my %f = map { $_ => $r->{$_} // '-' } qw(fd path offset size ret errno);

	$f{path} = steady('path', $f{path});
	# which thread is first is anyone's guess, and so is its descriptor
	$f{$_} = 'N' for $f{path} =~ s,/(thread-|t)\d$,/$1N, ? ('fd', $call =~ /open/ ? 'ret' : 'fd') : ();
	$f{ret} = steady($result{$call} // 'int', $f{ret});
	$f{ret} = 'printed' if $call eq 'printf' and $f{fd} eq '1';
	# registers that the program did not set hold anything
	delete @{ $r->{args} }{qw(a3 a4 a5 a6)} if $call eq 'syscall';
	$f{"args.$_"} = steady($kind{$call}{$_} // 'int', $r->{args}{$_} // 'null') for keys %{ $r->{args} // {} };
	return \%f;
}

# Calls by name, without those that libc made within another.
sub read_log {
	my ($file) = @_;
	my (%calls, %around);

	open(my $in, '<', $file) or die "$file: $!\n";
	while (<$in>) {
		my $r = line($_);
		my $around = $around{"$r->{pid} $r->{tid}"} //= [];
		my $depth = $r->{depth};

		$#$around = $depth - 1 if @$around > $depth;
		my $own = !$r->{internal};
		$own &&= $callback{ $_ // '' } for @$around;
		$around->[$depth] = $r->{call};
		push @{ $calls{ $r->{call} } }, fields($r)
			if $own and $r->{prog} eq $prog and ($r->{errno} // '') ne 'EINPROGRESS';
	}
	return \%calls;
}

sub text {
	my ($f) = @_;

	return join(' ', map { "$_=$f->{$_}" } sort keys %$f);
}

# What the one has and the other has not.  How often counts, but for what is polled.
sub without {
	my ($call, $some, $others) = @_;
	my (%n, @left);

	$n{ text($_) }++ for @$others;
	for (@$some) {
		my $t = text($_);

		push @left, $_ unless $n{$t} and ($call =~ /^aio_(error|suspend)$/ or $n{$t}--);
	}
	return @left;
}

read_table();
my ($is, $other) = map { read_log($_) } @logs;
my %seen;
for my $call (sort keys %{ { %$is, %$other } }) {
	my @missing = without($call, $is->{$call} // [], $other->{$call} // []);
	my @extra = without($call, $other->{$call} // [], $is->{$call} // []);

	# one for one, they are the same calls
	while (@missing and @extra) {
		my ($a, $b) = (shift @missing, shift @extra);
		my @differ = grep { ($a->{$_} // '') ne ($b->{$_} // '') } sort keys %{ { %$a, %$b } };

		$seen{"$call other " . join(',', @differ)} //= text($a) . "\n#   " . text($b);
	}
	$seen{"$call missing"} //= text($_) for @missing;
	$seen{"$call extra"} //= text($_) for @extra;
}
print map { $ENV{EXPLAIN} ? "$_\n#   $seen{$_}\n" : "$_\n" } sort keys %seen;
