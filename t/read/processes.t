#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Logs of several processes: whose calls they are, windows that streams have left, and
# blocks that begin at any multiple of 64; what is wrong with them takes neither memory
# nor time.
use strict;
use warnings;
no warnings 'portable';
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
use Test::More;
use MkLog;
use CatTest;

my $stat = ($cat =~ s/cat$/stat/r);
my $pack = ($cat =~ s/cat$/pack/r);
my $l = MkLog->new;
my @defs = (MkLog::path(1, '/data/in'), MkLog::handle(1, 3, 1));
sub rd { my ($at, %o) = @_; return $l->compact('read', handle => 1, start => $at, size => 1, %o); }
sub run
{
	my ($out, $status) = (scalar `(@_) 2>'$dir/err'`, $?);
	return ($out, slurp("$dir/err"), $status & 127 ? 128 + ($status & 127) : $status >> 8);
}
sub report { return JSON::PP->new->utf8->decode((run("'$stat' --format=json @_"))[0]); }

# Pid 101 comes twice: it was a child of 100's, and then one of 102's, which is one of 100's.
# vfork()ed children are in their parent's memory.
my $family = MkLog->new;
$family->block(stream => 1, records => [ @defs, rd(10), rd(5000), MkLog::process(3, 101, 2, 3000) ])
	->block(stream => 2, process => 1, pid => 101, tid => 101, records => [ MkLog::process(1, 101, 0, 1000), rd(1100), rd(1200) ])
	->block(stream => 3, process => 2, pid => 102, tid => 102, window => 1, records => [ MkLog::process(2, 102, 0, 2000), rd(2100) ])
	->block(stream => 4, process => 3, pid => 101, tid => 101, records => [ rd(3100) ])
	->block(stream => 5, process => 3, pid => 101, tid => 105, records => [ rd(3200), rd(3300), rd(3400) ])
	->block(stream => 6, process => 2, pid => 106, tid => 106, flags => 4, records => [ rd(2500) ]);
my $file = $family->save("$dir/family.iotrace");
my ($out, $err, $status) = cat('-s', $file);
is("$status$err", 0, 'several processes: no complaint');
is($out, <<'END', 'each call has its pid and tid, merged by time');
100/100 0.000000010 read(3, ..., 1) = 1 <0.000000100>
101/101 0.000001100 read(3, ..., 1) = 1 <0.000000100>
101/101 0.000001200 read(3, ..., 1) = 1 <0.000000100>
102/102 0.000002100 read(3, ..., 1) = 1 <0.000000100>
106/106 0.000002500 read(3, ..., 1) = 1 <0.000000100>
101/101 0.000003100 read(3, ..., 1) = 1 <0.000000100>
101/105 0.000003200 read(3, ..., 1) = 1 <0.000000100>
101/105 0.000003300 read(3, ..., 1) = 1 <0.000000100>
101/105 0.000003400 read(3, ..., 1) = 1 <0.000000100>
100/100 0.000005000 read(3, ..., 1) = 1 <0.000000100>
END
is(scalar(() = (cat('-p', '101', $file))[0] =~ /\n/g), 6, '-p: both that had the pid');
my $r = report('--by=process,thread', $file);
is($r->{logs}[0]{processes}, 5, 'iotrace-stat: processes');
is($r->{logs}[0]{threads}, 6, 'iotrace-stat: threads');
my @rows = sort { $a->{start} <=> $b->{start} || $a->{pid} <=> $b->{pid} } @{ $r->{processes} };
is(join(' ', map { "$_->{pid}<$_->{parent}:$_->{calls}" } @rows), '100<0:2 101<100:2 102<100:1 106<102:1 101<102:4', 'iotrace-stat --by=process: each with its parent');
is(join(' ', map { $_->{start} - $MkLog::EPOCH } @rows), '0 1000 2000 2500 3000', 'and when it began, or if nothing says so its first call');
is(join(' ', map { $_->{elapsed} } @rows), '5100 300 200 100 500', 'and how long its calls went on');
is(scalar @{ $r->{threads} }, 6, 'iotrace-stat --by=thread');
like((run("'$stat' --by=process '$file'"))[0], qr/^demo, 5 processes, 6 threads on node1, (?:.*\n)*.*\bpid +parent\b.*\n/, 'iotrace-stat: head and table');
my $one = MkLog->new->block(records => [ @defs, rd(10) ])->save("$dir/one.iotrace");
like((run("'$stat' --by=process '$one'"))[0], qr/^demo, process 100 on node1,(?:.*\n)*(?!.*parent).*\bpid\b.*\n/, 'one process: no column of parents');

