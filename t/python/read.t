#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace.read: logs as a data frame have the calls of iotrace-cat.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/python.sh
. "${0%/*}/../lib/python.sh"
"$python3" -c 'import pandas' 2>/dev/null || skip_all 'pandas is not installed (Debian: python3-pandas)'
LIBIOTRACE_READ=$top_builddir/reader/.libs/libiotrace-read.so.0
[ -f "$LIBIOTRACE_READ" ] || skip_all 'the reader library is not shared'
cd "$T" || exit 99
PYTHONPATH=$top_srcdir/python
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE LIBIOTRACE_READ

# agrees NAME CALLS: and it has at least as many calls
agrees()
{
	"$python3" "$src/frame.py" "$IOTRACE_CAT" "$1" 2>err | grep -v '^[0-9]*$' >differs
	none "$1: what iotrace-cat prints" differs
	sed '/: never completed: /d' err >said
	none "$1: nothing is said" said
}
for name in aio posix-rw signals stdio; do
	ok "$name: compiles" "$IOCC" -static -g -O1 -pthread -I"$top_srcdir/t/progs" -o "$name.bin" "$top_srcdir/t/progs/$name.c"
	mkdir -p "$name" "in.$name"
	# some end by a signal, or with a status of their own
	(cd "in.$name" && IOTRACE_DIR="$T/$name" "../$name.bin" </dev/null >"$T/$name.said" 2>&1)
	agrees "$name"
done
mkdir ranks
perl -I"$top_srcdir/t/lib" "$top_srcdir/t/export/hosts.pl" ranks 2
agrees ranks
is 'ranks are numbers' "$("$python3" -c 'import iotrace; print(sorted(iotrace.read("ranks")["rank"].unique().tolist()))')" '[0, 1]'
is 'names are bytes' "$("$python3" -c 'import iotrace; print(sorted(p.encode("utf-8", "surrogateescape") for p in iotrace.read("ranks").path.unique()))')" \
	"[b'/data/\"rank\" 0\\xff', b'/data/\"rank\" 1\\xff']"

# one name in the call itself, one that is defined; a log without calls; none; a damaged one
mkdir own empty damaged
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	MkLog->new->block(records => [ MkLog::path(1, "/a"), map { my $l = MkLog->new; $l->general("unlink", start => $_, ret => 0, args => [ \"/own" ]) } 1 .. 3 ])
		->save("own/x.iotrace");
	MkLog->new->block(records => [])->save("empty/x.iotrace")'
agrees own
is 'a name in the call itself' "$("$python3" -c 'import iotrace; print(iotrace.read("own").path.value_counts().to_dict())')" "{'/own': 3}"
agrees empty
is 'of no calls, columns are there' "$("$python3" -c 'import iotrace; print(len(iotrace.read("empty")), "path" in iotrace.read("empty"))')" '0 True'
"$python3" -c 'import iotrace; iotrace.read("none")' >out 2>&1
like 'what is not there' out '^OSError: none: .*No such file or directory$'
head -c 4200 stdio/*.iotrace >damaged/x.iotrace
"$python3" -c 'import iotrace; print(len(iotrace.read("damaged")))' >out 2>&1
ok 'a damaged log is a warning, or an error' grep -q 'UserWarning: damaged/x.iotrace\|^OSError: damaged/x.iotrace' out
# databases
if "$top_builddir/tools/iotrace-export" --to=sqlite -o one.db ranks 2>err; then
	"$top_builddir/tools/iotrace-export" --to=sqlite --append -o one.db stdio
	agrees one.db
	is 'a database and a log' "$("$python3" -c 'import iotrace; print(len(iotrace.read(["one.db", "own"])) - len(iotrace.read("stdio")))')" 3
	"$top_builddir/tools/iotrace-export" --to=sqlite --no-logs -o without.db stdio
	"$python3" -c 'import iotrace; iotrace.read("without.db")' >out 2>&1
	like 'a database without logs' out '^OSError: without.db: keeps no logs '
	"$top_builddir/tools/iotrace-export" --to=sqlite --run=first -o runs.db own
	"$top_builddir/tools/iotrace-export" --to=sqlite --append --run=second -o runs.db ranks
	is 'runs of a database, by name and number' "$("$python3" -c 'import iotrace
print(*[len(iotrace.read("runs.db", run=r)) for r in (None, "first", "second", 1, "2")], sum(map(len, iotrace.batches("runs.db", 2, "first"))))')" \
		'124 3 124 3 124 3'
	"$python3" -c 'import iotrace; iotrace.read("runs.db", run="third")' >out 2>&1
	like 'a run that is not there' out "^OSError: runs.db: has no run 'third'\$"
	"$python3" -c 'import iotrace; iotrace.read("own", run="first")' >out 2>&1
	like 'a run of a log' out "^ValueError: run='first': own is no database\$"
	head -c 20000 one.db >short.db
	"$python3" -c 'import iotrace; iotrace.read("short.db")' >out 2>&1
	like 'a database that is cut short' out '^OSError: short.db: database disk image is malformed$'
else
	skip 'databases' 'iotrace was built without SQLite'
fi
is 'several logs' "$("$python3" -c 'import iotrace; print(len(iotrace.read(["own", "ranks/rank0.iotrace"])))')" 65
done_testing
