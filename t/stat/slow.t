#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat: calls that took long are I/O.  What waits for others, or until a time, is none.
# What the kernel worked, and no call on record, is said.
. "${0%/*}/../lib/tap.sh"

mkdir "$T/logs"
# waitid() waits for 0.12 s, and so do a read() of a timer and one of a file
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new;
	$l->block(records => [ MkLog::path(1, "/data/file"), MkLog::path(2, "anon_inode:[timerfd]", 0), MkLog::handle(1, 3, 1),
		MkLog::def(3, pack "QqQQ", 2, 4, 2, 0), $l->general("waitid", start => 0, dur => 120_000_000, ret => 0, args => [ 0, 0, 0, 4 ]),
		map { $l->general("read", handle => $_, start => 200_000_000 * $_, dur => 120_000_000, size => 8, ret => 8) } 1, 2 ]);
	$l->save($ARGV[0])' "$T/logs/slow.iotrace"
# found OPTION...: the kinds of call that took long
found()
{
	"$IOTRACE_STAT" --format=json "$@" "$T/logs" | perl -MJSON::PP -0777 -ne '
		print join " ", map { "$_->{call} $_->{count} of $_->{of}" }
			grep { $_->{id} eq "slow" } @{ decode_json($_)->{findings} }'
}
is 'the read of the file, and what waits is not' "$(found)" 'read 1 of 2'
is 'nothing below a higher threshold' "$(found --rule=slow.time=120s)" ''
"$IOTRACE_STAT" "$T/logs" >"$T/text"
like 'text: what it is' "$T/text" '^1 +[0-9]+\.[0-9]+ s  calls that took long$'
like 'text: how many' "$T/text" '^ +read: 1 of 2 took 0\.1 s or longer$'

# taken TIMES USER SYSTEM: what a call of 0.12 s is, if others had the processor so often, which the program had for so many us
taken()
{
	rm -rf "$T/taken"
	mkdir "$T/taken"
	perl -I"$top_srcdir/t/lib" -MMkLog -e '
		my ($log, $times, $user, $system) = @ARGV;
		my $l = MkLog->new;
		my $used = sub { MkLog::def(18, pack "Q9", MkLog::ticks(1_000_000_000 * $_[0]), map { $_ * $_[0] } $user, $system, (0) x 5, $times) };
		$l->block(records => [ MkLog::path(1, "/data/file"), MkLog::handle(1, 3, 1), $used->(0),
			$l->general("read", handle => 1, start => 1000, dur => 120_000_000, size => 8, ret => 8), $used->(1) ]);
		$l->save($log)' "$T/taken/log.iotrace" "$@"
	"$IOTRACE_STAT" "$T/taken" | grep -c '  calls that took long$'
}
is 'others had the processor a few times' "$(taken 8 20000 20000)" 1
is 'others had it often: the call may have stood still' "$(taken 20 20000 20000)" 0
is 'as often, while the program computed' "$(taken 20 200000 2000)" 1

# kernel SYSTEM FAULTS MS CALLS KEY VALUE: what is said of a thread for which the kernel worked so many us, and
# that made so many calls of that many ms in all.  With $major it had so many page faults that read, too.
kernel()
{
	rm -rf "$T/kernel"
	mkdir "$T/kernel"
	major=${major:-0} in=${in:-0} perl -I"$top_srcdir/t/lib" -MMkLog -e '
		my ($log, $system, $faults, $ms, $calls, @keys) = @ARGV;
		my $l = MkLog->new(keys => [ program => "demo", host => "node1", @keys ]);
		my $dur = 1_000_000 * $ms / $calls;
		my $used = sub { MkLog::def(18, pack "Q9", MkLog::ticks(1_000_000_000 * $_[0]), map { $_ * $_[0] } 1000, $system, $faults, $ENV{major}, $ENV{in}, (0) x 3) };
		$l->block(records => [ MkLog::path(1, "/data/file"), MkLog::handle(1, 3, 1), $used->(0),
			(map { $l->general("read", handle => 1, start => $_ * $dur, dur => $dur, size => 8, ret => 8) } 0 .. $calls - 1), $used->(1) ]);
		$l->save($log)' "$T/kernel/log.iotrace" "$@"
	"$IOTRACE_STAT" ${only:+-e "$only"} "$T/kernel" | grep -e 'the kernel worked' -e 'page faults'
}
is 'the kernel worked for no call' "$(kernel 90000 100 10 1)" \
	'the kernel worked 0.089500 s, recorded calls 0.010000 s: try --syscalls'
