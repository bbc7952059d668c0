#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that iompicc links, static and dynamic: they do what they do without it,
# and the log of each rank has the calls of MPI, each once, with the POSIX calls
# that MPI makes for them beneath.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

cat >want <<'X'
MPI_File_close
MPI_File_open
MPI_File_read_at
MPI_File_write_at
MPI_Finalize
MPI_Init
X
for form in $(mpi_forms); do
	tap_about="$form: "
	ok 'iompicc builds it' mpi_build "$form" "b-$form" "$top_srcdir/t/mpi/basic.c"
	ok 'it runs' mpi_run "$form" 2 "b-$form"
	is 'and says nothing' "$(cat "b-$form.out")" ''
	is 'a log for each rank' "$(find "b-$form.logs" -name 'b-*.iotrace' | wc -l)" 2
	for log in "b-$form.logs"/b-*; do
		"$IOTRACE_CAT" --format=json "$log" >json
		sed -n 's/.*"family":"mpiio","call":"\([^"]*\)".*/\1/p' json | sort >got
		ok 'each call once' cmp -s want got
		"$IOTRACE_CAT" -y "$log" >text
		like 'a write' text \
			'MPI_File_write_at\(<.*/basic\.data>, offset=(0|64), count=64, datatype="MPI_CHAR", size=64\) = 64 <'
		like 'a read' text 'MPI_File_read_at.* count=16, datatype="MPI_INT", size=64\) = 64 <'
		like 'what is the same for all calls is said once' text \
			'MPI_File_open\(.*, amode=MPI_MODE_CREATE\|MPI_MODE_RDWR, comm_size=2, comm_rank=[01]\) = 0 <'
		like 'but JSON has it with each' json \
			'"call":"MPI_File_write_at".*"comm_size":2,"comm_rank":[01],"amode":"MPI_MODE_CREATE\|MPI_MODE_RDWR","view":"disp=0 etype=MPI_BYTE filetype=MPI_BYTE"'
		# the thread's next call; MPI's others make some meanwhile
		awk '/MPI_File_write_at/ { wrote[$1]; next } $1 in wrote { print; delete wrote[$1] }' text >beneath
		like 'what it did in POSIX' beneath '^[0-9/]+ +(pwrite|lseek|fcntl|write)\('
	done
done
# MPI's compiler does not see that a link is static, nor what it is of, and names less
tap_about='static, by a response file: '
if [ -x b-static ]; then
	echo "-static -g $top_srcdir/t/mpi/basic.c $(mpi_static_libs)" >static.rsp
	ok 'iompicc builds it' env IOMPICC_CC="$(mpi_cc mpich)" "$top_builddir/compiler-wrappers/iompicc" @static.rsp -o b-file
	ok 'it runs' mpi_run static 2 b-file
	"$IOTRACE_CAT" --format=json b-file.logs >json
	is 'each call once, of each rank' "$(grep -c '"call":"MPI_File_write_at"' json)" 2
else
	skip 'a response file' 'there is no static MPI'
fi
done_testing
