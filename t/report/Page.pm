# SPDX-License-Identifier: BSD-3-Clause
# Page.pm - what scripts that compare a page with other tools' JSON have in common.
package Page;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;

our @EXPORT = qw(decode lines slurp data_of ok is);
my $json = JSON::PP->new->utf8->allow_nonref;

# Bytes that are no UTF-8 stand there as half of a surrogate pair, which JSON::PP does not take.
sub decode { my ($text) = @_; $text =~ s/\\u(dc[89a-f][0-9a-f])/<$1>/g; return $json->decode($text) }
sub slurp { local $/; open my $f, '<:raw', $_[0] or die "$_[0]: $!"; my $text = <$f>; return $text }
# of a file with an object in each line
sub lines { return map { decode($_) } split /\n/, slurp($_[0]) }
# the text of a page's data; nothing: there is none
sub data_of { return $_[0] =~ m{<script type="application/json" id="data">(.*?)</script>}s ? $1 : undef }

sub ok { my ($right, $what) = @_; print $right ? 'ok' : 'not ok', " $what\n" }
sub is
{
	my ($got, $want, $what) = @_;

	ok($got eq $want, $what);
	print "# got $got, expected $want\n" if $got ne $want;
}

1;
