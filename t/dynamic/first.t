#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Two threads whose first calls of a function come at the same time.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

ok 'the program compiles' "$IOCC" -g -O1 -o first "$top_srcdir/t/dynamic/first.c" -lpthread || done_testing
IOTRACE_DIR=$T timeout 60 ./first >got 2>&1
is 'it ends' $? 0
is 'one thread stood within its call when the other made its own' "$(sed -n 1p got)" 'stopped: 1, in write: 1'
is 'both wrote their byte' "$(sed -n 2p got)" 'status 0x200'
done_testing
