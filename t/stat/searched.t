#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A file that a program looks for along a long search path, and along a short one.
. "${0%/*}/../lib/tap.sh"

mkdir "$T/logs" "$T/in"
cat >"$T/search.c" <<'EOT'
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	struct stat st;
	char path[100];
	int i;

	for (i = 0; i < 12; i++) {
		snprintf(path, sizeof(path), "dir%d/missing.so", i);
		if (open(path, O_RDONLY) >= 0 || stat(path, &st) == 0)
			return 1;
		/* nine times, one fewer than it takes */
		snprintf(path, sizeof(path), "dir%d/few.so", i);
		if (i < 9 && open(path, O_RDONLY) >= 0)
			return 1;
		/* in few directories, again and again */
		snprintf(path, sizeof(path), "dir%d/often.so", i % 3);
		if (open(path, O_RDONLY) >= 0)
			return 1;
		/* where the system's are */
		snprintf(path, sizeof(path), "/usr/lib/none%d/plugin.so", i);
		if (open(path, O_RDONLY) >= 0)
			return 1;
	}
	return 0;
}
EOT
for form in -static -pthread; do
	tap_about="$form: "
	ok 'it compiles with iocc' "$IOCC" $form -g -o "$T/search" "$T/search.c" || continue
	rm -rf "$T/logs" && mkdir "$T/logs"
	ok 'it runs' sh -c "cd '$T/in' && IOTRACE_DIR='$T/logs' '$T/search'"
	"$IOTRACE_STAT" --rule=minor=off "$T/logs" >"$T/text"
	is 'what was looked for is named, with how often and where' \
		"$(sed -n 's/^ *\(.*in [0-9]* directories\)$/\1/p' "$T/text" | sort)" \
		"$(printf '%s\n' 'missing.so: 24 calls failed, in 12 directories' 'often.so: 12 calls failed, in 3 directories' \
			'plugin.so: 12 calls failed, in 12 directories')"
	"$IOTRACE_STAT" --rule=minor=off --format=json "$T/logs" >"$T/json"
	like 'JSON has it, with what to do' "$T/json" '"id":"searched","severity":"cost","path":"missing.so",.*"count":24,"of":12,.*"remedy":"Shorten'
done
done_testing
