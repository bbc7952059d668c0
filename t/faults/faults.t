#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_FAULTS: each page fault on a mapped file is a record, with the file, the offset, and how
# it came about: as the program says that it touches its files.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

export IOTRACE_STACK=4

# shellcheck source=t/lib/faults.sh
. "${0%/*}/../lib/faults.sh"

# lines LOG...: WHO ACCESS OFFSET of each fault on the file, in order
lines()
{
	MAIN=$(basename "$1" | sed 's/.*\.\([0-9]*\)\.[0-9]*\.iotrace$/\1/')
	export MAIN
	"$IOTRACE_CAT" --format=json -e page_fault -P '/file$' "$@" | perl -ne '
		($tid) = /"tid":(\d+)/; ($pid) = /"pid":(\d+)/; ($offset) = /"offset":(\d+)/;
		($access) = /"access":"?([^",}]*)/;
		print $pid != $ENV{MAIN} ? "child" : $tid != $pid ? "thread" : "main", " $access $offset\n"'
}

# holds NAME COMMAND...: of each step, the log says what the program says
holds()
{
	name=$1
	shift
	for step in code read part write dirty private copy move child thread cold system; do
		case $step in
		system) [ "$(id -u)" = 0 ] || continue ;;
		esac
		rm -rf "$T/logs"
		mkdir "$T/logs"
		# a return instruction, 4 MiB of them
		perl -e 'print "\303" x (4 << 20)' >"$T/file"
		IOTRACE_FAULTS=1 IOTRACE_DIR=$T/logs "$@" "$T/file" $step >"$T/out" 2>"$T/err"
		is "$name, $step: runs" $? 0
		none "$name, $step: says nothing" "$T/err"
		grep -v kernel "$T/out" >"$T/expected"
		lines "$T"/logs/touch*.iotrace >"$T/found"
		same "$name, $step: each fault" "$T/found" "$T/expected"
		# it counts those on the log as well
		ok "$name, $step: no more major ones than the kernel counts" \
			test "$(grep -c MAJOR "$T/found")" -le "$(sed -n 's/^kernel //p' "$T/out")"
	done
}

ok 'static: compiles' "$IOCC" --iotrace-faults -static -g -O1 "$src/touch.c" -o "$T/touch-static" -lpthread
ok 'dynamic: compiles' "$IOCC" -g -O1 "$src/touch.c" -o "$T/touch-dynamic" -lpthread
# shellcheck disable=SC2086 # CC may have options
ok 'plain: compiles' $CC -g -O1 "$src/touch.c" -o "$T/touch" -lpthread
holds static "$T/touch-static"
holds dynamic "$T/touch-dynamic"
holds preloaded "$top_builddir/tools/iotrace" run "$T/touch"

# sums: FAULTS MAJOR of the file, as iotrace-stat has them
sums()
{
	"$IOTRACE_STAT" --format=json "$T/logs" | perl -MJSON::PP -0777 -ne '
		($f) = grep { $_->{path} =~ m,/file$, } @{ decode_json($_)->{files} };
		print "$f->{faults} $f->{major_faults}\n"'
}

# who has no rights
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --clear-groups true 2>/dev/null &&
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
	rm -rf "$T/logs"
	mkdir -m 777 "$T/logs"
	chmod 755 "$T"
	chmod 666 "$T/file"
	IOTRACE_FAULTS=1 IOTRACE_DIR=$T/logs setpriv --reuid=65534 --clear-groups "$T/touch-static" \
		"$T/file" read part cold >"$T/out" 2>"$T/err"
	is 'without rights: runs' $? 0
	none 'without rights: says nothing' "$T/err"
	grep -v kernel "$T/out" >"$T/expected"
	lines "$T"/logs/touch*.iotrace >"$T/found"
	same 'without rights: each fault' "$T/found" "$T/expected"
	is 'iotrace-stat has their sums' "$(sums)" "$(grep -c . "$T/expected") 16"
fi

# where it is forbidden
# shellcheck disable=SC2086 # CC may have options
ok 'deny is built' $CC "$src/deny.c" -o "$T/deny"
rm -rf "$T/logs"
mkdir "$T/logs"
IOTRACE_FAULTS=1 IOTRACE_DIR=$T/logs "$T/deny" perf_event_open "$T/touch-static" "$T/file" read >"$T/out" 2>"$T/err"
is 'forbidden: runs' $? 0
like 'forbidden: one line says what to do' "$T/err" '^iotrace: IOTRACE_FAULTS: .*kernel.perf_event_paranoid=2.*not recorded$'
is 'forbidden: and no more' "$(grep -c . "$T/err")" 1
ok 'forbidden: calls are recorded' "$IOTRACE_CAT" -e open "$T"/logs/touch*.iotrace

