#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# driver.sh - runs a test under automake's TAP driver and says how long the test took.
#
#	driver.sh TAP-DRIVER [OPTION...] -- TEST
#
# The seconds go to standard output, and to the test's .trs file as a line `:seconds: N`,
# which `make check-times` reads.
tap_driver=$1
shift
trs='' test='' last=''
for word in "$@"; do
	case $last in
	--trs-file)	trs=$word ;;
	--test-name)	test=$word ;;
	esac
	last=$word
done
start=$(date +%s)
"${SHELL:-sh}" "$tap_driver" "$@"
status=$?
seconds=$(($(date +%s) - start))
echo ":seconds: $seconds" >>"$trs"
echo "TIME: $test $seconds s"
exit $status
