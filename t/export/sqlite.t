#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-export --to=sqlite: the database has the sums of iotrace-stat and the calls of
# iotrace-cat; runs are added; nothing that is there is damaged; names are bytes.
. "${0%/*}/../lib/tap.sh"
export=$top_builddir/tools/iotrace-export
python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "$python3: not there (Debian: python3)"
command -v sqlite3 >/dev/null || skip_all 'sqlite3 is not installed'
"$export" --to=sqlite -o "$T/none" "$T" 2>&1 | grep -q 'built without' && skip_all 'iotrace was built without SQLite'
src=$top_srcdir/t/export
cd "$T" || exit 99

# made NAME: a program of t/progs ran, its logs are in NAME
# shellcheck disable=SC2317 # ok calls it
made()
{
	[ -f "$1.bin" ] || "$IOCC" -static -g -O1 -pthread -I"$top_srcdir/t/progs" -o "$1.bin" "$top_srcdir/t/progs/$1.c"
	mkdir -p "$1" "in.$1"
	# some end by a signal, or with a status of their own
	(cd "in.$1" && IOTRACE_DIR="$T/$1" "../$1.bin" </dev/null >"$T/$1.said" 2>&1)
	ls "$1"/*.iotrace
}

# agrees DESCRIPTION DATABASE RUN LOGS
agrees()
{
	"$python3" "$src/sums.py" "$IOTRACE_STAT" "$IOTRACE_CAT" "$2" "$3" "$4" >"$T/out" 2>"$T/err"
	is "$1: is read" "$?" 0 || diag_file "$T/err"
	none "$1" "$T/out"
}

for name in aio mem net posix-meta posix-rw proc signals stdio user; do
	ok "$name: runs" made "$name"
	ok "$name: is exported" "$export" --to=sqlite -o "$name.db" "$name"
	is "$name: SQLite finds it sound" "$(sqlite3 "$name.db" 'PRAGMA integrity_check')" ok
	agrees "$name: sums and calls are the same" "$name.db" 1 "$name"
done

# --- what the kernel did without a system call of its own: threads of a dynamic program's POSIX AIO
mkdir unseen
ok 'POSIX AIO, dynamic: compiles' "$IOCC" -g -O1 -o flights "$top_srcdir/t/report/flights.c" -lpthread
IOTRACE_DIR="$T/unseen" ./flights
ok 'POSIX AIO, dynamic: is exported' "$export" --to=sqlite -o unseen.db unseen
is 'POSIX AIO, dynamic: bytes without a call' "$(sqlite3 unseen.db "SELECT calls > 0, syscalls, moved / calls FROM by_call WHERE call = 'completion'")" '1|0|512'
agrees 'POSIX AIO, dynamic: sums and calls are the same' unseen.db 1 unseen

# --- a thread learns of the ends of requests before the call that issued them is back
mkdir early
ok 'early: compiles' "$IOCC" -static -g -O1 -pthread -o early.bin "$top_srcdir/t/aio/ring.c"
IOTRACE_DIR="$T/early" ./early.bin both 50 >early.said
if [ $? -eq 77 ]; then
	skip 'early' 'the kernel has no asynchronous I/O'
else
	ok 'early: is exported' "$export" --to=sqlite -o early.db early
	is 'early: each operation took its time' "$(sqlite3 early.db "SELECT count(*), sum(time < 0) FROM flights")" "$(cat early.said)|0"
	# rounded once, or twice
	is 'early: which is what its end says, where it does' "$(sqlite3 early.db "SELECT count(*) FROM flights f JOIN trace t
		ON t.id = f.end_id WHERE json_extract(t.args, '\$.since') > 0 AND abs(json_extract(t.args, '\$.since') - f.time) > 1")" 0
fi

# --- what is told of later with less depth, as page faults are, is around no call that began before it
mkdir late
# shellcheck disable=SC2016 # perl's variables
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new(latest => 20e9);
	my $call = sub { my ($name, $start, $dur, $depth) = @_;
		return $l->general($name, start => $start, dur => $dur, depth => $depth, ret => 0, args => []) };
	$l->block(stream => 1, records => [ $call->("sync", 2e3, 10, 2), $call->("sync", 1.9e3, 200, 1), $call->("sync", 2.5e3, 0, 0),
		$call->("sync", 3e3, 10, 1), $call->("sync", 4e3, 10, 2), $call->("sync", 4.5e3, 0, 0), $call->("sync", 5e3, 10, 2),
		$call->("sync", 3.9e3, 2e3, 1), $call->("sync", 1e3, 9e3, 0) ]);
	$l->save("late/x.iotrace");'
"$export" --to=sqlite -o late.db late
is 'what is told of later: parents' "$(sqlite3 -separator ' ' late.db 'SELECT c.since, p.since FROM trace c LEFT JOIN trace p
	ON p.id = c.parent_id ORDER BY c.since')" '1000 
1900 1000
2000 1900
2500 
3000 1000
3900 1000
4000 3900
4500 
5000 3900'
agrees 'what is told of later: sums and calls are the same' late.db 1 late

# --- processes of one program have the same stacks
mkdir again && cp user/*.iotrace again && (cd in.user && IOTRACE_DIR="$T/again" ../user.bin </dev/null >"$T/user.said" 2>&1)
"$export" --to=sqlite -o again.db again
is 'a stack is there once, however many processes have it' "$(sqlite3 again.db 'SELECT count(*) FROM stacks')" \
	"$(sqlite3 user.db 'SELECT count(*) FROM stacks')"
agrees 'stacks of several processes: sums and calls are the same' again.db 1 again

# --- ranks on several hosts that have the same pid, and operations that begin and end
mkdir ranks
perl -I"$top_srcdir/t/lib" "$src/hosts.pl" ranks 3
ok 'ranks are exported' "$export" --to=sqlite -o ranks.db ranks
agrees 'ranks: sums and calls are the same' ranks.db 1 ranks
is 'operations, and what they ended in' "$(sqlite3 ranks.db "SELECT b.rank, number, b.call, e.call, f.time
	FROM flights f JOIN trace b ON b.id = f.begin_id LEFT JOIN trace e ON e.id = f.end_id WHERE b.rank = 1")" \
'1|1|MPI_File_iwrite_at|MPI_Wait|400990100
1|2|MPI_File_iwrite_at||
1|3|MPI_File_iwrite_at|MPI_Wait|402970100
1|4|MPI_File_iwrite_at|MPI_Wait|403960100
1|5|MPI_File_iwrite_at||
1|6|MPI_File_iwrite_at|MPI_Wait|405940100'

# --- calls inside of others come before them
is 'pages of the table of calls are full' "$(sqlite3 stdio.db "SELECT pageno, unused FROM dbstat WHERE name = 'calls'
	AND pagetype = 'leaf' AND unused > 200 ORDER BY pageno" | sed '$d')" ''

# --- a run more
cp stdio.db both.db
ok 'another run is added' "$export" --to=sqlite --append --run=after -o both.db user
agrees 'the first run is what it was' both.db 1 stdio
agrees 'the second one is as if it was alone' both.db 2 user
is 'runs have names' "$(sqlite3 both.db 'SELECT id, name FROM runs')" "1|
2|after"
cp both.db same.db
mkdir copies
cp stdio/*.iotrace copies/another-name.iotrace
"$export" --to=sqlite --append -o both.db copies 2>err
is 'a log that is there already is refused' "$?" 2
like 'and it is said' err '^iotrace-export: both.db: has the calls of copies/another-name.iotrace already; nothing was added$'
same 'nothing was added' both.db same.db
"$export" --to=sqlite -o twice.db stdio copies 2>err
like 'given twice at once: it is said' err 'is left out: .* is the same log$'
agrees 'and it counts once' twice.db 1 stdio
ok '--append makes what is not there' "$export" --to=sqlite --append -o new.db user
agrees 'as without it' new.db 1 user
echo 'no database' >text.db
exits 'what is no database is not changed' 2 "$export" --to=sqlite --append -o text.db user
is 'it has what it had' "$(cat text.db)" 'no database'
sqlite3 other.db 'CREATE TABLE t(x)'
exits 'nor is a database of others' 2 "$export" --to=sqlite --append -o other.db user
is 'it has its table' "$(sqlite3 other.db .tables)" t

# --- the logs that it keeps: every tool reads the database as it reads them
mkdir mixed
cp stdio/*.iotrace mixed/whole.iotrace
if packs 'a database of packed logs'; then
	"$IOTRACE_PACK" -k proc/*.iotrace
	mv proc/*.packed.iotrace mixed
fi
log=$(echo proc/*.iotrace)
head -c 50000 "${log%% *}" >mixed/short.iotrace
"$export" --to=sqlite -o mixed.db mixed 2>/dev/null
is 'a database of logs that are whole, packed and cut short: it keeps all' \
	"$(sqlite3 mixed.db 'SELECT count(DISTINCT name) FROM kept')" "$(find mixed -type f | wc -l | tr -d ' ')"
# as_logs DATABASE LOGS COMMAND...: what it prints is the same
as_logs()
{
	as_database=$1 as_directory=$2
	shift 2
	"$@" "$as_directory" >want 2>want.err
	as_status=$?
	"$@" "$as_database" >out 2>err
	is "$* $as_database: status" $? $as_status
	same "$* $as_database: as of the logs" out want
	same "$* $as_database: what is said" err want.err
}
as_logs mixed.db mixed "$IOTRACE_CAT" -y -k
as_logs mixed.db mixed "$IOTRACE_CAT" --format=json --failed
as_logs mixed.db mixed "$IOTRACE_CAT" --format=csv -e stdio,read --min-size=2
as_logs mixed.db mixed "$IOTRACE_STAT" --by=all
as_logs mixed.db mixed "$IOTRACE_STAT" --format=json -P 'tmp|stdio' --exclude=proc
as_logs mixed.db mixed "$IOTRACE_STAT" --jobs=2 --sites
as_logs both.db user "$IOTRACE_STAT" --by=file
as_logs both.db stdio "$IOTRACE_STAT" --by=call --run=1
# --- one that is broken, among others
log=$(echo user/*.iotrace)
"$IOTRACE_CAT" "$log" >want
head -c 20000 stdio.db >short.db
for database in short.db other.db; do
	"$IOTRACE_CAT" "$database" "$log" >out 2>err
	is "$database and a log: status" "$?" 2
	same "$database and a log: the log is printed" out want
	like "$database and a log: what is wrong with the database is said" err "^iotrace-cat: $database: "
	is "$database and a log: once" "$(wc -l <err | tr -d ' ')" 1
	exits "iotrace-stat: $database alone" 2 "$IOTRACE_STAT" --by=call "$database"
done
# as_exported FORMAT OPTION...
as_exported()
{
	as_format=$1
	shift
	rm -rf want.out got.out
	"$export" --to="$as_format" "$@" -o want.out mixed 2>/dev/null
	"$export" --to="$as_format" "$@" -o got.out mixed.db 2>err
	diff -r want.out got.out >differs
	none "$as_format $*: as of the logs" differs
}
as_exported perfetto
as_exported perfetto -e write --successful
as_exported ctf --from=0
for chosen in '' '-e write,fprintf'; do
	# shellcheck disable=SC2086 # options
	"$export" --to=sqlite $chosen -o want.db mixed 2>/dev/null
	# shellcheck disable=SC2086
	"$export" --to=sqlite $chosen -o got.db mixed.db 2>/dev/null
	for from in want got; do
		sqlite3 $from.db 'SELECT * FROM trace; SELECT * FROM by_file; SELECT * FROM findings; SELECT * FROM kept' >$from
	done
	same "a database of a database, $chosen: as of the logs" got want
done
is 'of chosen calls it keeps no logs' "$(sqlite3 got.db 'SELECT count(*) FROM kept')" 0
"$IOTRACE_CAT" got.db >out 2>err
is 'and is none' $? 2
like 'which is said, with what to do' err '^iotrace-cat: got.db: keeps no logs of run 1 .*export its logs again$'
"$export" --to=sqlite --no-logs -o got.db mixed 2>/dev/null
is '--no-logs: nor does it' "$(sqlite3 got.db 'SELECT count(*) FROM kept')" 0
exits 'no such run' 2 "$IOTRACE_STAT" --run=nobody both.db
exits 'a database is not followed' 2 "$IOTRACE_CAT" -f both.db
exits 'nor written to while it is read' 2 "$export" --to=sqlite -o mixed.db mixed.db

# --- what goes wrong
cp user.db old.db
(ulimit -f 40; "$export" --to=sqlite -o old.db posix-rw 2>err)
is 'no room: status' "$?" 2
like 'no room: it is said of which file' err '^iotrace-export: old.db: '
same 'no room: the old one is there' old.db user.db
(ulimit -f 400; "$export" --to=sqlite --append -o old.db posix-rw 2>err)
is 'no room to add: status' "$?" 2
agrees 'no room to add: what was there is' old.db 1 user
is 'no room to add: and no more' "$(sqlite3 old.db 'SELECT count(*) FROM runs')" 1
is 'nothing else is left' "$(ls old.db*)" old.db
# whatever moment the kill comes at
for moment in 0.005 0.02 0.05 0.1; do
	cp user.db killed.db
	"$export" --to=sqlite --append -o killed.db stdio posix-rw proc 2>err &
	sleep $moment
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	sqlite3 killed.db "PRAGMA integrity_check; SELECT count(*) FROM calls WHERE id <= (SELECT max(last) FROM spans WHERE run_id = 1)"
done >out
sqlite3 user.db 'SELECT count(*) FROM calls' >count
for moment in 1 2 3 4; do
	echo ok
	cat count
done >want
same 'killed: the database is sound, and has what it had' out want
exits 'a directory is no output' 2 "$export" --to=sqlite -o in.user user
exits 'nor is a device' 2 "$export" --to=sqlite -o /dev/null user
log=$(echo user/*.iotrace)
cp "$log" kept
exits 'nor is a log that is read' 2 "$export" --to=sqlite -o "$log" user
same 'the log is there' "$log" kept
exits 'an output has to be given' 2 "$export" --to=sqlite user
exits 'and a format' 2 "$export" -o x.db user
exits 'no other format' 2 "$export" --to=nothing -o x.db user

# --- filters
"$export" --to=sqlite -o filter.db -e write,fprintf stdio
is '-e: calls are those of iotrace-cat' "$(sqlite3 filter.db 'SELECT count(*) FROM calls')" \
	"$("$IOTRACE_CAT" -e write,fprintf --format=tsv stdio | sed 1d | wc -l | tr -d ' ')"
is '-e: inside of what was left out, they are inside of what is around that' \
	"$(sqlite3 filter.db 'SELECT count(*) FROM calls WHERE parent_id NOT IN (SELECT id FROM calls)')" 0
ok '-e: and not all at the top' test "$(sqlite3 filter.db 'SELECT count(parent_id) FROM calls')" -gt 0
is '--to=TIME is the filter' "$("$export" --to=sqlite --to=0 -o empty.db user 2>&1)" 'iotrace-export: no call passes --to'
is 'an empty run is one' "$(sqlite3 empty.db 'SELECT count(*), (SELECT count(*) FROM calls) FROM runs')" '1|0'

# --- names are bytes
cat >names.pl <<'EOT'
use MkLog;
my @names = ("/a'); DROP TABLE calls; --", "/b\"\$x", "/c\n\t;", "/d\xff\xc3", "/e\x{e2}\x{80}\x{ae}txt", "/f\0g", "(no file)", "/%s%n?1", "");
my $l = MkLog->new(keys => [ program => "p'; DROP TABLE runs", host => "h\xfe" ]);
my $i = 0;
$l->block(records => [ map { $i++; (MkLog::path($i, $_), MkLog::handle($i, $i + 2, $i),
	$l->compact("write", handle => $i, start => $i * 1000, dur => 10, size => $i, offset => 0)) } @names ]);
$l->save($ARGV[0]);
print map { unpack("H*", $_) . "\n" } sort @names;
EOT
mkdir names
perl -I"$top_srcdir/t/lib" names.pl names/x.iotrace >want
ok 'odd names are exported' "$export" --to=sqlite --run="'; DROP TABLE runs; --" -o names.db names
sqlite3 names.db "SELECT lower(hex(CAST(path AS BLOB))) FROM names" | LC_ALL=C sort >out
LC_ALL=C sort want >want.sorted
same 'the bytes of names are there' out want.sorted
is 'the run is called as it was said' "$(sqlite3 names.db 'SELECT name FROM runs')" "'; DROP TABLE runs; --"
is 'a name is there once' "$(sqlite3 names.db 'SELECT count(*), count(DISTINCT path), (SELECT count(*) FROM other_names) FROM names')" "$(wc -l <want | tr -d ' ')|$(wc -l <want | tr -d ' ')|0"
is 'what is text is text' "$(sqlite3 names.db "SELECT count(*) FROM names WHERE typeof(path) = 'blob'")" 2

# --- many files: what lines do with each is of that file alone
cat >files.pl <<'EOT'
use MkLog;
my $l = MkLog->new;
my @calls = qw(read write pwrite fprintf fwrite mmap readdir);
my $start = 0;
for my $i (1 .. 5000) {
	$l->block(seq => $i - 1, base => $start, records => [ MkLog::path($i, sprintf "/scratch/job/out%05d.dat", $i), MkLog::handle($i, 3, $i),
		map { $l->compact($_, handle => $i, start => $start += 2000, dur => 500, size => 512, offset => 0) } @calls ]);
}
$l->save($ARGV[0]);
EOT
mkdir files
perl -I"$top_srcdir/t/lib" files.pl files/x.iotrace >/dev/null
ok 'many files are exported' "$export" --to=sqlite -o files.db files
is 'their calls are there' "$(sqlite3 files.db 'SELECT count(*), count(DISTINCT file) FROM trace')" '35000|5000'
# without what has the same size however many calls there are
ok 'a call takes at most 60 bytes' \
	test "$((($(wc -c <files.db) - $(sqlite3 files.db 'SELECT sum(length(json)) FROM stats')) / 35000))" -le 60

# 40 tables and indices, of which each has a page of its own
ok 'what a log with few calls leaves empty' test "$(sqlite3 names.db 'SELECT sum(unused) FROM dbstat')" -le 200000

is 'which of them are near each other is known of all' "$(sqlite3 files.db "SELECT count(*) FROM calls c
	WHERE NOT EXISTS (SELECT 1 FROM context_spans s JOIN spans USING (first) WHERE s.context_id = c.context_id AND c.id BETWEEN first AND last)
	OR NOT EXISTS (SELECT 1 FROM name_spans s JOIN spans USING (first) WHERE s.name_id = c.name_id AND c.id BETWEEN first AND last)")" 0

# --- the manual's questions
ok 'a database of two runs' sh -c "'$export' --to=sqlite --run=before -o two.db stdio && '$export' --to=sqlite --append --run=after -o two.db posix-rw"
for db in files two; do
	is "$db: and how long and large they are at most" "$(sqlite3 $db.db "SELECT count(*), sum(longest IS NOT most OR largest IS NOT size) FROM
		(SELECT longest, largest, max(dur) AS most, max(c.size) AS size FROM spans s JOIN calls c ON c.id BETWEEN first AND last GROUP BY first)")" \
		"$(sqlite3 $db.db 'SELECT count(*) FROM spans')|0"
done
is 'each query of iotrace-export(1) tells what iotrace-stat does' \
	"$("$python3" "$src/queries.py" "$(page iotrace-export.1)" "$IOTRACE_STAT" "$IOTRACE_CAT" two.db stdio posix-rw 2>&1)" 12

done_testing
