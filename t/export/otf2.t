#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-export --to=otf2: otf2-print reads the calls, operations and bytes that iotrace-cat and iotrace-stat have.
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/export/recorded.sh
. "${0%/*}/recorded.sh"
export=$top_builddir/tools/iotrace-export
python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "$python3: not there (Debian: python3)"
command -v otf2-print >/dev/null || skip_all 'otf2-print is not installed (Debian: otf2-tools)'
"$export" --to=otf2 -o "$T/none" "$T" 2>&1 | grep -q 'built without' && skip_all 'iotrace was built without OTF2'
src=$top_srcdir/t/export
cd "$T" || exit 99

# agrees LOGS LOCATIONS
agrees()
{
	"$export" --to=otf2 -o "$1.otf2" "$1" 2>err
	is "$1: is exported" "$?$(cat err)" 0
	"$python3" "$src/otf2.py" "$IOTRACE_STAT" "$IOTRACE_CAT" "$1.otf2" "$1" 2>&1 | grep -v ': never completed: ' >out
	like "$1: locations" out "^$2 True\$"
	sed '$d' out >differs
	none "$1: the same calls, times and bytes" differs
}

recorded '[0-9]+' aio posix-rw proc signals stdio
recorded_dynamic '[0-9]+'
# a main thread, one beside it and another for each rank
mkdir ranks
perl -I"$top_srcdir/t/lib" "$src/hosts.pl" ranks 130
agrees ranks 390
is 'hosts are nodes' "$(otf2-print -G ranks.otf2/traces.otf2 | grep -c '^SYSTEM_TREE_NODE ')" 130

# --- an output is complete, or not there
exits 'what is there is left alone' 2 "$export" --to=otf2 -o stdio.otf2 posix-rw
(ulimit -f 1; "$export" --to=otf2 -o full.otf2 stdio 2>err)
is 'no room: status' "$?" 2
like 'no room: it is said' err "^iotrace-export: can't write to full.otf2: File too large$"
is 'no room: nothing is left' "$(ls -d full.otf2* 2>/dev/null)" ''
done_testing
