#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is linked, whoever is told of it: inputs that only the linker sees are linked with
# the recorder; and what can't be recorded is said.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
echo 'int g(void); int main(void) { return g(); }' >main.c
printf '#include <unistd.h>\nint g(void);\nint g(void) { return write(1, "hello\\n", 6) != 6; }\n' >g.c
# shellcheck disable=SC2086 # CC may have options
$CC -O1 -c main.c g.c || exit 99
ar cr libgreeting.a g.o || exit 99
echo 'main.o g.o' >both.rsp
echo '-Wl,--start-group main.o g.o -Wl,--end-group' >driver.rsp
printf '@both.rsp\n' >nested.rsp
echo 'INPUT(main.o g.o)' >inputs.ld

# recorded DESCRIPTION: ./prog says hello, and its write is in its log
recorded()
{
	rm -rf logs && mkdir logs
	is "$1: runs" "$(IOTRACE_DIR=$T/logs ./prog 2>&1)" hello
	"$IOTRACE_CAT" --format=json logs >json 2>&1
	like "$1: is recorded" json '"call":"write"'
}

for static in '' -static; do
	for link in '-Wl,main.o,g.o' '-Wl,@both.rsp' '-Wl,@nested.rsp' '-Wl,--start-group,main.o,g.o,--end-group' \
		'-Xlinker main.o -Xlinker g.o' '-Xlinker @both.rsp' '-Wl,--whole-archive,libgreeting.a,--no-whole-archive,main.o' \
		'-Wl,main.o,-L.,-lgreeting' '-Wl,main.o -Wl,-L -Wl,. -Wl,-l -Wl,greeting' '--for-linker main.o -Xlinker libgreeting.a' \
		'-Wl,inputs.ld' '@driver.rsp' '-Xlinker -Map -Xlinker map -Wl,main.o,g.o'; do
		rm -f prog
		# shellcheck disable=SC2086 # words
		"$IOCC" $static -o prog $link >said 2>&1
		is "$static $link: linked, and nothing said" "$? $(cat said)" '0 '
		recorded "$static $link"
	done
done
# a script that names the inputs, and all else for them
rm -f prog
"$IOCC" -o prog -Wl,inputs.ld -Wl,-z,now >said 2>&1
is 'a script of inputs' "$? $(cat said)" '0 '
recorded 'a script of inputs'
# what is none
shown=$("$IOCC" --iotrace-show -Wl,-Map,x -Wl,-rpath,/x -Wl,-z,now)
is 'values of options are not inputs' "$shown" "$CC -Wl,-Map,x -Wl,-rpath,/x -Wl,-z,now"
for option in '-Wl,main.o,-r' '-Wl,@plain.rsp' '-Xlinker @plain.rsp'; do
	echo 'main.o -r' >plain.rsp
	# shellcheck disable=SC2086 # words
	is "$option is no executable" "$("$IOCC" --iotrace-show $option)" "$CC $option"
done

# --- sanitizers whose runtime is in the executable
cat >say.c <<'C'
#include <unistd.h>
int main(void) { return write(1, "hello\n", 6) != 6; }
C
# sanitized COMPILER OPTIONS...: the write is recorded, or said not to be
sanitized()
{
	about="$*" compiler=$1
	shift
	if ! "$compiler" "$@" say.c -o plain >said 2>&1 || [ "$(./plain 2>&1)" != hello ]; then
		skip "$about" 'such programs do not run here'
		return
	fi
	IOCC_CC=$compiler "$IOCC" "$@" say.c -o prog 2>said
	rm -rf logs && mkdir logs
	is "$about: runs" "$(IOTRACE_DIR=$T/logs ./prog 2>&1)" hello
	"$IOTRACE_CAT" --format=json logs >json 2>&1
	if grep -q '"call":"write"' json; then
		is "$about: recorded, and nothing is said" "$(cat said)" ''
	else
		like "$about: not recorded, as is said" said '^iocc: not instrumented: calls that the [a-z]* sanitizer'
	fi
}
for options in '-fsanitize=address' '-fsanitize=address -static-libasan' '-fsanitize=thread -static-libtsan' \
	'-fsanitize=address,undefined -static-libasan -static-libubsan' '-fsanitize=undefined -static-libubsan' \
	'-fsanitize=thread' '-static-libasan'; do
	# shellcheck disable=SC2086 # words
	sanitized gcc $options
done
if command -v clang >/dev/null; then
	for options in '-fsanitize=address' "-fsanitize=address -shared-libsan -Wl,-rpath,$(dirname "$(clang -print-file-name=libclang_rt.asan-x86_64.so)")" '-fsanitize=thread' \
		'-fsanitize=memory' '-fsanitize=undefined' '-fsanitize=undefined -fsanitize=address' \
		'-fsanitize=address -fno-sanitize=all'; do
		# shellcheck disable=SC2086 # words
		sanitized clang $options
	done
else
	skip 'clang' 'not installed'
fi

# --- MPI's library without MPI's compiler
# shellcheck source=t/lib/openmpi.sh
. "$top_srcdir/t/lib/openmpi.sh"
for mpi in $IOT_MPIS; do
	cc=$(eval "echo \"\$IOT_MPI_${mpi}_CC\"")
	cat >file.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
	MPI_File f;
	int bad = MPI_Init(&argc, &argv);

	bad |= MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
	bad |= MPI_File_close(&f);
	return MPI_Finalize() | bad;
}
C
	set --
	for word in $($cc -show); do
		case $word in
		-*) set -- "$@" "$word" ;;
		esac
	done
	"$IOCC" file.c "$@" -o prog >said 2>&1
	is "$mpi: by -lmpi: linked, and nothing said" "$? $(cat said)" '0 '
	rm -rf logs && mkdir logs
	IOTRACE_DIR=$T/logs timeout 600 ./prog >out 2>&1
	is "$mpi: runs" $? 0 || diag_file out
	"$IOTRACE_CAT" --format=json logs >json 2>&1
	like "$mpi: MPI-IO is recorded" json '"call":"MPI_File_open"'
	so=$(ldd prog | sed -n 's,.* => \(/[^ ]*/libmpi[ch]*\.so[^ ]*\) .*,\1,p' | head -n 1)
	# shellcheck disable=SC2046 # words
	"$IOCC" $($cc -show | tr ' ' '\n' | grep '^-I') file.c -Wl,"$so" -o prog >said 2>&1
	is "$mpi: by its file: linked, and nothing said" "$? $(cat said)" '0 '
done
mkdir other
# shellcheck disable=SC2086 # CC may have options
$CC -shared -o other/libmpi.so -x c - <<'C'
int MPI_Init(void) { return 0; }
C
echo 'int MPI_Init(void); int main(void) { return MPI_Init(); }' >init.c
"$IOCC" init.c -Lother -lmpi -o prog 2>said
like 'another MPI: said' said "^iocc: not instrumented: MPI's calls: .*/other/libmpi\.so is not of an MPI"
done_testing
