#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where names lead to nothing: in a directory that was removed, outside of the root
# directory, without /proc, in a directory whose path is longer than the kernel tells.  The program is unharmed, its calls are there, and no
# path is made up.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build nowhere -Wall

# paths HOW [OPTION...]: the last components of paths that calls wrote to, with the
# number of the calls, and a slash before it if the path is absolute
paths()
{
	sound "$1"
	by_column '$call == "pwrite" { abs = $path ~ /^\//; sub(/.*\//, "", $path); n[(abs ? "/" : "") $path]++ }
		END { for (p in n) print p, n[p] }' "$T/calls" | sort | tr '\n' ' '
}

both nowhere removed
is 'removed: every call on paths with names' "$(paths removed | tail -n 1)" '/child 100 /first 100 /last 100 /null 100 outside 100 '
like 'removed: what is relative to no name is as it was given' "$T/calls" '!open!.*!gone!.*!ENOENT!'
is 'removed: nothing was lost' "$(lost)" 0

both nowhere deep
is 'deep: every call' "$(paths deep | tail -n 1)" '/child 100 /first 100 /last 100 below 100 beside 1 '
is 'deep: a copied descriptor is known, without a name, and its offset' \
	"$(by_column '$call == "write" && $path == "?" && $offset == 3 * n { n++ } END { print n }' "$T/calls")" 100
like 'deep: what is relative to such a directory is as it was given' "$T/calls" '!openat!.*!beside!'
is 'deep: nothing was lost' "$(lost)" 0

if [ "$(id -u)" = 0 ]; then
	both nowhere rooted
	is 'rooted: every call, the child'"'"'s in its parent'"'"'s log' "$(paths rooted | tail -n 1)" \
		'/child 100 /first 100 /inside 100 /last 100 ? 1 unreachable 100 '
	is 'rooted: nothing was lost' "$(lost)" 0
	run_plain nowhere no-proc
	run nowhere no-proc
	undisturbed no-proc
	is 'no-proc: every call' "$(paths no-proc | tail -n 1)" '/child 100 /first 100 /last 100 /unproven 100 ? 1 '
	is 'no-proc: nothing was lost' "$(lost)" 0
	is 'no-proc: the child is in its parent'"'"'s log' "$(find "$logs" -name 'nowhere.*.iotrace' | wc -l | tr -d ' ')" 1
else
	skip 'rooted' 'only root may chroot'
	skip 'no-proc' 'only root may unmount /proc'
fi
done_testing
