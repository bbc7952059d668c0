#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Which calls a log holds, and in which order: blocks, windows and copies, calls
# that began in an earlier block, calls without an end, several streams and logs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use MkLog;
use CatTest;

my $scan = ($ENV{top_builddir} // '.') . '/t/read/scan';
die "$scan is not built (make check TESTS= builds it)\n" if !-x $scan;
my @defs = (MkLog::path(1, '/data/in'), MkLog::handle(1, 3, 1));
my $l = MkLog->new;
sub rd { my (%r) = @_; return $l->compact('read', handle => 1, size => $r{size}, start => $r{start},
	depth => $r{depth} // 0, dur => $r{dur} // 10, internal => $r{internal}); }
sub brief_of
{
	my ($calls) = @_;
	return join ' ', map { "$_->{call}@" . ($_->{start} - $MkLog::EPOCH) . ('+' x $_->{depth}) .
		($_->{status} ? "($_->{status})" : '') } @$calls;
}
sub order
{
	my ($what, $want, @logs) = @_;
	my $n = 0;
	my @files = map { $_->save("$dir/" . $n++ . '.iotrace') } @logs;
	my ($out, $err, $status) = cat('--format=json', @files);
	is(brief_of(cat_json(@files)), $want, $what);
	is("$err$status", '0', "$what: no complaint");
	my $said = `'$scan' @files`;
	is($?, 0, "$what: the same calls when read in any order") or diag($said);
}

order('children are stored first', 'fprintf@100 read@110+ read@120++ read@130+ sync@300',
      MkLog->new->block(records => [ @defs, rd(start => 120, depth => 2), rd(start => 110, depth => 1, dur => 20),
	rd(start => 130, depth => 1), $l->general('fprintf', start => 100, dur => 100, ret => 1),
	$l->compact('sync', start => 300) ]));

order('a parent may stand blocks later', 'read@50 fprintf@100 read@110+ read@600+ read@1100+ sync@2000',
      MkLog->new->block(seq => 0, base => 0, records => [ @defs, rd(start => 50), rd(start => 110, depth => 1) ])
	->block(seq => 1, base => 500, records => [ rd(start => 600, depth => 1) ])
	->block(seq => 2, base => 1000, window => 1, records => [ rd(start => 1100, depth => 1),
		$l->general('fprintf', start => 100, dur => 1500, full => 1, ret => 1),
		$l->compact('sync', start => 2000) ]));

order('definitions may come later than uses', 'read@10 read@20',
      MkLog->new->block(seq => 0, records => [ rd(start => 10) ])
	->block(seq => 1, base => 15, records => [ rd(start => 20), @defs ]));

order('blocks lie in any order', 'read@10 read@1020 read@2030',
      MkLog->new->block(seq => 2, base => 2000, window => 1, records => [ rd(start => 2030) ])
	->block(seq => 0, records => [ @defs, rd(start => 10) ])
	->block(seq => 1, base => 1000, records => [ rd(start => 1020) ]));

order('a window stands for its own copy', 'read@10 read@20 read@30',
      MkLog->new->block(seq => 1, base => 15, window => 1, records => [ rd(start => 20), rd(start => 30) ])
	->block(seq => 0, records => [ @defs, rd(start => 10) ])
	->block(seq => 1, base => 15, records => [ rd(start => 20) ]));

order('holes', 'read@10 read@20',
      MkLog->new->block(seq => 0, records => [ @defs, rd(start => 10) ])->gap("\0" x 40960)
	->block(seq => 1, base => 15, window => 1, records => [ rd(start => 20) ]));

order('a new base within a block', 'read@10 read@5000000010 sync@5000000500',
      MkLog->new->block(seq => 0, records => [ @defs, rd(start => 10), MkLog::time_def(5000000000),
	rd(start => 5000000010), $l->compact('sync', start => 5000000500) ]));

order('calls in progress', 'read@10 fprintf@100(unfinished) read@150+ read@200+(unfinished)',
      MkLog->new->block(window => 1, slots => [ [ 0, 'fprintf', 100, 1 ], [ 1, 'read', 200, 1 ] ],
	records => [ @defs, rd(start => 10), rd(start => 150, depth => 1) ]));
order('a slot that its record stands for', 'read@10 read@200',
      MkLog->new->block(window => 1, slots => [ [ 0, 'read', 200, 1 ] ], records => [ @defs, rd(start => 10), rd(start => 200) ]));
order('exit', 'exit@10(noreturn) write@20+',
      MkLog->new->block(window => 1, slots => [ [ 0, 'exit', 10 ] ], records => [ @defs,
	$l->general('exit', start => 10, status => 1, args => [ 0 ]),
	$l->compact('write', handle => 1, start => 20, depth => 1, size => 1) ]));
order('an exec that failed', 'execve@10 sync@50',
      MkLog->new->block(window => 1, records => [ @defs,
	$l->general('execve', start => 10, status => 1, args => [ 1, 0, 0 ]),
	$l->general('execve', start => 10, ret => -1, errno => 2, args => [ 1, 0, 0 ]),
	$l->compact('sync', start => 50) ]));
order('an exec that failed a block later', 'execve@10 sync@5050',
      MkLog->new->block(seq => 0, records => [ @defs,
	$l->general('execve', start => 10, status => 1, args => [ 1, 0, 0 ]) ])
	->block(seq => 1, base => 5000, window => 1, records => [
	$l->general('execve', start => 10, ret => -1, errno => 2, full => 1, args => [ 1, 0, 0 ]),
	$l->compact('sync', start => 5050) ]));
order('two streams', 'read@10 sync@15 read@20 sync@25',
      MkLog->new->block(stream => 1, records => [ @defs, rd(start => 10), rd(start => 20) ])
	->block(stream => 2, tid => 101, records => [ $l->compact('sync', start => 15), $l->compact('sync', start => 25) ]));
order('two logs', 'read@10 sync@15 read@20 sync@25',
      MkLog->new->block(stream => 1, records => [ @defs, rd(start => 10), rd(start => 20) ]),
      MkLog->new(pid => 200)->block(records => [ $l->compact('sync', start => 15), $l->compact('sync', start => 25) ]));
order('no window yet', '', MkLog->new);

# Times: anchors are interpolated, also when the log was cut short
order("no newer anchor than the start", 'sync@10 sync@4000000',
      MkLog->new(latest => 0)->block(records => [ $l->compact("sync", start => 10) ])
	->block(seq => 1, base => 3000000, window => 1, records => [ $l->compact("sync", start => 4000000) ]));
my $mono = MkLog->new(timebase => 'monotonic', latest => 0);
$mono->block(records => [ $l->compact('sync', start => 100) ]);
is(cat_json($mono->save("$dir/m.iotrace"))->[0]{start} - $MkLog::EPOCH, 200, 'monotonic: ticks are ns');

# internal
sub internals
{
	my ($what, $want, @records) = @_;
	my $log = MkLog->new->block(records => [ @defs, @records ]);
	is(join('', map { $_->{internal} ? 1 : 0 } @{ cat_json($log->save("$dir/i.iotrace")) }), $want, $what);
}
internals('by an alias of libc', '01', rd(start => 20, depth => 1, internal => 1), $l->general('fprintf', start => 10, ret => 1, dur => 90));
internals('in stdio, by a public name', '00', rd(start => 20, depth => 1), $l->general('fprintf', start => 10, ret => 1, dur => 90));
internals('within remove()', '01', $l->general('unlink', start => 20, ret => 0, depth => 1, args => [ 1 ]),
	  $l->general('remove', start => 10, ret => 0, dur => 90, args => [ 1 ]));
internals('after remove()', '00', $l->general('unlink', start => 200, ret => 0, depth => 1, args => [ 1 ]),
	  $l->general('remove', start => 10, ret => 0, dur => 90, args => [ 1 ]));
internals('a signal handler within a system call', '00', rd(start => 20, depth => 1), rd(start => 10, size => 1, dur => 90));
internals('a handler of fork()', '00', rd(start => 20, depth => 1), $l->general('fork', start => 10, ret => 5, dur => 90));
internals('a handler of exit()', '00', $l->general('exit', start => 10, status => 1, args => [ 0 ]), rd(start => 20, depth => 1));
my $handler = MkLog->new->block(records => [ @defs, $l->general('remove', start => 10, ret => 0, dur => 90, args => [ 1 ]) ]);
$handler->block(stream => 2, level => 1, seq => 0, records => [ $l->general('unlink', start => 20, ret => 0, depth => 1, args => [ 1 ]) ]);
is(join(' ', map { $_->{internal} ? 'internal' : 'own' } @{ cat_json($handler->save("$dir/i.iotrace")) }), 'own own',
	'a handler that interrupts the recorder within remove()');
my $helper = MkLog->new->block(helper => 1, records => [ @defs, rd(start => 10) ]);
ok(cat_json($helper->save("$dir/i.iotrace"))->[0]{internal}, "a helper thread's");
done_testing;
