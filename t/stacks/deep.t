#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stacks that are deeper than what is kept of a walk: each has the frames that it has, as many
# as were asked for, and nothing that lies beside is written over.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

# counts MOST: how many writes there are, and how many are not beneath as many calls as they
# have bytes
counts()
{
	awk -v most="$1" '
	function check() {
		want = bytes > most - 1 ? most - 1 : bytes # beneath placeN()
		if (frames > most || calls != want)
			wrong++
	}
	/^write\(/ { if (n++) check(); match($0, /\) = [0-9]+/); bytes = substr($0, RSTART + 4, RLENGTH - 4) + 0; frames = calls = 0 }
	/^ > / { frames++ }
	/^ > (go|around|below) / { calls++ }
	END { check(); print n, wrong + 0 }'
}

for keep in -fno-omit-frame-pointer -fomit-frame-pointer; do
	for link in '' -static --iotrace-syscalls; do
		# shellcheck disable=SC2086 # none or one
		ok "compiles $keep $link" "$IOCC" -O1 -g $keep $link -o deep "$top_srcdir/t/stacks/deep.c" || continue
		for most in 16 35 64; do
			rm -rf logs && mkdir logs
			IOTRACE_DIR=$T/logs IOTRACE_STACK=$most ./deep 560
			is "$keep $link: $most frames: status" $? 0
			is "$keep $link: $most frames: as many as there are" "$("$IOTRACE_CAT" -k -e write logs | counts $most)" '3360 0'
		done
	done
done
done_testing
