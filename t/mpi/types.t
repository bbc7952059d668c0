#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Datatypes in the log: a program writes through many, and says which; each has all
# of its numbers, and the names of those within.  What errors mean is said in words.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

# values KEY: that key's, a line each
values()
{
	sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p'
}

for form in $(mpi_forms); do
	tap_about="$form: "
	ok 'the program is built' mpi_build "$form" types "$top_srcdir/t/mpi/types.c" || continue
	ok 'it runs' mpi_run "$form" 1 types
	"$IOTRACE_CAT" --format=json -e mpiio types.logs >json
	grep '"call":"MPI_File_write_at"' json | values datatype >got
	same 'types that are written' got types.out
	grep '"call":"MPI_File_set_view"' json | values filetype | grep -v '^MPI_CHAR$' >got
	same 'types of files' got types.out
	# views are what a write sees of them
	ok 'a view is whole' grep -q '"view":"disp=0 etype=MPI_CHAR filetype=MPI_CHAR"' json
	"$IOTRACE_CAT" -e MPI_File_open types.logs >text
	like 'an error has a text' text '/none/such.* = -1 MPI_ERR_NO_SUCH_FILE \(File does not exist\)'
done
done_testing
