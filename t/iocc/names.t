#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The names under which iocc is run: links of a compiler's name in front of PATH, scripts
# that run it, ccache in both orders, io-NAME, and links and copies of the program.  None
# runs itself for ever, each runs the compiler that a user would expect, once, and what
# it adds is added once.

# shellcheck disable=SC2016 # scripts' arguments
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
wrappers=$top_builddir/compiler-wrappers
FP=-fno-omit-frame-pointer

# Compilers that say how they were called; they come behind those of ours in PATH.
mkdir real shim scripts more
for name in gcc cc c++ g++ clang clang++ gfortran f95 gcc-12 x86_64-linux-gnu-gcc mpicc mpicxx mpif90; do
	printf '#!/bin/sh\necho "%s <$0> $*"\n' "$name" >real/$name
	chmod +x real/$name
done
base=$T/real:$PATH
timeout=$(command -v timeout)

# ran DESCRIPTION PATH EXPECTED COMMAND...: what is said, within a minute
ran()
{
	about=$1 path=$2 want=$3
	shift 3
	got=$(PATH=$path "$timeout" 600 "$@" 2>&1)
	is "$about" "$got" "$want"
}

# --- links of compilers' names
for name in gcc cc c++ g++ clang clang++ gfortran gcc-12 x86_64-linux-gnu-gcc; do
	ln -s "$IOCC" shim/$name
	ran "shim/$name -> iocc" "$T/shim:$base" "$name <$T/real/$name> $FP -c x.c" $name -c x.c
	ran "shim/$name by its path" "$base" "$name <$T/real/$name> $FP -c x.c" "$T/shim/$name" -c x.c
done
ran 'help' "$T/shim:$base" "gcc <$T/real/gcc> --help" gcc --help
ran 'a question' "$T/shim:$base" "gcc <$T/real/gcc> --version" gcc --version
if [ -e "$wrappers/iompicc" ]; then
	ln -s "$wrappers/iompicc" shim/mpicc
	ran 'shim/mpicc -> iompicc' "$T/shim:$base" "mpicc <$T/real/mpicc> $FP -c x.c" mpicc -c x.c
	ln -s "$IOCC" shim/mpicxx
	ran 'shim/mpicxx -> iocc' "$T/shim:$base" "mpicxx <$T/real/mpicxx> $FP -c x.cc" mpicxx -c x.cc
else
	skip 'mpicc' 'no MPI (Debian: libopenmpi-dev, libmpich-dev)'
fi
ln -s "$T/shim/gcc" more/gcc
ran 'two of them, one after the other' "$T/more:$T/shim:$base" "gcc <$T/real/gcc> $FP -c x.c" gcc -c x.c
ran 'a directory twice in PATH' "$T/shim:$T/shim:$base" "gcc <$T/real/gcc> $FP -c x.c" gcc -c x.c
ran 'iocc with the link in PATH' "$T/shim:$base" "gcc <$T/real/gcc> $FP -c x.c" env IOCC_CC=gcc "$IOCC" -c x.c
ran 'IOCC_CC is stronger' "$T/shim:$base" "clang <$T/real/clang> $FP -c x.c" env IOCC_CC="$T/real/clang" gcc -c x.c
ln -s "$IOCC" more/mycc
ran 'a name that no compiler has' "$T/more:$base" "clang <$T/real/clang> $FP -c x.c" env IOCC_CC="$T/real/clang" mycc -c x.c
(cd shim && ln -s ../more/mycc cc2 && ln -s cc2 f95)
ran 'a link to a link, relative' "$T/shim:$base" "f95 <$T/real/f95> $FP -c x.f" f95 -c x.f
ran 'nothing behind it' "$T/shim" 'iocc: no compiler gcc (set IOCC_CC)' /usr/bin/env IOCC_CC=gcc gcc -c x.c

