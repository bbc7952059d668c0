#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What iocc makes of its arguments: what it adds, when it adds nothing, and
# that apart from this nobody can tell it from the compiler.

# shellcheck disable=SC2016 # dollars that are to stay dollars
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

LIB="$T/the lib"
ln -s "$top_builddir/lib" "$LIB"
export IOTRACE_LIBDIR="$LIB" IOCC_CC="$CC" IOCXX_CXX="$CXX"
FP=-fno-omit-frame-pointer
cd "$T" || exit 99
mkdir 'a dir'

# shows HOW ARGUMENTS...: runs iocc --iotrace-show and compares the command.
# HOW: plain (as given), compile, link (both say nothing), or the reason that
# has to be given for a plain link; compile+reason likewise.
shows()
{
	how=$1
	shift
	want=$(
		[ "$how" != 'dynamic build' ] || set -- $FP "$@"
		case $how in
		plain | +*) set -- "$@" ;;
		compile*) set -- $FP "$@" ;;
		link) set -- "-L$LIB/static" -Wl,-u,iot_user "$@" "-L$LIB" "-Wl,@$LIB/wrap.list" "-Wl,$LIB/libiotrace.a" ;;
		build) set -- "-L$LIB/static" $FP -Wl,-u,iot_user "$@" "-L$LIB" "-Wl,@$LIB/wrap.list" "-Wl,$LIB/libiotrace.a" ;;
		lld | own) set -- "-L$LIB/direct" $FP -Wl,-u,iot_user "$@" ;;
		dynamic*) set -- "$@" "-Wl,--push-state,--whole-archive,$LIB/libiotrace-dynamic.a,$LIB/libiotrace-dynamic-fortran.a,$LIB/libiotrace-dynamic-libaio.a,$LIB/libiotrace-dynamic-liburing.a,--pop-state" \
			"-Wl,--dynamic-list=$LIB/dynamic.list,--dynamic-list=$LIB/dynamic-fortran.list,--dynamic-list=$LIB/dynamic-libaio.list,--dynamic-list=$LIB/dynamic-liburing.list" ;;
		esac
		printf '<%s>' "$@"
	)
	shown=$("$IOCC" --iotrace-show "$@" 2>said)
	got=$(eval "set -- ${shown#"$CC"}"; printf '<%s>' "$@")
	case $how in
	*+*) said="iocc: not instrumented: ${how#*+}" ;;
	*) said= ;;
	esac
	is "$how: $*" "$got $(sed 's/ (.*//' said)" "$want $said"
}

# --- compiling
shows compile -c a.c
shows compile -O2 -S a.c -o a.s
shows compile -c a.cc b.cpp
shows compile -fomit-frame-pointer -c a.c
shows compile -c a.c -MD -MF a.d
shows compile -MMD -c a.c
shows compile -x c - -c
shows compile -xc++ -c weird
shows compile -x c -c a.s
shows compile a.h
shows compile -x c-header foo
shows compile -c -shared a.c
shows compile -c a.c -static
shows plain -c a.s
shows plain -c a.S
shows plain -x assembler -c a.c
shows compile -c a.s b.c
shows compile -c 'a dir/it'\''s "a" $file*.c' ''
shows compile --compile a.c
shows plain -fsyntax-only a.c

# --- preprocessing only
shows plain -E a.c
shows plain -E -c a.c
shows plain -E - -dM
shows plain -M a.c
shows plain -MM a.c -o a.d
shows plain -c -MM a.c

# --- questions
for option in -v --version --help --help=common --target-help -dumpversion \
	-dumpmachine -dumpspecs -print-search-dirs -print-file-name=libc.a \
	-print-prog-name=ld --print-sysroot -V -Wl,--version -Wl,-v; do
	shows plain "$option"
done
shows plain
shows plain '-###' -static a.c
shows plain --version -static a.c

