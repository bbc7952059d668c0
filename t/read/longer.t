#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A file that became longer since it was opened: the search for what comes next goes on.
. "${0%/*}/../lib/tap.sh"

longer=$top_builddir/t/read/longer
built "$longer"
head -c 10000 /dev/urandom >"$T/log"
"$longer" "$T/log" >"$T/back"
is 'it opens the file' $? 0
none 'no search goes back' "$T/back"
done_testing
