#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-report: what a page holds is what iotrace-stat and iotrace-cat say, it has no code but
# its own, and a page that is there is replaced by a whole one or not at all.
. "${0%/*}/../lib/tap.sh"

report=$top_builddir/tools/iotrace-report
export=$top_builddir/tools/iotrace-export
[ -x "$report" ] || skip_all 'there is no iotrace-report: configure found no d3'
mkdir "$T/in" "$T/logs"
ok 'the program compiles' "$IOCC" -static -g -O1 -I"$top_srcdir/include" "$top_srcdir/t/report/program.c" -o "$T/program" -lpthread || done_testing
(cd "$T/in" && IOTRACE_DIR=$T/logs "$T/program")
cd "$T" || exit 99

"$report" -o page.html logs >out 2>&1
is 'status' $? 0
none 'nothing to say' out
"$IOTRACE_STAT" --by=all --format=json logs >stat.json
"$IOTRACE_CAT" -k --format=json logs >calls.json
perl "$top_srcdir/t/report/page.pl" page.html stat.json calls.json >result
assertions result

"$report" -o few.html --max-calls=50 logs
perl "$top_srcdir/t/report/page.pl" few.html stat.json calls.json 50 >result
assertions result 'few calls: '

# --- operations
ok 'a program with POSIX AIO compiles' "$IOCC" -static -g -O1 "$top_srcdir/t/report/flights.c" -o "$T/flights" -lpthread
mkdir aio
(cd in && IOTRACE_DIR=$T/aio "$T/flights")
"$report" -o aio.html aio
"$IOTRACE_CAT" --format=json aio >aio.json
python3 "$top_srcdir/t/report/arcs.py" 24 aio.json aio.html >result
assertions result 'operations: '

# pages NAME: of the logs in that folder NAME.json, NAME.html, and, where there can be a database, NAME-database.html
# of one; $pages has the pages
pages()
{
	"$report" -o "$1.html" "$1"
	"$IOTRACE_CAT" --format=json "$1" >"$1.json"
	pages=$1.html
	if "$top_builddir/tools/iotrace-export" --to=sqlite --no-logs -o "$1.db" "$1" 2>/dev/null; then
		"$report" -o "$1-database.html" "$1.db"
		pages="$pages $1-database.html"
	fi
}

# --- operations whose end another thread learned of before the call that issued them was back
ok 'a program with two threads compiles' "$IOCC" -static -g -O1 -pthread "$top_srcdir/t/aio/ring.c" -o "$T/ring"
mkdir early
n=$(cd in && IOTRACE_DIR=$T/early "$T/ring" both 20)
if [ $? -eq 77 ]; then
	skip 'early' 'the kernel has no asynchronous I/O'
else
	pages early
	# shellcheck disable=SC2086 # pages
	python3 "$top_srcdir/t/report/arcs.py" "$n" early.json $pages >result
	assertions result 'early: '
fi

