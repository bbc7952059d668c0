#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An installation of which a file is missing, empty, half written or of another iotrace: each wrapper
# links the program as the compiler does, and says in one line which file it is.  So for each file that
# a link of some kind adds; what it does not add may be missing.  TEST_LONG=1: all four for each kind.
# shellcheck disable=SC2086 # several words

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
bin=$top_builddir/compiler-wrappers
lib=$T/lib
export IOTRACE_LIBDIR="$lib"
: "${IOT_MPIS:=}" "${IOT_MUSL_CC:=}" "${FC:=}"

# files: all that links may add, as they are called where they are installed
sed -n 's/^{ "\(.*\)".*/\1/p' "$bin/parts.def" >built
sed 's,^[a-z]*/,,' built >files
# whole: the installation is complete
whole()
{
	rm -rf "$lib"
	while read -r part; do
		to=$lib/${part#*/}
		mkdir -p "${to%/*}" && ln -s "$top_builddir/$part" "$to" || exit 99
	done <built
}

# spoil FAULT FILE
spoil()
{
	good=$top_builddir/$(sed -n "s,^[a-z]*/$2\$,&,p" built)
	rm -f "$lib/$2"
	case $1 in
	empty) : >"$lib/$2" ;;
	half) head -c $(($(wc -c <"$good") / 2)) "$good" >"$lib/$2" ;;
	# as long as it was, but for a line; an archive whose first object has been taken from it
	other)
		case $2 in
		*.a)
			if [ "$(head -c 7 "$good")" = '!<arch>' ]; then
				cp "$good" "$lib/$2"
				chmod u+w "$lib/$2"
				ar d "$lib/$2" "$(ar t "$good" | sed 1q)"
			else
				sed 's/$/ /' "$good" >"$lib/$2"
			fi
			;;
		*) sed 1d "$good" >"$lib/$2" ;;
		esac
		;;
	esac
}

# repair FILE
repair()
{
	ln -sf "$good" "$lib/$1"
}

# added FILE: whether the command in ./shown reads it: by its name, or by that of its directory
added()
{
	case $1 in
	*/*) grep -qE -e "-L$lib/${1%/*}([ ']|\$)" shown ;;
	*) grep -qE "$lib/${1%.of}([ ,']|\$)" shown ;;
	esac
}

# faults KIND COMMAND...: what it says of each file that it adds, with each fault
faults()
{
	kind=$1
	shift
	whole
	"$@" --iotrace-show >shown 2>said
	is "$kind: all is there: nothing is said" "$? $(cat said)" '0 ' || return
	IOTRACE_WRAPPER=off "$@" --iotrace-show >plain 2>&1
	unlike "$kind: without us" plain "$lib"
	: >wrong
	n=0
	while read -r file; do
		if ! added "$file"; then
			echo "$file" >>unused
			continue
		fi
		for fault in $faults; do
			n=$((n + 1))
			spoil "$fault" "$file"
			"$@" --iotrace-show >now 2>said </dev/null
			{
				cmp plain now && [ "$(wc -l <said)" = 1 ] && grep -F "$lib/$file" said | grep 'not instrumented: '
			} >/dev/null || {
				echo "$fault $file"
				cat said
			} >>wrong
			repair "$file"
		done
	done <files
	none "$kind: $n faults are said in a line" wrong
	ok "$kind: there are some" [ "$n" -gt 1 ]
	# what is not added is not missed, but for the two lists that iocc reads itself
	grep -vxF -e wrap.list -e libaio.list unused | (cd "$lib" && xargs rm -f)
	rm unused
	"$@" --iotrace-show >now 2>said
	is "$kind: others are not missed" "$(cat said)" ''
	same "$kind: and the command is the same" now shown
	whole
}

# runs KIND FILE COMMAND...: with an empty FILE it links a program that works as ever, and is not recorded
runs()
{
	kind=$1
	spoil empty "$2"
	file=$2
	shift 2
	"$@" -o prog 2>said
	is "$kind: $file is empty: links" $? 0 || diag_file said
	like "$kind: $file is said" said "not instrumented: .*/$file is incomplete"
	is "$kind: in one line" "$(wc -l <said)" 1
	is "$kind: the program works" "$(IOTRACE_DIR=$T ./prog)" hello
	is "$kind: and is not recorded" "$(find . -maxdepth 1 -name 'prog.*.iotrace')" ''
	whole
	"$@" -o prog
	is "$kind: all is there: it works" "$(IOTRACE_DIR=$T ./prog)" hello
	ok "$kind: and is recorded" test -s "$(find . -maxdepth 1 -name 'prog.*.iotrace')"
	rm -f prog ./prog.*
}

