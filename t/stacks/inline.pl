#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# inline.pl IOTRACE-CAT EXECUTABLE FILE MOST - functions, those that were expanded in
# others too, files and lines that iotrace-cat -k has for addresses of the executable, MOST
# of them, in a log that is made up in FILE, against those of llvm-symbolizer.  Prints what
# differs, and how many are the same.
use strict;
use warnings;
no warnings 'portable';
use Cwd qw(abs_path);
use File::Basename;
use lib dirname(abs_path($0)) . '/../lib';
use Lines qw(line);
use MkLog;

my ($cat, $prog, $file, $most) = @ARGV;
$prog = abs_path($prog);
my $BIAS = 0x555555554000;

my ($seg) = grep { /LOAD.*R E/ } `readelf -lW '$prog'`;
my ($off, $addr, $size) = map { hex } $seg =~ /LOAD\s+(0x\w+)\s+(0x\w+)\s+\S+\s+(0x\w+)/;
my ($id) = map { /Build ID: (\w+)/ ? pack 'H*', $1 : () } `readelf -nW '$prog'`;
# instructions of functions that the source has
my @at = map { /^\s+([0-9a-f]+):\s/ ? hex $1 : () } `objdump -d -j .text --no-show-raw-insn '$prog'`;
my $each = int(@at / $most) || 1;
@at = @at[ grep { !($_ % $each) } 0 .. $#at ];

# as llvm-symbolizer has them: [ function, file:line ], the innermost first
sub oracle
{
	my (@at) = @_;
	open my $f, '>', "$file.at" or die "$file.at: $!";
	printf $f "0x%x\n", $_ for @at;
	close $f;
	open my $said, '-|', "llvm-symbolizer --obj='$prog' --inlines --functions=linkage --no-demangle <'$file.at'" or die;
	my @all;
	local $/ = '';
	while (<$said>) {
		chomp;
		my @lines = split /\n/;
		push @all, [ map { [ $lines[ 2 * $_ ], $lines[ 2 * $_ + 1 ] =~ s/:\d+$//r ] } 0 .. $#lines / 2 ];
	}
	unlink "$file.at";
	return @all;
}

# the same as iotrace-cat has them
sub ours
{
	my (@at) = @_;
	my $l = MkLog->new;
	my $page = $addr & ~4095;
	my $n = 100;
	# a return address belongs to the instruction before it
	$l->block(records => [ MkLog::map_def($page + $BIAS, $page + $BIAS + $size + 8192, $off & ~4095, $id, $prog),
		map { (MkLog::stack(++$n, $_ + $BIAS + 1), $l->general('unlink', start => 10 * $n, ret => 0, stack => $n, args => [ \'/x' ])) } @at ]);
	open my $said, '-|', "'$cat' -k --format=json '" . $l->save($file) . "'" or die;
	return map { my $call = line($_); [ map { [ $_->{func}, defined $_->{file} ? "$_->{file}:" . ($_->{line} // 0) : '' ] } @{ $call->{stack} } ] } <$said>;
}

# What they say of a place.  The name of the outermost function is that of the symbol table;
# where there is no line, llvm-symbolizer names the unit's file.
sub text
{
	my (@frames) = @_;
	my @text = map { my ($func, $line) = @$_; $line = 'no line' if $line eq '' || $line =~ /:0$/; ($func // '') . " ($line)" } @frames;
	$text[-1] =~ s/^.* \(/(/;
	return join ' < ', @text;
}

# Names of the source, of mangled ones, as libiberty has them.
sub demangled
{
	my ($chains) = @_;
	open my $f, '>', "$file.names" or die "$file.names: $!";
	print $f "$_->[0]\n" for map { @$_ } @$chains;
	close $f;
	my @plain = `c++filt -i <'$file.names'`;
	chomp @plain;
	unlink "$file.names";
	$_->[0] = shift @plain for map { @$_ } @$chains;
}

my @want = oracle(@at);
my @got = ours(@at);
demangled(\@want);
my ($same, $expanded, %differ) = (0, 0);
for my $i (0 .. $#at) {
	my ($want, $got) = map { text(@$_) } $want[$i], $got[$i];
	$expanded += @{ $want[$i] } > 1;
	if ($want eq $got) {
		$same++;
	} else {
		printf "0x%x: %s\n\tand not: %s\n", $at[$i], $want, $got if !$differ{"$want $got"}++ && keys %differ < 5;
	}
}
printf "%d same, %d expanded, %d not\n", $same, $expanded, @at - $same;
