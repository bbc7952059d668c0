#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check-hpc.sh - Fortran and MPI programs from Debian's sources, built without and
# with iof90, iompicc and iompif90: they say the same, the files that they leave
# are as large as the logs say, and where a program says how much it moved, or its
# output is a file, the log has as many bytes.  A part of what `make check-real`
# runs.
#
#	check-hpc.sh [romio|hdf5|pnetcdf|lapack...]
#
# Builds are kept in real/PACKAGE/plain and .../traced of the build tree; the
# second is made again if the package was.
#
# shellcheck disable=SC2317 # make_PACKAGE is called by a name that is put together
. "${0%/*}/lib/tap.sh"
. "${0%/*}/lib/family.sh"
. "${0%/*}/lib/real.sh"
. "${0%/*}/lib/mpi.sh"

wrappers=$top_builddir/compiler-wrappers

# mpi_of FORM: FORM as in t/lib/mpi.sh
mpi_of()
{
	case $1 in
	static) echo mpich ;;
	*) echo "${1#run-}" ;;
	esac
}

# compilers KIND FORM: $cc, $fc, $f77 of that MPI, and $sfc for Fortran without MPI;
# themselves, or the wrappers over them
compilers()
{
	compilers_mpi=$(mpi_of "$2")
	IOMPICC_CC=$(mpi_cc "$compilers_mpi")
	IOMPIF90_FC=$(mpi_tool "$compilers_mpi" mpif90) IOMPIF77_F77=$(mpi_tool "$compilers_mpi" mpif77)
	export IOMPICC_CC IOMPIF90_FC IOMPIF77_F77
	case $1,$2 in
	plain,* | *,run-*) cc=$IOMPICC_CC fc=$IOMPIF90_FC f77=$IOMPIF77_F77 sfc=$FC ;;
	*) cc=$wrappers/iompicc fc=$wrappers/iompif90 f77=$wrappers/iompif77 sfc=$IOF90 ;;
	esac
}

# build PACKAGE MPI: by make_PACKAGE, in copies of its source
build()
{
	real_fetch "$1"
	for kind in plain traced; do
		dir=$real/$1/$kind
		made=
		[ $kind = plain ] || made=$(echo "$wrappers"/io* "$top_builddir"/*/*.a "$top_builddir"/lib/*/*.a)
		# shellcheck disable=SC2086 # a list of files
		newer "$dir/built" "$real/$1/source" $made && continue
		diag "$1: building, $kind"
		compilers $kind "$2"
		rm -rf "$dir"
		cp -Rp "$real/$1/source" "$dir"
		(cd "$dir" && "make_$1") >"$dir.log" 2>&1 </dev/null && : >"$dir/built" && continue
		tail -n 30 "$dir.log" | sed 's/^/#	/'
		fail "$1: builds ($kind)"
		return
	done
	pass "$1: builds with and without the wrappers"
}

# What of an output differs each time: how long it took, how fast that was, and seeds
timeless()
{
	sed -E -e '/[Bb]andwidth|[Tt]hroughput|[KMG]i?B\/s|[Mm]bytes\/sec|[Tt]otal time|seconds/d' \
		-e '/[Ee]lapsed|[Tt]iming|^(real|user|sys)	|execution time|\(timing/d' \
		-e '/setup_rand: seed/d; / sec$/d; /^ *[0-9]+ +[0-9]+ x .* [0-9.]+$/d'
}

