# SPDX-License-Identifier: BSD-3-Clause
# iotrace.m4 - what configure asks that nobody else has asked before.

# IOT_CANONICAL_ARCH - the recorder reads the timebase and makes its own system
# calls, so it has to know the processor: what it knows is in lib/arch.
AC_DEFUN([IOT_CANONICAL_ARCH],
[AC_CANONICAL_HOST
AS_CASE([$host_os],
	[linux*], [],
	[AC_MSG_ERROR([iotrace records on Linux; this is $host])])
IOT_ARCH=$host_cpu
AS_IF([test ! -d "$srcdir/lib/arch/$IOT_ARCH"],
	[AC_MSG_ERROR([iotrace does not know this processor yet: there is no lib/arch/$IOT_ARCH (there is: `cd "$srcdir/lib/arch" && echo *`).  HACKING, "A new architecture", lists what to write])])
AC_SUBST([IOT_ARCH])])

# IOT_STATIC_LIBC - where libc.a is: wrappers are made for the names that it has.
AC_DEFUN([IOT_STATIC_LIBC],
[AC_ARG_VAR([IOT_LIBC_A], [static C library whose names get wrappers, default the one that $CC links])
AC_MSG_CHECKING([for the static C library])
AS_IF([test -z "$IOT_LIBC_A"], [IOT_LIBC_A=`$CC -print-file-name=libc.a`])
AC_MSG_RESULT([$IOT_LIBC_A])
AS_IF([test ! -f "$IOT_LIBC_A"],
	[AC_MSG_ERROR([no libc.a found; install it (Debian: libc6-dev) or set IOT_LIBC_A])])])

# IOT_DYNAMIC_LIBC - where libc.so is: it tells which of these names a dynamic
# executable can call.
AC_DEFUN([IOT_DYNAMIC_LIBC],
[AC_ARG_VAR([IOT_LIBC_SO], [shared C library of dynamic executables, default the one that $CC links])
AC_MSG_CHECKING([for the shared C library])
AS_IF([test -z "$IOT_LIBC_SO"], [IOT_LIBC_SO=`$CC -print-file-name=libc.so.6`])
AC_MSG_RESULT([$IOT_LIBC_SO])
AS_IF([test ! -f "$IOT_LIBC_SO"], [AC_MSG_ERROR([no libc.so.6 found; set IOT_LIBC_SO])])
# before glibc 2.34, some of these names are of libraries beside it
IOT_LIBC_BESIDE=
for iot_lib in libpthread.so.0 librt.so.1 libdl.so.2; do
	iot_lib=`AS_DIRNAME(["$IOT_LIBC_SO"])`/$iot_lib
	AS_IF([test -f "$iot_lib"], [AS_VAR_APPEND([IOT_LIBC_BESIDE], [" $iot_lib"])])
done
AC_SUBST([IOT_LIBC_BESIDE])])

# IOT_COMPILERS - those that link this libc unless they are told otherwise, so that
# a compiler wrapper need not ask them each time; links are followed, and ccache may stand
# in front of them in PATH.  Sets IOT_KNOWN_COMPILERS.
AC_DEFUN([IOT_COMPILERS],
[AC_MSG_CHECKING([which compilers link this libc])
IOT_KNOWN_COMPILERS=
iot_libc=`realpath "$IOT_LIBC_SO" "$IOT_LIBC_A" | tr '\n' ' '`
iot_names="cc c++ gcc g++ gfortran clang clang++"
for iot_compiler in "$IOCC_CC" "$IOCXX_CXX" "$IOF90_FC" "$IOF77_F77" $iot_names \
		`for iot_name in $iot_names; do echo "$PATH" | tr : '\n' | $SED "s,\$,/$iot_name,"; done`; do
	iot_path=`command -v "$iot_compiler"` && iot_path=`realpath "$iot_path"` || continue
	AS_CASE([" $IOT_KNOWN_COMPILERS "], [*" $iot_path "*], [continue])
	iot_found=`realpath "\`"$iot_path" -print-file-name=libc.so.6 2>/dev/null\`" \
		"\`"$iot_path" -print-file-name=libc.a 2>/dev/null\`" 2>/dev/null | tr '\n' ' '`
	AS_IF([test "$iot_found" = "$iot_libc"], [AS_VAR_APPEND([IOT_KNOWN_COMPILERS], [" $iot_path"])])
done
AC_MSG_RESULT([${IOT_KNOWN_COMPILERS:-none}])
AC_SUBST([IOT_KNOWN_COMPILERS])])

