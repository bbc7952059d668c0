#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where standard error takes nothing, a line of the recorder's is not written: the program is not
# killed or stopped for it, and does not wait.
. "${0%/*}/../lib/tap.sh"

cat >"$T/done.c" <<'EOF'
#include <fcntl.h>
#include <unistd.h>
int main(void) { return write(open("/dev/null", O_WRONLY), "done", 4) == 4 ? 7 : 8; }
EOF
# shellcheck disable=SC2086 # CC may have options
ok 'unheard.c compiles' $CC -O2 -Wall -o "$T/unheard" "$top_srcdir/t/recorder/unheard.c"
ok 'a static program compiles' "$IOCC" -static -O2 -o "$T/static" "$T/done.c"
ok 'a dynamic program compiles' "$IOCC" -O2 -o "$T/dynamic" "$T/done.c"
cd "$T" || exit 99
IOTRACE_DIR=$T
IOTRACE_STACK=nonsense
export IOTRACE_DIR IOTRACE_STACK
for form in static dynamic; do
	"./$form" 2>said
	ok "$form: the recorder has something to say" grep -q '^iotrace: IOTRACE_STACK=nonsense' said
	for how in closed full limit background; do
		is "$form, $how: the program runs to its end" "$(./unheard "$how" "./$form")" 'exited with 7'
	done
done
done_testing
