#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The recorder compiled with the thread, address and undefined behaviour sanitizers.
# These need a dynamic executable, so that the wrappers are linked into one with
# --wrap: it records what the program's own code calls.
. "${0%/*}/../lib/tap.sh"

core=$top_srcdir/lib/core
wrap=$top_srcdir/lib/wrap
arch=$top_srcdir/lib/arch/$IOT_ARCH
gen=$top_builddir/lib/gen
wrappers='write read pwrite pread open close lseek fopen fclose fwrite fprintf vfprintf stat dup2 fork
	pthread_create'

cat >"$T/tsan" <<'EOT'
# A descriptor's entry goes from the thread that closed it to the one that is given
# its number next: the kernel orders the two, which the sanitizer does not see.
race:^fill$
race:^renew_ofd$
race:^iot_hot_opened$
race:^iot_fd_closed$
EOT

# sanitized KIND OPTION...: the recorder's objects, in $T/KIND
sanitized()
{
	kind=$1
	shift
	mkdir -p "$T/$kind"
	for file in "$core"/*.c "$arch/syscall.c" "$arch/task.c"; do
		echo "core-${file##*/} $file"
	done >"$T/list"
	for name in $wrappers; do
		for file in "$wrap/$name.c" "$gen/w_$name.c"; do
			[ ! -f "$file" ] || echo "wrap-${file##*/} $file"
		done
	done >>"$T/list"
	# without optimization: it takes half as long to compile
	# shellcheck disable=SC2016 # xargs's shell
	xargs -P2 -n2 sh -c 'out=$0 in=$1; '"$CC"' -w -std=gnu11 -g1 -O0 -fno-omit-frame-pointer \
		-fexceptions -fno-strict-aliasing -D_GNU_SOURCE -DIOT_VERSION=\"x\" '"$*"' \
		-I"'"$top_srcdir/include"'" -I"'"$core"'" -I"'"$arch"'" -I"'"$wrap"'" -I"'"$gen"'" -I"'"$top_builddir/lib"'" \
		-c "$in" -o "'"$T/$kind"'/${out%.c}.o"' <"$T/list" >"$T/said" 2>&1
	is "$kind: the recorder compiles" $? 0 || diag_file "$T/said"
	"$NM" "$T/$kind"/*.o | sed -n 's/.* [TW] __wrap_/-Wl,--wrap=/p' | sort -u >"$T/$kind/wraps"
}

# program NAME OPTION...: links it; names that libc.so keeps to itself are never called
program()
{
	name=$1
	shift
	objects=$(echo "$T/$kind"/*.o)
	# shellcheck disable=SC2086 # lists of words
	$CC -g -O1 "$@" -D_GNU_SOURCE -w "$top_srcdir/t/recorder/$name.c" $objects "@$T/$kind/wraps" \
		-o "$T/$kind/$name" 2>"$T/said"
	sed -n "s/.*undefined reference to \`\(.*\)'.*/void \1(void) { __builtin_trap(); }/p" "$T/said" |
		sed 's/^void __libc_errno(.*/__thread int __libc_errno;/; s/^void _dl_auxv(.*/void *_dl_auxv;/' | sort -u >"$T/stubs.c"
	# shellcheck disable=SC2086
	ok "$kind: $name is linked" $CC -g -O1 "$@" -D_GNU_SOURCE -w "$top_srcdir/t/recorder/$name.c" \
		"$T/stubs.c" $objects "@$T/$kind/wraps" -o "$T/$kind/$name"
}

# clean STATUS NAME ARGUMENT...: nothing is found, and there are calls in the log
clean()
{
	want=$1 name=$2
	shift 2
	rm -rf "$T/in" "$T/logs"
	mkdir "$T/in" "$T/logs"
	(cd "$T/in" && IOTRACE_DIR=$T/logs IOTRACE_BUFFER=16384 TSAN_OPTIONS="suppressions=$T/tsan" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
		exec "$T/$kind/$name" "$@" >"$T/out" 2>&1 </dev/null)
	status=$?
	is "$kind: $name $*" "$status, $(grep -c -E 'WARNING: |ERROR: |runtime error: ' "$T/out")" "$want, 0" ||
		diag_file "$T/out" 60
	ok "$kind: $name $*: calls were recorded" test "$("$IOTRACE_CAT" --format=raw "$T/logs" 2>/dev/null | grep -c -v '^#')" -gt 100
}

sanitized thread -fsanitize=thread
program threads -fsanitize=thread
program late -fsanitize=thread
clean 0 threads count 8 1000
clean 0 threads own 8 500
clean 0 threads read 8 0
clean 0 threads write 8 300
clean 0 threads churn 100 5
clean 0 late 32 2000
clean 0 late 32 2000 child

sanitized address '-fsanitize=address,undefined'
program threads '-fsanitize=address,undefined'
program handlers '-fsanitize=address,undefined'
program ending '-fsanitize=address,undefined'
clean 0 threads own 8 500
clean 0 threads read 4 0
clean 0 threads churn 100 5
clean 0 handlers storm 10000
clean 0 handlers nested 10000
clean 0 handlers jump 300
clean 0 ending return 3000
clean 5 ending thread-exit 3000
done_testing
