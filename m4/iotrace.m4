# SPDX-License-Identifier: BSD-3-Clause
# iotrace.m4 - what configure asks that nobody else has asked before.

# IOT_CANONICAL_ARCH - the recorder reads the timebase and makes its own system
# calls, so it has to know the processor.
AC_DEFUN([IOT_CANONICAL_ARCH],
[AC_CANONICAL_HOST
AS_CASE([$host],
	[x86_64-*-linux*], [IOT_ARCH=x86_64],
	[AC_MSG_ERROR([iotrace records on x86_64 Linux; this is $host])])
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
AS_IF([test ! -f "$IOT_LIBC_SO"], [AC_MSG_ERROR([no libc.so.6 found; set IOT_LIBC_SO])])])

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
