#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The time of reads that wait until something happens is no time of data, and what has no
# name of its own is told apart.
# shellcheck disable=SC2016 # perl's variables
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

ok 'it is built' "$IOCC" -w -static -pthread -O1 -o awaited "$top_srcdir/t/stat/awaited.c"
mkdir logs
IOTRACE_DIR=$T/logs ok 'it runs' ./awaited
"$IOTRACE_CAT" --format=json logs >lines
# sum PATTERN: ns of the calls whose name and file match
sum()
{
	perl -MJSON::PP -ne 'my $c = decode_json($_); $n += $c->{dur}
		if !$c->{depth} && ("$c->{call} " . ($c->{path} // "")) =~ /$ENV{pattern}/ && ($c->{ret} // 0) > 0; END { print $n }' lines
}
"$IOTRACE_STAT" --format=json logs >json
# number KEY: of the job
number()
{
	perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{job}{$ARGV[0]}' "$1" <json
}
pattern='^read anon_inode|^read /dev/pts|^msgrcv'
export pattern
awaited=$(sum)
pattern='^read /dev/zero|^write ([^ ]*/file|/dev/ptmx|anon_inode.*)$'
data=$(sum)
ok 'waiting: what was waited for' test "$(number waiting)" -ge "$awaited"
is 'data: the others alone' "$(number moving)" "$data"
"$IOTRACE_STAT" --by=file logs >text
for name in 'anon_inode:\[timerfd\]' 'anon_inode:\[eventfd\]' 'anon_inode:\[signalfd\]' 'anon_inode:\[?inotify\]?'; do
	like "a file of its own: $name" text " $name\$"
done
done_testing
