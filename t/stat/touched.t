#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A mapped file whose pages are touched here and there stands out, and one that is gone through in
# order does not.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

# shellcheck disable=SC2086 # CC may have options
$CC "$top_srcdir/t/faults/asks.c" -o "$T/asks" || exit 99
"$T/asks" || skip_all 'the kernel lets nobody count page faults here'
ok 'compiles' "$IOCC" -g -O1 -static --iotrace-faults "$top_srcdir/t/stat/touched.c" -o "$T/touched" || done_testing
for order in here-and-there in-order; do
	mkdir "$T/$order"
	(cd "$T" && IOTRACE_FAULTS=1 IOTRACE_DIR=$T/$order ./touched $order >/dev/null)
	is "$order: runs" $? 0
	"$IOTRACE_STAT" --format=json "$T/$order" >"$T/$order.json"
	ok "$order: has page faults enough" test "$(sed -n 's/.*\/chart".*"faults":\([0-9]*\).*/\1/p' "$T/$order.json")" -ge 500
	"$IOTRACE_STAT" -j 2 --format=json "$T/$order" >"$T/parts.json"
	same "$order: the same of parts" "$T/parts.json" "$T/$order.json"
done
cat >"$T/said.pl" <<'EOT'
use JSON::PP;
local $/;
print map { "$_->{path} $_->{site}{line}\n" =~ s,.*/,,r }
	grep { $_->{id} eq 'touched-at-random' } @{ decode_json(<STDIN>)->{findings} };
EOT
line=$(grep -n HERE "$top_srcdir/t/stat/touched.c" | cut -d: -f1)
is 'the file and the line' "$(perl "$T/said.pl" <"$T/here-and-there.json")" "chart $line"
is 'nothing, in order' "$(perl "$T/said.pl" <"$T/in-order.json")" ''
done_testing
