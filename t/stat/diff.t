#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat --diff: one program twice, and one that does more; repeats; saved JSON;
# --fail-if; names that change from run to run; JSON that is none of ours.
# shellcheck disable=SC2016 # perl's variables
. "${0%/*}/../lib/tap.sh"

stat=$IOTRACE_STAT
echo '{}' >"$T/json"
if "$stat" --diff "$T/json" "$T/json" 2>&1 | grep 'without json-c' >/dev/null; then
	skip_all 'built without json-c'
fi
cp "$top_srcdir/t/stat/twin.c" "$T/twin.c"
line=$(sed -n '/put\.here/=' "$T/twin.c")
ok 'compiles' "$IOCC" -static -g -O1 "$T/twin.c" -o "$T/twin" || done_testing
mkdir "$T/shifted"
{ printf '/* one\n   two\n   three lines more */\n'; cat "$T/twin.c"; } >"$T/shifted/twin.c"
ok 'compiles with its lines elsewhere' "$IOCC" -static -g -O1 "$T/shifted/twin.c" -o "$T/twin-shifted"

# run LOGS PROGRAM ARGUMENT...
run()
{
	mkdir "$T/$1" && (cd "$T" && logs=$T/$1 && shift && IOTRACE_DIR=$logs "$@")
}
run a1 ./twin 2000
run a2 ./twin 2000
run b1 ./twin 5000
run shifted-logs ./twin-shifted 5000
run moved ./twin 2000 "$T/shifted/data"

# What a busy machine may make of any call, and of findings that cost little, differs from run
# to run; and where nothing else is to be said the line with most of the time is a finding.
rules='--rule=slow=off --rule=minor=off --rule=costly=off'

# diff OPTION...: standard output goes to $T/out, standard error to $T/err
diff()
{
	# shellcheck disable=SC2086 # several words
	"$stat" --diff $rules "$@" >"$T/out" 2>"$T/err"
}

# differ DESCRIPTION EXPECTED: what differs but times, in order
differ()
{
	is "$1" "$(awk -F, 'NR > 1 && $4 !~ /time|io|data|metadata|sync$|waiting|memory/ &&
		$5 !~ /same|noise/ { print $1, $2, $4, $5 }' "$T/out")" "$2"
}

# first DESCRIPTION TABLE EXPECTED: the name of the table's first difference
first()
{
	is "$1" "$(awk -F, -v table="$2" '$1 == table { print $2; exit }' "$T/out")" "$3"
}

# ---- one program twice, and one that does more ----

cd "$T" || exit 99
diff --format=csv a1 a2 --fail-if='calls>+0' --fail-if='bytes>+0%' --fail-if='findings>+0' --fail-if='calls<-0'
is 'the same twice: status' "$?" 0
none 'the same twice: nothing said' err
differ 'the same twice: nothing but time differs' ''
diff --format=csv a1 a1
is 'a run and itself: all is the same' "$(cut -d, -f5 out | sort -u)" "change
same"

diff --format=csv --sort=count a1 b1
is 'more writes: status' "$?" 0
first 'more writes: the call' calls write
first 'more writes: the file, whatever its number' files "$T/data.#"
first 'more writes: the line' sites "put ($T/twin.c:$line)"
like 'more writes: how many' out '^calls,write,,calls,more,2000,2000,2000,5000,5000,5000$'
like 'more writes: how many bytes' out '^files,[^,]*data.#,[^,]*,written,more,200000,200000,200000,500000,500000,500000$'
unlike 'what is the same is not told' out '^calls,(open|close|unlink),.*,(calls|bytes|errors),'
diff --format=csv b1 a1
like 'fewer writes' out '^calls,write,,calls,fewer,5000,5000,5000,2000,2000,2000$'
diff --rule=small-writes.least=3000 --format=csv a1 b1
like 'a finding that came' out "^findings,small-writes: $T/data.[0-9]+ \\(put\\),.*calls,new,0,0,0,5000,5000,5000\$"
diff --rule=small-writes.least=3000 --format=csv b1 a1
like 'a finding that went' out "^findings,small-writes: .*,calls,gone,5000,5000,5000,0,0,0\$"
diff --by=file --format=csv a1 b1
is '--by chooses' "$(cut -d, -f1 out | sort -u | tr '\n' ' ')" 'files job table '

COLUMNS=80 "$stat" --diff a1 b1 >out
like 'text: the summary' out '^calls +[0-9]+ +[0-9]+ +\+3074 +\+[0-9]+ %$'
like 'text: a call' out '^  more   calls +2000 +5000 +\+3000 +\+150 %$'
is 'text: 80 columns' "$(awk 'length > 80' out)" ''
"$stat" --diff a1 a1 >out
like 'text: that nothing differs is said' out '^Nothing differs'
"$stat" --diff --top=1 a1 b1 >out
like 'text: --top' out 'more; --top=0 shows all'

# ---- names ----

diff --format=csv --sort=count b1 shifted-logs
differ 'lines that have moved are the same ones' ''
diff --format=csv --sort=count a1 shifted-logs
like 'and tell what they were' out "^sites,put \\($T/shifted/twin.c:$((line + 3))\\),put \\($T/twin.c:$line\\),calls,more,2000,.*5000"
diff --format=csv a1 moved
differ 'a file in another directory is the same one' ''