# both NAME FORM RANKS PROGRAM [ARG...]: of which there is one in plain/ and in
# traced/ of $programs.  Both are run by one name in a directory of the same name,
# where they find themselves; what they say is left in $T/plain.out and $T/traced.out,
# the second's logs in $T/logs and its files in $T/work.
both()
{
	both_name=$1 both_form=$2 both_ranks=$3 both_program=$4
	shift 4
	for kind in plain traced; do
		case $kind,$both_form in
		traced,run-*) both_run=$top_builddir/tools/iotrace-run ;;
		*) both_run= ;;
		esac
		rm -rf "${T:?}/work" "$T/logs"
		mkdir -p "$T/work" "$T/logs"
		ln -s "$programs/$kind/$both_program" "$T/work/${both_program##*/}"
		(
			cd "$T/work" || exit
			IOTRACE_DIR=$T/logs timeout 3600 "$(mpi_tool "$(mpi_of "$both_form")" mpirun)" -np "$both_ranks" \
				${both_run:+"$both_run"} "./${both_program##*/}" "$@"
			echo "exit status $?"
		) >"$T/$kind.out" 2>&1 </dev/null
		timeless <"$T/$kind.out" | sort >"$T/$kind"
	done
	ok "$both_name: passes" grep -qx 'exit status 0' "$T/plain.out"
	same "$both_name: says the same ($(grep -c . "$T/plain") lines)" "$T/traced" "$T/plain"
	ok "$both_name: its files are as large as the logs say" "$top_srcdir/t/lib/log-sizes" "$T/logs" "$T/work" &&
		diag "$(cat "$T/.said")"
}

# total KEY CALLS PATH: what iotrace-stat sums up of these calls on such paths, as
# read, written, lib_read or lib_written
total()
{
	"$IOTRACE_STAT" --format=json -e "$2" -P "$3" "$T/logs" |
		sed -n "s/.*\"total\":{[^}]*\"$1\":\([0-9]*\).*/\1/p"
}

# --- ROMIO's tests and benchmarks, in MPICH's source ---------------------------
# NAME RANKS ARGUMENTS, as runtests has them, and benchmarks, which it lets out
romio_tests='simple 4 -fname test
async 4 -fname test
async-multiple 4 -fname test
atomicity 4 -fname test
coll_test 4 -fname test
creat_excl 4 -fname test
excl 4 -fname test
file_info 4 -fname test
i_noncontig 2 -fname test
noncontig 2 -fname test
noncontig_coll 2 -fname test
noncontig_coll2 4 -fname test
aggregation1 4 -h -f test
aggregation2 4 test
hindexed 4 test
misc 4 -fname test
shared_fp 4 -fname test
ordered_fp 4 -fname test
split_coll 4 -fname test
psimple 4 -fname test
error 1 -fname test
status 1 -fname test
types_with_zeros 2 test
darray_read 4 test
external32 1
coll_perf 4 -fname test
perf 4 -fname test
fcoll_test 4 -fname test
pfcoll_test 4 -fname test
fmisc 4 -fname test
fperf 4 -fname test'

# romio_build FORM KIND: FORM as in t/lib/mpi.sh
romio_build()
{
	compilers "$2" "$1"
	libs=
	[ "$1" != static ] || libs="-static $(mpi_static_libs)"
	mkdir -p "$programs/$2"
	while read -r test _; do
		compiler=$cc
		[ -f "$T/romio/$test.c" ] || compiler=$fc
		# shellcheck disable=SC2086 # several libraries
		"$compiler" -g -O1 -w -o "$programs/$2/$test" "$T/romio/$test".[cf] $libs || return
	done <"$T/romio/list"
}

# Their own numbers of bytes
romio_bytes()
{
	case $2 in
	coll_perf)
		# all of the array, twice each
		bytes=$(sed -n 's/^Global array size \([0-9]*\) x \([0-9]*\) x \([0-9]*\) integers/\1*\2*\3*4*2/p' "$T/traced.out")
		is "$1: bytes that it writes" "$(total lib_written MPI_File_write_all '/test$')" $((${bytes:-0}))
		is "$1: bytes that it reads" "$(total lib_read MPI_File_read_all '/test$')" $((${bytes:-0}))
		;;
	perf | fperf)
		# by four ranks, in two loops
		bytes=$(sed -n 's/^.*per process = *\([0-9]*\) *bytes *, ntimes = *\([0-9]*\).*/\1*\2*4*2/p' "$T/traced.out")
		is "$1: bytes that it writes" "$(total lib_written MPI_File_write '/test$')" $((${bytes:-0}))
		is "$1: bytes that it reads" "$(total lib_read MPI_File_read '/test$')" $((${bytes:-0}))
		;;
	esac
}

