#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls left by exceptions, longjmp and cancellation: they are shown as left, and
# what comes after them is nested in nothing.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

mkdir "$T/plain" "$T/traced"
# shellcheck disable=SC2086 # CXX may have options
ok 'compiles without iocxx' $CXX $link -g -O2 -o "$T/plain/unwind" "$rec_src/unwind.cc" || done_testing
ok 'compiles with iocxx' "$IOCXX" $link -g -O2 -o "$T/traced/unwind" "$rec_src/unwind.cc" || done_testing
both unwind
marks=$(sed -n 's/ marks//p' "$T/out")
sound unwind
count 'every call after' '$call == "pwrite" && $size == 1 && $ret == 1' "$marks"
count 'nested in nothing' '$call == "pwrite" && $size == 1 && $depth == 0' "$marks"
count 'those in callbacks lie in the call' '$call == "pwrite" && $size == 2 && $depth == 1' 300
count 'those that were left by exceptions and jumps' '$status ~ "abandoned" && $call == "ftw"' 200
count 'those of streams' '$status ~ "abandoned" && $call == "fwrite"' 200
count 'and those that were not' '$status == "" && ($call == "ftw" || $call == "fwrite")' 200
count 'cancelled reads' '$call == "read" && $status ~ "abandoned"' 50
done_testing
