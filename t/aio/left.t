#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Operations that nobody asked for the end of: iotrace-cat lists ten and says how many more.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

ok 'compiles' "$IOCC" -static -O1 -o left "$top_srcdir/t/aio/left.c" || done_testing
for n in 10 11 500; do
	rm -rf logs && mkdir logs
	IOTRACE_DIR=$T/logs ./left $n
	status=$?
	[ $status -ne 77 ] || skip_all 'the kernel has no asynchronous I/O'
	is "$n operations: status" $status 0
	"$IOTRACE_CAT" logs >out 2>err
	is "$n operations: ten are listed" "$(grep -c 'never completed: operation [0-9]*, ' err)" 10
	if [ $n -gt 10 ]; then
		is "$n operations: and the others counted" "$(sed -n 's/.*never completed: \([0-9]*\) more.*/\1/p' err)" $((n - 10))
	else
		is "$n operations: no others" "$(grep -c 'more operations' err)" 0
	fi
	is "$n operations: iotrace-stat has all of them" "$("$IOTRACE_STAT" --format=json logs |
		perl -MJSON::PP -0777 -ne 'print map { $_->{count} } grep { $_->{id} eq "incomplete" } @{ decode_json($_)->{findings} }')" $n
done

# Where the helper's calls are not seen, the control block alone says that an operation has ended.
ok 'wiped: compiles, dynamic' "$IOCC" -O1 -o dynamic "$top_srcdir/t/aio/wiped.c"
ok 'wiped: compiles, static' "$IOCC" -static -O1 -o static "$top_srcdir/t/aio/wiped.c"
for form in dynamic static; do
	rm -rf logs && mkdir logs
	ok "wiped, $form: runs" env "IOTRACE_DIR=$T/logs" ./$form
	"$IOTRACE_CAT" logs >out 2>err
	"$IOTRACE_STAT" --file='/out$' logs >list
	[ $form = dynamic ] && unseen=1 || unseen=0
	is "wiped, $form: nobody saw the end" \
		"$(grep -c 'not seen to complete: operation [0-9]*, pwrite of 300 bytes at offset 1000 of ' err) $(
			grep -c '^asynchronous requests: 1, 1 not seen to complete' list)" "$unseen $unseen"
	is "wiped, $form: which does not say that there was none" "$(cat err list | grep -c 'never completed')" 0
done
done_testing