# A process is known by its blocks if what defined it is lost
my $lost = MkLog->new->block(stream => 2, process => 1, pid => 101, tid => 101, records => [ @defs, rd(1100) ]);
$r = report('--by=process', $lost->save("$dir/lost.iotrace"));
is(join(' ', map { "$_->{pid}<$_->{parent}" } @{ $r->{processes} }), '101<0', 'a process that is not defined');

# What stands where: plugins at the same address in two processes, of which the second was
# forked when the first had loaded its own
my $maps = MkLog->new;
sub at { my ($since, $name) = @_; my $d = MkLog::map_def(0x10000, 0x20000, 0, '12345678', "/none/$name");
	$d->[0] .= pack 'Q', MkLog::ticks($since); substr($d->[0], 8, 8) = pack 'Q', length($d->[0]) / 8 << 32; return $d; }
sub un { my ($start) = @_; return $l->general('unlink', start => $start, ret => 0, stack => 5, args => [ \'/x' ]); }
$maps->block(stream => 1, records => [ MkLog::stack(5, 0x10005), at(100, 'first'), at(3000, 'parents'), un(200), un(3100) ])
	->block(stream => 2, process => 1, pid => 101, tid => 101, records => [ MkLog::process(1, 101, 0, 1000), un(1100), at(2000, 'childs'), un(2100), un(3200) ])
	->block(stream => 3, process => 2, pid => 102, tid => 102, records => [ MkLog::process(2, 102, 0, 1500), un(3300) ])
	->block(stream => 4, process => 3, pid => 103, tid => 103, records => [ MkLog::process(3, 103, 1, 2500), un(3400) ]);
($out, $err, $status) = cat('-k', '-s', $maps->save("$dir/maps.iotrace"));
is(join(' ', map { m{> .*/(\w+)\+} ? $1 : () } split /\n/, $out), 'first first childs parents childs first childs', 'each process has what it mapped, and what it was forked with');

