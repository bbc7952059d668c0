#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Logs that are followed, whose windows go on between a look and the reading.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

went_on=$top_builddir/t/read/went-on
built "$went_on"

cat >"$T/idle.c" <<'EOT'
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	int fd = open("/dev/null", O_WRONLY);

	for (int i = 0; i < 50; i++)
		if (write(fd, "x", 1) != 1)
			return 1;
	if (write(1, "ready\n", 6) != 6)
		return 1;
	pause();
	return 0;
}
EOT
mkdir "$logs"
ok 'compiles with iocc' "$IOCC" -static -O2 "$T/idle.c" -o "$T/idle" || done_testing
IOTRACE_DIR=$logs "$T/idle" >"$T/out" 2>/dev/null &
program=$!
# whoever has written it may be kept from the processor before that is recorded
until "$IOTRACE_CAT" -e write "$logs" 2>/dev/null | grep -q 'write(1.* = 6'; do
	sleep 0.05
done
"$went_on" "$logs"/*.iotrace >"$T/said" 2>&1
is 'a block without a copy: status' $? 0
is 'nothing is said to be damaged' "$(cat "$T/said")" 'the window went on: no calls
again: no calls'
kill $program
done_testing
