#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Projects of the usual kinds are built with the wrappers for compilers: plain
# make, autotools with libtool, CMake.  What their configure scripts find is what
# they find without; what comes out runs and is traced.  TEST_LONG=1: with LTO, too.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
export IOCC_CC="$CC" IOCXX_CXX="$CXX" MAKEFLAGS=
unset MAKELEVEL MFLAGS

# An iocc whose path has a space, as a checkout may have
mkdir -p "$T/a dir/bin"
for wrapper in iocc iocxx; do
	printf '#!/bin/sh\nexec "%s" "$@"\n' "$top_builddir/compiler-wrappers/$wrapper" \
		>"$T/a dir/bin/$wrapper"
	chmod +x "$T/a dir/bin/$wrapper"
done

# runs DESCRIPTION PROGRAM OUTPUT [CALL]: it prints that and leaves a log with write() or
# that call in it
runs()
{
	rm -rf "$T/logs" && mkdir "$T/logs"
	said=$(cd "$T" && IOTRACE_DIR="$T/logs" "$2" 2>&1)
	is "$1: output" "$said" "$3"
	"$IOTRACE_CAT" --format=json "$T/logs" >"$T/json" 2>&1
	like "$1: traced" "$T/json" "\"call\":\"${4:-write}\""
}

# quiet DESCRIPTION FILE: nothing of what a configure script or make said is ours
quiet()
{
	unlike "$1: iocc said nothing" "$2" '^ioc(c|xx): '
}

sources()
{
	mkdir -p "$1"
	cat >"$1/main.c" <<-'C'
		#include <stdio.h>
		#include "greet me.h"
		int main(void)
		{
			printf("%s\n", greeting(NAME));
			return 0;
		}
	C
	cat >"$1/greet.c" <<-'C'
		#include <stdio.h>
		#include "greet me.h"
		const char *greeting(const char *name)
		{
			static char text[64];
			snprintf(text, sizeof(text), "hello, %s", name);
			return text;
		}
	C
	cat >"$1/greet me.h" <<-'C'
		#ifdef __cplusplus
		extern "C"
		#endif
		const char *greeting(const char *name);
	C
	cat >"$1/mainxx.cc" <<-'C'
		#include <iostream>
		#include "greet me.h"
		int main()
		{
			std::cout << greeting("C++") << std::endl;
		}
	C
}

# --- plain make, spaces everywhere
make_dir="$T/a dir/plain make"
sources "$make_dir"
cat >"$make_dir/Makefile" <<'M'
CFLAGS = -O2 -DNAME='"plain make"' -Wall -Werror
.SUFFIXES: .cc
all: one two three
one: main.o libgreet.a
	$(CC) $(LDFLAGS) main.o -o $@ -L. -lgreet
two:
	$(CC) $(CFLAGS) $(LDFLAGS) -o$@ main.c greet.c
three: libgreet.a
	$(CXX) $(LDFLAGS) -o $@ mainxx.cc libgreet.a
libgreet.a: part.o
	$(AR) rcs $@ part.o
part.o: greet.o
	$(CC) -r -nostdlib greet.o -o $@
libgreet.so:
	$(CC) $(CFLAGS) -fPIC -shared greet.c -o $@
.c.o:
	$(CC) $(CFLAGS) -MMD -c -o $@ $<
M
(cd "$make_dir" && make CC="'$T/a dir/bin/iocc'" CXX="'$T/a dir/bin/iocxx'" LDFLAGS=-static \
	all libgreet.so) >"$T/make.out" 2>&1
is 'plain make: builds' $? 0 || diag_file "$T/make.out"
quiet 'plain make' "$T/make.out"
runs 'plain make: objects and a library' "$make_dir/one" 'hello, plain make'
runs 'plain make: sources at once' "$make_dir/two" 'hello, plain make'
runs 'plain make: C++' "$make_dir/three" 'hello, C++'
like 'plain make: dependencies' "$make_dir/main.d" 'greet..me.h'
(cd "$make_dir" && rm one libgreet.so && make CC="'$T/a dir/bin/iocc'" one) >"$T/make.out" 2>&1
is 'plain make, dynamic: builds' $? 0
quiet 'plain make, dynamic' "$T/make.out"
runs 'plain make, dynamic' "$make_dir/one" 'hello, plain make' puts

