# SPDX-License-Identifier: BSD-3-Clause
#
# Emit.pm - a case as a C program of one file, for reports: storm's sources, one behind
# the other, with the seed and the operations that are kept as their defaults.
package Emit;

use strict;
use warnings;

# write(FILE, t/hostile, table.h, case, failure, its operations)
sub write
{
	my ($name, $src, $table, $case, $failure, $ops) = @_;
	my %texts = map { s{.*/}{}r => slurp($_) } $table, glob "$src/*.[ch]";
	my $why = "$ops\n$failure->{why}" =~ s{\*/}{* /}gr;

	open my $out, '>', $name or die "check-hostile: $name: $!\n";
	print $out "/*\n * $failure->{form}{name}, $failure->{what}: cc -pthread FILE && ./a.out; the results are in storm.board\n",
	    map({ " * $_\n" } split /\n/, $why), " */\n#define _GNU_SOURCE\n",
	    "#define STORM_SEED $case->{seed}\n#define STORM_OPS $case->{ops}\n#define STORM_FEATURES 0x$case->{features}\n",
	    "#define STORM_KEEP \"", $case->{keep} // '0-399,end', "\"\n";
	print $out paste('storm.h', \%texts, {});
	print $out paste($_, \%texts, { 'storm.h' => 1 }) for sort grep { /\.c$/ } keys %texts;
	close $out;
}

sub paste
{
	my ($name, $texts, $had) = @_;

	return $texts->{$name} =~ s{^#define _GNU_SOURCE\n}{}mr =~ s{^#include "([^"]*)"\n}{
		$had->{$1}++ && $1 ne 'table.h' ? '' : paste($1, $texts, $had) }gemr;
}

sub slurp
{
	my ($name) = @_;

	open my $in, '<', $name or die "check-hostile: $name: $!\n";
	local $/;
	return scalar <$in>;
}

1;
