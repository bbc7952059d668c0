#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# CMake's FindMPI gives MPI's libraries to a compiler that is not MPI's: what iocc links so
# has its MPI-IO recorded, or says that it hasn't.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
command -v cmake >/dev/null || skip_all 'no cmake'
cd "$T" || exit 99

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(basic C)
find_package(MPI REQUIRED COMPONENTS C)
add_executable(basic basic.c)
target_link_libraries(basic MPI::MPI_C)
END
cp "$top_srcdir/t/mpi/basic.c" . || exit 99

# configured DIRECTORY OPTION...
# shellcheck disable=SC2317 # ok calls it
configured()
{
	dir=$1
	shift
	cmake -S . -B "$dir" "-DCMAKE_C_COMPILER=$IOCC" "-DMPI_C_COMPILER=$(command -v "$(mpi_cc "$mpi")")" "$@" >"$dir.out" 2>&1 </dev/null
}

# built DIRECTORY: what is said goes to DIRECTORY.build
# shellcheck disable=SC2317 # ok calls it
built()
{
	cmake --build "$1" >"$1.build" 2>&1
}

for mpi in $IOT_MPIS; do
	tap_about="$mpi: "
	ok 'cmake finds MPI' configured "$mpi" || diag_file "$mpi.out"
	ok 'the program is built' built "$mpi" || continue
	rm -rf logs
	mkdir logs
	ok 'it runs' env "IOTRACE_DIR=$T/logs" timeout 600 "$mpi/basic"
	"$IOTRACE_CAT" --format=json logs >json 2>err
	like 'its MPI-IO is recorded' json '"call":"MPI_File_open"'
	like 'and what MPI does for that' json '"call":"pwrite(64)?",.*"depth":[1-9]'
	unlike 'nothing is said' "$mpi.build" 'not instrumented'

	# objects alone are linked, with MPI's libraries that aren't static
	"$IOCC" -c "-I$(sed -n 's/^MPI_C_HEADER_DIR:PATH=//p' "$mpi/CMakeCache.txt")" basic.c 2>err
	library=$(sed -n 's/^MPI_[a-z]*_LIBRARY:FILEPATH=//p' "$mpi/CMakeCache.txt" | head -n 1)
	"$IOCC" -static basic.o "$library" -o never >out 2>err
	like 'a static link says that it has none' err "not instrumented: MPI's calls in a static executable"
done
done_testing
