# SPDX-License-Identifier: BSD-3-Clause
# offsets.pl TRUTH JSON: whether the log has each call's offset, and the right one.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines qw(line);

my (%want, %got, @wrong);
open my $truth, '<', $ARGV[0] or die "$ARGV[0]: $!\n";
while (<$truth>) {
	my ($case, $call) = split;
	push @{ $want{$case} }, $_;
}
open my $json, '<', $ARGV[1] or die "$ARGV[1]: $!\n";
while (<$json>) {
	my $c = line($_);
	next unless $c->{call} =~ /^(read|write)$/ && ($c->{size} // 0) == 13 && !$c->{status};
	my ($case) = ($c->{path} // '') =~ m,/in/([^/]+)$, or next;
	push @{ $got{$case} }, "$case $c->{call} " . ($c->{offset} // 'absent') . "\n";
}
for my $case (sort keys %want) {
	my ($w, $g) = ($want{$case}, $got{$case} // []);
	push @wrong, "$case: " . @$w . " calls, " . @$g . " on record\n" if @$w != @$g;
	push @wrong, map { "$w->[$_]" =~ s/\n//r . ": the log has $g->[$_]" }
		grep { $w->[$_] ne $g->[$_] } 0 .. ($#$w < $#$g ? $#$w : $#$g);
}
print @wrong ? @wrong : keys(%want) . " cases, all as they were\n";