is 'in JSON' "$("$IOTRACE_STAT" --format=json "$T/kernel" | grep -o '"unaccounted":[0-9]*')" '"unaccounted":89500000'
is 'for page faults' "$(kernel 90000 40000 10 1)" ''
is 'JSON says nothing of it then' "$("$IOTRACE_STAT" --format=json "$T/kernel" | grep unaccounted)" ''
is 'for calls' "$(kernel 90000 100 60 1)" ''
is 'for many short calls' "$(kernel 90000 100 10 10000)" ''
is 'for little' "$(kernel 40000 100 1 1)" ''
is 'calls were chosen when the program ran' "$(kernel 90000 100 10 1 setting IOTRACE_CALLS=posix)" ''
is 'calls are chosen now' "$(only="read" && kernel 90000 100 10 1)" ''
is 'many page faults read' "$(major=2000 && kernel 90000 100 10 1)" \
	'2000 page faults waited for a device, of mapped files: try IOTRACE_FAULTS=1'
is 'and were asked for' "$(major=2000 && kernel 90000 100 10 1 setting IOTRACE_FAULTS=1)" ''
is 'and calls are chosen now' "$(major=2000 only="read" && kernel 90000 100 10 1)" ''
is 'few page faults read' "$(major=500 && kernel 20000 100 10 1)" ''
is 'few page faults read much' "$(major=100 in=200000 && kernel 20000 100 10 1)" \
	'100 page faults waited for a device, of mapped files: try IOTRACE_FAULTS=1'

# paged ADVICE MAJOR US: pages of mapped files for which a second's run is said to have waited, and for how many ms, if it
# advised so, had so many page faults that read, and computed for so long
paged()
{
	rm -rf "$T/kernel"
	mkdir "$T/kernel"
	perl -I"$top_srcdir/t/lib" -MMkLog -e '
		my ($log, $advice, $major, $us) = @ARGV;
		my $l = MkLog->new(calls => [ @MkLog::CALLS, "mem madvise madvise - status addr:ptr length:size advice:advice" ]);
		$l->block(records => [ MkLog::path(1, "/data/file"), MkLog::handle(1, 3, 1), MkLog::def(18, pack "Q9", MkLog::ticks(0), (0) x 8),
			$l->general("open", handle => 0, start => 1000, ret => 3, args => [ 1, 0, 0 ]),
			$l->general("mmap", handle => 1, start => 2000, size => 1 << 24, offset => 0, ret => 0x7f0000000000, args => [ 0, 1, 1 ]),
			$l->general("madvise", start => 3000, size => 1 << 24, ret => 0, args => [ 0x7f0000000000, $advice ]),
			MkLog::def(18, pack "Q9", MkLog::ticks(1_000_000_000), $us, 0, 0, $major, (0) x 4),
			$l->general("close", handle => 1, start => 1_000_000_000, ret => 0) ]);
		$l->save($log)' "$T/kernel/log.iotrace" "$@"
	for jobs in 1 2; do
		"$IOTRACE_STAT" --format=json -j "$jobs" "$T/kernel" | perl -MJSON::PP -0777 -ne 'printf "%s %d %d", $_->{path}, $_->{count}, 1000 * $_->{seconds} + 0.5
			for grep { $_->{id} eq "paged" } @{ decode_json($_)->{findings} }' >"$T/paged.$jobs"
	done
	cat "$T/paged.1"
	cmp -s "$T/paged.1" "$T/paged.2" || echo ' not the same by parts'
}
is 'pages that are read one by one' "$(paged 1 2000 400000)" '/data/file 2000 600'
is 'they and the time of processors stand in the row of the process' \
	"$("$IOTRACE_STAT" --by=process --format=json "$T/kernel" | perl -MJSON::PP -0777 -ne \
		'print join " ", map { "$_->{major_faults} $_->{processor}" } @{ decode_json($_)->{processes} }')" '2000 400000000'
is 'few of them' "$(paged 1 500 400000)" ''
is 'of a program that computes' "$(paged 1 2000 990000)" ''
is 'pages that may be read ahead' "$(paged 0 2000 400000)" ''

# taken TIMES US: what is said of a thread that had the processor for so long, and lost it so often
taken()
{
	rm -rf "$T/kernel"
	mkdir "$T/kernel"
	perl -I"$top_srcdir/t/lib" -MMkLog -e '
		my ($log, $times, $us) = @ARGV;
		my $l = MkLog->new;
		$l->block(records => [ MkLog::path(1, "/data/file"), MkLog::handle(1, 3, 1), MkLog::def(18, pack "Q9", MkLog::ticks(0), (0) x 8),
			$l->general("read", handle => 1, start => 1000, dur => 1000, size => 8, ret => 8),
			MkLog::def(18, pack "Q9", MkLog::ticks(900_000_000), $us / 2, $us / 2, (0) x 5, $times) ]);
		$l->save($log)' "$T/kernel/log.iotrace" "$@"
	"$IOTRACE_STAT" "$T/kernel" | grep 'lost its processor'
}
is 'others had the processor' "$(taken 1250 900000)" '1250 times a thread lost its processor: calls look longer than they are'
is 'just often enough' "$(taken 45 900000 | wc -l)" 1
is 'not often' "$(taken 44 900000)" ''
is 'too few times to tell' "$(taken 19 1000)" ''
done_testing
