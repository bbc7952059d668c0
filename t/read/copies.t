#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copies of calls stay what they are when others have been read.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

copies=$top_builddir/t/read/copies
built "$copies"

for file in "$top_srcdir"/t/fuzz/corpus/[!eg]*; do
	[ "${file##*/}" = no-blocks ] || ok "corpus: ${file##*/}" "$copies" "$file"
done
cat >"$T/names.c" <<'EOT'
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	char name[100];

	/* what links contain is in their records; more than a block of it */
	for (int i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "none/such-%d", i);
		if (symlink(name, "/") == 0)
			return 1;
	}
	return 0;
}
EOT
ok 'a program compiles' "$IOCC" -static -O2 "$T/names.c" -o "$T/names"
mkdir "$logs"
ok 'it runs' env IOTRACE_DIR="$logs" "$T/names"
ok 'copies are as the calls were' "$copies" "$logs"/*.iotrace
"$copies" "$logs"/*.iotrace >"$T/out"
like 'strings among them' "$T/out" ' [1-9][0-9]{3,} strings'
done_testing
