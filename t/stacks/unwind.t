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
count 'every call after' '$9 == "pwrite" && $16 == 1 && $17 == 1' "$marks"
count 'nested in nothing' '$9 == "pwrite" && $16 == 1 && $12 == 0' "$marks"
count 'those in callbacks lie in the call' '$9 == "pwrite" && $16 == 2 && $12 == 1' 300
count 'those that were left by exceptions and jumps' '$19 ~ "abandoned" && $9 == "ftw"' 200
count 'those of streams' '$19 ~ "abandoned" && $9 == "fwrite"' 200
count 'and those that were not' '$19 == "" && ($9 == "ftw" || $9 == "fwrite")' 200
count 'cancelled reads' '$9 == "read" && $19 ~ "abandoned"' 50
done_testing