# --- autoconf, automake, libtool with a convenience library
auto_dir=$T/autotools
sources "$auto_dir"
cat >"$auto_dir/configure.ac" <<'M'
AC_INIT([greet], [1])
AC_CONFIG_AUX_DIR([build-aux])
AC_CONFIG_MACRO_DIR([m4])
AC_CONFIG_HEADERS([config.h])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_PROG_CXX
AM_PROG_AR
LT_INIT
AC_CHECK_HEADERS([unistd.h sys/uio.h no/such.h])
AC_CHECK_FUNCS([preadv2 copy_file_range no_such_function])
AC_SEARCH_LIBS([pthread_create], [pthread])
AC_CHECK_SIZEOF([long])
AC_C_BIGENDIAN
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
M
cat >"$auto_dir/Makefile.am" <<'M'
ACLOCAL_AMFLAGS = -I m4
AM_CPPFLAGS = -DNAME='"autotools"'
noinst_LTLIBRARIES = libpart.la
libpart_la_SOURCES = greet.c
lib_LTLIBRARIES = libgreet.la
libgreet_la_SOURCES =
libgreet_la_LIBADD = libpart.la
bin_PROGRAMS = greet greetxx
greet_SOURCES = main.c
greet_LDADD = libgreet.la
greetxx_SOURCES = mainxx.cc
greetxx_LDADD = libpart.la
M
(cd "$auto_dir" && mkdir m4 && autoreconf -fi) >"$T/auto.out" 2>&1
is 'autotools: autoreconf' $? 0 || diag_file "$T/auto.out"

# configured DIRECTORY CC CXX: leaves what configure found there
configured()
{
	mkdir "$auto_dir/build"
	(cd "$auto_dir/build" && ../configure --prefix="$T/inst" CC="$2" CXX="$3") >"$T/$1.out" 2>&1 ||
		diag_file "$auto_dir/build/config.log"
	mkdir "$T/$1"
	sed "s|$IOCC|$CC|g; s|$IOCXX|$CXX|g" "$auto_dir/build/libtool" >"$T/$1/libtool"
	sed "s|$IOCC|$CC|g; s|$IOCXX|$CXX|g" "$T/$1.out" >"$T/$1/said"
	cp "$auto_dir/build/config.h" "$T/$1"
}
configured without "$CC" "$CXX"
rm -rf "$auto_dir/build"
configured with "$IOCC" "$IOCXX"
quiet 'autotools: configure' "$T/with.out"
unlike 'autotools: nor in its log' "$auto_dir/build/config.log" '^ioc(c|xx): '
same 'autotools: configure finds the same' "$T/with/config.h" "$T/without/config.h"
same 'autotools: and says the same' "$T/with/said" "$T/without/said"
same 'autotools: and libtool is set up the same' "$T/with/libtool" "$T/without/libtool"
(cd "$auto_dir/build" && make libgreet.la && make LDFLAGS=-all-static && make install) >"$T/auto.out" 2>&1
is 'autotools: builds and installs' $? 0 || diag_file "$T/auto.out"
quiet 'autotools: make' "$T/auto.out"
runs 'autotools: C' "$T/inst/bin/greet" 'hello, autotools'
runs 'autotools: C++' "$T/inst/bin/greetxx" 'hello, C++'
ok 'autotools: the shared library is there' test -f "$T/inst/lib/libgreet.so"
$NM "$T/inst/lib/libgreet.so" >"$T/symbols"
unlike 'autotools: and nothing of ours in it' "$T/symbols" 'iot_|__wrap_'