# ---- saved ----

# shellcheck disable=SC2086 # several words
"$stat" --by=all $rules --format=json a1 >a1.json
# shellcheck disable=SC2086
"$stat" --by=all $rules --format=json b1 >b1.json
diff --format=csv a1 b1
mv out logs.csv
diff --format=csv a1.json b1.json
same 'saved JSON is as good as logs' out logs.csv
diff --format=csv a1 b1.json
same 'one saved, one not' out logs.csv
"$stat" --format=json a1 >short.json
diff --format=json short.json b1
is 'what a saved run lacks is said' "$(perl -MJSON::PP -e 'print join " ", @{ decode_json(join "", <>)->{lacking} }' out)" \
	'sites regions ranks processes threads'
like 'what it has is compared' out '"table":"calls","name":"write","measure":"calls","change":"more","before":\[2000,2000,2000\],"after":\[5000,5000,5000\]'
diff -e write a1.json b1
is 'calls cannot be chosen in sums: status' "$?" 2
like 'and it says so' err "a1.json: calls can't be chosen"

# ---- repeats ----

# saved NAME WALL CALLS [REST]: a run of so many seconds
saved()
{
	printf '{"version":1,"logs":[],"job":{"wall":%s000000000,"calls":%s},"calls":[%s],"findings":[]%s}\n' \
		"$2" "$3" "{\"call\":\"read\",\"calls\":$3,\"self\":${2}00000000}" "${4:-}" >"$1"
}
# told DESCRIPTION BEFORE AFTER WORD: of wall times
told()
{
	i=0
	for wall in $2; do saved before.$i "$wall" 7; i=$((i + 1)); done
	i=0
	for wall in $3; do saved after.$i "$wall" 7; i=$((i + 1)); done
	diff --format=csv before.? -- after.?
	is "$1" "$(sed -n 's/^job,job,,time,\([a-z]*\),.*/\1/p' out)" "$4"
	rm before.? after.?
}
told 'repeats that overlap: noise' '10 14' '13 18' noise
told 'some overlap, though medians are far apart: noise' '10 10 20' '15 25 25' noise
told 'apart, but less than repeats are: noise' '10 20' '21 22' noise
told 'apart by more than repeats are' '10 11 12' '15 16 17' slower
told 'faster' '15 16 17' '10 11 12' faster
told 'by a thousandth and less: noise' '100000 100000' '100001 100001' noise
told 'one run each: a tenth and less: noise' '100' '109' noise
told 'one run each: more than a tenth' '100' '111' slower
told 'medians, whatever the order' '12 10 11' '30 32 31' slower
like 'median, least, greatest' out '^job,job,,time,slower,11000000000,10000000000,12000000000,31000000000,30000000000,32000000000$'

# ---- processes ----

processes=',"processes":[{"prog":"sh","start":3,"pid":8,"calls":5},{"prog":"sh","start":1,"pid":9,"calls":2}]'
saved p1 1 7 "$processes"
saved p2 1 7 "$(echo "$processes" | sed 's/"calls":5/"calls":6/; s/"pid":8/"pid":77/')"
diff --format=csv p1 p2
like 'processes are told by their order' out '^processes,"sh, process 2",,calls,more,5,5,5,6,6,6$'
unlike 'and not by their number' out '"sh, process 1"'
saved p3 1 7 ',"processes":[{"prog":"sh","calls":8}]'
diff --format=csv p1 p3
like 'of as many as not: all' out '^processes,"sh, all of its processes",.*calls,more,7,7,7,8,8,8$'

# ---- conditions ----

saved old 100 1000
saved new 120 1001
# fails STATUS CONDITION [BEFORE AFTER]
fails()
{
	exits "--fail-if=$2 ${3:-}" "$1" "$stat" --diff --fail-if="$2" "${3:-old}" "${4:-new}"
}
fails 1 'time>+10%'
fails 0 'time>+20%'
fails 1 'time>+19.5s'
fails 0 'time>+2min'
fails 1 'time>2s'
fails 0 'time>200'
fails 1 'calls>+0'
fails 0 'calls>+1'
fails 1 'calls>+0.09%'
fails 0 'calls<-0'
fails 1 'calls<-0' new old
fails 1 'time<-10%' new old
fails 1 'calls<2000'
fails 1 'time>-30%'
fails 0 'time>-30%' new short.json
fails 1 'read.calls>+0'
fails 1 'read.calls>1000'
fails 0 'write.calls>0'
fails 1 'read.time>+1s'
fails 0 'findings>0'
fails 1 'bytes>+1K' a1.json b1.json
fails 0 'bytes>+1G' a1.json b1.json
fails 1 'write.bytes>+5%' a1.json b1.json
fails 1 'metadata>0' a1.json b1.json
fails 1 'write.calls>+5%' a1 b1
diff --fail-if='time>+10%' --fail-if='calls>+5%' old new
is 'several conditions' "$?" 1
is 'those that are met are said' "$(cat err)" 'iotrace-stat: time>+10%: it was 100.000000 s and is 120.000000 s'
saved old2 130 1000
"$stat" --diff --fail-if='time>+1%' old old2 -- new new >/dev/null 2>&1
is 'what lies within repeats meets no condition' "$?" 0