# The codec of iotrace-pack meets blocks where they are, also across the ends of its chunks
my $many = MkLog->new;
$many->block(stream => 1, records => [ @defs ]);
my $n = 0;
for my $i (1 .. 4000) {
	$many->block(stream => $i + 1, process => $i, pid => 100 + $i, tid => 100 + $i, records => [
		MkLog::process($i, 100 + $i, 0, 1000 * $i), map { $n++; rd(1000 * $i + 100 * $_) } 1 .. $i % 5 ]);
}
$many->save("$dir/many.iotrace");
my $calls = (cat('--format=raw', "$dir/many.iotrace"))[0];
is(scalar(() = $calls =~ /^\d/mg), $n, 'many small blocks');
is((run("'$pack' -o '$dir/many.packed.iotrace' '$dir/many.iotrace'"))[2], 0, 'are packed');
is((run("'$pack' -d -c '$dir/many.packed.iotrace' >'$dir/back'"))[2], 0, 'and unpacked');
ok(slurp("$dir/back") eq slurp("$dir/many.iotrace"), 'to the same bytes');
is((cat('--format=raw', "$dir/many.packed.iotrace"))[0] =~ s/^#log.*\n//mr, $calls =~ s/^#log.*\n//mr, 'and read as they are');
cmp_ok((-s "$dir/many.packed.iotrace") / $n, '<', 20, 'which are small');

# One that streams have left or nobody had yet is no damage; nor are two of one stream that moved
sub window { return MkLog->new(@_); }
my $moved = MkLog->new;
$moved->block(stream => 1, seq => 0, window => 1, magic => 0, records => [ @defs, rd(10), rd(20) ])	# left
	->gap("\0" x 12288)										# never had
	->block(stream => 1, seq => 1, window => 1, room => 16384, records => [ rd(30) ], slots => [ [ 0, 'read', 500, 1 ] ])
	->block(stream => 1, seq => 0, records => [ @defs, rd(10), rd(20) ])
	->block(stream => 2, tid => 7, seq => 0, window => 1, records => [ rd(40) ], slots => [ [ 0, 'read', 400, 1 ] ])
	->block(stream => 2, tid => 7, seq => 0, records => [ rd(40) ])
	->block(stream => 2, tid => 7, seq => 1, window => 1, base => 45, room => 16384, slots => [ [ 0, 'read', 400, 1 ] ]);
($out, $err, $status) = cat('-s', $moved->save("$dir/moved.iotrace"));
is("$status$err", 0, 'windows: no complaint');
is(join(' ', map { m{0\.0*(\d+) read.*?(unfinished)?(?: \.\.\.>)?$} ? ($2 ? "$1..." : $1) : () } split /\n/, $out), '10 20 30 40 400... 500...', 'each call once');
# the window was being left when the process died: it is empty, and so is the larger one
my $left = MkLog->new;
$left->block(stream => 1, seq => 0, window => 1, magic => 0, used => 0, records => [ @defs, rd(10) ])
	->block(stream => 1, seq => 1, window => 1, magic => 0, room => 16384)
	->block(stream => 1, seq => 0, records => [ @defs, rd(10) ]);
($out, $err, $status) = cat($left->save("$dir/left.iotrace"));
is("$status$err$out", "0read(3, ..., 1) = 1 <0.000000100>\n", 'windows without a magic, and what they held');

# Damage: found again at the next multiple of 64
my $broken = MkLog->new->block(stream => 1, records => [ @defs, rd(10) ])->gap("x" x 192)
	->block(stream => 2, tid => 7, records => [ rd(20) ])->gap("\0" x 64 . 'y' . "\0" x 63)->block(stream => 3, tid => 8, records => [ rd(30) ]);
($out, $err, $status) = cat('-s', $broken->save("$dir/broken.iotrace"));
is(scalar(() = $out =~ /\n/g), 3, 'garbage between small blocks: all calls');
like("$status$err", qr/^1[^\n]*192 bytes from offset \d+ on are no records\n[^\n]*64 bytes from offset \d+ on are no records\n\z/, 'what is none is said');

# Hostile values
my %wrong = ('is its own parent' => [ 1, 101, 1, 5 ], 'is younger than its child' => [ 1, 101, 2, 5 ],
	'has a number too large' => [ 1 << 40, 101, 0, 5 ], 'has a pid too large' => [ 1, 1 << 40, 0, 5 ],
	'is not whole' => [ 1, 101, 0 ]);
for my $what (sort keys %wrong) {
	my $w = MkLog->new->block(records => [ @defs, rd(10), MkLog::def(9, pack 'Q*', @{ $wrong{$what} }) ]);
	($out, $err, $status) = cat($w->save("$dir/wrong.iotrace"));
	is($status, 1, "a process that $what: status");
	like($err, qr/\A[^\n]*a definition of kind 9 makes no sense\n\z/, "a process that $what: it is said");
	is($out, "read(3, ..., 1) = 1 <0.000000100>\n", "a process that $what: the rest is sound");
}
# 2 MB of blocks, each of a process, a stream and a thread of its own, forked by the one
# before; all map something at one address
my $text = MkLog->new->image;
sub chain
{
	my ($n, $records) = @_;
	my ($c, $body) = (MkLog->new, '');
	for my $i (1 .. $n) {
		$c->{blocks} = [];
		$c->block(stream => $i, process => $i, pid => $i % 30000 + 1, tid => $i, base => $i, records => $records->($i));
		$body .= $c->{blocks}[0];
	}
	$c->{blocks} = [ MkLog->new->block(stream => 0, records => [ @defs, MkLog::stack(5, 0x10005) ])->{blocks}[0], $body ];
	return $c->save("$dir/chain.iotrace");
}
for my $tool ("'$cat' -k", "'$stat' --by=process,thread,site", "'$cat' -f --blocked=0") {
	my $chain = chain(8000, sub { my ($i) = @_; return [ MkLog::process($i, $i, $i - 1, $i), at($i, "m$i"), un($i + 10) ] });
	my ($out, $err, $status) = run("ulimit -v 400000; timeout 600 $tool '$chain' | wc -l");
	cmp_ok($out, '>', 20, (split ' ', $tool)[0] . ': a process forked by each before: read');
	is($err =~ s/.*its addresses stay numbers\n//gr, '', 'in bounded memory and time');
}
my $swarm = chain(150000, sub { return [ rd($_[0]) ] });
for my $tool ("'$cat'", "'$stat'", "'$cat' -f") {
	my ($out, $err, $status) = run("ulimit -v 400000; timeout 600 $tool '$swarm' >'$dir/out'");
	is("$status$err", 0, "$tool: 150,000 processes of one call in 20 MB: bounded memory and time");
}
done_testing;