check_romio()
{
	real_fetch mpich
	source=$real/mpich/source/src/mpi/romio/test
	mkdir -p "$T/romio"
	cp "$source"/*.c "$T/romio"
	# 14 GB are too much
	sed -i 's/= 128 \* [0-9]*;/= 128;/' "$T/romio/coll_perf.c"
	for file in "$source"/*.[cf].in; do
		sed -e 's/@LL@/lld/' -e 's/@F77MPIOINC@//' -e 's/@FORTRAN_MPI_OFFSET@/integer*8/' \
			-e 's/@F77IARGC@/iargc()/' -e 's/@F77GETARG@/call getarg(i,str)/' "$file" >"$T/romio/$(basename "$file" .in)"
	done
	for form in $(mpi_forms); do
		programs=$T/romio-$form
		echo "$romio_tests" >"$T/romio/list"
		case $form in
		# it has no MPI_LB and MPI_UB; no atomic mode: that test fails or not by chance;
		# no external32: of what MPI_Abort says some may be missing
		*openmpi) sed -i '/noncontig/d; /^atomicity/d; /^external32/d' "$T/romio/list" ;;
		# Fortran's layer would be a library more
		static) sed -i '/^p*f[cmp]/d' "$T/romio/list" ;;
		esac
		for kind in plain traced; do
			ok "romio, $form: builds ($kind)" romio_build "$form" $kind || return
		done
		while read -r test ranks args <&3; do
			# shellcheck disable=SC2086 # several arguments
			both "romio, $form: $test" "$form" "$ranks" "$test" $args
			romio_bytes "romio, $form: $test" "$test"
		done 3<"$T/romio/list"
		rm -rf "$programs"
	done
}

# --- HDF5's parallel tests, and its benchmark of MPI-IO, with Open MPI ----------
# t_bigio wants gigabytes; t_pshutdown and t_prestart, t_pflush1 and t_pflush2 each
# the other's files
hdf5_tests='t_mpi testphdf5 t_pread t_shapesame t_init_term t_cache t_cache_image t_filters_parallel'

make_hdf5()
{
	# shellcheck disable=SC2086,SC2154 # several tests; compilers() sets cc
	CC=$cc ./configure --enable-parallel --disable-shared --disable-hl --disable-dependency-tracking \
		--enable-optimization=-O1 && make -j2 -C src && make -j2 -C test libh5test.la &&
		make -j2 -C testpar $hdf5_tests && make -j2 -C tools/lib && make -C tools/src/h5perf h5perf
}

# h5perf NAME API WRITE READ [OPTION...]: with these calls it writes and reads its
# file, of which it says how large it is, in each iteration
h5perf()
{
	h5perf_name="hdf5: h5perf, $1" h5perf_api=$2 h5perf_write=$3 h5perf_read=$4 h5perf_lib=lib_
	shift 4
	[ "$h5perf_api" != posix ] || h5perf_lib=
	both "$h5perf_name" openmpi 4 tools/src/h5perf/h5perf -A "$h5perf_api" \
		-e 64K -x 16K -X 16K -B 16K -p 4 -P 4 -i 3 -d 2 "$@"
	bytes=$(sed -n 's/^rank 0: File size=\([0-9]*\)KB:.*/\1/p' "$T/traced.out")
	bytes=$((${bytes:-0} * 1024 * 3))
	is "$h5perf_name: bytes that it writes" "$(total "${h5perf_lib}written" "$h5perf_write" "^$T/work/")" "$bytes"
	is "$h5perf_name: bytes that it reads" "$(total "${h5perf_lib}read" "$h5perf_read" "^$T/work/")" "$bytes"
}

