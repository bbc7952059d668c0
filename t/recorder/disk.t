#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Disks that are full, fail or are not there: the program is unharmed, and what is
# lost is counted and said.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build hostile -Wall
build failing -Wall -pthread
build cut -Wall -pthread
build begins -Wall
n=20000

# --- file systems that fail.  Quotas are seen as this, too: few kernels of test
# machines have them, and what the recorder gets is EDQUOT.
# failing CALL ERRNO FROM
failing()
{
	run_plain failing write $n
	rm -rf "$logs"
	mkdir "$logs"
	(cd "$T/in" && IOTRACE_DIR=$logs exec "$T/plain/failing" "$@" "$T/traced/failing" write $n \
		>"$T/out" 2>"$T/err" </dev/null)
	echo $? >"$T/status"
}

# some CALL ERRNO FROM WHY: recording ends there
some()
{
	failing "$1" "$2" "$3"
	undisturbed "$1 fails with $2"
	cat_logs
	got=$(how_many '$call == "write" && $size == 4')
	ok "$1 fails with $2: $got recorded and $(lost) lost are all" test $((got + $(lost))) -ge $((5 * n))
	ok "$1 fails with $2: something was recorded" test "$got" -gt 0
	ok "$1 fails with $2: no more is said to be lost than was" test $((got + $(lost))) -le $((5 * n + 100))
	# a window that can't grow is written out more often: nothing need be lost
	if [ "$(lost)" = 0 ]; then
		is "$1 fails with $2: nothing was lost" "$got" $((5 * n))
	else
		like "$1 fails with $2: iotrace-cat says so" "$T/cat.err" "calls were not recorded \($4"
	fi
}
some fallocate EDQUOT 100000 'Disk quota exceeded'
some both EDQUOT 300000 'Disk quota exceeded'
some pwritev EIO 300000 'Input/output error'
some both EIO 100000 'Input/output error'

# NFS before 4.2 and others have no fallocate
failing fallocate EOPNOTSUPP 0
undisturbed 'no fallocate'
sound 'no fallocate'
count 'no fallocate: every call' '$call == "write" && $size == 4' $((5 * n))
is 'no fallocate: nothing was lost' "$(lost)" 0

for error in EIO EDQUOT; do
	failing both $error 0
	is "$error from the start: one line" "$(grep -c '^iotrace: ' "$T/err")" 1
	: >"$T/err"
	undisturbed "$error from the start"
	is "$error from the start: no log is left" "$(n_logs)" 0
done

# --- a log that is cut short: the program must not get SIGBUS for it
for size in 0 100 4096 8192 20000 40960 80000 100000; do
	run_plain cut truncate $size "$T/nothing"
	run cut truncate $size "$logs"
	undisturbed "cut to $size bytes"
done
# its header is left, and with it the count
run cut truncate 40960 "$logs"
cat_logs
ok "cut short: $(lost) lost are counted" test "$(lost)" -ge 1000
like 'cut short: iotrace-cat says why' "$T/cat.err" 'not recorded \(the log was cut short'

# --- every tool says so, of a packed log as well
export IOTRACE_LIMIT=400k
run hostile none $n
unset IOTRACE_LIMIT
for what in written packed; do
	[ $what = written ] || packs 'as packed: calls are missing' || continue
	[ $what = written ] || ok 'it can be packed' "$IOTRACE_PACK" "$logs"
	for tool in "$IOTRACE_CAT" "$IOTRACE_STAT"; do
		"$tool" "$logs" >/dev/null 2>"$T/said"
		like "${tool##*/}, as $what: calls are missing" "$T/said" 'calls were not recorded \(IOTRACE_LIMIT'
	done
done

# --- the log's directory
run_plain hostile rmdir $n "$T/nothing"
run hostile rmdir $n "$logs"
undisturbed 'rmdir'
is 'rmdir: the directory is not made again' "$([ -d "$logs" ] && echo there)" ''
run_plain hostile none $n
for dir in /dev/full /proc/self; do
	IOTRACE_DIR=$dir run hostile none $n
	grep -v '^iotrace: ' "$T/err" >"$T/err.program"
	is "a log in $dir: one line" "$(grep -c "^iotrace: $dir" "$T/err")" 1 || diag_file "$T/err"
	mv "$T/err.program" "$T/err"
	undisturbed "a log in $dir"
done