# a static executable that was not linked for it
ok 'not linked for it: compiles' "$IOCC" -static -O1 "$src/touch.c" -o "$T/touch-without" -lpthread
IOTRACE_FAULTS=1 IOTRACE_DIR=$T/logs "$T/touch-without" "$T/file" read >"$T/out" 2>"$T/err"
like 'not linked for it: says so' "$T/err" '^iotrace: IOTRACE_FAULTS: .*iocc --iotrace-faults.*ignored$'

# A file has one name, whoever says it: the kernel tells of mappings what has none any more.
for form in -static ''; do
	# shellcheck disable=SC2086 # none or one
	ok "nameless $form: compiles" "$IOCC" --iotrace-faults $form -O1 "$src/nameless.c" -o "$T/nameless"
	rm -rf "$T/logs"
	mkdir "$T/logs"
	# shellcheck disable=SC2016 # of the shell that is begun
	ok "nameless $form: runs" sh -c 'cd "$1" && IOTRACE_FAULTS=1 IOTRACE_DIR=$1/logs ./nameless "$1/removed"' sh "$T"
	for call in ftruncate page_fault; do
		"$IOTRACE_CAT" --format=json -e $call "$T"/logs/nameless*.iotrace | sed -n 's/.*"path":"\([^"]*\(removed\|memfd:\|#\)[^"]*\)".*/\1/p' |
			sort -u >"$T/$call"
	done
	same "nameless $form: faults have the names of calls" "$T/page_fault" "$T/ftruncate"
	like "nameless $form: one of them" "$T/ftruncate" '^/memfd:mem'
done

# Huge pages: their size, and where they begin.  Root may let the kernel find two, if it can.
ok 'huge is built' "$IOCC" --iotrace-faults -static -O1 "$src/huge.c" -o "$T/huge"
rm -rf "$T/logs"
mkdir "$T/logs" "$T/mnt"
more=/proc/sys/vm/nr_overcommit_hugepages
if [ "$(id -u)" = 0 ] && before=$(cat $more 2>/dev/null) && echo $((before + 2)) 2>/dev/null >$more; then
	# shellcheck disable=SC2016 # of the shell that is begun
	if IOTRACE_FAULTS=1 IOTRACE_DIR=$T/logs unshare -m sh -c 'mount -t hugetlbfs -o pagesize=2M none "$1/mnt" &&
		"$1/huge" "$1/mnt/file"' sh "$T" >"$T/out" 2>"$T/err"; then
		is 'huge: size and offset of each fault' "$("$IOTRACE_CAT" --format=json -e page_fault -P '/mnt/file$' "$T"/logs/huge*.iotrace |
			sed 's/.*"offset":\([0-9]*\),"size":\([0-9]*\).*/\1+\2/' | paste -s -d ' ')" '0+2097152 2097152+2097152'
	else
		skip 'huge: size and offset of each fault' 'the kernel has no huge page left, or none of 2 MiB'
	fi
	echo "$before" >$more
else
	skip 'huge: size and offset of each fault' 'only root can have the kernel make huge pages'
fi

# The helper, which is named iotrace-faults and has the log open
helper_of()
{
	for fd in /proc/[0-9]*/fd/*; do
		[ "$(readlink "$fd")" = "$1" ] || continue
		pid=${fd#/proc/}
		pid=${pid%%/*}
		[ "$(cat "/proc/$pid/comm")" != iotrace-faults ] || echo "$pid"
	done 2>/dev/null | sort -u
}

# It is stopped while faults come: those that find no room are counted.
ok 'storm is built' "$IOCC" --iotrace-faults -static -O1 "$src/storm.c" -o "$T/storm"
rm -rf "$T/logs"
mkdir "$T/logs"
mkfifo "$T/to" "$T/from"
IOTRACE_FAULTS=1 IOTRACE_DIR=$T/logs "$T/storm" "$T/file" 150000 <"$T/to" >"$T/from" 2>"$T/err" &
exec 3>"$T/to" 4<"$T/from"
read -r ready <&4
is 'storm: begins' "$ready" READY
log=$(ls "$T"/logs/storm*.iotrace)
helper=$(helper_of "$log")
ok 'storm: has a helper' kill -STOP "$helper"
echo >&3
read -r counted <&4
kill -CONT "$helper"
wait $!
exec 3>&- 4<&-
"$IOTRACE_CAT" -e page_fault -P '/file$' "$log" >"$T/out" 2>"$T/err"
found=$(grep -c . "$T/out")
lost=$(sed -n 's/.* \([0-9]*\) calls were not recorded (page faults.*/\1/p' "$T/err" | head -n 1)
ok 'storm: some were lost' test "${lost:-0}" -gt 0
ok 'storm: the others are there, or lost' test "$((found + ${lost:-0}))" -ge 150000
ok 'storm: and no more than happened' test "$((found + ${lost:-0}))" -le "$((counted + 100))"

done_testing
