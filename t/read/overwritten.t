#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A log that is overwritten with garbage while its program writes it, and while it is followed:
# the program is as it would be, and who follows the log says what is wrong and ends.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

cat >"$T/busy.c" <<'EOT'
#include <fcntl.h>
#include <unistd.h>

/* Until it is told that it is enough. */
int main(void)
{
	int fd = open("/dev/null", O_WRONLY);

	while (access("enough", F_OK)) {
		for (int i = 0; i < 20; i++)
			if (write(fd, "abc", 3) != 3)
				return 1;
		usleep(1000);
	}
	return 6;
}
EOT
cat >"$T/spoil.pl" <<'EOT'
# spoil.pl FILE SEED
use strict;
use warnings;
my ($file, $seed) = @ARGV;
srand $seed;
open my $log, '+<', $file or die "$file: $!\n";
binmode $log;
for (1 .. 2500) {
	sysseek $log, int(rand(-s $log)), 0;
	syswrite $log, join '', map { chr int rand 256 } 1 .. 1 + int rand 300;
	select undef, undef, undef, 0.002;
}
EOT
ok 'compiles with iocc' "$IOCC" -static -O2 "$T/busy.c" -o "$T/busy" || done_testing

for seed in 1 2 3; do
	rm -rf "$logs" "$T/enough"
	mkdir "$logs"
	(cd "$T" && IOTRACE_DIR=$logs exec ./busy) &
	program=$!
	until "$IOTRACE_CAT" -e write "$logs" 2>/dev/null | grep -q write; do
		sleep 0.05
	done
	log=$(echo "$logs"/*.iotrace)
	"$IOTRACE_CAT" -f "$log" >"$T/out" 2>"$T/err" &
	follower=$!
	perl "$T/spoil.pl" "$log" "$seed"
	: >"$T/enough"
	wait $program
	is "seed $seed: the program's status" $? 6
	wait $follower
	ok "seed $seed: iotrace-cat -f ended, and was not killed" test $? -lt 124
	"$IOTRACE_STAT" "$log" >"$T/out" 2>&1
	ok "seed $seed: nor is iotrace-stat" test $? -lt 124
done
done_testing
