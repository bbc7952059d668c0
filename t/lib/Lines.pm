# SPDX-License-Identifier: BSD-3-Clause
#
# Lines.pm - iotrace-cat's lines of JSON, each a hash.  JSON::PP, which looks at each
# character, takes ten times as long, and that was a good part of what the tests took.
# Text is what its bytes are (decode the line first if it is to be characters), true and
# false are 1 and 0, and numbers are as they are written.
package Lines;

use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(line);

my %escape = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t");
my %word = (true => 1, false => 0, null => undef);

sub text
{
	my ($s) = @_;
	$s =~ s{\\(?:u([0-9a-fA-F]{4})|(.))}{defined $1 ? chr hex $1 : $escape{$2} // $2}ge if index($s, '\\') >= 0;
	return $s;
}

sub bad
{
	die "not JSON at byte " . (pos // 0) . ": $_";
}

# The value at pos of $_.
sub value
{
	return text($1) if /\G"((?:[^"\\]|\\.)*+)"/gc;
	return $1 if /\G(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/gc;
	return $word{$1} if /\G(true|false|null)/gc;
	if (/\G\[/gc) {
		my @list;
		return \@list if /\G\]/gc;
		do { push @list, value() } while /\G,/gc;
		/\G\]/gc or bad();
		return \@list;
	}
	/\G\{/gc or bad();
	my %hash;
	return \%hash if /\G\}/gc;
	do {
		# most are simple
		if (/\G"([^"\\]*+)":(?:"([^"\\]*+)"|(-?\d++)(?=[,}]))/gc) {
			$hash{$1} = $2 // $3;
		} else {
			/\G"((?:[^"\\]|\\.)*+)":/gc or bad();
			my $name = $1;
			$hash{ text($name) } = value();
		}
	} while /\G,/gc;
	/\G\}/gc or bad();
	return \%hash;
}

# line(TEXT): dies if it is anything else
sub line
{
	local ($_) = @_;
	my $value = value();
	/\G\s*\z/gc && ref $value eq 'HASH' or bad();
	return $value;
}

1;
