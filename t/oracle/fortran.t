#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
[ -n "${FC-}" ] || skip_all 'configure found no Fortran compiler'
mkdir "$T/plain" "$T/traced"
src=$top_srcdir/t/progs/fortran.f90
cd "$T" || exit 99
ok 'fortran: compiles without iof90' "$FC" -static -g -O2 -o plain/fortran "$src" || done_testing
ok 'fortran: compiles with iof90' "$IOF90" -static -g -O2 -o traced/fortran "$src" || done_testing
compare_runs fortran "$T/plain/fortran" "$T/traced/fortran"
for file in formatted.txt unformatted.bin direct.bin stream.bin namelist.txt other.txt; do
	same "fortran: $file is the same" "in-traced/$file" "in-plain/$file"
done
done_testing
