#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What stacks take of memory: by how many libraries there are, and none by how often they
# were loaded.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

src=$top_srcdir/t/stacks
run=$top_builddir/tools/iotrace-run
libraries=300
# KiB that 200 of them may take: 200 bytes each, and its name, of which chunks of 8 KiB are full
most=$((200 * (200 + ${#T} + 16) / 1024 + 8))

for size in 64 5000; do
	# shellcheck disable=SC2086 # CC may have options
	$CC -O2 -fomit-frame-pointer -shared -fPIC -DSIZE=$size -o p$size.so "$src/plugin.c" || exit 99
done
i=0
while [ $i -lt $libraries ]; do
	cp p64.so "copy$i.so"
	i=$((i + 1))
done
ok 'compiles' "$IOCC" -O2 -o linked "$src/reload.c" -ldl || done_testing
# shellcheck disable=SC2086
ok 'compiles without us' $CC -O2 -o reload "$src/reload.c" -ldl || done_testing

# kib PROGRAM ARGUMENT...: what it prints
kib()
{
	rm -rf logs && mkdir logs
	IOTRACE_DIR=$T/logs "$@" </dev/null
}

for form in linked 'iotrace run'; do
	if [ "$form" = linked ]; then
		set -- ./linked
	else
		set -- "$run" ./reload
	fi
	# untraced, and of the recorder, which has taken its tables for the first hundred
	# shellcheck disable=SC2046 # names
	without=$(($(kib ./reload $libraries ./copy*.so) - $(kib ./reload 100 $(ls ./copy?.so ./copy??.so))))
	# shellcheck disable=SC2046
	with=$(($(kib "$@" $libraries ./copy*.so) - $(kib "$@" 100 $(ls ./copy?.so ./copy??.so))))
	ok "$form: 200 more libraries take $((with - without)) KiB, at most 200 bytes each and their names" \
		test $((with - without)) -le $most
	few=$(kib "$@" 100 ./p64.so ./p5000.so)
	many=$(kib "$@" 5000 ./p64.so ./p5000.so)
	ok "$form: two that are loaded 5,000 times take $((many - few)) KiB more than 100 times" \
		test $((many - few)) -le 64
	is "$form: and were called" "$("$IOTRACE_CAT" --format=csv -e write -P '^/dev/null$' logs/*.iotrace | grep -c write)" 5000
done
done_testing
