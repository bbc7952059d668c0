#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# driver.sh - runs a test under automake's TAP driver and says how long the test took.
#
#	driver.sh TAP-DRIVER [OPTION...] -- TEST
#
# The seconds, and those of processor time, go to standard output, and to the test's .trs file
# as lines `:seconds: N` and `:processor-seconds: N`, which `make check-times` reads.
#
# With CI=true, what a test skips has failed, but for the lines of may-skip.txt: there,
# everything that a test needs can be had.
tap_driver=$1
shift
trs='' test='' log='' last=''
for word in "$@"; do
	case $last in
	--trs-file)	trs=$word ;;
	--test-name)	test=$word ;;
	--log-file)	log=$word ;;
	esac
	last=$word
done
start=$(date +%s)
"${SHELL:-sh}" "$tap_driver" "$@"
status=$?
seconds=$(($(date +%s) - start))
# The second line is of this shell's children: 1m2.34s 0m5.67s
times >"$trs.times"
busy=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", ($1 + $3) * 60 + $2 + $4 }' "$trs.times")
rm -f "$trs.times"
if [ "${CI:-}" = true ]; then
	# the number of an assertion may change
	sed -n 's/^SKIP: \([^ ]*\) *[0-9]* - /\1 - /p' "$log" |
	awk -v list="${0%/*}/may-skip.txt" '
		BEGIN {
			while ((getline line < list) > 0)
				if (line !~ /^(#|$)/)
					may[substr(line, 1, index(line, "\t") - 1)]
		}
		{ name = $0; sub(/ # SKIP .*/, "", name) }
		!(name in may)' >"$trs.skipped"
	while read -r skipped; do
		echo "FAIL: $skipped (nothing may be skipped in CI)" | tee -a "$log"
		sed 's/^\(:global-test-result:\).*/\1 FAIL/; s/^\(:recheck:\).*/\1 yes/' "$trs" >"$trs.tmp"
		{ cat "$trs.tmp"; echo ':test-result: FAIL'; } >"$trs"
		rm -f "$trs.tmp"
	done <"$trs.skipped"
	rm -f "$trs.skipped"
fi
printf ':seconds: %s\n:processor-seconds: %s\n' "$seconds" "$busy" >>"$trs"
echo "TIME: $test $seconds s, $busy s of processor time"
exit $status
