#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-report of a database that iotrace-export made: the same page, the same answers, whether it keeps the
# logs or not, and databases that are none, are others' or are damaged.
. "${0%/*}/../lib/tap.sh"

report=$top_builddir/tools/iotrace-report
export=$top_builddir/tools/iotrace-export
[ -x "$report" ] || skip_all 'there is no iotrace-report: configure found no d3'
command -v sqlite3 >/dev/null || skip_all 'sqlite3 is not installed'
"$export" --to=sqlite -o "$T/none" "$T" 2>&1 | grep -q 'built without' && skip_all 'iotrace was built without SQLite'
mkdir "$T/in" "$T/logs" "$T/other"
ok 'the program compiles' "$IOCC" -static -g -O1 -I"$top_srcdir/include" "$top_srcdir/t/report/program.c" -o "$T/program" -lpthread || done_testing
ok 'another one compiles' "$IOCC" -static -g -O1 "$top_srcdir/t/report/flights.c" -o "$T/flights" -lpthread || done_testing
(cd "$T/in" && IOTRACE_DIR=$T/logs "$T/program" && IOTRACE_DIR=$T/other "$T/flights")
cd "$T" || exit 99
ok 'a database' "$export" --to=sqlite --no-logs -o run.db logs
ok 'one of two runs' sh -c "'$export' --to=sqlite --no-logs --run=before -o two.db other && '$export' --to=sqlite --no-logs --append --run=after -o two.db logs"

# --- a page
exits 'a page' 0 "$report" -o page.html run.db
"$report" -o logs.html logs
ok 'about as large as that of the logs' test $(($(wc -c <page.html) * 10)) -gt $(($(wc -c <logs.html) * 9))
"$report" --run=1 -o first.html two.db
"$report" -o other.html other
perl -I"$top_srcdir/t/report" -MPage -e '
	my @p = map { decode(data_of(slurp($_)))->{picture} } @ARGV;
	is(scalar @{$p[0]{arcs}}, scalar @{$p[1]{arcs}}, "operations are there");
	is($p[0]{arcs_seen}, $p[1]{arcs_seen}, "as many");
	print "end\n"' first.html other.html >result
assertions result 'the other run: '
"$report" --max-calls=100 -o few.html run.db
ok 'with few single calls it is smaller' test "$(wc -c <few.html)" -lt "$(wc -c <page.html)"

