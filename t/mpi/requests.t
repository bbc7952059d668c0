#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Operations that are freed, complete beside a request that fails, or fail: the record
# of their end names how they began, and says what came back.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

cat >want-out <<'X'
free: success
waitall: in status
status: success
status: truncated
status: success
wait: MPI_ERR_IO
waitall: in status
X
# call, offset of the operation, how it began, error
cat >want <<'X'
MPI_Request_free 0 MPI_File_iwrite_at -
MPI_Waitall - - MPI_ERR_IN_STATUS
io_complete 100 MPI_File_iwrite_at -
io_complete 200 MPI_File_iwrite_at -
MPI_Wait 300 MPI_File_iwrite_at MPI_ERR_IO
MPI_Waitall - - MPI_ERR_IN_STATUS
io_complete 400 MPI_File_iwrite_at -
io_complete 500 MPI_File_iwrite_at MPI_ERR_IO
X
for form in $(mpi_forms); do
	[ "$form" != static ] || continue
	tap_about="$form: "
	ok 'what fails is built' "$(mpi_cc "${form#run-}")" -shared -fPIC -o fail.so "$top_srcdir/t/mpi/fail.c" || continue
	ok 'the program is built' mpi_build "$form" r "$top_srcdir/t/mpi/requests.c" || continue

	rm -rf r.logs
	mkdir r.logs
	case $form in
	run-*) run=$top_builddir/tools/iotrace-run ;;
	*) run= ;;
	esac
	# shellcheck disable=SC2086 # run may be none
	LD_PRELOAD=$T/fail.so IOTRACE_DIR="$T/r.logs" timeout 600 $run ./r >out 2>err </dev/null
	is 'it runs' $? 0 || diag_file err
	same 'and is told what it is' out want-out
	"$IOTRACE_CAT" --format=json -e MPI_Request_free,MPI_Wait,MPI_Waitall,io_complete r.logs >json
	awk "$json_awk"'
	{ print value("call"), value("offset"), value("issued"), value("errno") }' json >got
	same 'ends as they were' got want
done
done_testing
