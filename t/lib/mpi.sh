# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# mpi.sh - MPI for tests: which there are, and how programs are linked and run.
# Included after tap.sh.

: "${IOT_MPIS:=}"
[ -n "$IOT_MPIS" ] || skip_all 'configure found no MPI'
# what awk programs of tests begin with
# shellcheck disable=SC2034,SC2154 # in tests
json_awk=$(cat "$top_srcdir/t/lib/json.awk")
# shellcheck source=t/lib/openmpi.sh
. "$top_srcdir/t/lib/openmpi.sh"
# with TCP, which MPICH's UCX takes in a static program, MPI_Finalize may wait for ever
UCX_TLS=self,sm
export UCX_TLS

# mpi_cc MPI: its C compiler's wrapper; what else it has is named alike
mpi_cc()
{
	eval "printf '%s\n' \"\$IOT_MPI_$1_CC\""
}

# mpi_tool MPI mpirun: mpirun.openmpi
mpi_tool()
{
	mpi_cc "$1" | sed "s/mpicc/$2/"
}

# shellcheck disable=SC2154 # tap.sh sets it
# What Debian's libmpich.a needs: it does without libudev's static form.
mpi_static_libs()
{
	[ -f "$T/udev.o" ] || $CC -c -o "$T/udev.o" "$top_srcdir/t/mpi/udev.c" >&2 || return 1
	echo "$T/udev.o -Wl,--start-group -lmpich -lucp -Wl,--whole-archive -luct -lucs -lucm" \
		"-Wl,--no-whole-archive -Wl,--end-group -lhwloc -lpciaccess -lxml2 -lz -llzma" \
		"-licuuc -licudata -lnuma -lltdl -lm -lstdc++"
}

# shellcheck disable=SC2046,SC2154 # the libraries are several words; tap.sh
# mpi_build FORM OUT ARGS...: FORM is openmpi, mpich (dynamic), static (MPICH) or
# run-openmpi, run-mpich (not linked by us: iotrace run); with COMPILER=iompicxx and
# so on for other languages
mpi_build()
{
	mpi_form=$1 mpi_out=$2
	shift 2
	mpi_compiler=${COMPILER:-iompicc}
	case $mpi_form in
	static) set -- -static "$@" $(mpi_static_libs); mpi_form=mpich ;;
	run-*)	"$(mpi_tool "${mpi_form#run-}" "${mpi_compiler#io}")" -g -o "$mpi_out" "$@"
		return ;;
	esac
	IOMPICC_CC=$(mpi_cc "$mpi_form") IOMPICXX_CXX=$(mpi_tool "$mpi_form" mpicxx) \
		IOMPIF90_FC=$(mpi_tool "$mpi_form" mpif90) IOMPIF77_F77=$(mpi_tool "$mpi_form" mpif77) \
		"$top_builddir/compiler-wrappers/$mpi_compiler" -g -o "$mpi_out" "$@" 2>"$mpi_out.err" || {
		sed 's/^/# /' "$mpi_out.err"
		return 1
	}
	# static libraries warn of functions that would want shared ones
	! grep 'not instrumented' "$mpi_out.err"
}

# mpi_run FORM RANKS PROGRAM ARGS...: its logs go to PROGRAM.logs, alone
mpi_run()
{
	mpi_form=$1 mpi_ranks=$2 mpi_program=$3
	shift 3
	set -- "./$mpi_program" "$@"
	case $mpi_form in
	static) mpi_form=mpich ;;
	run-*)	mpi_form=${mpi_form#run-}
		set -- "$top_builddir/tools/iotrace-run" "$@" ;;
	esac
	rm -rf "$mpi_program.logs"
	mkdir "$mpi_program.logs" || return 1
	IOTRACE_DIR=$PWD/$mpi_program.logs timeout 600 "$(mpi_tool "$mpi_form" mpirun)" -np "$mpi_ranks" \
		"$@" >"$mpi_program.out" 2>"$mpi_program.err" </dev/null
}

# The forms that there are
mpi_forms()
{
	for mpi_form in $IOT_MPIS; do
		echo "$mpi_form"
		[ "$mpi_form" != mpich ] || [ ! -f "$top_builddir/mpi/libiotrace-mpi-mpich.a" ] || echo static
		echo "run-$mpi_form"
	done
}
