#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the recorder writes is packed well, comes back the same to the last byte,
# and reads the same while it is packed.  TEST_LONG=1: more of them.
# shellcheck disable=SC2119 # n_logs takes a directory, or none
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"
has_zstd || skip_all 'iotrace-pack was built without zstd'

packed=$T/packed

# thin LONG SHORT
thin()
{
	if [ "${TEST_LONG:-0}" = 1 ]; then echo "$1"; else echo "$2"; fi
}

# shellcheck disable=SC2317 # it is called through ok
# same_output TOOL OPTION...: it prints the same of plain and packed logs
same_output()
{
	(cd "$logs" && "$@" . >"$T/plain.calls" 2>"$T/plain.said")
	(cd "$packed" && "$@" . >"$T/packed.calls" 2>"$T/packed.said")
	sed -i 's|\.packed\.iotrace|.iotrace|' "$T/packed.said" "$T/packed.calls"
	test -s "$T/plain.calls" && cmp "$T/plain.calls" "$T/packed.calls" &&
		cmp "$T/plain.said" "$T/packed.said"
}

# packs DESCRIPTION: all logs that the last run left
packs()
{
	back "$1" || return
	ok "$1: reads the same" same_output "$IOTRACE_CAT" -k -y -t
	ok "$1: and the same as JSON" same_output "$IOTRACE_CAT" --format=json
	ok "$1: and the same as raw lines" same_output "$IOTRACE_CAT" --format=raw
	ok "$1: and sums up to the same" same_output "$IOTRACE_STAT"
}

# back DESCRIPTION: the same, but only what iotrace-pack does
back()
{
	rm -rf "$packed"
	cp -r "$logs" "$packed"
	ok "$1: is packed" "$IOTRACE_PACK" "$packed" || return
	is "$1: every log" "$(find "$packed" -name '*.packed.iotrace' | wc -l)" \
		"$(find "$logs" -name '*.iotrace' | wc -l)"
	is "$1: and nothing else is there" "$(find "$packed" -type f ! -name '*.packed.iotrace')" ''
	for log in "$logs"/*.iotrace; do
		name=${log##*/}
		"$IOTRACE_PACK" -dc "$packed/${name%.iotrace}.packed.iotrace" | cmp - "$log" ||
			diag "$name differs"
	done >"$T/diff" 2>&1
	is "$1: comes back the same" "$(cat "$T/diff")" ''
}

# --- long runs of calls that are much alike: 4 bytes each and no more
build patterns -Wall
n=200000
for how in $(thin 'write read pwrite pread' 'write pread'); do
	run patterns "$how" $n
	is "$how: status" "$(cat "$T/status")" 0
	back "$how"
	ok "$how: sums up to the same" same_output "$IOTRACE_STAT"
	"$IOTRACE_PACK" -l "$packed" >"$T/list"
	diag "$(tail -n 1 "$T/list")"
	calls=$("$IOTRACE_CAT" "$packed" | grep -c .)
	is "$how: -l counts calls" "$(awk 'NR == 2 { print $3 }' "$T/list")" "$calls"
	size=$(cat "$packed"/* | wc -c)
	ok "$how: at most 4 bytes a call, with all that is in the file" test "$size" -le $((4 * n))
	is "$how: -l says so" "$(awk 'NR == 2 { print $1, $4 }' "$T/list")" \
		"$size $(awk "BEGIN { printf \"%.2f\", $size / $calls }")"
done

# --- buffers of other sizes
IOTRACE_BUFFER=16384 run patterns write 20000
packs 'small buffers'
IOTRACE_BUFFER=1500000 run patterns pread 200000
packs 'buffers larger than a chunk'
IOTRACE_LIMIT=300000 run patterns write 100000
packs 'a log that reached its limit'
IOTRACE_STACK=0 run patterns write 3
packs 'a small log'

# --- threads, processes, and ways to die
build threads -Wall
run threads count 24 5000
packs '24 threads'
run threads churn 200 5
packs 'short threads'
build fork -Wall
run fork burst 30
packs 'forks'
build ending -Wall
for how in $(thin 'return abort segv kill thread-kill stuck exec' 'return thread-kill exec'); do
	run ending "$how" 10000
	packs "$how"
done
rm -rf "$T/in" "$logs"
mkdir "$T/in" "$logs"
(cd "$T/in" && IOTRACE_DIR=$logs exec "$T/traced/ending" forever 0) 2>/dev/null &
until "$IOTRACE_CAT" "$logs" 2>/dev/null | grep -q pwrite; do
	sleep 0.1
done
ok 'a log that is being written is left alone' sh -c "! '$IOTRACE_PACK' '$logs'"
"$IOTRACE_PACK" "$logs" 2>"$T/err"
like 'which is said' "$T/err" "seems to be written by process $! still; wait for it, or use --force"
is 'and nothing is made of it' "$(find "$logs" -name '*packed*')" ''
kill -9 $!
wait $! 2>/dev/null
packs 'a log of a process that was killed'

# --- every call that there is
for src in "$top_srcdir"/t/progs/*.c; do
	name=${src##*/}
	name=${name%.c}
	case ${TEST_LONG:-0}$name in
	1* | 0aio | 0net | 0posix-meta | 0posix-rw | 0proc | 0stdio | 0user) ;;
	*) continue ;;
	esac
	"$IOCC" -static -g -O0 -o "$T/traced/$name" "$src" -lpthread 2>"$T/err" || fail "$name compiles"
	run "$name"
	[ "$(n_logs)" -gt 0 ] || fail "$name left logs"
	mkdir -p "$T/all"
	cp "$logs"/* "$T/all"
done
rm -rf "$logs"
mv "$T/all" "$logs"
packs 'logs of the programs that make every call, or of some'
done_testing
