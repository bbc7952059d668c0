#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_CACHE: what reads say of the page cache is what mincore(2) shows, and looking changes
# nothing there.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

src=$top_srcdir/t/faults
iotrace=$top_builddir/tools/iotrace
export IOTRACE_STACK=0
# the same two blocks 100,000 times: 12.5 GB
times=2000
[ "${TEST_LONG:-0}" != 1 ] || times=200000

# shellcheck disable=SC2086 # CC may have options
ok 'plain: compiles' $CC -O1 "$src/cached.c" -o "$T/plain" || done_testing
ok 'static: compiles' "$IOCC" -static -O1 "$src/cached.c" -o "$T/cached-static"
ok 'dynamic: compiles' "$IOCC" -O1 "$src/cached.c" -o "$T/cached-dynamic"
head -c 4000100 /dev/zero | tr '\0' x >"$T/file"
"$T/plain" "$T/file" 2
[ $? != 77 ] || skip_all 'the file system has no page cache that could be emptied'

# shellcheck disable=SC2086 # CC may have options
ok 'deny: compiles' $CC "$src/deny.c" -o "$T/deny" || done_testing

# traced COMMAND...: with a directory of its own for the log
traced()
{
	rm -rf "$T/logs"
	mkdir "$T/logs"
	IOTRACE_CACHE=1 IOTRACE_DIR=$T/logs "$@" >"$T/out" 2>"$T/err"
	is 'runs' $? 0
	none 'says nothing' "$T/err"
}

for form in static dynamic preloaded 'static, without cachestat' 'dynamic, without cachestat'; do
	case $form in
	preloaded) set -- "$iotrace" run "$T/plain" ;;
	*,*) set -- "$T/deny" cachestat "$T/cached-${form%,*}" ;;
	*) set -- "$T/cached-$form" ;;
	esac
	tap_about="$form, steps: "
	traced "$@" "$T/file" steps
	"$IOTRACE_CAT" --format=json -P '/file$' "$T/logs"/*.iotrace |
		perl -ne '($call) = /"call":"(\w+)"/; ($ret) = /"ret":(\d+)/; print "$call $ret $1\n" if /"cached":(\d+)/' >"$T/found"
	same 'each read' "$T/found" "$T/out"
	tap_about="$form, in turn: "
	traced "$@" "$T/file" $times
	none 'the page cache is as it was' "$T/out"
	"$IOTRACE_STAT" --format=json "$T/logs" >"$T/json"
	perl -MJSON::PP -0777 -ne '
		($f) = grep { $_->{path} =~ m,/file$, } @{ decode_json($_)->{files} };
		print "$f->{read} ", $f->{fetched} < 1 << 20 && $f->{fetched} >= 1 << 17 ? "few" : $f->{fetched}, " ",
			$f->{read} - $f->{cached} <= $f->{fetched} ? "rest" : "more", "\n"' "$T/json" >"$T/sums"
	is 'asked for, fetched, and cached' "$(cat "$T/sums")" "$((times * 65536)) few rest"
done

# a cold start: of the file nothing is there
tap_about='cold: '
for cold in '' --cold; do
	"$iotrace" warm "$T/file" >/dev/null
	rm -rf "$T/logs"
	mkdir "$T/logs"
	# shellcheck disable=SC2086 # no word, or one
	IOTRACE_DIR=$T/logs "$iotrace" run $cold --cache "$T/plain" "$T/file" all >"$T/out" 2>"$T/err"
	is "${cold:-warm}: runs" $? 0
	"$IOTRACE_STAT" --file='/file$' --format=json "$T/logs" | perl -MJSON::PP -0777 -ne '
		$c = decode_json($_)->{details}[0]{page_cache};
		print "asked $c->{asked} cached ", $c->{cached} == $c->{asked} ? "all" : "not all",
			" fetched ", $c->{fetched} >= $c->{asked} ? "all" : $c->{fetched}, " unused $c->{unused}\n"' >"$T/sums"
	case $cold in
	'') is 'warm: all was there' "$(cat "$T/sums")" 'asked 4000100 cached all fetched 0 unused 0' ;;
	*) is 'cold: all was fetched, and used' "$(cat "$T/sums")" 'asked 4000100 cached not all fetched all unused 0' ;;
	esac
done
# libc stays, of which others have pages
ok 'cold: one line at most says what stays' test "$(grep -c . "$T/err")" -le 1

# what a script begins is not known
printf '#!/bin/sh\ntrue && true\n' >"$T/shim"
chmod +x "$T/shim"
IOTRACE_DIR=$T/logs "$iotrace" run --cold "$T/shim" >"$T/out" 2>"$T/err"
is 'cold: a script runs' $? 0
like 'cold: says that what it begins stays' "$T/err" '--cold: .*/shim is a script: .*drop-cache --log=DIR'

# imports CONDITION: of how many files the program imports modules, and of how many that is so
imports()
{
	"$IOTRACE_STAT" --format=json "$T/logs" | perl -MJSON::PP -0777 -ne '
		for (grep { $_->{path} =~ m,/lib/jason/.*\.pyc$, && $_->{read} } @{ decode_json($_)->{files} }) {
			$n++;
			$so++ if '"$1"';
		}
		print $n > 1 ? "several" : $n, " files, ", $so // 0, " of them\n"'
}

# a cold start of what a program reads, as a run before it says, and a warm one
tap_about='cold python3: '
if command -v python3 >/dev/null; then
	mkdir -p "$T/lib"
	cp -r "$(python3 -c 'import json, os; print(os.path.dirname(json.__file__))')" "$T/lib/jason"
	python3 -m compileall -q "$T/lib"
	for run in first second third; do
		rm -rf "$T/logs"
		mkdir "$T/logs"
		IOTRACE_DIR=$T/logs "$iotrace" run --cache python3 -c \
			'import sys; sys.path.insert(0, sys.argv[1]); import jason' "$T/lib" >"$T/out" 2>"$T/err"
		is "$run: runs" $? 0
		# shellcheck disable=SC2016 # perl reads it
		case $run in
		# libraries stay, of which others have pages
		first) "$iotrace" drop-cache --log="$T/logs" >"$T/out" 2>"$T/err" ;;
		second) is 'all of what is imported was fetched' \
			"$(imports '$_->{cached} || $_->{fetched} < $_->{read}')" 'several files, 0 of them' ;;
		third) is 'the next time nothing of it was' \
			"$(imports '$_->{fetched} || $_->{cached} < $_->{read}')" 'several files, 0 of them' ;;
		esac
	done
else
	skip 'all of what is imported was fetched' 'no python3'
fi

done_testing