cat >main.c <<'C'
#include <unistd.h>
int main(void)
{
	return write(1, "hello\n", 6) != 6;
}
C
cat >wraps.c <<'C'
#include <unistd.h>
long __real_write(int fd, const void *data, unsigned long n);
long __wrap_write(int fd, const void *data, unsigned long n);
long __wrap_write(int fd, const void *data, unsigned long n)
{
	return __real_write(fd, data, n);
}
int main(void)
{
	return write(1, "hello\n", 6) != 6;
}
C
echo 'int main(void) { return 0; }' >none.c
ok 'objects' "$CC" -c main.c wraps.c none.c
whole
runs dynamic libiotrace-dynamic.a "$IOCC" main.o
runs static wrap.list "$IOCC" -static main.o
runs 'static, by -lc' libiotrace.a "$IOCC" -static main.o
runs 'own wrapper' direct/libc.a "$IOCC" -static -Wl,--wrap=write wraps.o

faults='missing empty half other'
faults dynamic "$IOCC" main.o
faults static "$IOCC" -static main.o
faults 'own wrapper' "$IOCC" -static -Wl,--wrap=write wraps.o
[ -n "${TEST_LONG:-}" ] || faults=half
if "$CC" none.o -o none -Wl,--no-as-needed -laio -luring 2>/dev/null && "$CC" -static none.o -o none -laio -luring 2>/dev/null; then
	faults libraries "$IOCC" none.o -laio -luring
	faults 'libraries, static' "$IOCC" -static none.o -laio -luring
else
	skip libraries 'needs libaio and liburing'
fi
if echo 'int main(void) { return 0; }' | "$CC" -xc - -o none -fsanitize=address -static-libasan 2>/dev/null; then
	faults sanitizer "$IOCC" none.o -fsanitize=address -static-libasan
else
	skip sanitizer 'needs libasan.a'
fi
if command -v ld.lld >/dev/null; then
	faults lld "$IOCC" -static -fuse-ld=lld main.o
else
	skip lld 'no ld.lld (Debian: lld)'
fi
if [ -n "$IOT_MUSL_CC" ] && grep -q musl files; then
	IOCC_CC=$IOT_MUSL_CC
	export IOCC_CC
	faults musl "$IOCC" -static main.o
	unset IOCC_CC
else
	skip musl 'configure found no musl'
fi
if [ -x "$IOF90" ] && "${FC:-gfortran}" --version >said 2>&1; then
	printf 'print "(a)", "hello"\nend\n' >main.f90
	"$FC" -c main.f90 -o f.o
	cat >own.c <<-'C'
		void __real__gfortran_st_write(void *); void __wrap__gfortran_st_write(void *);
		void __wrap__gfortran_st_write(void *data) { __real__gfortran_st_write(data); }
	C
	"$CC" -c own.c
	runs Fortran libiotrace-dynamic-fortran.a "$IOF90" f.o
	runs 'Fortran, static' wrap.list "$IOF90" -static main.f90
	faults Fortran "$IOF90" f.o
	faults 'Fortran, static' "$IOF90" -static f.o
	faults 'Fortran, -static-libgfortran' "$IOF90" -static-libgfortran f.o
	faults 'Fortran, own wrapper' "$IOF90" -static f.o own.o -Wl,--wrap=_gfortran_st_write
else
	skip Fortran 'no gfortran'
fi
for mpi in $IOT_MPIS; do
	eval "IOMPICC_CC=\$IOT_MPI_${mpi}_CC"
	export IOMPICC_CC
	echo 'int MPI_Init(void *, void *); int main(void) { return MPI_Init(0, 0); }' | "$CC" -c -o mpi.o -xc -
	faults "$mpi" "$bin/iompicc" mpi.o
	if command -v ld.mold >/dev/null; then
		faults "$mpi, mold" "$bin/iompicc" -fuse-ld=mold mpi.o
	else
		skip "$mpi, mold" 'no ld.mold (Debian: mold)'
	fi
	grep -qx "libiotrace-mpi-$mpi.a" files || continue
	faults "$mpi, static" "$bin/iompicc" -static mpi.o
	faults "$mpi, own wrapper" "$bin/iompicc" -static mpi.o -Wl,--wrap=MPI_Init
done

# A link that is tried without us first, and fails for want of room there
cat >compiler <<END
#!/bin/sh
case "\$*" in *"$T/tmp/iocc"*) echo no room >&2; exit 1 ;; esac
exec $CC "\$@"
END
chmod +x compiler
mkdir tmp
echo 'extern int io_submit(void) __attribute__((weak)); int main(void) { return !!io_submit; }' >weak.c
whole
TMPDIR=$T/tmp IOCC_CC=$T/compiler "$IOCC" weak.c -o weak >out 2>said
is 'a first link fails, the second does not: status' "$?" 0
like 'it is said' said "^iocc: not instrumented: .*$T/tmp"
is 'in one line' "$(wc -l <said)" 1
echo 'int io_submit(void); int main(void) { return io_submit(); }' >fails.c
"$CC" fails.c -o fails 2>plain
status=$?
"$IOCC" fails.c -o fails 2>said
is 'both fail: as without us' "$?" "$status"
sed 's/cc[A-Za-z0-9]*\.o/cc.o/' plain >plain.same
sed 's/cc[A-Za-z0-9]*\.o/cc.o/' said >said.same
same 'so is what is said' said.same plain.same
done_testing