# --- linking static executables
shows link -static a.o
shows link a.o -static -o prog -lm
shows link --static a.o
shows link -static-pie a.o
shows link -static -pie a.o
shows link -static -no-pie a.o -oprog
shows link -static 'a dir/a.o' -L 'a dir' -lfoo
shows link -static a.o -Wl,-T,x.ld -Wl,-z,now -Xlinker -Map=x
shows link -static -lonly
shows link -static -l only
shows link -static -x none a.o
shows link -static a.o -nodefaultlibs -lc
shows build -static a.c
shows build -v -static a.c
shows build -static -flto a.c b.o
shows build -static -fuse-ld=bfd a.c
shows build -static -fuse-ld=gold a.c
shows build -static -fuse-ld=mold a.c
shows lld -static -fuse-ld=lld a.c
shows lld -static --ld-path=/usr/bin/ld.lld a.c
shows build -static a.c -fuse-ld=lld -fuse-ld=bfd
shows build -static -I -c a.c
shows build -static -o -shared a.c
shows build -static -include -E a.c -D -r
shows build -static a.c -MF -M
shows build -static a.c -U @nothing

# --- a program that wraps what we wrap
shows own -static a.c -Wl,--wrap=write
shows own -static a.c -Wl,--wrap,write
shows own -static a.c -Wl,-z,now,-wrap=write
shows own -static a.c -Wl,-wrap -Wl,write
shows own -static a.c -Xlinker --wrap=write
shows own -static a.c -Xlinker --wrap -Xlinker write
echo --wrap=write >wrap.rsp
shows own -static a.c -Wl,@wrap.rsp
echo '-Wl,--wrap=malloc,--wrap=write' >wrap.rsp
shows own -static a.c @wrap.rsp
echo 'int __wrap_write;' >own.c
shows own -static own.c
shows own -static a.c 'a dir/../own.c'
# nor others
shows build -static a.c -Wl,--wrap=malloc
shows build -static a.c -Wl,--wrap=frobnicate
shows build -static a.c -Wl,-soname,--wrap=write
echo 'int __wrap_frobnicate, __real_write;' >other.c
shows build -static other.c
: >empty.c
head -c 100 /dev/zero >zero.c
{ printf '\177ELF\2\1\1'; head -c 200 /dev/zero | tr '\\0' '\\377'; } >broken.c
printf '!<arch>\n/ 99999999999999999999' >broken2.c
for file in empty.c zero.c broken.c broken2.c "a dir"; do
	shows build -static a.c "$file" a.c
done
shows 'dynamic build' a.c -Wl,--wrap=write
shows 'dynamic build' own.c

# --- linking dynamic executables
shows dynamic a.o
shows dynamic a.o -o prog -static-libgcc -Wl,-Bstatic -lfoo -Wl,-Bdynamic
shows dynamic a.o -Xlinker -dn -lfoo -Xlinker -dy
shows dynamic a.o -nodefaultlibs -lc
shows dynamic a.o -rdynamic -Wl,-z,now
shows 'dynamic build' a.c
shows 'dynamic build' a.c -pie
shows 'dynamic build' a.c -flto -fuse-ld=lld

# --- kinds of links that are left alone, silently
for option in -shared --shared -r -nostdlib -nostartfiles -nodefaultlibs -nolibc \
	-Wl,-r -Wl,--relocatable -Wl,-O1,-shared -flinker-output=rel; do
	shows plain -static "$option" a.o
	shows plain "$option" a.o
	shows compile -static "$option" a.c
done
shows plain -static a.o -Xlinker -r
shows plain -static a.o -Xlinker -Bshareable

# --- links that can't be instrumented, with the reason
shows '+-Bstatic, never undone, gives a dynamic executable a libc of its own' \
	a.o -o prog -static-libgcc -Wl,-Bstatic -lfoo
shows 'compile+-fsplit-stack wraps pthread_create itself' -static -fsplit-stack a.c
"$IOCC" --iotrace-show -static a.o -specs /usr/lib/musl-gcc.specs >shown 2>said
like 'musl is another libc' said '^iocc: not instrumented: links another libc\.a than /'
"$IOCC" --iotrace-show -m32 -static a.o >shown 2>said
like 'so is that of -m32' said '^iocc: not instrumented: links another libc\.a than /'
"$IOCC" --iotrace-show -m32 a.o >shown 2>said
like 'shared too' said '^iocc: not instrumented: links another libc\.so\.6 than /'
is '-m32: one line' "$(wc -l <said)" 1
IOTRACE_LIBDIR="$T/none" "$IOCC" --iotrace-show -static a.o >shown 2>said
is 'no archive: the command' "$(cat shown)" "$CC -static a.o"
like 'no archive: the reason' said "^iocc: not instrumented: no $T/none/wrap.list \\(install"
ln -s "$LIB" 'x,y'
IOTRACE_LIBDIR="$T/x,y" "$IOCC" --iotrace-show -static a.o >shown 2>said
like 'a comma in the directory' said 'path with a comma: .*x,y$'

