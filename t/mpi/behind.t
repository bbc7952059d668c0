#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iocc: a program that knows nothing of MPI, and links a library that does, or one behind that.
# shellcheck disable=SC2086 # $how
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

cat >inner.c <<'EOT'
#include <mpi.h>
#include <stddef.h>
void inner(void)
{
	MPI_File f;
	int n = 7;

	MPI_Init(NULL, NULL);
	MPI_File_open(MPI_COMM_WORLD, "out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
	MPI_File_write(f, &n, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&f);
	MPI_Finalize();
}
EOT
echo 'void inner(void); void outer(void) { inner(); }' >outer.c
for name in inner outer; do
	echo "void $name(void); int main(void) { $name(); return 0; }" >"uses-$name.c"
done
want='MPI_File_open MPI_File_write MPI_File_close '
find_linkers
for mpi in $IOT_MPIS; do
	ok "$mpi: a library that calls MPI" "$(mpi_cc "$mpi")" -shared -fPIC inner.c -o libinner.so || continue
	ok "$mpi: one that calls that one" "$CC" -shared -fPIC outer.c -o libouter.so -L. -linner "-Wl,-rpath,$T"
	for linker in $linkers; do
		for how in 'uses-inner.c -L. -linner' 'uses-inner.c ./libinner.so' 'uses-outer.c -L. -louter -Wl,-rpath-link,.'; do
			about="$mpi, $linker, $how"
			rm -rf logs && mkdir logs
			ok "$about: is linked" "$IOCC" -fuse-ld=$linker $how "-Wl,-rpath,$T" -o prog || continue
			"$CC" -fuse-ld=$linker $how "-Wl,-rpath,$T" -o plain
			is "$about: to the libraries that it has without us" \
				"$(readelf -d prog | sed -n 's/.*NEEDED.*\[//p' | tr '\n' ' ')" \
				"$(readelf -d plain | sed -n 's/.*NEEDED.*\[//p' | tr '\n' ' ')"
			ok "$about: runs" env IOTRACE_DIR="$T/logs" ./prog
			is "$about: has its MPI-IO recorded" \
				"$("$IOTRACE_CAT" --format=csv -e mpiio logs/*.iotrace | grep -o ',MPI_File_[a-z]*' | tr -d ',' | tr '\n' ' ')" "$want"
		done
	done
done
done_testing