# IOT_STATIC_GFORTRAN - where libgfortran.a is, of which a copy is made for programs
# that wrap its functions.  Sets IOT_LIBGFORTRAN_A, "" if there is none.
AC_DEFUN([IOT_STATIC_GFORTRAN],
[AC_MSG_CHECKING([for gfortran's static library])
IOT_LIBGFORTRAN_A=`${IOF90_FC:-$CC} -print-file-name=libgfortran.a 2>/dev/null`
test -f "$IOT_LIBGFORTRAN_A" || IOT_LIBGFORTRAN_A=
AC_MSG_RESULT([${IOT_LIBGFORTRAN_A:-none}])
AC_SUBST([IOT_LIBGFORTRAN_A])
AM_CONDITIONAL([HAVE_LIBGFORTRAN_A], [test -n "$IOT_LIBGFORTRAN_A"])])

# IOT_PROGRAMS - libtool's option for a program of ours that starts without a
# loader, if $CC can link it: sanitizers in CFLAGS can't be linked so.  Sets IOT_STATIC_PROGRAM.
AC_DEFUN([IOT_PROGRAMS],
[AC_MSG_CHECKING([whether programs of our own can be static])
iot_save_LDFLAGS=$LDFLAGS
LDFLAGS="$LDFLAGS -static"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[]], [[]])], [IOT_STATIC_PROGRAM=-all-static], [IOT_STATIC_PROGRAM=])
LDFLAGS=$iot_save_LDFLAGS
AC_MSG_RESULT([${IOT_STATIC_PROGRAM:-no}])
AC_SUBST([IOT_STATIC_PROGRAM])])

# IOT_WARNINGS - for our own sources.  --enable-werror for developers and CI.
AC_DEFUN([IOT_WARNINGS],
[AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])])
IOT_CFLAGS="-std=gnu11 -Wall -Wextra"
AS_IF([test "x$enable_werror" = xyes], [IOT_CFLAGS="$IOT_CFLAGS -Werror"])
AC_SUBST([IOT_CFLAGS])])

# IOT_LIBIBERTY - what turns the linker's names of C++ and Rust functions into
# theirs, if there is one.  Sets LIBIBERTY_LIBS.
AC_DEFUN([IOT_LIBIBERTY],
[AC_ARG_WITH([libiberty], [AS_HELP_STRING([--with-libiberty],
	[print the names of C++ functions as in their source (default: if it is there)])],
	[], [with_libiberty=auto])
AS_IF([test "$with_libiberty" != no],
	[iot_save_LIBS=$LIBS
	AC_CHECK_HEADER([libiberty/demangle.h],
		[AC_SEARCH_LIBS([cplus_demangle], [iberty], [iot_demangler=libiberty])])
	LIBS=$iot_save_LIBS
	AS_IF([test -n "$iot_demangler"],
		[AC_DEFINE([HAVE_LIBIBERTY], [1], [Define if names can be demangled.])
		LIBIBERTY_LIBS=-liberty],
		[test "$with_libiberty" = yes],
		[AC_MSG_ERROR([libiberty was asked for and is not there; install libiberty-dev])])])
AC_SUBST([LIBIBERTY_LIBS])])

# IOT_MPI - the MPIs that are there: for each, wrappers are compiled with its mpi.h
# and made for the names that its library has.  Sets IOT_MPIS to their names
# (openmpi, mpich) and, for each, IOT_MPI_openmpi_FLAGS, _SO, _SONAME and, if there
# is a static library, _A.
AC_DEFUN([IOT_MPI],
[AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi=WRAPPERS],
	[C compiler wrappers of the MPIs to record, separated by commas (default: mpicc.openmpi,mpicc.mpich,mpicc as far as they are there)])],
	[], [with_mpi=auto])
AS_CASE([$with_mpi],
	[no], [iot_mpiccs=],
	[auto | yes], [iot_mpiccs='mpicc.openmpi mpicc.mpich mpicc'],
	[iot_mpiccs=`echo "$with_mpi" | tr , ' '`])
IOT_MPIS=
for iot_mpicc in $iot_mpiccs; do
	IOT_ONE_MPI([$iot_mpicc])
done
AS_IF([test -z "$IOT_MPIS" && test "$with_mpi" != no && test "$with_mpi" != auto],
	[AC_MSG_ERROR([--with-mpi was given, but there is no MPI; install one (Debian: libopenmpi-dev, libmpich-dev)])])
AC_SUBST([IOT_MPIS])
AC_SUBST([IOT_MPI_openmpi_CC])
AC_SUBST([IOT_MPI_openmpi_FLAGS])
AC_SUBST([IOT_MPI_openmpi_SO])
AC_SUBST([IOT_MPI_openmpi_SONAME])
AC_SUBST([IOT_MPI_openmpi_A])
AC_SUBST([IOT_MPI_mpich_CC])
AC_SUBST([IOT_MPI_mpich_FLAGS])
AC_SUBST([IOT_MPI_mpich_SO])
AC_SUBST([IOT_MPI_mpich_SONAME])
AC_SUBST([IOT_MPI_mpich_A])
AM_CONDITIONAL([HAVE_MPI], [test -n "$IOT_MPIS"])
AM_CONDITIONAL([HAVE_OPENMPI], [case " $IOT_MPIS " in *' openmpi '*) : ;; *) false ;; esac])
AM_CONDITIONAL([HAVE_MPICH], [case " $IOT_MPIS " in *' mpich '*) : ;; *) false ;; esac])])

