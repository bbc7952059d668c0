#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What several runs of a program do once each is not done again and again, whatever runs they are;
# what one run does several times is, also in its children, and in what it executes.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

ok 'compiles' "$IOCC" -static -g -O1 "$top_srcdir/t/stat/runs.c" -o "$T/runs" || done_testing

# logs RUNS ARGUMENT...: so many runs, one after the other
logs()
{
	rm -rf "$T/logs"
	mkdir "$T/logs"
	runs=$1
	shift
	for _ in $(seq "$runs"); do
		(cd "$T" && IOTRACE_DIR=$T/logs ./runs "$@") || echo 'failed'
	done
}
# found WHAT RULE: bytes, and different ones, that the finding names; nothing: there is none
found()
{
	for jobs in 1 3; do
		"$IOTRACE_STAT" --format=json --rule=minor=off -j "$jobs" "$T/logs" |
			perl -MJSON::PP -0777 -ne 'print join " ", map { "$_->{bytes} $_->{of}" }
				grep { $_->{id} eq "'"$1"'" } @{ decode_json($_)->{findings} }' >"$T/found.$jobs"
	done
	cmp -s "$T/found.1" "$T/found.3" || echo 'not the same by parts:'
	cat "$T/found.1"
}

logs 3 write 1
is 'three runs write a file' "$(found overwritten)" ''
sleep 1
(cd "$T" && IOTRACE_DIR=$T/logs ./runs write 1)
"$IOTRACE_STAT" "$T/logs" >"$T/head"
like 'with a pause they are four' "$T/head" '^runs, 4 processes .* s in 4 runs$'
"$IOTRACE_STAT" --format=json "$T/logs" | perl -MJSON::PP -0777 -ne '$j = decode_json($_); $n += $_->{elapsed} for @{ $j->{logs} };
	print "$j->{job}{runs} ", $j->{job}{wall} == $n ? "the sum" : "$j->{job}{wall} for $n", "\n"' >"$T/sum"
is 'their time is without the pause' "$(cat "$T/sum")" '4 the sum'
logs 1 write 3
is 'one run writes it three times' "$(found overwritten)" '120000000 40000000'
logs 1 write 3 fork
is 'three children write it' "$(found overwritten)" '120000000 40000000'
logs 1 write 3 exec
is 'what is executed writes it' "$(found overwritten)" '120000000 40000000'
logs 2 write 3
is 'two runs write it three times' "$(found overwritten)" '240000000 80000000'

logs 3 read 1
is 'three runs read a file' "$(found reread)" ''
logs 1 read 3
is 'one run reads it three times' "$(found reread)" '120000000 40000000'
logs 1 read 3 fork
is 'three children each read it' "$(found read-by-all)" '40000000 3'
"$IOTRACE_STAT" "$T/logs" | tr -s '\n ' '  ' >"$T/text"
like 'which is said' "$T/text" ' 3 processes each read the same 40000000 bytes '
logs 2 read 3 fork
is 'three children of each of two runs read it' "$(found read-by-all)" '80000000 3'
logs 2 read 3 exec
is 'two runs read it three times' "$(found reread)" '240000000 80000000'

done_testing
