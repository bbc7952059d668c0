#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that iompif90 links, static and dynamic, have Fortran's statements and
# MPI-IO in one log: each once, and beneath each what it caused.

# shellcheck disable=SC2016 # awk's fields
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
[ -n "${FC-}" ] || skip_all 'configure found no Fortran compiler'
cd "$T" || exit 99

# DEPTH CALL FILE OFFSET RESULT, for rank N, whose part of the shared file begins at AT
cat >want <<'X'
0 OPEN unit.N - 0
0 MPI_File_open shared - 0
0 WRITE unit.N 0 20001
1 write unit.N 0 20001
0 WRITE unit.N 20001 9
1 MPI_File_write_at shared AT 8
2 pwrite shared AT 8
0 REWIND unit.N - 0
0 READ unit.N 0 20001
1 write unit.N 20001 9
1 lseek unit.N - 0
1 read unit.N 0 8192
1 read unit.N 8192 8192
1 read unit.N 16384 3626
1 read unit.N 20010 0
0 READ unit.N 20001 9
0 MPI_File_read_at shared AT 8
1 pread shared AT 8
0 MPI_File_close shared - 0
0 CLOSE unit.N - 0
X

for form in $(mpi_forms); do
	tap_about="$form: "
	rm -f shared unit.*
	COMPILER=iompif90
	ok 'the program is built' mpi_build "$form" f "$top_srcdir/t/mpi/statements.f90" || continue
	ok 'it runs' mpi_run "$form" 2 f || diag_file f.err
	for rank in 0 1; do
		"$IOTRACE_CAT" --format=raw f.logs/f.r$rank.* | by_column '
			{ n = split($path, p, "/") }
			p[n] ~ /^(unit\.[01]|shared)$/ && $call ~ /^([A-Z]+|MPI_.*|p?(read|write)v?|lseek)$/ {
				print $depth, $call, p[n], ($offset == "" ? "-" : $offset), $ret
			}' >got
		sed "s/\.N/.$rank/; s/AT/$((rank * 8))/" want >want-now
		same "each call once, beneath what caused it ($rank)" got want-now
	done
done
done_testing
