# shellcheck shell=sh disable=SC2154,SC2034
# SPDX-License-Identifier: BSD-3-Clause
#
# installed.sh - after tap.sh: the reader library as it is installed, in $root, and what
# pkg-config says of it.

command -v pkg-config >/dev/null || skip_all 'pkg-config is not installed'
root=$T/root

# only what belongs to the library; one test at a time, for libtool works in the build tree
install_library()
{
	flock "$top_builddir/t/env.sh" make -s -C "$top_builddir" DESTDIR="$root" install-libLTLIBRARIES install-iotraceHEADERS \
		install-nodist_iotraceHEADERS install-pkgconfigDATA
}
ok 'the library is installed' install_library || done_testing
pc=$(find "$root" -name iotrace-read.pc)
PKG_CONFIG_SYSROOT_DIR=$root
PKG_CONFIG_PATH=${pc%/*}
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH
libdir=$root$(PKG_CONFIG_SYSROOT_DIR='' pkg-config --variable=libdir iotrace-read)
read_cflags=$(pkg-config --cflags iotrace-read)
read_libs=$(pkg-config --libs iotrace-read)
read_static=$(pkg-config --static --libs iotrace-read)
