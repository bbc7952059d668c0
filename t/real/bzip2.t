#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bzip2: stdio in large pieces, metadata of the files that it replaces.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
. "${0%/*}/../lib/real.sh"

real_build bzip2
real_input text
real_run 'compress' -k text
real_run 'verbose test' -tvv text.bz2
real_run 'decompress to standard output' -dc text.bz2
real_run 'refuse to overwrite' -d text.bz2
rm "$T/in-plain/text" "$T/in-traced/text"
real_run 'decompress' -d text.bz2
real_run 'a missing file' missing
done_testing
