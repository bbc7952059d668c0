# SPDX-License-Identifier: BSD-3-Clause
# pattern.pl DIR JSON - prints the calls on files in DIR as pattern.c does.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Lines qw(line);

my ($dir, $file) = @ARGV;
my %flag = (O_RDWR => 2, O_CREAT => 0100, O_APPEND => 02000, O_CLOEXEC => 02000000);
open my $f, '<', $file or die "$file: $!\n";
while (<$f>) {
	my $c = line($_);
	next if $c->{internal} || !$c->{call} || ($c->{path} // '') !~ /^\Q$dir\E/ || $c->{call} eq 'mkdir';
	my @v = map { $_ // '-' } @$c{qw(call fd offset size ret)};
	if ($c->{call} =~ /^open/) {
		my $flags = 0;
		$flags |= $flag{$_} // die "what is $_?\n" for split /\|/, $c->{args}{flags};
		push @v, $c->{path}, $flags, $c->{args}{mode};
	}
	print "@v\n";
}
