#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Frames of the recorder's own are in no stack that is shown: those of its wrappers beneath a
# callback, a thread's first, and those that a handler interrupts; and what a handler returns to
# has its own name.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

src=$top_srcdir/t/stacks/own.c
run=$top_builddir/tools/iotrace-run

# of each pwrite, its offset and frames of the program, from the innermost on
cat >want <<'END'
0: cookie_write main
1: visit main
2: in_thread
3: handler __restore_rt main
3: handler __restore_rt main
END

# shown FORM COMMAND...: what it has written
shown()
{
	form=$1
	shift
	rm -rf logs && mkdir logs
	IOTRACE_DIR=$T/logs IOTRACE_STACK=64 "$@" >said 2>&1
	is "$form: runs" $? 0
	"$IOTRACE_CAT" -k -e pwrite logs/*.iotrace >text 2>err
	awk '/pwrite\(/ {
		if (line)
			print line
		line = $5 + 0 ":"
	}
	/^ *> (cookie_write|visit|in_thread|handler|main|__restore_rt) / { line = line " " $2 }
	END { print line }' text | sort >got
	ok "$form: frames of the program" cmp -s got want || diag_file got
	is "$form: none of the recorder" "$(grep -c ' > .*\(iot_\|__wrap_\|libiotrace\)' text)" 0 || diag_file text
	is "$form: none of a wrapper" "$(grep -cE '^ *> (nftw|nftw64|fflush) ' text)" "${wrapped:-0}"
	is "$form: nothing is said" "$(cat err)" ''
}

ok 'compiles, -static' "$IOCC" -static -g -O1 "$src" -o static -lpthread || done_testing
ok 'compiles' "$IOCC" -g -O1 "$src" -o dynamic -lpthread
ok 'compiles, -static --iotrace-syscalls' "$IOCC" --iotrace-syscalls -static -g -O1 "$src" -o dispatched -lpthread
# shellcheck disable=SC2086 # CC may have options
ok 'compiles without us' $CC -g -O1 "$src" -o plain -lpthread

shown static ./static
"$IOTRACE_CAT" -k -e pwrite logs/*.iotrace | sed -n 's/.*\[\(0x.*\)]$/\1/p' >addresses
shown dynamic ./dynamic
shown 'iotrace run' "$run" -o "$T/logs" ./plain
shown '--syscalls' "$run" --syscalls -o "$T/logs" ./plain
shown '--iotrace-syscalls, static' env IOTRACE_SYSCALLS=1 ./dispatched

# without names the same frames are left out
strip -o stripped static
rm -rf logs && mkdir logs
IOTRACE_DIR=$T/logs IOTRACE_STACK=64 ./stripped
"$IOTRACE_CAT" -k -e pwrite logs/*.iotrace 2>/dev/null | sed -n 's/.*\[\(0x.*\)]$/\1/p' >without
is 'stripped: as many frames' "$(($(wc -l <addresses) > 20)) $(wc -l <without)" "1 $(wc -l <addresses)"
ok 'stripped: the same frames' cmp -s addresses without

if packs 'packed'; then
	"$IOTRACE_PACK" -o packed.iotrace logs/*.iotrace
	"$IOTRACE_CAT" -k -e pwrite packed.iotrace 2>/dev/null | sed -n 's/.*\[\(0x.*\)]$/\1/p' >packed
	ok 'packed: the same frames' cmp -s addresses packed
fi
done_testing
