#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A process that is killed while it writes a block may leave a part of the block's header: as
# far as the page goes that it begins in.  The block's window has its records: nothing is lost.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

printf '%s\n' '#include <unistd.h>' 'int main(void) { return write(1, "x", 1) != 1; }' >"$T/one.c"
ok 'compiles' "$IOCC" -static -o "$T/one" "$T/one.c" || done_testing
IOTRACE_DIR=$T/logs "$T/one" >"$T/out"
log=$(echo "$T"/logs/*.iotrace)
"$IOTRACE_CAT" "$log" >"$T/whole"

# with BYTES BYTE STATUS: the log with so many bytes of a header behind its end, up to the end of
# a page, then that byte, and zeroes
with()
{
	perl -e '
		my ($file, $before, $byte) = @ARGV;
		open my $in, "<:raw", $file or die "$file: $!\n";
		local $/;
		my $log = <$in>;
		my ($text_end, $end) = unpack "QQ", substr $log, 32, 16;
		$end &= (1 << 48) - 1;
		my $size = $end + -$end % 4096 + 2 * 4096;
		$log = substr($log, 0, $end) . "\0" x ($size - $end);
		substr($log, $size - 4096 - $before, $before) = substr $log, $text_end, $before;
		substr($log, $size - 4096, 1) = chr $byte;
		# the sum of 48 bits: the highest 16 of the product, which has more than 64
		use bigint;
		substr($log, 46, 2) = pack "S", (($size * 0x9e3779b97f4a7c15) & 0xffffffffffffffff) >> 48;
		no bigint;
		substr($log, 40, 6) = substr pack("Q", $size), 0, 6;
		print $log;' "$log" "$1" "$2" >"$T/cut.iotrace"
	"$IOTRACE_CAT" "$T/cut.iotrace" >"$T/got" 2>"$T/err"
	is "$1 bytes, then $2: status" $? "$3"
	same "$1 bytes, then $2: all calls" "$T/got" "$T/whole"
}

with 64 0 0
none 'nothing is said to be damaged' "$T/err"
with 64 7 1
like 'what is no zero is damage' "$T/err" '[0-9]* bytes from offset [0-9]* on are no records'
done_testing
