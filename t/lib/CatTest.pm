# SPDX-License-Identifier: BSD-3-Clause
package CatTest;
# What the tests of iotrace-cat share: where it is, and running it.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Exporter 'import';
our @EXPORT = qw(cat cat_json slurp spew $dir $cat);

my $build = $ENV{top_builddir} // '.';
our $cat = "$build/tools/iotrace-cat";
our $dir = tempdir(CLEANUP => 1);

sub slurp { my ($file) = @_; open my $f, '<:raw', $file or die "$file: $!"; local $/; return scalar <$f> // ''; }
sub spew { my ($file, $s) = @_; open my $f, '>:raw', $file or die "$file: $!"; print $f $s; close $f or die; return $file; }

# (stdout, stderr, exit status; 128 + signal)
sub cat
{
	my @args = @_;
	my $pid = fork // die;
	if (!$pid) {
		open STDOUT, '>', "$dir/.out" or die;
		open STDERR, '>', "$dir/.err" or die;
		$ENV{TZ} = 'UTC';
		$ENV{LC_ALL} = 'C';
		exec $cat, @args or die "$cat: $!";
	}
	waitpid $pid, 0;
	return (slurp("$dir/.out"), slurp("$dir/.err"), $? & 127 ? 128 + ($? & 127) : $? >> 8);
}

# The calls as a list of hashes
sub cat_json
{
	require JSON::PP;
	my ($out, $err, $status) = cat('--format=json', @_);
	my $json = JSON::PP->new->utf8;
	return [ map { $json->decode($_) } split /\n/, $out ];
}

1;
