#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iompicc as a command: it is MPI's wrapper with whatever compiler that one runs, its
# options, files of options and paths with spaces; a program is instrumented once.

# shellcheck disable=SC2016 # awk's fields
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99
iompicc=$top_builddir/compiler-wrappers/iompicc
mkdir 'a b' && cp "$top_srcdir/t/mpi/basic.c" 'a b/main program.c' || exit 99

# the_same ARGUMENT...: both say the same, and end so
the_same()
{
	"$IOMPICC_CC" "$@" >want 2>want.err </dev/null
	echo $? >>want
	"$iompicc" "$@" >got 2>got.err </dev/null
	echo $? >>got
	same "$* is as ever" got want
	same "and what it says of it" got.err want.err
}

# recorded PROGRAM: it runs, and each call is in its log, once
recorded()
{
	rm -rf logs
	mkdir logs
	IOTRACE_DIR=$T/logs timeout 600 "$1" >out 2>err </dev/null
	is 'it runs' "$? $(cat out)" '0 ' || diag_file err
	is 'each call is recorded once' "$("$IOTRACE_CAT" --format=raw logs | grep -v '^#' |
		by_column '$call ~ /^MPI_File/ || ($call ~ /^pwrite/ && $path ~ /basic\.data$/) { print $call }' | sort | tr '\n' ' ')" \
		'MPI_File_close MPI_File_open MPI_File_read_at MPI_File_write_at pwrite '
}

for mpi in $IOT_MPIS; do
	tap_about="$mpi: "
	IOMPICC_CC=$(mpi_cc "$mpi")
	export IOMPICC_CC
	case $mpi in
	openmpi) chosen=OMPI_CC; show=--showme ;;
	*) chosen=MPICH_CC; show=-show ;;
	esac
	the_same $show
	the_same $show 'a b/main program.c' -o x
	the_same --version
	the_same -E 'a b/main program.c'
	the_same -c no-such-file.c
	ok '-c' "$iompicc" -g -c -o 'a b/main.o' 'a b/main program.c'
	ok 'linked alone, in a directory with a space' "$iompicc" -o 'a b/program' 'a b/main.o'
	recorded './a b/program'
	printf '%s\n' '-g -O2' "\"a b/main program.c\"" '-o' "'a b/by file'" >options
	ok 'a response file' "$iompicc" @options
	recorded './a b/by file'
	mkdir -p "c d $mpi"
	# Open MPI's wrapper knows by its name what it is; MPICH's is a script
	ln -sf "$(command -v "$IOMPICC_CC")" "c d $mpi/$IOMPICC_CC"
	ok 'a wrapper in a directory with a space' env "IOMPICC_CC=$T/c d $mpi/$IOMPICC_CC" "$iompicc" -o prog "$top_srcdir/t/mpi/basic.c"
	recorded ./prog
	ok "$chosen=clang" env $chosen=clang "$iompicc" -o prog "$top_srcdir/t/mpi/basic.c"
	recorded ./prog
	env $chosen=clang "$iompicc" --version >out 2>&1
	like 'it is clang that runs' out clang
	ok "$chosen=iocc" env "$chosen=$IOCC" "$iompicc" -o prog "$top_srcdir/t/mpi/basic.c"
	recorded ./prog
	ok 'IOTRACE_WRAPPER=off' env IOTRACE_WRAPPER=off "$iompicc" -o prog "$top_srcdir/t/mpi/basic.c"
	rm -rf logs
	mkdir logs
	IOTRACE_DIR=$T/logs timeout 600 ./prog >out 2>err </dev/null
	is 'nothing is recorded then' "$? $(find logs -type f)" '0 '
done
tap_about=
IOMPICC_CC=$T/none "$iompicc" -c 'a b/main program.c' 2>err
is 'no wrapper: 127' "$? $(cat err)" "127 iompicc: no compiler $T/none (set IOMPICC_CC)"
# a compiler that knows nothing of MPI
IOMPICC_CC=$CC "$iompicc" -o plain -x c - 2>err <<'END'
int main(void) { return 0; }
END
is 'a compiler that is not for MPI links' $? 0
like 'plainly, and says so' err '^iompicc: not instrumented: .* has no mpi\.h of Open MPI or MPICH$'
done_testing
