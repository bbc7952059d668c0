#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# The sums of parts of a job's log, added up, are those of the whole.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use MkLog;
use CatTest;

my $stat = $cat =~ s/cat$/stat/r;
my ($parts) = grep { -x $_ } ($ENV{top_builddir} // '.') . '/t/stat/parts'
	or die "t/stat/parts is not built (make check TESTS= builds it)\n";

# 7 ranks, each with two threads: calls that nest, fail, do not end, and take any time
srand 7;
sub calls
{
	my ($l, $rank) = @_;
	my ($at, @records) = (1000);
	for my $n (1 .. 40 + 10 * $rank) {
		my ($handle, $dur, $size) = (1 + int rand 3, 10 + int 2 ** rand 27, int 2 ** rand 20);
		push @records, $l->compact('read', handle => $handle, start => $at, dur => $dur, size => $size, offset => int rand 1e6),
			$l->general('write', handle => $handle, start => $at + $dur + 5, dur => 50, size => 9, $n % 5 ? (ret => 9) : (ret => -1, errno => 28)),
			$l->general('open', start => $at + $dur + 100, dur => 20, ret => 5, args => [ 1 + int rand 3, 0, 0 ]);
		$at += $dur + 200;
	}
	return @records;
}
# pieces of a file between those of other ranks; rank 2 has written all of it before, rank 4
# writes over its first half when all have done, and over all of another file
sub piece { my ($l, $handle, $piece, $n, $start) = @_; return $l->compact('write', handle => $handle, start => $start, dur => 30000, size => 100 * $n, offset => 100 * $piece); }
sub pieces
{
	my ($l, $rank) = @_;
	return ($rank == 2 ? piece($l, 4, 0, 420, 10) : (),
		(map { my $n = $_; map { piece($l, $_, $n * 7 + $rank, 1, 1e8 + 1e5 * $n + 40000 * ($_ - 4)) } 4, 5 } 0 .. 59),
		$rank == 4 ? (piece($l, 4, 0, 210, 3e9), piece($l, 5, 0, 420, 3e9 + 1e5)) : ());
}
# operations that are begun in the second thread, some of them within a region, and of
# which the first one, that is read before, ends four
my $iwrite = 'MPI_File_iwrite_at';
my @calls = (@MkLog::CALLS, "mpiio $iwrite - - status fh:mfile offset:offset size:size op:mpiop",
	'mpiio MPI_Wait - - bytes fh:mfile op:mpidone', 'user region - - void name:name');
sub begin { my ($l, $op, $depth) = @_; return $l->general($iwrite, handle => 3, start => 2e9 + 1000 * $op, size => 10 * $op, offset => 0, ret => 0, depth => $depth, args => [ $op ]); }
sub make_log # shares: of a job's log, or by itself
{
	my ($rank, $shares) = @_;
	my $l = MkLog->new(shares => $shares, calls => \@calls, pid => 100 + $rank, latest => 20e9, keys => [ program => "demo" . $rank % 2, host => "node$rank", rank => $rank ]);
	$l->block(stream => 1, window => 1, slots => [ [ 0, 'read', 15e9 + $rank, 1 ] ], records => [
		$shares ? MkLog::shared_path(1, 0) : MkLog::path(1, '/shared'), MkLog::path(2, "/own/$rank"), MkLog::path(3, '/all'), MkLog::path(5, '/pieces'), MkLog::path(6, '/over'),
		(map { MkLog::handle($_, 2 + $_, $_) } 1 .. 3), MkLog::handle(4, 7, 5), MkLog::handle(5, 8, 6), MkLog::stack(1, 0x401000 + $rank), MkLog::path(4, 'region ' . $rank % 3), calls($l, $rank),
		map { $l->general('MPI_Wait', start => 9e9 + $_, handle => 3, ret => 10 * $_, args => [ $_ ]) } 1, 3, 4, 6 ]);
	$l->block(stream => 2, tid => 200 + $rank, records => [ calls($l, $rank), pieces($l, $rank), (map { begin($l, $_, 1) } 1 .. 4), $l->general('region', start => 2e9, dur => 9000, args => [ 4 ]),
		map { begin($l, $_, 0) } 5 .. 6 ]);
	return $l;
}
my @logs = map { make_log($_, 1) } 0 .. 6;
my $file = spew("$dir/job.iotrace", MkLog::job(logs => \@logs, strings => [ '/shared' ]));

sub sums
{
	my $json = decode_json(scalar `@_`);
	delete $json->{logs}; # parts are sums, and know no logs
	delete $json->{job}{logs};
	return $json;
}
my @tables = qw(call file process thread rank region site constellation seek layout);
my $whole = sums("'$stat' --format=json --by=" . join(',', @tables) . ",time '$file'");
$whole->{findings} = sums("'$stat' --format=json '$file'")->{findings};
ok(@{ $whole->{$_} } > 1, "there are $_ to compare") for qw(calls files processes threads ranks regions constellations seeks layout findings);
ok(@{ $whole->{time}{intervals} } > 10 && 7 == (grep { $_->{ranks} == 7 } @{ $whole->{time}{intervals} })[0]{ranks}, 'and intervals, with all ranks');
my ($incomplete) = grep { $_->{id} eq 'incomplete' } @{ $whole->{findings} };
is("@$incomplete{qw(path count bytes)}", '/all 14 490', 'operations that never completed');
is(join(' ', map { "$_->{path}: $_->{count} of $_->{of}, $_->{bytes}" } grep { $_->{id} eq 'interleaved' } map { ($_, @{ $_->{findings} // [] }) } @{ $whole->{findings} }),
   '/pieces: 211 of 7, 42000', 'pieces of several ranks, as they are in the end');
is(join(' ', map { "$_->{region}: $_->{calls}" } grep { $_->{region} =~ /^region/ } sort { $a->{region} cmp $b->{region} } @{ $whole->{regions} }),
   'region 0: 12 region 1: 8 region 2: 8', 'calls in regions');
for my $n (1, 2, 3, 7, 9) {
	is_deeply(sums("'$parts' $n '$file'"), $whole, "the same from $n parts") or diag('sums differ');
}

# -j N: byte for byte what one process prints, of a job and of logs by themselves, of which one
# is damaged and one can't be read
mkdir "$dir/logs" or die;
make_log($_, 0)->save("$dir/logs/$_.iotrace") for 0 .. 6;
spew("$dir/logs/cut.iotrace", substr make_log(7, 0)->image, 0, -100);
spew("$dir/logs/bad.iotrace", 'no log');
sub said
{
	my ($options) = @_;
	my $status = system "'$stat' $options >'$dir/out' 2>'$dir/err'";
	return join "\n", slurp("$dir/out"), slurp("$dir/err"), $status >> 8;
}
my @options = ('', '--format=json', '--sort=bytes --top=3', '--by=time --format=csv', '--by=all', '--by=all --format=json', '--file=piec --format=json',
	'-e write', '-e mkdir', '-p 103 --by=call,file', (map { my $by = $_; map { "--by=$by --format=$_" } 'text', 'json', 'csv' } @tables));
for my $options (@options) {
	for my $logs ($file, "$dir/logs") {
		my $want = said("$options '$logs'");
		my @differ = grep { said("-j $_ $options '$logs'") ne $want } 2, 3, 7, 1000;
		is("@differ", '', "-j: $options " . ($logs eq $file ? 'of a job' : 'of several logs'));
	}
}
like(said("-j 3 '$dir/logs'"), qr/bad\.iotrace: is no iotrace log\n.*\n1$/s, 'what is no log is said so');

# A process that creates many threads: what they all used is added up once, not for each.
my ($usage) = grep { -x $_ } ($ENV{top_builddir} // '.') . '/t/stat/usage'
	or die "t/stat/usage is not built (make check TESTS= builds it)\n";
my $create = 'proc pthread_create - hand errcode thread:ptr attr:ptr start_routine:routine arg:ptr';
my $l = MkLog->new(calls => [ @MkLog::CALLS, $create ]);
$l->block(records => [ map { $l->general('pthread_create', start => 1000 * $_, ret => 0, args => [ 1, 0, 0x401000, 0 ]) } 1 .. 50 ]);
$l->save("$dir/threads.iotrace");
is(`'$usage' '$dir/threads.iotrace'`, "50 threads created, asked 1 times\n", 'what threads used is asked for once');
done_testing;
