#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# gzip: descriptors and signals of its own, no stdio for data.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
. "${0%/*}/../lib/real.sh"

real_build gzip
real_input text
real_run 'compress' -kn text
real_run 'list' -lN text.gz
real_run 'decompress to standard output' -dc text.gz
run_stdin=$T/in-plain/text.gz
real_run 'decompress standard input' -d
unset run_stdin
rm "$T/in-plain/text" "$T/in-traced/text"
real_run 'decompress' -d text.gz
mkdir "$T/in-plain/d" "$T/in-traced/d"
touch "$T/in-plain/d/x" "$T/in-traced/d/x"
real_run 'a tree' -rn d
real_run 'a missing file' missing
done_testing