# --- probes of build systems
for probe in conftest.c conftest.o conftest1.o ./conftest.cc conftest.cpp libconftest.a \
	CMakeCCompilerId.c CMakeCXXCompilerId.cpp CMakeFiles/cmTC_0a1b2.dir/x.c.o \
	/x/CMakeFiles/CMakeScratch/TryCompile-x/testCCompiler.c \
	meson-private/sanitycheckc.c /b/meson-private/tmpx/testfile.c; do
	shows plain "$probe"
	shows plain -static -O2 "$probe"
	shows plain -c "$probe"
done
shows plain -static x.o -o conftest
shows plain -static x.o -o cmTC_77fe1
shows plain -static x.o -oconftest
shows link -static x.o -I conftest.d
shows link -static conftest.d/x.o

# --- settings
IOTRACE_WRAPPER=off shows plain -static a.c
IOTRACE_WRAPPER=on shows build -static a.c
IOTRACE_WRAPPER=off "$IOCC" a.c >out 2>said
unlike 'off: the compiler and nothing else' said 'iocc:'
is 'a compiler of several words' "$(IOCC_CC="env A=b $CC -g" "$IOCC" --iotrace-show -c 'x y.c')" \
	"env A=b $CC -g $FP -c 'x y.c'"
is 'whose options count' "$(IOCC_CC="$CC -E" "$IOCC" --iotrace-show a.c)" "$CC -E a.c"
printf '#!/bin/sh\necho "<$1><$2>"\n' >'a dir/cc' && chmod +x 'a dir/cc'
is 'a compiler with a space in its path' "$(IOCC_CC="$T/a dir/cc" "$IOCC" -c 'x y.s')" '<-c><x y.s>'
printf '#!/bin/sh\nenv | grep -v "^_=" | sort\n' >cc-env && chmod +x cc-env
env -i PATH="$PATH" PWD="$T" mode=a word=b static=c file=d real=e IFS=, ./cc-env >want
env -i PATH="$PATH" PWD="$T" mode=a word=b static=c file=d real=e IFS=, IOCC_CC=./cc-env \
	"$IOCC" -static -c x.c -o x.o >all
grep -v -e '^IOCC_CC=' -e '^IOTRACE_WRAPPED=' all >got
same 'the environment is passed on as it is' got want
is 'but for what was run' "$(grep '^IOTRACE_WRAPPED=' all)" 'IOTRACE_WRAPPED=./cc-env'
IOCC_CC="$IOCC" exits 'a wrapper around itself' 127 "$IOCC" -c a.c
like 'is told' .said 'is a wrapper itself \(set IOCC_CC'
IOCC_CC=no-such-cc exits 'no compiler' 127 "$IOCC" -c a.c
like 'is told' .said '^iocc: no compiler no-such-cc \(set IOCC_CC\)$'
is 'iocxx: the C++ compiler' "$("$IOCXX" --iotrace-show -c a.cc)" "$CXX $FP -c a.cc"
"$IOCXX" --iotrace-show -static a.o >shown
like 'iocxx: the wrapper of pthread_create comes before libgcc' shown '-Wl,-u,__wrap_pthread_create'
"$IOCC" --iotrace-show -static -fopenmp a.o >shown
like 'iocc -fopenmp: likewise' shown '-Wl,-u,__wrap_pthread_create'
"$IOCC" --iotrace-show -static -nodefaultlibs a.o -lgcc -lc >shown
like 'and with an early -lgcc' shown '-Wl,-u,__wrap_pthread_create .*libiotrace.a. .*-lgcc'