check_hdf5()
{
	build hdf5 openmpi || return
	programs=$real/hdf5
	HDF5_NOCLEANUP=1 HDF5_PARAPREFIX=$T/work HDF5TestExpress=3
	export HDF5_NOCLEANUP HDF5_PARAPREFIX HDF5TestExpress
	for test in $hdf5_tests; do
		if [ "$test" = t_cache_image ] && [ "${TEST_LONG:-0}" != 1 ]; then
			skip "hdf5: $test" 'takes 40 minutes: only with TEST_LONG=1'
			continue
		fi
		both "hdf5: $test" openmpi 3 "testpar/$test"
	done
	h5perf 'POSIX' posix write read
	h5perf 'MPI-IO' mpiio MPI_File_write_at MPI_File_read_at
	h5perf 'MPI-IO, interleaved' mpiio MPI_File_write_at MPI_File_read_at -I
	h5perf 'MPI-IO, collective' mpiio MPI_File_write_at_all MPI_File_read_at_all -C
	h5perf 'MPI-IO, collective, interleaved' mpiio MPI_File_write_at_all MPI_File_read_at_all -C -I
}

# --- PnetCDF's tests and benchmarks, with MPICH -----------------------------------
# Each by one process, and by two: more ranks than processors take minutes, as MPICH
# waits in loops; those that have tests for four only are short.
pnetcdf_suites='C nc_test header cdf_format testcases nonblocking nf_test nf90_test F90'

make_pnetcdf()
{
	# without optimisation: the tests are some 100,000 lines of generated source
	# shellcheck disable=SC2154 # compilers() sets them
	autoreconf -fi && ./configure --disable-cxx --disable-dependency-tracking --enable-thread-safe MPICC="$cc" \
		MPIF77="$f77" MPIF90="$fc" SEQ_CC="$CC" CFLAGS='-g -O0' FFLAGS='-g -O0 -w -fallow-argument-mismatch' \
		FCFLAGS='-g -O0 -w -fallow-argument-mismatch' && make -j2 -C src && make -j2 -C test/common tests || return
	for suite in $pnetcdf_suites; do
		make -j2 -C "test/$suite" tests || return
	done
	make -C benchmarks/C aggregation write_block_read_column && make -C benchmarks/FLASH-IO
}

check_pnetcdf()
{
	build pnetcdf mpich || return
	for suite in $pnetcdf_suites; do
		for kind in plain traced; do
			rm -rf "${T:?}/work" "$T/logs"
			mkdir -p "$T/work" "$T/logs"
			rm -f "$real/pnetcdf/$kind/test/$suite"/*.log "$real/pnetcdf/$kind/test/$suite"/*.trs
			for target in check "$(case $suite in C | cdf_format) echo ptest4 ;; *) echo ptest2 ;; esac)"; do
				IOTRACE_DIR=$T/logs timeout 1800 make -k -C "$real/pnetcdf/$kind/test/$suite" "$target" \
					TESTOUTDIR="$T/work" TESTMPIRUN="$(mpi_tool mpich mpirun) -n NP"
				echo "exit status $?"
			done >"$T/$kind.out" 2>&1 </dev/null
			grep -a '^\*\*\*\|^exit\|^[XA-Z]*: ' "$T/$kind.out" | timeless | sort >"$T/$kind"
		done
		same "pnetcdf: $suite says the same ($(grep -c . "$T/plain") lines)" "$T/traced" "$T/plain"
		# a script of F90's gave it another name, with mv, which is not ours
		[ ! -f "$T/work/tst_io1.nc0" ] || mv "$T/work/tst_io1.nc0" "$T/work/tst_io1.nc"
		ok "pnetcdf: $suite: its files are as large as the logs say" \
			"$top_srcdir/t/lib/log-sizes" "$T/logs" "$T/work" && diag "$(cat "$T/.said")"
	done
	programs=$real/pnetcdf
	for test in aggregation write_block_read_column; do
		both "pnetcdf: $test" mpich 4 "benchmarks/C/$test" 100 "$T/work/test.nc"
		# what the library says that it gave to MPI-IO
		for which in write:lib_written read:lib_read; do
			is "pnetcdf: $test: bytes to ${which%:*}" "$(total "${which#*:}" mpiio "^$T/work/")" \
				"$(sed -n "s/^Total ${which%:*} *amount *= *\([0-9]*\) *B$/\1/p" "$T/traced.out")"
		done
	done
	both 'pnetcdf: FLASH-IO' mpich 2 benchmarks/FLASH-IO/flash_benchmark_io "$T/work/flash_"
	is 'pnetcdf: FLASH-IO: MiB that it writes' \
		"$(total lib_written mpiio "^$T/work/" | awk '{ printf "%.2f", $1 / 1048576 }')" \
		"$(sed -n 's/^ *Total I\/O amount *: *\([0-9.]*\) *MiB$/\1/p' "$T/traced.out")"
}

# --- LAPACK's and BLAS's test programs: Fortran's formatted input and output -------
make_lapack()
{
	lapack_libs=$(echo "$real"/lapack-dev/root/usr/lib/*-linux-gnu)
	cp INSTALL/make.inc.gfortran make.inc
	# shellcheck disable=SC2154 # compilers() sets sfc
	set -- FC="$sfc" FFLAGS='-g -O1 -frecursive' FFLAGS_DRV='-g -O1 -frecursive' LDFLAGS=-g \
		LAPACKLIB="$lapack_libs/lapack/liblapack.a" BLASLIB="$lapack_libs/blas/libblas.a"
	make -j2 -C TESTING/MATGEN double "$@" && make -j2 -C TESTING/LIN double "$@" &&
		make -j2 -C TESTING/EIG double "$@" && make -j2 -C BLAS/TESTING double "$@"
}

# writes FILE: whether each WRITE statement begins where the one before it ended, and
# where the last one ended.  How many bytes the first one wrote is not known if its
# format begins with records of its own.
writes()
{
	"$IOTRACE_CAT" --format=json -e WRITE -P "^$T/work/$1\$" "$T/logs" |
		sed -n -e 's/.*"offset":\([0-9]*\).*"ret":\([0-9]*\).*/\1 \2/p' -e t -e 's/.*/- -/p' | awk '
			$1 == "-" { gaps += NR > 1; next }
			NR > 1 && end != "" && $1 != end { gaps++ }
			{ end = $1 + $2 }
			END { print gaps + 0 " gaps, end " end }'
}