# wrong CONDITION MESSAGE
wrong()
{
	diff --fail-if="$1" old new
	is "'$1': status" "$?" 2
	like "'$1': message" err "$2"
}
wrong 'time' 'has neither > nor <'
wrong 'tme>+1s' "'tme' is none of time, io, data"
wrong 'wirte.calls>0' "there is no call 'wirte'"
wrong 'posix.calls>0' "there is no call 'posix'"
wrong 'write.opens>0' "'opens' is none of time, calls, errors, bytes, which calls have"
wrong 'time>10%' 'of what'
wrong 'time>+x%' 'is no percentage'
wrong 'time>+-1%' 'is no percentage'
wrong 'time>fast' 'is no time'
wrong 'calls>+1.5' 'is no number'
wrong 'bytes>+x' '--fail-if'
wrong 'calls>' 'is no number'
exits '--fail-if alone' 2 "$stat" --fail-if='time>1s' a1

# ---- arguments ----

exits 'one run' 2 "$stat" --diff a1
exits 'three runs' 2 "$stat" --diff a1 a2 b1
exits 'nothing before --' 2 "$stat" --diff -- a1 a2
exits 'nothing behind --' 2 "$stat" --diff a1 a2 --
exits 'several on each side' 0 "$stat" --diff a1 a2 -- b1 shifted-logs
exits 'options before -- and runs' 0 "$stat" a1 --diff a2 --top=2 -- b1
exits 'no such run' 2 "$stat" --diff a1 missing

# ---- JSON that is none of ours ----

# refused DESCRIPTION MESSAGE: of $T/bad
refused()
{
	timeout 600 "$stat" --diff old bad >out 2>err
	is "$1: status" "$?" 2
	is "$1: one line" "$(wc -l <err)" 1
	like "$1: message" err "^iotrace-stat: bad: $2"
}
head -c 1000 a1.json >bad
refused 'truncated' 'this JSON ends too early'
printf '{"version":1,"logs":[],"job":{"wall":x}}' >bad
refused 'no JSON' 'this is no JSON'
echo '{"results":[{"command":"x","mean":1}]}' >bad
refused 'of another program' "this JSON is not iotrace-stat's"
echo '{"version":2,"logs":[],"job":{}}' >bad
refused 'of another version' 'this JSON has version 2'
echo '{"version":1,"logs":[],"total":{}}' >bad
refused 'of an older iotrace-stat' 'this JSON has no job'
echo '{"version":1,"logs":[],"job":[]}' >bad
refused 'no object' 'job is no object'
echo '{"version":1,"logs":[],"job":{"wall":"long"}}' >bad
refused 'no number' 'job.wall is no number'
echo '{"version":1,"logs":[],"job":{"wall":-5}}' >bad
refused 'a negative number' 'job.wall is no number'
echo '{"version":1,"logs":[],"job":{"wall":1e400}}' >bad
refused 'a huge number' 'job.wall is no number'
echo '{"version":1,"logs":[],"job":{},"calls":{}}' >bad
refused 'no array' 'calls is no array'
echo '{"version":1,"logs":[],"job":{},"calls":[{"call":"read"},7]}' >bad
refused 'no row' 'calls\[1\] is no object'
echo '{"version":1,"logs":[],"job":{},"files":[{"path":["a"]}]}' >bad
refused 'no name' 'files\[0\].path is no text'
echo '{"version":1,"logs":[],"job":{},"files":[{"calls":1}]}' >bad
refused 'without a name' 'files\[0\].path is no text'
echo '{"version":1,"logs":[],"job":{},"findings":[{"id":"x","site":3}]}' >bad
refused 'no site' 'findings\[0\].site is no object'
perl -e 'print "{\"version\":1,\"logs\":", "[" x 1e6, "]" x 1e6, "}"' >bad
refused 'nested' 'this is no JSON: nesting too deep'
echo '{"version":1,"logs":[],"job":{"calls":123456789012345678901234567890}}' >bad
timeout 600 "$stat" --diff --format=json old bad >out 2>err
is 'as many as no 64 bits hold: status' "$?" 0
like 'as many as no 64 bits hold' out '"measure":"calls","change":"more","before":\[1000,1000,1000\],"after":\[18446744073709551615'
printf '{"version":1,"logs":[],"job":{},"files":[{"path":"a\\u001b[31m\\udc80","calls":1}],"calls":[{"call":"=1+1","calls":2}]}' >bad
printf '{"version":1,"logs":[],"job":{},"files":[],"calls":[]}' >empty
"$stat" --diff empty bad >out 2>err
is 'names with control characters: status' "$?" 0
is 'no control character comes through' "$(LC_ALL=C tr -d '\n -~\200-\377' <out)" ''
diff --format=csv empty bad
like 'no formula in csv' out "^calls,'=1\\+1,"
done_testing
