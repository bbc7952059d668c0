#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat: calls that took long are I/O.  What waits for others, or until a time, is none.
. "${0%/*}/../lib/tap.sh"

mkdir "$T/logs"
ok 'compiles with iocc' "$IOCC" -static -O1 "$top_srcdir/t/stat/slow.c" -o "$T/slow" || done_testing
ok 'runs' env IOTRACE_DIR="$T/logs" "$T/slow"
# found OPTION...: the kinds of call that took long
found()
{
	"$IOTRACE_STAT" --format=json "$@" "$T/logs" | perl -MJSON::PP -0777 -ne '
		print join " ", map { "$_->{call} $_->{count} of $_->{of}" }
			grep { $_->{id} eq "slow" } @{ decode_json($_)->{findings} }'
}
is 'the read, and not poll' "$(found)" 'read 1 of 1'
is 'nothing below a higher threshold' "$(found --rule=slow.time=120s)" ''
"$IOTRACE_STAT" "$T/logs" >"$T/text"
like 'text: what it is' "$T/text" '^1 +[0-9]+\.[0-9]+ s  calls that took long$'
like 'text: how many' "$T/text" '^ +read: 1 of 1 took 0\.1 s or longer$'
done_testing
