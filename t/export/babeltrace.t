#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# babeltrace2's plug-in: of logs themselves, babeltrace2 prints the calls, times and bytes that iotrace-cat
# and iotrace-stat have, and what iotrace-export --to=ctf writes.
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/export/recorded.sh
. "${0%/*}/recorded.sh"
export=$top_builddir/tools/iotrace-export
python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "$python3: not there (Debian: python3)"
command -v babeltrace2 >/dev/null || skip_all 'babeltrace2 is not installed (Debian: babeltrace2)'
plugins=$top_builddir/tools/babeltrace/.libs
[ -f "$plugins/babeltrace-plugin-iotrace.so" ] || skip_all 'iotrace was built without libbabeltrace2'
src=$top_srcdir/t/export
cd "$T" || exit 99

# reads ARGUMENT...: as babeltrace2 does with the plug-in
reads()
{
	BABELTRACE_PLUGIN_PATH=$plugins babeltrace2 --clock-seconds --no-delta "$@"
}

# agrees LOGS WHAT: what ctf.py says of the numbers of threads and processes
agrees()
{
	BABELTRACE_PLUGIN_PATH=$plugins "$python3" "$src/ctf.py" "$IOTRACE_STAT" "$IOTRACE_CAT" "$1" "$1" 2>&1 |
		grep -v ': never completed: ' >out
	like "$1: threads and processes" out "^$2 True\$"
	sed '$d' out >differs
	none "$1: the same calls, times and bytes" differs
	"$export" --to=ctf -o "$1.ctf" "$1" && babeltrace2 --clock-seconds --no-delta "$1.ctf" | LC_ALL=C sort >ctf
	reads "$1" | LC_ALL=C sort >logs
	same "$1: the same as in a trace" logs ctf
}

babeltrace2 --plugin-path="$plugins" list-plugins >out
like 'the plug-in is known' out "$plugins/babeltrace-plugin-iotrace.so"

recorded '[0-9]+ [0-9]+' aio proc stdio
recorded_dynamic '[0-9]+ [0-9]+'
mkdir ranks
perl -I"$top_srcdir/t/lib" "$src/hosts.pl" ranks 20
agrees ranks '60 20'

# --- what babeltrace2 is given
reads ranks >all
reads ranks/*.iotrace >out
same 'logs by their names: in one order' out all
mkdir above && cp -r ranks above/below
reads above >out
same 'a directory of directories' out all
reads ranks stdio >out
is 'two directories' "$(wc -l <out)" "$(($(wc -l <all) + $(reads stdio | wc -l)))"
reads --begin=1700000000.040000000 --end=1700000000.090 ranks >out
is 'a part of the time' "$(wc -l <out)" "$(awk -F '[][]' '$2 >= 1700000000.04 && $2 <= 1700000000.09' all | wc -l)"
reads -c source.iotrace.logs -p 'inputs=["ranks"]' >out 2>&1
is 'as a component by name' "$(wc -l <out)" "$(wc -l <all)"
reads -c source.iotrace.logs >out 2>&1
is 'without logs: status' "$?" 1
like 'without logs: it is said' out 'the parameter inputs is no list of logs and directories'

# --- logs that are none, or that are damaged
echo nothing >bad.iotrace
reads bad.iotrace >out 2>&1
is 'no log: status' "$?" 1
like 'no log: it is said' out '^babeltrace2: bad.iotrace: '
mkdir torn && head -c 3000 ranks/rank0.iotrace >torn/x.iotrace
reads torn >out 2>err
is 'a torn log: as much as iotrace-cat has' "$(grep -c _exit out)" "$("$IOTRACE_CAT" torn 2>/dev/null | wc -l)"
done_testing
