#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A write to a pipe has no offset, whatever its name stood for when that was opened before.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build replaced
both replaced
sound replaced
"$IOTRACE_CAT" --format=json -e write "$logs" >"$T/json"
sed -n '/"size":5,/{ s/.*"offset":\([0-9]*\).*/\1/; s/.*"size".*/absent/; p; }' "$T/json" >"$T/got"
ok 'there are pipes and files' grep -q absent "$T/plain.out"
is 'a lock of a pipe has no place' "$("$IOTRACE_CAT" --format=json -e lockf "$logs" | grep -c '"offset"')" 0
same 'each write has the offset that the kernel had, or none' "$T/got" "$T/plain.out"
done_testing
