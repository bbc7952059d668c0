#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What an executable is linked with is what it would be linked with without us: MPI's
# library too, if the program knows nothing of MPI but functions that have wrappers.
# With gold, and with some options, one program is enough, TEST_LONG=1: all.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99
bin=$top_builddir/compiler-wrappers

cat >wrapped.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	int result = MPI_Init(&argc, &argv);

	MPI_Finalize();
	return result != 0;
}
END
cat >file.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	MPI_File f;
	int result = MPI_Init(&argc, &argv);

	if (result == 0)
		result = MPI_File_open(MPI_COMM_SELF, "made", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
	if (result == 0)
		result = MPI_File_close(&f);
	MPI_Finalize();
	return result != 0;
}
END
cat >none.c <<'END'
int main(void)
{
	return 0;
}
END
cat >library.c <<'END'
#include <mpi.h>
int begin(int *argc, char ***argv);
int begin(int *argc, char ***argv)
{
	return MPI_Init(argc, argv);
}
END
cat >user.c <<'END'
int begin(int *argc, char ***argv);
int main(int argc, char **argv)
{
	return begin(&argc, &argv);
}
END
cat >mentions.c <<'END'
/* as MPI_Init(&argc, &argv) would */
int begin(int *argc, char ***argv);
int unused(void);
int main(int argc, char **argv)
{
	return begin(&argc, &argv) || (argc > 3 && unused());
}
END
cat >unused.c <<'END'
int unused(void);
int unused(void)
{
	return 0;
}
END
cat >ends.c <<'END'
#include <mpi.h>
int ends(void);
int ends(void)
{
	return MPI_Finalize();
}
END
cp wrapped.c wrapped.cc
cat >wrapped.f90 <<'END'
program wrapped
	use mpi
	integer :: error
	call mpi_init(error)
	call mpi_finalize(error)
end program
END

needed()
{
	LC_ALL=C readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

# compare NAME IOCC ARGUMENT...: linked without and with us, it needs the same libraries in the same
# order, and ends in the same way.
compare()
{
	what=$1 io=$2
	shift 2
	rm -f plain traced made ./*.iotrace
	ok "$what: without" "$plain" "$@" -o plain
	ok "$what: with" "$bin/$io" "$@" -o traced
	needed plain >want
	needed traced >got
	same "$what: the libraries" got want
	timeout 600 ./plain >/dev/null 2>&1 </dev/null
	status=$?
	IOTRACE_DIR=$T timeout 600 ./traced >/dev/null 2>err </dev/null
	is "$what: the same exit status" $? $status || diag_file err
}

TMPDIR=$T
export TMPDIR
for mpi in $IOT_MPIS; do
	IOMPICC_CC=$(mpi_cc "$mpi")
	IOMPICXX_CXX=$(echo "$IOMPICC_CC" | sed 's/mpicc/mpicxx/')
	IOMPIF90_FC=$(echo "$IOMPICC_CC" | sed 's/mpicc/mpif90/')
	export IOMPICC_CC IOMPICXX_CXX IOMPIF90_FC
	case $mpi in
	openmpi) library=libmpi.so ;;
	*) library=libmpich.so ;;
	esac
	for linker in bfd gold lld mold; do
		tap_about="$mpi, $linker: "
		plain=$IOMPICC_CC
		compare wrapped iompicc -fuse-ld=$linker wrapped.c
		case ${TEST_LONG:-0}$linker in
		0gold) continue ;;
		esac
		compare none iompicc -fuse-ld=$linker none.c
		compare file iompicc -fuse-ld=$linker file.c
		ok 'file: it makes its file' test -f made
		"$IOTRACE_CAT" --format=json ./*.iotrace >json 2>&1
		like 'file: it is recorded' json '"call":"MPI_File_open"'
		compare 'without PIE' iompicc -fuse-ld=$linker -no-pie wrapped.c
	done
	tap_about="$mpi: "
	for options in -Wl,--no-as-needed -Wl,--as-needed -flto -O2; do
		compare "wrapped $options" iompicc $options wrapped.c
		case ${TEST_LONG:-0}$options in
		1* | 0-Wl,*) compare "none $options" iompicc $options none.c ;;
		esac
	done
	ok 'a library of its own' "$IOMPICC_CC" -shared -fPIC -o libbegin.so library.c
	compare 'a library of its own' iompicc user.c -L. -lbegin "-Wl,-rpath,$T"
	"$IOTRACE_CAT" --format=json ./*.iotrace >json 2>&1
	like 'what it calls is recorded' json '"call":"MPI_Init"'
	# two archives: one calls MPI; of the other only a member does that nothing is used of
	ok 'objects' "$IOMPICC_CC" -c user.c mentions.c library.c unused.c ends.c
	ok 'archives' sh -c 'rm -f ./*.a && ar cr libwith.a library.o && ar cr libwithout.a unused.o ends.o'
	for linker in lld mold; do
		compare "a library of its own, $linker" iompicc -fuse-ld=$linker user.c -L. -lbegin "-Wl,-rpath,$T"
		"$IOTRACE_CAT" --format=json ./*.iotrace >json 2>&1
		like 'what it calls is recorded' json '"call":"MPI_Init"'
		compare "a library of its own, an object, $linker" iompicc -fuse-ld=$linker user.o ./libbegin.so "-Wl,-rpath,$T"
		for with in mentions.c mentions.o 'mentions.o ends.o'; do
			# shellcheck disable=SC2086 # words
			compare "$with, an archive that calls MPI where it is not used, $linker" \
				iompicc -fuse-ld=$linker $with -L. -lwithout -lbegin "-Wl,-rpath,$T"
		done
		compare "an archive and a library call MPI, $linker" \
			iompicc -fuse-ld=$linker user.o -L. -lwith -Wl,--no-as-needed -lbegin "-Wl,-rpath,$T"
		# shellcheck disable=SC2016 # the inner shell's
		ok 'nothing is left' sh -c '! ls -d "$TMPDIR"/iocc*'
	done
	# a link starts MPI's compiler twice, which may be a slow script
	printf '#!/bin/sh\necho >>"%s/starts"\nexec %s "$@"\n' "$T" "$(command -v "$IOMPICC_CC")" >counted
	chmod +x counted
	: >starts
	ok 'a counted link' env IOMPICC_CC="$T/counted" "$bin/iompicc" wrapped.c -o traced
	is 'it is asked once' "$(wc -l <starts)" 2
	# by a compiler that knows nothing of MPI
	plain=$CC
	# shellcheck disable=SC2046 # words
	set -- $("$IOMPICC_CC" -show wrapped.c | tr ' ' '\n' | grep '^-[IL]')
	compare 'iocc, the library in front' iocc "$@" wrapped.c "-l$(echo "${library%.so}" | sed s/^lib//)" -fuse-ld=bfd
	if [ -x "$bin/iompicxx" ]; then
		plain=$IOMPICXX_CXX
		compare 'C++' iompicxx wrapped.cc
	else
		skip 'C++' 'configure found no C++ compiler of MPI'
	fi
	if [ -x "$bin/iompif90" ]; then
		plain=$IOMPIF90_FC
		compare 'Fortran' iompif90 wrapped.f90
		for linker in lld mold; do
			compare "Fortran, $linker" iompif90 -fuse-ld=$linker wrapped.f90
			"$IOTRACE_CAT" --format=json ./*.iotrace >json 2>&1
			like 'is recorded' json '"call":"MPI_Init"'
		done
	else
		skip 'Fortran' 'configure found no Fortran compiler of MPI'
	fi
done
done_testing