# --- scripts that run us
printf '#!/bin/sh\nexec "%s" "$@"\n' "$IOCC" >scripts/gcc
printf '#!/bin/sh\nexec "%s/iompicc" "$@"\n' "$wrappers" >scripts/mpicc
printf '#!/bin/sh\n"%s" "$@"\n' "$IOCC" >scripts/cc
chmod +x scripts/*
ran 'a script gcc that execs iocc' "$T/scripts:$base" "gcc <$T/real/gcc> $FP -c x.c" env IOCC_CC=gcc gcc -c x.c
ran 'a script cc that runs iocc' "$T/scripts:$base" "cc <$T/real/cc> $FP -c x.c" env IOCC_CC=cc cc -c x.c
ran 'and one in front of a link' "$T/scripts:$T/shim:$base" "gcc <$T/real/gcc> $FP -c x.c" env IOCC_CC=gcc gcc -c x.c
ran 'behind a link' "$T/shim:$T/scripts:$base" "gcc <$T/real/gcc> $FP -c x.c" env IOCC_CC= gcc -c x.c
if [ -e "$wrappers/iompicc" ]; then
	ran 'a script mpicc that execs iompicc' "$T/scripts:$base" "mpicc <$T/real/mpicc> $FP -c x.c" \
		env IOMPICC_CC=mpicc mpicc -c x.c
fi
ran 'a script that IOCC_CC names by its path' "$T/real" \
	"gcc <$T/real/gcc> $FP -c x.c" /usr/bin/env IOCC_CC="$T/scripts/gcc" "$IOCC" -c x.c
ran 'which nothing is behind' "$T/scripts:/bin" 'iocc: no compiler mycc but the one that runs iocc (set IOCC_CC)' \
	sh -c 'printf "#!/bin/sh\nexec \"$IOCC\" \"\$@\"\n" >scripts/mycc; chmod +x scripts/mycc
		IOCC_CC=mycc exec "$IOCC" -c x.c'

# --- a link asks a compiler that configure knows nothing, ccache in front of it or not
mkdir hidden masked
printf '#!/bin/sh\necho "$*" >>%s/asked\nPATH=${PATH#%s/masked:}\nexec "%s" "$@"\n' "$T" "$T" \
	"$(command -v gcc)" >hidden/ccache
chmod +x hidden/ccache
ln -s ../hidden/ccache masked/gcc
printf 'int main(void) { return 0; }\n' >empty.c
for compiler in gcc "$T/masked/gcc"; do
	rm -f asked
	ok "$compiler like ccache: links" env PATH="$T/masked:$PATH" IOCC_CC="$compiler" "$IOCC" empty.c -o empty
	is "$compiler like ccache: is not asked for its libc" "$(grep -c print-file asked)" 0
done

# --- ccache: it too takes the next compiler in PATH for its own
if command -v ccache >/dev/null; then
	mkdir cached
	ln -s "$(command -v ccache)" cached/gcc
	export CCACHE_DIR="$T/ccache.dir" CCACHE_DISABLE=1
	echo 'int x(void) { return 1; }' >x.c
	real=$(dirname "$(command -v gcc)")
	ran 'ccache in front of the link' "$T/cached:$T/shim:$real:/bin" '' gcc -c x.c -o one.o
	ok 'makes an object' test -s one.o
	ran 'ccache behind the link' "$T/shim:$T/cached:$real:/bin" '' gcc -c x.c -o two.o
	ok 'makes an object' test -s two.o
	ran 'IOCC_CC="ccache gcc" with the link' "$T/shim:$real:/bin:/usr/bin" '' env IOCC_CC='ccache gcc' "$IOCC" -c x.c -o three.o
	ok 'makes an object' test -s three.o
	ran 'ccache iocc' "$real:/bin:/usr/bin" '' ccache "$IOCC" -c x.c -o four.o
	ok 'makes an object' test -s four.o
else
	skip 'ccache' 'not installed (Debian: ccache)'
fi

# a stand-in that does what it does: the next of its name that is not itself
mkdir stand-in
cat >stand-in/gcc <<'S'
#!/bin/sh
IFS=:
for dir in $PATH; do
	[ "$dir" != "${0%/*}" ] && [ -x "$dir/gcc" ] && exec "$dir/gcc" "$@"
done
S
chmod +x stand-in/gcc
ran 'one like ccache in front' "$T/stand-in:$T/shim:$base" "gcc <$T/real/gcc> $FP -c x.c" gcc -c x.c
ran 'one like ccache behind' "$T/shim:$T/stand-in:$base" "gcc <$T/real/gcc> $FP -c x.c" gcc -c x.c
ran 'in front of iocc' "$T/stand-in:$base" "gcc <$T/real/gcc> $FP -c x.c" env IOCC_CC=gcc "$IOCC" -c x.c

# --- io-NAME
for name in gcc g++ clang clang++; do
	ran "io-$name" "$base" "$name <$T/real/$name> $FP -c x.c" env IOCC_CC=none IOCXX_CXX=none "$wrappers/io-$name" -c x.c
	ran "io-$name, links in front" "$T/shim:$base" "$name <$T/real/$name> $FP -c x.c" "$wrappers/io-$name" -c x.c
done
if [ -e "$wrappers/iof90" ]; then
	ran 'io-gfortran' "$base" "gfortran <$T/real/gfortran> $FP -c x.f90" "$wrappers/io-gfortran" -c x.f90
fi
ln -s "$IOCC" more/io-gcc-12
ran 'a name of that kind that a user makes' "$base" "gcc-12 <$T/real/gcc-12> $FP -c x.c" more/io-gcc-12 -c x.c
ran 'no such compiler' "/bin" 'io-clang: no compiler clang' /usr/bin/env PATH="$T/more" "$wrappers/io-clang" -c x.c
case $wrappers/io-gcc in
*gcc*) pass 'configure scripts see gcc in io-gcc' ;;
*) fail 'configure scripts see gcc in io-gcc' ;;
esac

# --- how languages are told by the compiler's name: C++ programs want their threads early
export IOTRACE_LIBDIR="$top_builddir/lib"
PATH=$T/shim:$PATH g++ --iotrace-show -static x.o >shown 2>said
like 'shim/g++ -> iocc links C++' shown 'pthread_create|direct'
is 'and nothing is said' "$(cat said)" ''
done_testing