# --- calls on memory that is a file's
cat >mapped.c <<'EOT'
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	int fd = open("mapped.data", O_RDWR | O_CREAT, 0644), i;
	char *p;

	for (i = 0; i < 3; i++) {
		if (ftruncate(fd, 65536) || (p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
			return 1;
		p[4096] = 1;
		msync(p, 65536, MS_SYNC);
		munmap(p, 65536);
	}
	p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return munmap(p, 65536) || close(fd);
}
EOT
ok 'a program that maps a file compiles' "$IOCC" -static -g -O1 mapped.c -o mapped
mkdir mappings
(cd in && IOTRACE_DIR=$T/mappings "$T/mapped")
pages mappings
# shellcheck disable=SC2086 # pages
python3 "$top_srcdir/t/report/onfiles.py" 3 mappings.json $pages >result
assertions result 'mapped: '

# --- files that a dynamic program reads and writes by streams alone: libc's calls within itself are not counted
cat >streams.c <<'EOT'
#include <stdio.h>
int main(void)
{
	static char b[20000];
	FILE *f = fopen("streams.data", "w+");

	return !f || fwrite(b, 1, sizeof(b), f) != sizeof(b) || fflush(f) || fseek(f, 0, SEEK_SET) || fread(b, 1, sizeof(b), f) != sizeof(b) || fclose(f);
}
EOT
ok 'a program that has streams alone compiles' "$IOCC" -g -O1 streams.c -o streams
mkdir by-streams
ok 'it runs' sh -c "cd in && IOTRACE_DIR='$T/by-streams' '$T/streams'"
"$report" -o streams.html by-streams
perl -I"$top_srcdir/t/report" -MPage -e '
	my $d = decode(data_of(slurp($ARGV[0])));
	my ($f) = grep { ($_->{path} // "") =~ /streams[.]data$/ } @{$d->{stat}{files}};
	my ($drawn) = grep { $d->{stat}{files}[$_->{row}] == $f } @{$d->{picture}{files}};
	is("$f->{reads} $f->{writes}", "0 0", "no system call is seen");
	is("$f->{read} $f->{written}", "20000 20000", "the bytes are known");
	ok($drawn, "the file is drawn");
	print "end\n"' streams.html >result
assertions result 'streams: '

# --- pages that would be too large
"$report" -o small.html --max-size=700K logs
ok 'no larger than asked for' test "$(wc -c <small.html)" -le 716800
ok 'the other one was' test "$(wc -c <page.html)" -gt 716800
perl "$top_srcdir/t/report/page.pl" small.html stat.json calls.json 30000 >result
assertions result 'no larger: '
"$report" -o small.html --max-size=1 logs
is 'too little for any page: what is least' $? 0
(cd in && IOTRACE_CALLS=write IOTRACE_DIR=$T/writes "$T/program" >/dev/null 2>&1)
"$report" -o small.html --max-size=1 writes
is 'the same where each call is of one name' $? 0
exits 'a size that is none' 2 "$report" -o small.html --max-size=much logs

# --- runs before
if "$IOTRACE_STAT" --diff stat.json stat.json 2>&1 | grep 'without json-c' >/dev/null; then
	exits 'without json-c there is no --diff' 2 "$report" -o after.html --diff=stat.json logs
else
	ok 'another program compiles' "$IOCC" -static -g -O1 -DLINES=1500 -I"$top_srcdir/include" \
		"$top_srcdir/t/report/program.c" -o "$T/program" -lpthread
	mkdir less
	(cd in && IOTRACE_DIR=$T/less "$T/program")
	# differences DATA: in a file, one a line
	differences()
	{
		sed -n '/"differences":\[/,/]}/s/^{"table".*}\(\].*\)*,*$/&/p' "$1" | sed 's/},*\(\]}.*\)*$/}/' | sed 's/\\u003c/</g' | sort
	}
	for before in logs stat.json; do
		"$report" -o after.html "--diff=$before" less
		is "compared with $before: status" $? 0
		differences after.html >got
		"$IOTRACE_STAT" --diff --by=all --top=2000 --format=json "$before" less >diff.json
		differences diff.json >expected
		ok 'what differs is there' test -s expected
		ok "as iotrace-stat --diff has it" cmp got expected
	done
	like 'the sums of a run before are compared' after.html '"before":\["stat.json"\]'
	unlike 'but have no timeline' after.html '"before":\{'
	"$report" -o after.html --diff=logs --diff=logs less
	like 'several runs before' after.html '"before":\["logs","logs"\]'
	like 'the last one of them has a timeline' after.html '"before":\{"title":"logs"'

	# two runs, one after the other
	"$report" -o diff.html --diff=logs less
	"$report" -o two.html logs less
	"$report" -o alone.html logs
	ok 'two logs are two runs' cmp two.html diff.html
	perl -I"$top_srcdir/t/report" -MPage -e '
		my ($two, $one) = map { decode(data_of(slurp($_))) } @ARGV;
		for my $part (qw(stat picture)) {
			my @text = map { JSON::PP->new->canonical->encode($_) } $two->{before}{$part}, $one->{$part};
			ok($text[0] eq $text[1], "the run before is as on a page of its own: $part");
		}
		print "end\n"' two.html alone.html >result
	assertions result
	"$report" -o together.html --together logs less
	like 'together they are one job' together.html '"runs":2'
	unlike 'which is compared with nothing' together.html '"before":'
	"$report" -o back.html less logs
	unlike 'as they are if the second one began first' back.html '"before":'
	"$report" -o three.html logs less aio
	unlike 'and if there are more' three.html '"before":'
	exits 'one that is not there' 2 "$report" -o there.html logs nowhere
	cp page.html there.html
	exits 'what is no run' 1 "$report" -o there.html --diff=page.html less
	exits 'what is cut off' 2 sh -c 'head -c 3000 stat.json >cut.json; exec "$@"' sh "$report" -o there.html --diff=cut.json less
	ok 'the page stays' cmp page.html there.html
fi

# --- source
like 'the page has lines of source' page.html '"int fd = open[^,]*journal.db'
"$report" --no-source -o none.html logs
unlike 'unless they are not wanted' none.html 'int fd = open'
rm none.html
# logs come from anybody, and say what is the source
for name in secret.c secret.txt; do
	yes secret | head -2000 >$name
	printf '# 1 "%s/%s"\n#include <unistd.h>\nint main(void) { return chdir("/"); }\n' "$T" $name >fake.c
	ok "$name: the program compiles" "$IOCC" -static -g -O1 fake.c -o fake
	mkdir "of-$name"
	IOTRACE_DIR=$T/of-$name ./fake
	"$report" -o fake.html "of-$name"
	like "$name: is on the page" fake.html "$name"
	case $name in
	*.c) like 'so is its line' fake.html ':"secret"' ;;
	*) unlike 'but no line of what is no source' fake.html ':"secret"' ;;
	esac
done

# --- functions without names: where they are, as nm says of the same program
cat >hidden.c <<'EOT'
#include <unistd.h>
__attribute__((noinline)) void first(void) { if (write(1, "a", 1) != 1) _exit(1); __asm__ volatile(""); }
__attribute__((noinline)) void second(void) { if (write(1, "b", 1) != 1) _exit(1); __asm__ volatile(""); }
int main(void) { first(); second(); first(); return 0; }
EOT
ok 'a program compiles' "$IOCC" -static -O1 hidden.c -o named
strip -o hidden named
mkdir unnamed
IOTRACE_DIR=$T/unnamed ./hidden >out
is 'it ran' "$(cat out)" aba
"$report" -o unnamed.html unnamed
for name in first second main; do
	nm -S named | awk -v name=$name '$4 == name { print name, $1, $2 }'
done >functions
readelf -lW named | awk '$1 == "LOAD" && / E / { print $2, $3 }' >code
"$export" --to=sqlite --no-logs -o unnamed.db unnamed
"$report" -o unnamed-db.html unnamed.db
for page in unnamed.html unnamed-db.html; do
	is "$page: each function has its place" "$(python3 "$top_srcdir/t/report/unnamed.py" $page hidden)" 'main > first 1
main > second 1
main > first 1'
done

# --- what is asked for
"$report" --title='</title><b>&amp;' -o - -P 'journal' logs >chosen.html
like 'a title is text' chosen.html '<title>&lt;/title>&lt;b>&amp;amp; - iotrace</title>'
unlike 'chosen calls only: others are not named' chosen.html 'table\.txt'
(mkdir cwd && cd cwd && "$report" ../logs && test -s report.html)
is 'report.html if nothing is said' $? 0

# --- pages that are there
cp page.html there.html
chmod 640 there.html
exits 'a log that is none' 1 "$report" -o there.html page.html
ok 'the page stays' cmp page.html there.html
"$report" -o there.html --max-calls=1 logs
is 'replaced: its mode stays' "$(stat -c %a there.html)" 640
ok 'replaced: it is another one' test "$(wc -c <there.html)" -lt "$(wc -c <page.html)"
cp page.html there.html
(ulimit -f 100 && trap '' XFSZ && "$report" -o there.html logs) >out 2>&1
is 'too large: status' $? 2
like 'too large: says why' out "^iotrace-report: can't write there.html: File too large$"
ok 'too large: the page stays' cmp page.html there.html
(ulimit -f 100 && "$report" -o there.html logs) >out 2>&1
ok 'killed by SIGXFSZ: the page stays' cmp page.html there.html
is 'nothing else is left' "$(find . -name 'there.html?*')" ''
exits 'a directory that is not there' 2 "$report" -o nowhere/page.html logs
if [ -w /dev/full ]; then
	exits 'a full device' 2 "$report" -o /dev/full logs
fi
exits 'no call passes' 1 "$report" -o none.html -P nothing logs
exits 'no log' 2 "$report" -o none.html nowhere.iotrace
head -c 50000 "$(grep -l journal.db logs/*.iotrace)" >short.iotrace
"$report" -o short.html short.iotrace >out 2>&1
is 'a log that was cut short: status' $? 1
ok 'a log that was cut short: a page' test -s short.html
done_testing