# --- CMake
cmake_dir="$T/a dir/cmake"
sources "$cmake_dir"
cat >"$cmake_dir/CMakeLists.txt" <<'M'
cmake_minimum_required(VERSION 3.13)
project(greet C CXX)
include(CheckFunctionExists)
include(CheckCSourceRuns)
include(CheckIPOSupported)
find_package(Threads REQUIRED)
check_function_exists(preadv2 HAVE_PREADV2)
check_function_exists(no_such_function HAVE_NO_SUCH_FUNCTION)
check_c_source_runs("int main(void) { return 0; }" RUNS)
check_ipo_supported(RESULT HAVE_IPO OUTPUT WHY)
message(STATUS "found: ${HAVE_PREADV2} ${HAVE_NO_SUCH_FUNCTION} ${RUNS} ${HAVE_IPO}")
message(STATUS "implicit: ${CMAKE_C_IMPLICIT_LINK_LIBRARIES} ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES}")
message(STATUS "dirs: ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES} ${CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES}")
message(STATUS "id: ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_CXX_COMPILER_ID}")
message(STATUS "features: ${CMAKE_C_COMPILE_FEATURES} ${CMAKE_CXX_COMPILE_FEATURES}")
add_library(part STATIC greet.c)
add_library(shared SHARED greet.c)
add_executable(greet main.c)
target_compile_definitions(greet PRIVATE "NAME=\"CMake\"")
target_link_libraries(greet part Threads::Threads)
add_executable(greetxx mainxx.cc)
target_link_libraries(greetxx part)
if(LTO)
	set_property(TARGET part greet greetxx PROPERTY INTERPROCEDURAL_OPTIMIZATION ON)
endif()
M

# cmakes DIRECTORY CC CXX OPTIONS...: configures in there
cmakes()
{
	cmake_build="$cmake_dir/build $1"
	cmake_out="$T/cmake.$1"
	CC=$2 CXX=$3
	export CC CXX
	shift 3
	(cmake -S "$cmake_dir" -B "$cmake_build" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DCMAKE_EXE_LINKER_FLAGS=-static "$@") >"$cmake_out" 2>&1
	grep -E '^-- (found|implicit|dirs|id|features|Looking|Performing|Found|Detecting)' "$cmake_out" \
		>"$cmake_out.found"
}
plain_cc=$CC plain_cxx=$CXX
cmakes without "$plain_cc" "$plain_cxx"
cmakes with "$T/a dir/bin/iocc" "$T/a dir/bin/iocxx"
quiet 'CMake: configuring' "$T/cmake.with"
like 'CMake: configuring works' "$T/cmake.with.found" '^-- found: 1  1 '
same 'CMake: it finds the same' "$T/cmake.with.found" "$T/cmake.without.found"
cmake --build "$cmake_build" --verbose >"$T/cmake.out" 2>&1
is 'CMake: builds' $? 0 || diag_file "$T/cmake.out"
quiet 'CMake: building' "$T/cmake.out"
runs 'CMake: C' "$cmake_build/greet" 'hello, CMake'
runs 'CMake: C++' "$cmake_build/greetxx" 'hello, C++'
[ "${TEST_LONG:-0}" = 1 ] || done_testing
cmakes lto "$T/a dir/bin/iocc" "$T/a dir/bin/iocxx" -DLTO=ON -DCMAKE_C_USE_RESPONSE_FILE_FOR_OBJECTS=ON
cmake --build "$cmake_build" --verbose >"$T/cmake.out" 2>&1
is 'CMake, LTO and response files: builds' $? 0 || diag_file "$T/cmake.out"
like 'CMake, LTO: is on' "$T/cmake.out" '-flto'
like 'CMake: response files are used' "$T/cmake.out" '@CMakeFiles[^ ]*objects'
runs 'CMake, LTO: C' "$cmake_build/greet" 'hello, CMake'
runs 'CMake, LTO: C++' "$cmake_build/greetxx" 'hello, C++'

done_testing
