#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What make install makes: the wrappers find their own libraries wherever the installation
# is, by links as well; make uninstall leaves nothing behind, no directory either, and
# takes none away that was there before.

# shellcheck disable=SC2016 # a script's variable
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
unset MAKELEVEL MFLAGS
export MAKEFLAGS=
cd "$T" || exit 99

# makes GOAL: in the build tree, with the installation in $T/root
makes()
{
	make -C "$top_builddir" "$1" DESTDIR="$T/root" >said 2>&1
	is "make $1" $? 0 || diag_file said
}

prefix=$(sed -n 's/^prefix = //p' "$top_builddir/Makefile")
mkdir -p "$T/root$prefix/share/man"
find root -type d | sort >before
makes install
ok 'iotrace.py is installed' test -f "$T/root$prefix/share/iotrace/python/iotrace.py"
ok 'and what reads logs for it' test -f "$T/root$prefix/share/iotrace/python/iotrace_read.py"
(cd "$T/root$prefix" && find . ! -type d | sort) >here
make -C "$top_builddir" install prefix="$T/other" >said 2>&1
is 'make install with another prefix' $? 0 || diag_file said
(cd other && find . ! -type d | sort) >there
same 'installs the same' there here
rm -rf other
bin=$T/root$prefix/bin
for name in iocc iocxx io-gcc io-g++ io-clang io-clang++; do
	ok "$name is installed" test -x "$bin/$name"
	ok "$name(1) too" test -f "$T/root$prefix/share/man/man1/$name.1"
	ok "$name: so is completion" test -f "$T/root$prefix/share/bash-completion/completions/$name"
done

# says_own ABOUT IOCC DIRECTORY: what it would link is of that directory alone
says_own()
{
	"$2" --iotrace-show x.o >shown 2>said
	is "$1: nothing is said" "$(cat said)" ''
	sed 's/[ ,=]/\n/g' shown | sed -n "s/^'//; s,/libiotrace-dynamic\.a\$,,p" | sort -u >dirs
	is "$1: its libraries" "$(cat dirs)" "$3"
}
libs=$(cd "$T/root$prefix" && find . -name libiotrace-dynamic.a)
libs=${libs#.}
libs=${libs%/*}
says_own 'where it was installed' "$bin/iocc" "$T/root$prefix$libs"
mkdir links
ln -s "$bin/iocc" links/iocc
ln -s ../links/iocc links/again
says_own 'by a link' "$T/links/iocc" "$T/root$prefix$libs"
says_own 'by a link to a link, of another name' "$T/links/again" "$T/root$prefix$libs"
PATH=$T/links:$PATH
says_own 'by PATH' iocc "$T/root$prefix$libs"
cp -R "$T/root$prefix" copy
says_own 'a copy' "$T/copy/bin/iocc" "$T/copy$libs"
says_own 'its io-gcc' "$T/copy/bin/io-gcc" "$T/copy$libs"
is 'its iotrace-run' "$("$T/copy/bin/iotrace-run" sh -c 'echo "$LD_PRELOAD"')" "$T/copy$libs/libiotrace.so"
rm -f ./*.iotrace
mv copy moved
ln -sf "$T/moved/bin/iocc" links/moved
says_own 'a link to a copy that was moved' "$T/links/moved" "$T/moved$libs"
printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' >main.c
for static in '' -static; do
	# shellcheck disable=SC2086 # none or one
	"$T/links/moved" $static main.c -o prog 2>said
	is "links $static" "$? $(cat said)" '0 '
	is 'and is recorded' "$(IOTRACE_DIR=$T ./prog >out; find . -maxdepth 1 -name 'prog.*.iotrace' | wc -l)" 1
	rm -f prog.*
done

# what is linked as a copy that was made when iotrace was built
for copy in direct/libc.a direct-fortran/libgfortran.a libiotrace-mpi-mpich-direct.a; do
	[ ! -f "$T/moved$libs/$copy" ] || ok "$copy says what it is a copy of" test -s "$T/moved$libs/$copy.of"
done
if command -v ld.lld >/dev/null; then
	of=$T/moved$libs/direct/libc.a.of
	"$T/links/moved" -static -fuse-ld=lld main.c -o prog 2>said
	is 'libc.a is as it was: nothing is said' "$? $(cat said)" '0 '
	sed 's/ [0-9]* / 1000000000 /' "$of" >changed && mv changed "$of"
	"$T/links/moved" -static -fuse-ld=lld main.c -o prog 2>said
	is 'it has changed: it is linked' $? 0
	like 'with a word' said ': /.*libc\.a has changed since iotrace was built'
	is 'in one line' "$(wc -l <said)" 1
	"$T/links/moved" -static main.c -o prog 2>said
	is 'what is no copy is linked without' "$? $(cat said)" '0 '
	rm -f prog
else
	skip 'copies' 'no ld.lld (Debian: lld)'
fi

makes install
makes uninstall
find root -type d | sort >after
same 'the directories are those that there were' after before
find root ! -type d >left
none 'no file is left' left
done_testing
