#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# everywhere.pl SAID JSON: what everywhere.c says that it did, and its log has otherwise.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines 'line';

my ($said, $json) = @ARGV;
my (@want, @have, $bad);

open(my $in, '<', $said) or die "$said: $!";
chomp(@want = <$in>);
my %files = map { (split)[4] => 1 } @want;
open($in, '<', $json) or die "$json: $!";
while (<$in>) {
	my $c = line($_);
	my ($file) = ($c->{path} // q()) =~ m,([^/]*?)(?: \(deleted\))?$,;
	my $call = $c->{call};
	next unless $files{$file} && $call =~ /^(?:p?(?:read|write)v?2?|lseek|ftruncate|fallocate|ioctl|copy_file_range)$/;
	# by which the program asks where it is
	next if $call eq 'lseek' && $c->{args}{whence} eq 'SEEK_CUR';
	my $ret = $c->{errno} // $c->{ret};
	my $offset = $call eq 'lseek' && !$c->{errno} ? $ret : $call eq 'copy_file_range' ? $c->{args}{off_in} : $c->{offset};
	my $size = $c->{size} // $c->{args}{ $call eq 'ftruncate' ? 'length' : 'len' };
	push @have, join ' ', $call, $offset // '-', $size // '-', $ret, $file;
}
for my $i (0 .. ($#want > $#have ? $#want : $#have)) {
	my ($w, $h) = ($want[$i] // 'nothing', $have[$i] // 'nothing');
	print "$h, and not $w\n" if $w ne $h && ++$bad <= 20;
}
print "nothing was done\n" unless @want;
exit($bad ? 1 : 0);
