#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_CACHE and IOTRACE_FAULTS neither bring pages into the page cache nor make the kernel keep
# others than it would: where memory is short, devices are asked for as much as without.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

export IOTRACE_STACK=0

[ -n "${TEST_LONG:-}" ] || skip_all 'reads six GB: only with TEST_LONG=1'
# shellcheck source=t/lib/faults.sh
. "${0%/*}/../lib/faults.sh"

# a group of processes with 64 MiB of memory, which the page cache counts for
if [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
	group=/sys/fs/cgroup/memory/iotrace-lru-$$
	limit=$group/memory.limit_in_bytes
else
	group=/sys/fs/cgroup/iotrace-lru-$$
	limit=$group/memory.max
fi
mkdir "$group" 2>/dev/null || skip_all 'no memory group can be made'
trap 'rmdir "$group"; tap_cleanup' EXIT
[ -e "$limit" ] || skip_all 'memory groups have no limits'
echo 67108864 >"$limit"

# limited COMMAND...
limited()
{
	# shellcheck disable=SC2016 # the shell that becomes the command
	sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' - "$group" "$@"
}

# shellcheck disable=SC2086 # CC may have options
ok 'plain: compiles' $CC -O1 "$src/lru.c" -o "$T/lru" || done_testing
ok 'static: compiles' "$IOCC" --iotrace-faults -static -O1 "$src/lru.c" -o "$T/lru-static"
head -c 25165824 /dev/zero >"$T/small"
head -c 268435456 /dev/zero >"$T/large"
sync "$T/small" "$T/large"

for how in read map; do
	tap_about="$how: "
	plain=$(limited "$T/lru" "$T/small" "$T/large" $how)
	# so the program tells both apart
	twice=$(limited "$T/lru" "$T/small" "$T/large" $how twice)
	ok "what is used twice stays: $plain MiB, and else $twice" test "$((plain * 5 / 4))" -lt "$twice"
	for form in static preloaded; do
		case $form in
		preloaded) set -- "$top_builddir/tools/iotrace" run "$T/lru" ;;
		*) set -- "$T/lru-$form" ;;
		esac
		rm -rf "$T/logs"
		mkdir "$T/logs"
		traced=$(IOTRACE_CACHE=1 IOTRACE_FAULTS=1 IOTRACE_DIR=$T/logs limited "$@" "$T/small" "$T/large" $how)
		# the log, its library and its helper take memory, too
		ok "$form: as much is read, $traced MiB" test "$traced" -ge "$plain" -a "$traced" -le "$((plain + 24))"
		ok "$form: it was recorded" test "$("$IOTRACE_STAT" --format=json "$T/logs" 2>/dev/null |
			perl -MJSON::PP -0777 -ne '($f) = grep { $_->{path} =~ m,/large$, } @{ decode_json($_)->{files} };
				print $f->{faults} + $f->{cached} + $f->{fetched}')" -gt 0
	done
done

done_testing
