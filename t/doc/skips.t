#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In CI nothing is skipped but what t/lib/may-skip.txt lists: t/lib/driver.sh sees to it,
# for tests in any language.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

# a copy, with a list of its own
cp "$top_srcdir/t/lib/driver.sh" .
printf '# some are listed\none.t - may be\tits reason\nall.t - nothing here\tanother\n' >may-skip.txt

# driven CI LINE...: the results of a test that says so, in a line
driven()
{
	name=$2.t ci=$1
	shift 2
	printf '%s\n' "$@" >said
	printf '#!/bin/sh\ncat said\n' >"$name"
	chmod +x "$name"
	CI=$ci AM_TAP_AWK=$AWK sh ./driver.sh "$top_srcdir/build-aux/tap-driver.sh" --test-name "$name" \
		--log-file log --trs-file trs --color-tests no --enable-hard-errors yes \
		--expect-failure no --ignore-exit -- "./$name" >out
	sed -n 's/^:\(global-\)*test-result: //p' trs | tr '\n' ' '
}

is 'skipped here' "$(driven '' one 'ok 1 - a' 'ok 2 - is # SKIP not there' 1..2)" 'PASS PASS SKIP '
is 'skipped in CI' "$(driven true one 'ok 1 - a' 'ok 2 - is # SKIP not there' 1..2)" 'FAIL PASS SKIP FAIL '
like 'which it says' out '^FAIL: one\.t - is # SKIP not there \(nothing may be skipped in CI\)$'
like 'and make shows' log '^FAIL: one\.t - is '
is 'it is to be checked again' "$(sed -n 's/^:recheck: //p' trs)" yes
is 'what is listed' "$(driven true one 'ok 1 - may be # SKIP not there' 1..1)" 'SKIP SKIP '
is 'the same of another test' "$(driven true two 'ok 1 - may be # SKIP not there' 1..1)" 'FAIL SKIP FAIL '
is 'a whole test' "$(driven true two '1..0 # SKIP nothing here')" 'FAIL SKIP FAIL '
is 'a whole test that is listed' "$(driven true all '1..0 # SKIP nothing here')" 'SKIP SKIP '

# what is listed is skipped somewhere, with a reason
sed '/^#/d' "$top_srcdir/t/lib/may-skip.txt" | while IFS="$(printf '\t')" read -r skipped reason; do
	grep -q -F "skip '${skipped#* - }'" "$top_srcdir/${skipped%% *}" && [ -n "$reason" ] || echo "$skipped"
done >out
none 'the list is of what tests skip' out
done_testing
