#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The same calls through each binding of each MPI, dynamic and static: the log of
# each rank has each call once, in order, whatever symbols they went through.  Under
# iotrace run, and static, two of the bindings are tried, of MPICH's dynamic programs three; TEST_LONG=1: all.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

cp "$top_srcdir/t/mpi/bindings.txt" want-0
grep -v MPI_File_delete want-0 >want-1
sed -n '/MPI_File_i\|MPI_Wa\|MPI_Test\|io_complete\|_begin\|_end/p' want-0 >want-ops

# shellcheck disable=SC2317 # ok calls it
# each operation begins once and ends once, where it says that it began
ops_agree()
{
	awk '
	/"op":/ {
		op = $0; sub(/.*"op":/, "", op); sub(/[,}].*/, "", op)
		call = $0; sub(/.*"call":"/, "", call); sub(/".*/, "", call)
		if ($0 ~ /"issued":/) {
			by = $0; sub(/.*"issued":"/, "", by); sub(/".*/, "", by)
			elapsed = $0; sub(/.*"elapsed":/, "", elapsed); sub(/[,}].*/, "", elapsed)
			if (begun[op] != by || elapsed + 0 <= 0)
				bad = bad " " call "(" op ")"
			delete begun[op]
			n++
		} else
			begun[op] = call
	}
	END {
		for (op in begun)
			bad = bad " " begun[op] "(" op ")"
		if (bad != "")
			print "# do not agree:" bad
		exit bad != "" || n != 6
	}' "$1"
}

# recorded: what the logs of the two ranks have
recorded()
{
	for log in "$program.logs/$program".*; do
		"$IOTRACE_CAT" --format=json -e mpiio "$log" >json
		sed -n 's/.*"call":"\([^"]*\)".*/\1/p' json >got
		rank=1
		grep -q MPI_File_delete got && rank=0
		ok "each call once ($rank)" diff want-$rank got
		ok "operations end as they began ($rank)" ops_agree json
	done
}

for form in $(mpi_forms); do
	for binding in c++ mpif.h mpi mpi_f08; do
		case ${TEST_LONG:-0}$form-$binding in
		0run-*-mpif.h | 0run-*-mpi | 0mpich-mpi | 0static-mpif.h | 0static-c++) continue ;;
		esac
		tap_about="$form, $binding: "
		program=b-$form-$(echo "$binding" | tr -d .)
		case $binding in
		c++) COMPILER=iompicxx; set -- "$top_srcdir/t/mpi/bindings.cc" ;;
		mpif.h) COMPILER=iompif77; set -- -DBINDING=1 "$top_srcdir/t/mpi/bindings.F90" ;;
		mpi) COMPILER=iompif90; set -- -DBINDING=2 "$top_srcdir/t/mpi/bindings.F90" ;;
		mpi_f08) COMPILER=iompif90; set -- -DBINDING=3 "$top_srcdir/t/mpi/bindings.F90" ;;
		esac
		ok "$COMPILER builds it" mpi_build "$form" "$program" "$@" || continue
		ok 'it runs' mpi_run "$form" 2 "$program"
		recorded
	done

	# They take from archives what shared libraries refer to, or only what some of them do.
	for linker in lld mold; do
		case $form in openmpi | mpich) ;; *) continue ;; esac
		tap_about="$form, mpi_f08, $linker: "
		program=l-$form-$linker
		if ! command -v "ld.$linker" >/dev/null; then
			skip 'it is recorded' "no ld.$linker (Debian: lld, mold)"
			continue
		fi
		COMPILER=iompif90
		ok "$COMPILER builds it" mpi_build "$form" "$program" -fuse-ld=$linker -DBINDING=3 "$top_srcdir/t/mpi/bindings.F90" || continue
		ok 'it runs' mpi_run "$form" 2 "$program"
		recorded
	done

	tap_about="$form, with a tool in between: "
	program=t-$form
	case $form in
	static) tool=tool.o; set -- mpich -c ;;
	*) tool=$form.so; set -- "${form#run-}" -shared -fPIC ;;
	esac
	cc=$(mpi_cc "$1")
	shift
	ok 'the tool is built' "$cc" "$@" -o "$tool" "$top_srcdir/t/mpi/tool.c"
	COMPILER=iompicxx
	ok 'the program is built' mpi_build "$form" "$program" "$top_srcdir/t/mpi/bindings.cc" "$PWD/$tool" || continue
	ok 'it runs' mpi_run "$form" 2 "$program"
	is 'the tool sees its calls' "$(sort -u "$program.out")" '11 calls'
	recorded
done
done_testing