# --- chosen calls
cat >chosen.pl <<'EOT'
use Page;
my ($db, $logs, $what) = (map({ decode(data_of(slurp($_))) } @ARGV[0, 1]), $ARGV[2]);
sub text { return JSON::PP->new->canonical->encode($_[0]) }
# who they are and what they did; how long they lived is known less exactly
sub columns { my ($rows, @keys) = @_; return text([sort map { my $r = $_; join ' ', map { $r->{$_} // 0 } @keys } @$rows]) }
my @job = qw(processes threads hosts ranks calls syscalls errors read written lib_read lib_written self io moving metadata syncing waiting inferred);
my @row = qw(calls syscalls errors reads read writes written lib_read lib_written self io);
is(columns([$db->{stat}{job}], @job), columns([$logs->{stat}{job}], @job), "$what: the job");
# a database knows all names of a file, logs of which some calls are chosen do not
sub some { return [grep { ($_->{path} // '') =~ /table|journal|missing/ } @{$_[0]{stat}{files}}] }
is(columns(some($db), 'path', 'opens', 'syncs', @row), columns(some($logs), 'path', 'opens', 'syncs', @row), "$what: files");
is(columns($db->{stat}{processes}, 'prog', 'pid', 'thread_count', @row), columns($logs->{stat}{processes}, 'prog', 'pid', 'thread_count', @row), "$what: processes");
my @kinds = map { [grep { $_->{calls} } @{$_->{stat}{calls}}] } $db, $logs;
is(columns($kinds[0], qw(call family calls syscalls errors self)), columns($kinds[1], qw(call family calls syscalls errors self)), "$what: calls");
# a call's start (of the job), duration, name, place, size, result, error, depth, part and file
sub calls
{
	my ($page) = @_;
	my $p = $page->{picture};
	my ($at, @list) = ($p->{begin});
	my @all = @{$p->{calls}};

	while (my @c = splice @all, 0, 12) {
		my $path = $c[4] < 0 ? '' : $page->{stat}{files}[$c[4]]{path};
		$at += $c[0];
		push @list, join ' ', $at, $c[1], $p->{names}[$c[3]], @c[6 .. 11], $path =~ /table|journal|missing/ ? $path : '';
	}
	return text(\@list);
}
is(calls($db), calls($logs), "$what: calls one by one");
is(scalar @{$db->{picture}{lanes}}, scalar @{$logs->{picture}{lanes}}, "$what: lanes");
print "end\n";
EOT
# chosen WHAT OPTION...: the page is that of the logs
chosen()
{
	chosen_what=$1
	shift
	exits "$chosen_what: a page of the database" 0 "$report" -o chosen.html "$@" run.db
	"$report" -o expected.html "$@" logs
	perl -I"$top_srcdir/t/report" chosen.pl chosen.html expected.html "$chosen_what" >result
	assertions result
}
chosen 'calls and families' -e write,pread,open -e stdio
chosen 'all but some' -e '!fsync,stdio'
chosen 'paths' -P 'journal|table'
chosen 'all but some paths' --exclude='journal|/proc/'
chosen 'failed' -Z
chosen 'successful, large and long' -z --min-size=16 --min-time=1us
pid=$("$IOTRACE_STAT" --by=process --format=json logs | sed -n 's/.*"pid":\([0-9]*\),"parent":[1-9].*/\1/p' | head -n 1)
chosen 'a process' -p "$pid"
chosen 'a time' --from=@"$(sqlite3 run.db 'SELECT printf("%d.%09d", (started + 1000000) / 1000000000, (started + 1000000) % 1000000000) FROM runs')"
"$report" -o chosen.html -e stdio run.db
unlike 'what stands out is not said of chosen calls' chosen.html '"findings":'
exits 'none' 1 "$report" -o none.html -e none run.db
exits 'no rank' 1 "$report" -o none.html --rank=3 run.db

# --- runs before
# differences DATA: of a page, or of iotrace-stat, one a line
differences()
{
	sed -n 's/^\({"table".*]}\).*/\1/p' "$1" | sed 's/\\u003c/</g' | sort
}
if ! "$IOTRACE_STAT" --diff other logs 2>&1 | grep 'without json-c' >/dev/null; then
	"$IOTRACE_STAT" --diff --by=all --top=2000 --format=json other logs >diff.json
	differences diff.json >expected
	ok 'runs differ' test -s expected
	"$export" --to=sqlite --no-logs -o other.db other
	# compared WHAT ARGUMENT...: the page has what iotrace-stat --diff says
	compared()
	{
		compared_what=$1
		shift
		exits "$compared_what: a page" 0 "$report" -o compared.html "$@"
		differences compared.html >got
		same "$compared_what: what differs is what iotrace-stat says" got expected
	}
	compared 'runs of a database' --run=after --diff=before two.db
	like 'which are named' compared.html '"before":\["before"\],"after":\["after"\]'
	before_of()
	{
		perl -I"$top_srcdir/t/report" -MPage -e 'my $b = decode(data_of(slurp($ARGV[0])))->{before};
			print "$b->{title}: $b->{stat}{job}{calls} calls, $b->{stat}{job}{threads} threads, ", scalar @{$b->{picture}{lanes}}, " lanes\n"' "$1"
	}
	before_of compared.html >before
	"$report" -o of-logs.html --diff=other logs
	before_of of-logs.html | sed 's/^other:/before:/' >wanted
	same 'the run before has a timeline, as that of the logs' before wanted
	compared 'by their numbers' --diff=1 two.db
	compared 'two databases' other.db run.db
	compared 'the same by --diff' --diff=other.db run.db
	compared 'logs, then a database' --diff=other run.db
	compared 'a database, then logs' --diff=other.db logs
	# calls that are chosen: findings, regions, and whether a kind without calls is there, are the logs' alone; how long the
	# run was is known less exactly
	roughly()
	{
		sed '/"job","measure":"time"/d; s/"change":"[a-z]*"/"change"/'
	}
	for chosen in '-e write,lseek,stdio' '-P journal|table|f0' '--exclude=journal|/proc/|program$'; do
		case $chosen in
		-e*) pairs='--diff=other.db run.db,--diff=other run.db,--diff=other.db logs,--diff=before two.db' ;;
		*) pairs='--diff=before two.db' ;;
		esac
		# shellcheck disable=SC2086 # words
		"$report" -o of-logs.html --diff=other $chosen logs
		differences of-logs.html | grep -v '"findings"\|"regions"' | roughly >expected
		IFS=,
		set -f
		# shellcheck disable=SC2086 # words
		set -- $pairs
		unset IFS
		set +f
		for two; do
			# shellcheck disable=SC2086 # words
			exits "$chosen, $two: a page" 0 "$report" -o compared.html $chosen $two
			differences compared.html | roughly >got
			same "$chosen, $two: what differs is what logs say" got expected
		done
	done
	like 'what stands out is not compared' compared.html '"lacking":\["findings"'
	# databases have the sums of so many files: of the others it is not known whether they are new
	cat >many.pl <<'EOT'
use MkLog;
my $l = MkLog->new;
$l->block(records => [map { (MkLog::path($_, "/f$_"), MkLog::handle($_, 3, $_),
	$l->compact("write", handle => $_, start => $_ * 1e7, dur => $ARGV[1] ? 2e6 + 1000 * $_ : 1e6 + 1000 * (2101 - $_), size => 1, offset => 0)) } 1 .. 2100]);
$l->save($ARGV[0]);
EOT
	for many in 0 1; do
		mkdir "many$many"
		perl -I"$top_srcdir/t/lib" many.pl "many$many/x.iotrace" "$many"
		"$export" --to=sqlite --no-logs -o "many$many.db" "many$many"
	done
	"$report" -o many.html many0.db many1.db
	differences many.html >got
	like 'runs of more files than a database has sums of: some differ' got '"table":"files".*"change":"(slower|faster)"'
	unlike 'but none is new or gone' got '"table":"files".*"change":"(new|gone)"'
	unlike 'nor taken for one of another name' got '"name":"/f#"|"table":"files".*"was"'
fi

# --- it keeps the logs: the page is theirs
for of in other logs; do
	"$export" --to=sqlite --append --run=$of -o kept.db $of
done
# kept WHAT ARGUMENT...: options behind --, and the logs
kept()
{
	kept_what=$1 kept_run=$2
	shift 2
	exits "$kept_what: a page" 0 "$report" -o kept.html --title=of --run="$kept_run" "$@" kept.db
	sed 's/"before":\["other"\],"after":\["logs"\]//' kept.html >got
	"$report" -o expected.html --title=of "$@" "$kept_run"
	sed 's/"before":\["other"\],"after":\["logs"\]//' expected.html >expected
	same "$kept_what: it is that of the logs" got expected
}
kept 'the last run' logs
kept 'another one' other --max-calls=10
kept 'chosen calls, with what stands out' logs -e write,stdio --path='table|journal'
like 'which is there' kept.html '"findings":'
kept 'compared' logs --diff=other

# --- what goes wrong
# refused WHAT WORDS COMMAND...: status 2, one line, the page stays
refused()
{
	refused_what=$1 refused_words=$2
	shift 2
	cp page.html there.html
	"$@" >out 2>err
	is "$refused_what: status" $? 2
	like "$refused_what: why" err "$refused_words"
	is "$refused_what: in one line" "$(wc -l <err | tr -d ' ')" 1
	same "$refused_what: the page stays" there.html page.html
}
sqlite3 others.db 'CREATE TABLE t(x)'
refused "another program's database" 'not one that iotrace-export made' "$report" -o there.html others.db
head -c 200000 run.db >short.db
refused 'one that was cut short' '^iotrace-report: short.db: ' "$report" -o there.html short.db
head -c 50 run.db >head.db
refused 'its beginning' '^iotrace-report: head.db: ' "$report" -o there.html head.db
cp run.db old.db
sqlite3 old.db 'PRAGMA user_version = 1'
refused 'one of another version' 'another version' "$report" -o there.html old.db
cp run.db wrong.db
sqlite3 wrong.db 'UPDATE contexts SET thread_id = 1000000000000'
refused 'numbers of nothing' 'is damaged' "$report" -o there.html wrong.db
sqlite3 wrong.db 'UPDATE contexts SET thread_id = 1; UPDATE calls SET context_id = -5'
refused 'calls of nothing' 'is damaged' "$report" -o there.html wrong.db
refused 'a database and logs' 'logs is none' "$report" -o there.html run.db logs
refused 'a run that is not there' "no run 'nobody'" "$report" --run=nobody -o there.html run.db
refused 'runs of logs' 'only databases' "$report" --run=1 -o there.html logs
refused 'a call that is none' 'no call, system call or family' "$report" -o there.html -e nosuch run.db
refused 'a run before that is not there' 'nobody' "$report" -o there.html --diff=nobody two.db
refused 'served: it is damaged' 'short.db' "$report" --serve short.db

if "$report" --serve nowhere 2>&1 | grep 'without libmicrohttpd' >/dev/null; then
	done_testing
fi
timeout -k 10 3600 python3 "$top_srcdir/t/report/db.py" "$T" "$report" "$IOTRACE_CAT" "$IOTRACE_STAT" >result 2>err </dev/null || diag_file err
assertions result

# --- a page of calls of a large one: what has none of them is not read
# shellcheck disable=SC2016 # perl's variables
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new(latest => 900e9);
	for my $thread (1 .. 3) {
		for my $b (0 .. 59) {
			my $first = 1e7 * $b + 1000 * $thread;
			$l->block(stream => $thread, tid => 100 * $thread, seq => $b, records => [
				($b ? () : (map { (MkLog::path($_, $_ == 9 ? "/data/rare" : "/data/in$_"), MkLog::handle($_, 2 + $_, $_)) } 1, 2, 9)),
				(map { $l->compact("write", handle => 1 + $_ % 2, start => $first + 9e3 * $_, size => 4096, offset => 0) } 1 .. 1000),
				$b == 40 ? ($l->compact("read", handle => 9, start => $first + 9.2e6, dur => 40000, size => 1 << 20, offset => 0),
					$l->general("write", handle => 9, start => $first + 9.5e6, size => 1, ret => -1, errno => 5)) : () ]);
		}
	}
	mkdir "many";
	$l->save("many/x.iotrace");'
"$export" --to=sqlite --no-logs -o many.db many
cat >traced <<EOT
#!/bin/sh
exec strace -D -f -qq -e trace=pread64 -o "$T/reads" "$report" "\$@"
EOT
chmod +x traced
timeout -k 10 3600 python3 "$top_srcdir/t/report/reads.py" "$T" "$T/traced" "$IOTRACE_CAT" "$IOTRACE_STAT" >result 2>err </dev/null || diag_file err
assertions result 'of a large database: '
done_testing
