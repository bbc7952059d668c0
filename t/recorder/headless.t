#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program whose first thread has ended, and others go on: descriptors that it was started with
# have names in the log, libraries that it loads functions, and iotrace-ctl finds its log.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

run=$top_builddir/tools/iotrace-run
ctl=$top_builddir/tools/iotrace-ctl
# glibc's dlopen in static programs wants the same glibc at run time, which ld says
build headless -Wall -pthread 2>/dev/null
ok 'compiles as a dynamic program' "$IOCC" -g -O1 -pthread -o "$T/dynamic" "$rec_src/headless.c" || done_testing
# shellcheck disable=SC2086 # CC may have options
ok 'compiles without iocc' $CC -g -O1 -pthread -o "$T/headless" "$rec_src/headless.c" || done_testing
cat >"$T/library.c" <<'C'
#include <unistd.h>
void in_library(int fd);
void in_library(int fd)
{
	if (write(fd, "library\n", 8) != 8)
		_exit(5);
}
C
# shellcheck disable=SC2086
ok 'a library' $CC -g -shared -fPIC -o "$T/library.so" "$T/library.c" || done_testing

# headless NAME COMMAND...
headless()
{
	name=$1
	shift
	rm -rf "$logs" "$T/to" "$T/seven"
	mkdir "$logs"
	mkfifo "$T/to"
	IOTRACE_DIR=$logs "$@" <"$T/to" 7>"$T/seven" &
	program=$!
	exec 5>"$T/to"
	# until its last call but one is made
	n=0
	while ! grep -q "$wait_for" "$T/seven" 2>/dev/null && [ $n -lt 300 ]; do
		sleep 0.1
		n=$((n + 1))
	done
	"$ctl" "$program" status >"$T/status.ctl" 2>&1
	echo x >&5
	exec 5>&-
	wait "$program"
	is "$name: it ends well" "$?" 0
	like "$name: iotrace-ctl finds its log" "$T/status.ctl" "^$program: recording is on, in $logs/.*\.iotrace\$"
	cat_logs -y
	count "$name: a descriptor that it was started with has a name" \
		'$call == "write" && $ret == 6 && $path ~ "/seven$"' 1
}

wait_for=other
headless static "$T/traced/headless"
wait_for=library
for form in dynamic preloaded dispatched; do
	case $form in
	dynamic) headless $form "$T/dynamic" "$T/library.so" ;;
	preloaded) headless $form "$run" -o "$logs" -- "$T/headless" "$T/library.so" ;;
	dispatched) headless $form "$run" --syscalls -o "$logs" -- "$T/headless" "$T/library.so" ;;
	esac
	"$IOTRACE_CAT" -k -e write "$logs" >"$T/text" 2>"$T/cat.err"
	like "$form: a library that it loads has functions" "$T/text" '^ *> in_library \(.*library\.c:5\)'
done
done_testing
