#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat: calls that took long are I/O.  What waits for others, or until a time, is none.
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
done_testing