# --- help: the compiler's, and ours behind it
{ $CC --help && echo && "$IOCC" --iotrace-help; } >help 2>&1
"$IOCC" --help >now 2>&1
same 'our options stand behind those of the compiler' now help
like 'and are named' help '^  --iotrace-show '
IOTRACE_WRAPPER=off "$IOCC" --help >now 2>&1
$CC --help >help 2>&1
same 'the help is the compiler'\''s when we are off' now help
printf '#!/bin/sh\nexit 3\n' >fails
chmod +x fails
exits 'a compiler without help' 3 env IOCC_CC=./fails "$IOCC" --help
none 'has nothing added' .said

# --- response files
printf '%s\n' '-static -O2' "'a dir/x y.c'" '"it'\''s.c"' 'back\ slash.c' >r1
shows build @r1
printf '%s\n' '@r1 -c' >r2
shows compile @r2 -o x.o
printf '%s' '-shared' >r3
shows compile -static a.c @r3
shows plain -static a.o @r3
printf '%s\n' "-o 'conftest'" >r4
shows plain a.c @r4
printf '%s\n' '-I' >r5
shows build -static @r5 -c a.c
: >r6
shows plain @r6
shows dynamic @missing
printf '"-sta\ntic" -D"x -c"\n' >r7
shows 'dynamic build' @r7 a.c
echo @r8 >r8
exits 'a response file that names itself' 1 "$IOCC" @r8
like 'is told' .said 'r8'

# --- nobody can tell it from the compiler: bytes out, bytes in error, status, files
cat >main.c <<'C'
#include <stdio.h>
#include "my head.h"
int main(void) { return puts(TEXT) < 0; }
C
echo '#define TEXT "text"' >'a dir/my head.h'
echo 'int main(void) { return x; } int unused(void) { int y; }' >bad.c
echo 'int f(void) { return 0; }' >f.c
printf '%s\n' "-I'a dir'" '-DSPACE="a b"' main.c >r9

# invisible DIRECTORY-FILLING ARGUMENTS...
invisible()
{
	rm -rf one two
	cp -R files run
	(cd run && $CC "$@" >out 2>err <in; echo $? >status)
	mv run one
	cp -R files run
	(cd run && "$IOCC" "$@" >out 2>err <in; echo $? >status)
	mv run two
	# temporary files are called differently each time
	sed -i 's,/cc[A-Za-z0-9]\{6\}\([-." ]\|$\),/ccXXXXXX\1,g' one/err two/err
	ok "as the compiler: $*" diff -r one two
}
mkdir files
cp -R main.c bad.c f.c r9 'a dir' files
echo 'int main(void) { return 3; }' >files/in
invisible --version
invisible -v
invisible -dumpversion
invisible -dumpmachine
invisible -dumpspecs
invisible -print-search-dirs
invisible -print-file-name=libc.a
invisible -print-prog-name=ld
invisible -print-libgcc-file-name
invisible --help=common
invisible --target-help
invisible -Wl,--version
invisible
invisible -V
invisible -no-such-option
invisible -c no-such-file.c
invisible -shared no-such-file.c
invisible -c bad.c -Wall
invisible bad.c -static
invisible -c bad.c -fdiagnostics-format=json
invisible -fsyntax-only bad.c
invisible -E main.c '-Ia dir'
invisible -E @r9
invisible -M @r9
invisible -MM main.c -I'a dir'
invisible -E -dM - -DX='a "b"'
invisible -### -c f.c -o f.o
invisible $FP -c @r9 -o 'a dir/main.o'
invisible $FP -c main.c f.c -I 'a dir'
invisible $FP -S f.c
invisible $FP -x c -c - -o in.o
invisible $FP -O2 -MD -MF 'a dir/d' -c f.c -save-temps
invisible -shared $FP -fPIC -o libf.so f.c
invisible -r -nostdlib $FP f.c -o f.o
IOTRACE_WRAPPER=off invisible -static f.c main.c -I'a dir' -o main
cp f.c files/conftest.c
invisible -c conftest.c
invisible conftest.c -static -o conftest
invisible @r9 -o conftest
printf '#!/bin/sh\nexit 42\n' >cc42 && chmod +x cc42
exits 'the status is passed on' 42 env IOCC_CC="$T/cc42" "$IOCC" -c x.c
printf '#!/bin/sh\nkill -9 $$\n' >cc9 && chmod +x cc9
exits 'and so is a signal' 137 env IOCC_CC="$T/cc9" "$IOCC" -c x.c

done_testing
