#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions of libdw, libelf and libzstd that fail: what needs them is missing, which is told, and
# nothing else is.
. "${0%/*}/../lib/tap.sh"

with=
has_zstd && with=-DWITH_ZSTD
cat >"$T/inner.c" <<'EOT'
#include <fcntl.h>
#include <unistd.h>

static inline __attribute__((always_inline)) long put(int fd)
{
	return write(fd, "abc", 3);
}

__attribute__((noinline)) static long outer(int fd)
{
	long n = 0;

	for (int i = 0; i < 3; i++)
		n += put(fd);
	return n;
}

int main(void)
{
	int fd = open("/dev/null", O_WRONLY);

	return outer(fd) != 9 || close(fd);
}
EOT
ok 'a program with an inlined function' "$IOCC" -g -O1 -static "$T/inner.c" -o "$T/inner"
# shellcheck disable=SC2086 # no option, or one
ok 'functions that fail' "$CC" -D_GNU_SOURCE -shared -fPIC $with "$top_srcdir/t/read/failing.c" -o "$T/failing.so"
mkdir "$T/logs" "$T/packed" "$T/again"
ok 'its log' env IOTRACE_DIR="$T/logs" "$T/inner"
"$IOTRACE_CAT" -k "$T/logs" >"$T/stacks"
like 'with the inlined function' "$T/stacks" '> put .*\[inlined\]'
grep -v '^ *>' "$T/stacks" >"$T/calls"

# failing FUNCTION N COMMAND...: status is its status; false: the function was not called so often
failing()
{
	name=$1:$2
	shift 2
	rm -f "$T/failed"
	FAILS=$name FAILED=$T/failed LD_PRELOAD=$T/failing.so "$@" >"$T/out" 2>"$T/err"
	status=$?
	[ -e "$T/failed" ]
}
# a program that tells nothing of what went wrong: a signal, an empty reason
wrong()
{
	[ "$status" -le 2 ] || echo "$name: status $status"
	grep -n '(null)\|([[:space:]]*)' "$T/err"
}
functions()
{
	sed -n "s/^FUNCTION([^,]*, \($1[a-zA-Z0-9_]*\),.*/\1/p" "$top_srcdir/t/read/failing.c"
}
for function in $(functions '[de][wl]') gelf_getphdr; do
	for n in 1 2 3; do
		failing "$function" "$n" "$IOTRACE_CAT" -k "$T/logs" || continue
		wrong
		grep -v '^ *>' "$T/out" | cmp -s - "$T/calls" || echo "$name: other calls"
		echo "$function" >>"$T/asked"
	done
done >"$T/told"
ok 'there are such functions' test "$(sort -u "$T/asked" | wc -l)" -gt 20
none 'libdw: all calls are printed, whatever fails' "$T/told"

if [ -n "$with" ]; then
	cp "$T"/logs/* "$T/packed"
	ok 'it is packed' "$IOTRACE_PACK" "$T/packed"
	for function in $(functions ZSTD); do
		for n in 1 2 3; do
			if failing "$function" "$n" "$IOTRACE_CAT" "$T/packed"; then
				wrong
				[ "$status" -ne 0 ] && [ -s "$T/err" ] || echo "$name: nobody says that calls are missing"
			fi
			rm -f "$T"/again/*
			cp "$T"/logs/* "$T/again"
			failing "$function" "$n" "$IOTRACE_PACK" "$T/again" || continue
			wrong
			[ "$status" -eq 2 ] && [ -s "$T/err" ] || echo "$name: iotrace-pack does not say that it failed"
			cmp "$T"/logs/* "$T"/again/* || echo "$name: the log is not as it was"
			echo "$function" >>"$T/packing"
		done
	done >"$T/told" 2>&1
	ok 'packing calls such functions' test "$(sort -u "$T/packing" | wc -l)" -ge 4
	none 'libzstd: what is lost is told, and what is not packed stays' "$T/told"
else
	skip 'libzstd' 'built without it'
fi
done_testing