# lapack NAME PROGRAM INPUT OUTPUT: in $T/work; it writes OUTPUT, as stdout if it
# does not open that itself
lapack()
{
	for kind in plain traced; do
		rm -rf "${T:?}/work" "$T/logs"
		mkdir -p "$T/work" "$T/logs"
		cp "$real/lapack/$kind/$3" "$T/work/in"
		(cd "$T/work" && IOTRACE_DIR=$T/logs timeout 900 "$real/lapack/$kind/$2" <in >out 2>err)
		echo "exit status $?" >"$T/$kind"
		timeless <"$T/work/$4" >>"$T/$kind"
	done
	same "$1: says the same ($(grep -c . "$T/plain") lines)" "$T/traced" "$T/plain"
	is "$1: WRITE statements lead to the end of the file" "$(writes "$4")" "0 gaps, end $(wc -c <"$T/work/$4")"
	is "$1: bytes written are those of the file" "$(total written posix "^$T/work/$4\$")" "$(wc -c <"$T/work/$4")"
}

check_lapack()
{
	real_unpack lapack-dev liblapack-dev libblas-dev
	build lapack openmpi || return
	for input in nep sep svd dec ded dgg dgd dsb dsg dbal dbak dgbal dgbak dbb glm gqr gsv csd lse; do
		lapack "lapack: xeigtstd, $input" TESTING/EIG/xeigtstd "TESTING/$input.in" out
	done
	lapack 'lapack: xlintstd' TESTING/LIN/xlintstd TESTING/dtest.in out
	lapack 'lapack: xblat1d' BLAS/TESTING/xblat1d BLAS/TESTING/dblat2.in out
	lapack 'lapack: xblat2d' BLAS/TESTING/xblat2d BLAS/TESTING/dblat2.in dblat2.out
	lapack 'lapack: xblat3d' BLAS/TESTING/xblat3d BLAS/TESTING/dblat3.in dblat3.out
}

[ $# -gt 0 ] || set -- romio hdf5 pnetcdf lapack
for package; do
	case $package in
	romio) check_romio ;;
	hdf5) check_hdf5 ;;
	pnetcdf) check_pnetcdf ;;
	lapack) check_lapack ;;
	*) fail "$package: not among romio, hdf5, pnetcdf, lapack" ;;
	esac
done
done_testing