# --- a full disk
mkdir "$T/small"
if mount -t tmpfs -o size=512k tmpfs "$T/small" 2>"$T/mount"; then
	trap 'umount -l "$T/small"; tap_cleanup' EXIT
	IOTRACE_DIR=$T/small run hostile none $n
	undisturbed 'disk full'
	mkdir -p "$logs"
	cp "$T/small"/*.iotrace "$logs"
	counted 'disk full' $((3 * n))
	rm -f "$T/small"/*
	# threads that come when there is no space for their windows
	run_plain failing write $n
	rm -rf "$T/in"
	mkdir "$T/in"
	(cd "$T/in" && IOTRACE_DIR=$T/small exec "$T/traced/failing" write $n >"$T/out" 2>"$T/err" </dev/null)
	echo $? >"$T/status"
	undisturbed 'disk full for threads'
	cat_logs
	"$IOTRACE_CAT" --format=raw "$T/small" >"$T/raw" 2>"$T/cat.err"
	grep -v '^#' "$T/raw" >"$T/calls"
	got=$(how_many '$call == "write" && $size == 4')
	ok "disk full for threads: $got recorded and $(lost) lost are all" test $((got + $(lost))) -ge $((5 * n))
	like 'disk full for threads: iotrace-cat says why' "$T/cat.err" 'not recorded \(No space left on device'
	rm -f "$T/small"/*
	run_plain hostile none $n
	dd if=/dev/zero of="$T/small/all" bs=4k 2>/dev/null
	IOTRACE_DIR=$T/small run hostile none $n
	is 'no space for any log: one line' "$(grep -c '^iotrace: .*no space left' "$T/err")" 1
	: >"$T/err"
	undisturbed 'no space for any log'
	is 'no space for any log: no empty one is left' "$(n_logs "$T/small")" 0
	rm -f "$T/small"/*
	# programs that a recorded one begins when there is no space any more: that is said once, by
	# the first that has no log, and each counts in the log of the one that has
	for when in before since; do
		for begun in off on; do
			rm -f "$T/small"/*
			run_plain begins 20 "$T/nothing/all" $begun
			[ $when = since ] || dd if=/dev/zero of="$T/small/all" bs=4k 2>/dev/null
			IOTRACE_DIR=$T/small run begins 20 "$T/small/all" $begun
			said=$(grep -c '^iotrace: .*no space left' "$T/err")
			: >"$T/err"
			undisturbed "full $when it began, those that it begins $begun"
			"$IOTRACE_CAT" --format=raw "$T/small" >"$T/raw" 2>"$T/cat.err"
			[ $begun = on ] || without=$(lost)
		done
		is "full $when it began: one line for 21 programs" "$said" 1
	done
	is 'full since it began: its log counts 20 more' "$(lost)" $((without + 20))
	like 'full since it began: iotrace-cat says why' "$T/cat.err" 'calls were not recorded \(No space left on device'
	# who does not come from the one that has said it
	rm -f "$T/small"/*
	dd if=/dev/zero of="$T/small/all" bs=4k 2>/dev/null
	(IOTRACE_DIR=$T/small "$T/traced/begins" 2 2>&1; IOTRACE_DIR=$T/small/ "$T/traced/begins" 2 2>&1) >"$T/said" </dev/null
	is 'each run says it' "$(grep -c '^iotrace: .*no space left' "$T/said")" 2
	rm -f "$T/small"/*
	# space that is taken from it; its headers are not
	mount -o remount,size=1m "$T/small"
	for from in 40960 110592; do
		rm -f "$T/small"/*
		run_plain cut rob $from "$T/nothing"
		IOTRACE_DIR=$T/small run cut rob $from "$T/small"
		undisturbed "robbed from $from on"
		rm -f "$T/small/all"
		"$IOTRACE_CAT" --format=raw "$T/small" >"$T/raw" 2>"$T/cat.err"
		ok "robbed from $from on: $(lost) lost are counted" test "$(lost)" -gt 1000
		like "robbed from $from on: iotrace-cat says why" "$T/cat.err" 'not recorded \('
	done
	run_plain hostile none $n
	rm -f "$T/small"/*
	mount -o remount,nr_inodes=1 "$T/small"
	IOTRACE_DIR=$T/small run hostile none $n
	is 'no inode for any log: one line' "$(grep -c '^iotrace: .*no space left' "$T/err")" 1
	: >"$T/err"
	undisturbed 'no inode for any log'
	mount -o remount,ro "$T/small"
	IOTRACE_DIR=$T/small run hostile none $n
	is 'a read-only file system: one line' "$(grep -c '^iotrace: .*read-only' "$T/err")" 1
	: >"$T/err"
	undisturbed 'a read-only file system'
else
	skip 'disk full' "no tmpfs can be mounted: $(head -n 1 "$T/mount")"
	skip 'a read-only file system' 'no tmpfs can be mounted'
fi

done_testing
