#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPI programs that have a __wrap_NAME of their own, for each function of MPI that we have
# wrappers of, link, do what they do without us, and their calls are recorded.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

cat >prog.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	char text[8] = "";
	MPI_File file;
	MPI_Status status;
	MPI_Request request;
	MPI_Offset size;

	MPI_Init(&argc, &argv);
	MPI_File_open(MPI_COMM_SELF, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_write(file, "hello", 5, MPI_CHAR, &status);
	MPI_File_iwrite_at(file, 10, "hello", 5, MPI_CHAR, &request);
	MPI_Wait(&request, &status);
	MPI_File_read_at(file, 0, text, 5, MPI_CHAR, &status);
	MPI_File_get_size(file, &size);
	MPI_File_close(&file);
	MPI_File_delete("data", MPI_INFO_NULL);
	MPI_Finalize();
	printf("%s %d\n", text, (int)size);
	return 0;
}
C
cat >prog.f90 <<'F'
program prog
	use mpi
	integer :: error, file, status(MPI_STATUS_SIZE)
	call mpi_init(error)
	call mpi_file_open(MPI_COMM_SELF, 'data', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, error)
	call mpi_file_write(file, 'hello', 5, MPI_CHARACTER, status, error)
	call mpi_file_close(file, error)
	call mpi_file_delete('data', MPI_INFO_NULL, error)
	print '(a,i0)', 'error ', error
	call mpi_finalize(error)
end program
F
# by the other names
sed 's/\<MPI_[A-Z][a-z_]*(/P&/' prog.c >pprog.c
programs='prog.c pprog.c'
[ ! -x "$top_builddir/compiler-wrappers/iompif90" ] || programs="$programs prog.f90"

calls()
{
	"$IOTRACE_CAT" --format=json "$1" | sed -n '/"family":"mpiio"/s/.*"call":"\([A-Za-z_]*\)".*/\1/p' | sort | uniq -c
}

for form in $(mpi_forms); do
	mpi=$form list=dynamic plt=@PLT
	case $form in
	run-*) continue ;;
	static) mpi=mpich list=wrap plt= ;;
	esac
	for prefix in MPI_ PMPI_; do
		tap_about="$form, $prefix: "
		# of those that this MPI has
		sed -n 's/.*[^A-Za-z_]\(P*MPI_[A-Za-z_]*\).*/\1/p' "$top_builddir/mpi/$mpi.names" | sort -u >there
		sed -n 's/^--wrap=//; s/^	\(.*\);$/\1/; /^'$prefix'/p' "$top_builddir/mpi/$mpi.$list.list" | sort -u |
			comm -12 - there >names
		ok 'there are names' test "$(wc -l <names)" -gt 60
		while read -r name; do
			printf '.globl __wrap_%s\n.type __wrap_%s,@function\n__wrap_%s: jmp __real_%s%s\n' \
				"$name" "$name" "$name" "$name" $plt
		done <names >every.S
		echo '.section .note.GNU-stack,"",@progbits' >>every.S
		ok 'the wrappers' "$CC" -c every.S
		sed 's/^/--wrap=/' names >every.rsp
		for source in $programs; do
			tap_about="$form, $prefix, $source: "
			COMPILER=iompicc
			[ "$source" != prog.f90 ] || COMPILER=iompif90
			ok 'a program' mpi_build "$form" unwrapped "$source"
			ok 'one that wraps all of them' mpi_build "$form" wrapped "$source" every.o -Wl,@every.rsp
			for program in unwrapped wrapped; do
				ok "$program: runs" mpi_run "$form" 1 $program
				calls $program.logs >$program.calls
			done
			ok 'there are calls' test -s unwrapped.calls
			same 'they do the same' wrapped.out unwrapped.out
			same 'and have the same calls in their logs' wrapped.calls unwrapped.calls
			mv unwrapped.out "$form-$source.out" && mv unwrapped.calls "$form-$source.calls"
		done
	done
	tap_about="$form: "
	# shellcheck disable=SC2016 # the program's
	printf '%s\n' '#include <unistd.h>' 'ssize_t __real_write(int, const void *, size_t);' \
		'ssize_t __wrap_write(int fd, const void *p, size_t n) { return __real_write(fd, p, n); }' >mock.c
	COMPILER=iompicc
	ok 'a wrapper of libc' mpi_build "$form" wrapped prog.c mock.c -Wl,--wrap=write
	ok 'runs' mpi_run "$form" 1 wrapped
	is 'and does the same' "$(cat wrapped.out)" 'hello 15'
	calls wrapped.logs >got
	like 'calls of MPI are recorded' got ' 1 MPI_File_write$'
	"$IOTRACE_CAT" --format=json wrapped.logs | grep '"call":"p\{0,1\}write' >got
	like 'and those of libc beneath' got '"call":"p?write.*"depth":[1-9]'
	# LLVM's linker gets the same wrappers in every static program
	[ "$form" = static ] || continue
	"$CC" -fuse-ld=lld -r -x c /dev/null -o empty.o 2>/dev/null || continue
	for source in $programs; do
		tap_about="$form, lld, $source: "
		COMPILER=iompicc
		[ "$source" != prog.f90 ] || COMPILER=iompif90
		ok 'a program' mpi_build "$form" lld "$source" -fuse-ld=lld
		ok 'runs' mpi_run "$form" 1 lld
		calls lld.logs >lld.calls
		same 'it does the same' lld.out "$form-$source.out"
		same 'and has the same calls in its log' lld.calls "$form-$source.calls"
	done
done
done_testing
