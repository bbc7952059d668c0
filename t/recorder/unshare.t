#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names and descriptors are those of the thread that makes the call, where threads do not
# share them, and those that directories have by then.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

# stored: the files that were written, below the working directory, each with its bytes, if each
# write has the offset behind the one before, and the first has 0
stored()
{
	"$IOTRACE_CAT" --format=json -e write "$logs" >"$T/json"
	sed -n 's/.*"path":"\([^"]*\)"\(.*\)"size":\([0-9]*\).*/\1 \3\2/p' "$T/json" |
		sed "s|^$T/in/||; s/,\"offset\":/ /; s/,$//" | sort -s -k1,1 | awk '
			function out() { if (file != "") { printf "%s%s:%s", sep, file, bytes; sep = " " } }
			file == $1 && $3 == bytes && $3 != "" { bytes += $2; next }
			{ out(); file = $1; bytes = $3 == "0" ? $2 : $2 "-at-" $3 }
			END { out() }'
}

build unshare -pthread
for what in fs files task process rename; do
	both unshare $what
	undisturbed "$what"
	sound "$what"
	case $what in
	fs)	all='after-4:4 before-1:1 of-a-child-6:6 of-the-main-thread-2:2 other/of-the-thread-1:1 other/of-the-thread-2:2' ;;
	files)	all='after-4:4 before-1:1 of-a-child-6:6 own-5:5 shared-3:3' ;;
	task)	all='of-its-parent-2:2 other/of-the-task-1:1' ;;
	process) all='file:1 other/another:5 other/of-its-parent-4:4 other/of-the-process-1:1' ;;
	rename)	all='another/after-2:2 another/after-2:2 other/before-1:1 third/after-2:2' ;;
	esac
	is "$what: each file by its name" "$(stored)" "$all"
done
done_testing
