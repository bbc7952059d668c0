#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What there is no compiler for has no compiler wrapper and no page in the manual.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
unset MAKELEVEL MFLAGS CC CXX FC
export MAKEFLAGS=
cd "$T" || exit 99
src=$(cd "$top_builddir" && cd "$top_srcdir" && pwd)
[ ! -e "$src/config.status" ] || skip_all 'the source directory is configured itself'

# what the build tree's configure has found out need not be found out again, but for
# the compilers that are to be missing
sed -n 's/^\(\(ac\|am\|lt\|gl\)_cv_.*=.*\)$/\1/p' "$top_builddir/config.log" |
	grep -v -e '_env_' -e '_\(CXX\|FC\|F77\)=' -e '_fc_' -e '_cxx_' -e '_CXX' -e '_FC' >model
cat >print.mk <<'END'
print:
	@printf '%s\n' $(notdir $(iot_wrappers) $(man_MANS) $(dist_man_MANS))
END

# installs OPTION...: the wrappers that would be, in $T/wrappers, and pages in $T/pages
installs()
{
	rm -rf build
	mkdir build
	cp model build/cache
	(cd build && "$src/configure" -q --cache-file=cache "$@" >../said 2>&1)
	is "configure $*" $? 0 || diag_file said
	make -s -C build -f Makefile -f ../print.mk print 2>err | sort -u >names
	grep -v '\.[0-9]$' names >wrappers
	sed -n 's/\.1$//p' names | grep '^io' | grep -v '^iotrace' >pages
}
# has NAME, lacks NAME: a wrapper, and a page
has()
{
	for name; do
		is "there is $name, and its page" "$(grep -cFx -e "$name" wrappers) $(grep -cFx -e "$name" pages)" '1 1'
	done
}
lacks()
{
	for name; do
		is "there is no $name, and no page" "$(grep -cFx -e "$name" wrappers) $(grep -cFx -e "$name" pages)" '0 0'
	done
}
fortran='iof90 iof77 io-gfortran iompif90 iompif77'
cxx='iocxx io-g++ io-clang++'
mpi='iompicc iompicxx iompif90 iompif77'
[ -n "$(sed -n 's/^IOCXX_CXX = //p' "$top_builddir/Makefile")" ] || cxx=

# a quarter of this script's time each
both='FC=no --without-fortran'
[ "${TEST_LONG:-0}" = 1 ] || both=--without-fortran
for without in $both; do
	installs "$without"
	# shellcheck disable=SC2086 # words
	lacks $fortran
	# shellcheck disable=SC2086
	has io-gcc io-clang $cxx ${IOT_MPIS:+iompicc iompicxx}
done
installs --with-mpi=no
# shellcheck disable=SC2086
lacks $mpi
# shellcheck disable=SC2086
has io-gcc io-clang $cxx
installs CXX=no
# shellcheck disable=SC2086
lacks $cxx iompicxx
# shellcheck disable=SC2086
has io-gcc io-clang ${IOT_MPIS:+iompicc}
done_testing
