#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# xz: compresses in threads, waits in poll for a pipe of its own.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
. "${0%/*}/../lib/real.sh"

real_build xz-utils
real_input text
real_run 'compress in threads' -k -T3 -1 --block-size=200000 text
real_run 'list' -lvv text.xz
real_run 'decompress in threads' -dc -T3 text.xz
run_stdin=$T/in-plain/text.xz
real_run 'test standard input' -t -v
unset run_stdin
rm "$T/in-plain/text" "$T/in-traced/text"
real_run 'decompress' -d text.xz
real_run 'a missing file' missing
done_testing
