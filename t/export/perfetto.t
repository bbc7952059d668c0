#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-export --to=perfetto: JSON of the trace event format.  Perfetto's own trace_processor is in no
# package of Debian's: perfetto.py checks what it requires.
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/export/recorded.sh
. "${0%/*}/recorded.sh"
export=$top_builddir/tools/iotrace-export
python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "$python3: not there (Debian: python3)"
src=$top_srcdir/t/export
cd "$T" || exit 99

# agrees LOGS WHAT: what perfetto.py says of the numbers of processes, flows and counters
agrees()
{
	"$export" --to=perfetto -o "$1.json" "$1" 2>err
	is "$1: is exported" "$?$(cat err)" 0
	# of operations that did not end, iotrace-cat says so
	"$python3" "$src/perfetto.py" "$IOTRACE_STAT" "$IOTRACE_CAT" "$1.json" "$1" 2>&1 | grep -v ': never completed: ' >out
	like "$1: processes, flows, counters" out "$2"
	sed '$d' out >differs
	none "$1: what Perfetto requires, and the same numbers" differs
}

recorded '^[0-9]+ [0-9]+ bytes a second open files' aio posix-rw proc signals stdio
recorded_dynamic '^[0-9]+ [0-9]+ bytes a second open files'
mkdir ranks
perl -I"$top_srcdir/t/lib" "$src/hosts.pl" ranks 3
agrees ranks '^3 24 bytes a second operations in flight$'
is 'ranks are in their order' "$("$python3" -c '
import json
print(sorted(e["args"]["sort_index"] for e in json.load(open("ranks.json"))["traceEvents"] if e["name"] == "process_sort_index"))')" '[0, 1, 2]'
is 'operations begin and end' "$("$python3" -c '
import json
print([e["args"]["value"] for e in json.load(open("ranks.json"))["traceEvents"] if e["name"] == "operations in flight" and e["pid"] == 100])')" \
	'[1, 2, 3, 4, 5, 6, 5, 4, 3, 2]'
# shellcheck disable=SC2016 # perl's variables
ok 'another parser reads it as well' perl -MJSON::PP -e '
	local $/; open my $in, "<", $ARGV[0] or die; my $t = <$in>; $t =~ s/\\udc[89a-f][0-9a-f]/?/g; decode_json($t)' ranks.json

# --- a thread learns of the ends of requests before the call that issued them is back
ok 'early: compiles' "$IOCC" -static -g -O1 -pthread -o early.bin "$top_srcdir/t/aio/ring.c"
mkdir early
IOTRACE_DIR="$T/early" ./early.bin both 50 >early.said
if [ $? -eq 77 ]; then
	skip 'early' 'the kernel has no asynchronous I/O'
else
	# each has a flow of two ends
	agrees early "^1 $((2 * $(cat early.said))) bytes a second open files operations in flight"
fi

# --- an output is complete, or not there
cp aio.json kept.json
(ulimit -f 8; "$export" --to=perfetto -o kept.json posix-rw 2>err)
is 'no room: status' "$?" 2
like 'no room: it is said of which file' err '^iotrace-export: .*kept\.json: '
same 'no room: what was there is' kept.json aio.json
is 'nothing else is left' "$(ls kept.json*)" kept.json
is 'to a device' "$("$export" --to=perfetto -o /dev/full aio 2>&1)" "iotrace-export: can't write to /dev/full: No space left on device"
is 'to a pipe' "$("$export" --to=perfetto -o /dev/stdout aio | cat | cmp - aio.json)" ''
exits 'it is no database' 2 "$export" --to=perfetto --append -o kept.json aio

# --- of many calls, memory is what it is of few
# shellcheck disable=SC2016 # perl's variables
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	for my $n (1, 200) {
		my $l = MkLog->new(latest => 900e9);
		for my $b (0 .. $n - 1) {
			$l->block(stream => 1, seq => $b, records => [ $b ? () : (MkLog::path(1, "/data/in"), MkLog::handle(1, 3, 1)),
				map { $l->compact("write", handle => 1, start => 1e9 * $b + 1e5 * $_, size => 4096, offset => 0) } 1 .. 1000 ]);
		}
		mkdir "n$n";
		$l->save("n$n/x.iotrace");
	}'
cat >memory.py <<'EOT'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
EOT
few=$("$python3" memory.py "$export" --to=perfetto -o n1.json n1)
many=$("$python3" memory.py "$export" --to=perfetto -o n200.json n200)
is '200,000 calls are exported' "$(grep -c '"ph":"X"' n200.json)" 200000
ok "they take $many KiB, and 1,000 take $few" test "$many" -lt $((few + 4096))
done_testing
