#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files are told apart by their names, not by a hash of them: two files whose names have
# one hash have each their own calls, and the filters judge each by its own name.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

# calls FILE: how often, and with how many bytes, each call named the file
calls()
{
	"$IOTRACE_CAT" --format=json "$logs" >"$T/json" 2>"$T/err"
	grep -F "\"path\":\"$1\"" "$T/json" |
		sed 's/.*"call":"\([a-z0-9_]*\)".*/\1 &/; s/ {.*"size":\([0-9]*\).*/ \1/; s/ {.*//' |
		sort | uniq -c | awk '{ printf "%s%s", sep, $2 (NF > 2 ? " of " $3 : "") ": " $1; sep = ", " }'
}

build names
both names
undisturbed 'two names'
{ read -r one && read -r other; } <"$T/out"
is 'the first' "$(calls "$one")" 'close: 10, open: 10, write of 1: 10'
is 'the second' "$(calls "$other")" 'close: 10, open: 10, unlink: 1, write of 2: 10'
ok 'nothing to complain of' test ! -s "$T/err" || diag_file "$T/err"

IOTRACE_EXCLUDE=$(printf '%s' "$one" | sed 's/[+.]/\\&/g; s/^/^/; s/$/$/')
export IOTRACE_EXCLUDE
run names
is 'the first is excluded' "$(calls "$one")" ''
is 'the second is not' "$(calls "$other")" 'close: 10, open: 10, unlink: 1, write of 2: 10'
done_testing