# IOT_ONE_MPI(WRAPPER) - asks it for its flags, and its mpi.h whose it is.
AC_DEFUN([IOT_ONE_MPI],
[AC_MSG_CHECKING([for the MPI of $1])
iot_mpi= iot_mpi_so= iot_mpi_a=
iot_mpi_flags=`$1 -show 2>/dev/null | $SED 's/^@<:@^ @:>@* //'`
AC_LANG_CONFTEST([AC_LANG_SOURCE([[#include <mpi.h>
int main(void) { return MPI_Finalize(); }]])])
iot_mpi_macros=`$1 -E -dM conftest.c 2>/dev/null | $SED -n 's/^#define \(OMPI_MAJOR_VERSION\|MPICH_VERSION\) .*/\1/p'`
AS_CASE([$iot_mpi_macros],
	[*OMPI*], [iot_mpi=openmpi iot_mpi_lib=libmpi],
	[*MPICH*], [iot_mpi=mpich iot_mpi_lib='libmpi\(ch\)\?'])
AS_CASE([" $IOT_MPIS "], [*" $iot_mpi "*], [iot_mpi_again=yes], [iot_mpi_again=no])
AS_IF([test -n "$iot_mpi" && test $iot_mpi_again = no],
	[iot_mpi_so=`$1 conftest.c -o conftest -Wl,-t 2>/dev/null | $SED -n "/\/$iot_mpi_lib\.so@<:@0-9.@:>@*$/{p;q;}"`
	iot_mpi_a=`echo "$iot_mpi_so" | $SED 's/\.so@<:@0-9.@:>@*$/.a/'`
	test -f "$iot_mpi_a" || iot_mpi_a=
	AS_IF([test -n "$iot_mpi_so"],
		[IOT_MPIS="$IOT_MPIS $iot_mpi"
		AS_VAR_SET([IOT_MPI_${iot_mpi}_CC], [$1])
		AS_VAR_SET([IOT_MPI_${iot_mpi}_FLAGS], [$iot_mpi_flags])
		AS_VAR_SET([IOT_MPI_${iot_mpi}_SO], [$iot_mpi_so])
		iot_mpi_soname=`$OBJDUMP -p "$iot_mpi_so" | $SED -n 's,^ *SONAME *,,p'`
		AS_VAR_SET([IOT_MPI_${iot_mpi}_SONAME], [$iot_mpi_soname])
		AS_VAR_SET([IOT_MPI_${iot_mpi}_A], [$iot_mpi_a])])])
rm -f conftest.c conftest
AS_IF([test $iot_mpi_again = yes && test -n "$iot_mpi"], [AC_MSG_RESULT([$iot_mpi, which is known])],
	[AC_MSG_RESULT([${iot_mpi:-none} $iot_mpi_so])])
])

# IOT_MUSL - a recorder of its own for static programs that use musl, if there is
# a compiler that links it.  Sets IOT_MUSL_CC and IOT_MUSL_LIBC_A.
AC_DEFUN([IOT_MUSL],
[AC_ARG_WITH([musl], [AS_HELP_STRING([--with-musl],
	[record static programs that use musl (default: if there is a musl-gcc)])], [], [with_musl=auto])
AC_ARG_VAR([IOT_MUSL_CC], [the C compiler that links musl, default musl-gcc])
AS_IF([test "x$with_musl" != xno],
	[AC_CHECK_PROGS([IOT_MUSL_CC], [musl-gcc])
	AS_IF([test -n "$IOT_MUSL_CC"],
		[AC_MSG_CHECKING([for musl's static library])
		IOT_MUSL_LIBC_A=
		iot_dirs=`echo 'int i;' | $IOT_MUSL_CC -static -x c - -o conftest '-@%:@@%:@@%:@' 2>&1 |
			$AWK -F '@<:@ "@:>@' '{ for (i = 1; i <= NF; i++) if ($i ~ /^-L/) print substr($i, 3) }'`
		for iot_dir in $iot_dirs; do
			AS_IF([test -z "$IOT_MUSL_LIBC_A" && test -f "$iot_dir/libc.a"],
				[IOT_MUSL_LIBC_A=$iot_dir/libc.a])
		done
		AC_MSG_RESULT([${IOT_MUSL_LIBC_A:-none}])])
	AS_IF([test -n "$IOT_MUSL_LIBC_A"],
		[AC_MSG_CHECKING([whether it is a musl that we know])
		AS_IF([$IOT_MUSL_CC -static -D_GNU_SOURCE -DIOT_MUSL -I"$srcdir/lib/core" -I"$srcdir/lib/arch/$IOT_ARCH" -o conftest.musl \
				"$srcdir/m4/musl-check.c" >&AS_MESSAGE_LOG_FD 2>&1 &&
			./conftest.musl >&AS_MESSAGE_LOG_FD 2>&1],
			[AC_MSG_RESULT([yes])],
			[AC_MSG_RESULT([no])
			IOT_MUSL_LIBC_A=])
		rm -f conftest.musl])
	AS_IF([test -z "$IOT_MUSL_LIBC_A" && test "x$with_musl" = xyes],
		[AC_MSG_ERROR([--with-musl was given, but there is no musl to link; install it (Debian: musl-tools) or set IOT_MUSL_CC])])])
AM_CONDITIONAL([HAVE_MUSL], [test -n "$IOT_MUSL_LIBC_A"])
AC_SUBST([IOT_MUSL_LIBC_A])])
