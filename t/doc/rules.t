#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The rules of the source that a machine can check: what the recorder defines and
# calls, who includes what, licences, sizes, shell scripts; and how little of it
# a program gets.
. "${0%/*}/../lib/tap.sh"

archive=$top_builddir/lib/libiotrace.a

# --- symbols of the recorder -------------------------------------------------
# "MEMBER TYPE NAME"; undefined ones have no address
"$NM" -A "$archive" 2>/dev/null | awk '{ print $(NF - 2), $(NF - 1), $NF }' |
	sed 's/^[^ ]*:\([^: ]*\.o\):[0-9a-f]* /\1 /' >"$T/nm"
ok 'the archive has symbols' grep -q ' T __wrap_write$' "$T/nm"

# DW.ref.__gcc_personality_v0 is a pointer of the compiler's, the same in every
# object that cleans up after exceptions.
awk '$2 ~ /[A-TV-Z]/ && $2 != "U" && $3 !~ /^(iot_|__wrap_|DW\.ref\.__gcc_personality_v0$)/' \
	"$T/nm" >"$T/out"
none 'all that the recorder defines begins with iot_ or __wrap_' "$T/out"

readelf -sW "$archive" 2>/dev/null |
	awk '$5 == "GLOBAL" && $6 != "HIDDEN" && $7 != "UND" && $8 !~ /^__wrap_/ { print $8 }' |
	sort -u >"$T/out"
none 'nothing but wrappers is visible beyond an executable' "$T/out"

# Nothing is used that a program can define: a function of its own may count, lock, or do
# I/O.  memcpy and its like are renamed to ours (lib/flags.mk), system calls are in
# lib/core/sys.h.  Besides what a wrapper stands in front of (__real_NAME) there is:
cat >"$T/allowed" <<'EOT'
__start_iot_calls	made by the linker: our own sections
__stop_iot_calls	the same
__start_iot_kernel	the same
__start_iot_text	the same
__start_iot_hot	the same
__stop_iot_hot	the same
__stop_iot_kernel	the same
__stop_iot_text	the same
_GLOBAL_OFFSET_TABLE_	made by the linker
_end	made by the linker, and no more than a hint: the kernel puts nothing over what is there
__environ	data: what libc itself has for the environment, whoever defines it; environ may be a function
stdin	data: what getchar and scanf read of, whoever defines it; only their wrappers look
stdout	data: what puts and printf write to, likewise
stderr	data: what perror and warn write to, likewise
_PyRuntime	data, by which a static executable with Python is known; only what looks like Python's is believed
Py_Version	the same
PyBytes_Type	the same
PyCode_Type	the same
PyUnicode_Type	the same
static __libc_errno	libc's hidden name for errno, thread-local: a function of that name does not link
static _dl_auxv	libc's hidden variable, in a member that every program has: two do not link
static __gcc_personality_v0	named by the compiler for what unwinds, and called only by the unwinder
static _Unwind_Resume	the same, and has to be of the unwinder that the program has
static _gfortrani_unit_to_fd	libgfortran's own, not for programs; only looks a unit up
dynamic error_one_per_line	data: whether error_at_line leaves messages out, whoever defines it
dynamic _DYNAMIC	made by the linker
dynamic _r_debug	the loader's data, read where nothing else tells where its list is
dynamic __cxa_finalize	never called: whether the loader has filled its slot in
fortran _gfortran_fnum_i4	libgfortran's own, not for programs; only looks a unit up
fortran _gfortran_generate_error	libgfortran's own, not for programs; only says what a number means
fortran pthread_mutex_lock	ours stands in front of it in libgfortran's table
fortran pthread_mutex_unlock	the same
musl ___errno_location	libc's hidden name, in a member that also has the public one: two do not link
musl __libc	libc's hidden variable, in a member that every program has: two do not link
musl _pthread_cleanup_push	what <pthread.h> makes of pthread_cleanup_push, its half is the caller's
musl _pthread_cleanup_pop	the same
musl pthread_cancel	never called: whether the program has it
EOT
# may FORM...: $T/may, the names that are in all archives or in those of these forms
may()
{
	awk -F '\t' -v forms=" $* " '
		{ n = split($1, w, " "); if (n == 1 || index(forms, " " w[1] " ")) print w[n] }' "$T/allowed" |
		sort >"$T/may"
}
# unknown ARCHIVE...: what they use that is neither ours nor in $T/may
unknown()
{
	"$NM" "$@" 2>/dev/null | sed -n 's/^ *[Uwv] //p' | sort -u |
		grep -v '^__real_\|^__wrap_\|^iot_' | comm -23 - "$T/may" |
		sed 's/$/: a program can have one of its own, or say in the list why not/'
}
awk -F '\t' 'NF != 2' "$T/allowed" >"$T/out"
none 'each name that the recorder uses of others has its reason' "$T/out"
awk '$2 ~ /[Uwv]/ { print $3 }' "$T/nm" | sort -u >"$T/undefined"
may static
unknown "$archive" >"$T/out"
none 'the recorder uses nothing that a program can define' "$T/out"
comm -13 "$T/undefined" "$T/may" | sed 's/$/: is no longer used, strike it out/' >"$T/out"
none 'what it may use it does use' "$T/out"
sed 's/.*--wrap[=,]//' "$top_builddir/lib/wrap.list" | sort | comm -12 - "$T/may" >"$T/out"
none 'nothing of that is wrapped' "$T/out"
unknown "$top_builddir/lib/libiotrace-fortran.a" >"$T/out"
none "Fortran's wrappers for static runtimes neither" "$T/out"
may fortran
unknown "$top_builddir/lib/libiotrace-dynamic-fortran.a" >"$T/out"
none "Fortran's wrappers for shared runtimes neither" "$T/out"
for lib in "$top_builddir"/mpi/libiotrace-mpi-*.a; do
	[ -f "$lib" ] || continue
	# -direct.a: the wrappers of the archive without, beside members of MPI's own
	case $lib in *-dynamic.a | *-lazy.a) may dynamic ;; *-direct.a) continue ;; *) may static ;; esac
	# PMPI_X is MPI's for whoever stands in front of MPI_X
	unknown "$lib" | grep -v '^PMPI_' >"$T/out"
	none "${lib##*/} neither" "$T/out"
done
for so in "$top_builddir/lib/libiotrace.so" "$top_builddir"/mpi/libiotrace-mpi-*.so; do
	[ -f "$so" ] || continue
	may dynamic fortran
	# what is in every shared library, and other names of the variables
	"$NM" -D "$so" | sed -n 's/^ *[Uwv] //p' | sed 's/@.*//' | sort -u |
		grep -v -x -e '_ITM_.*' -e __gmon_start__ -e environ -e _environ |
		comm -23 - "$T/may" >"$T/out"
	none "${so##*/} neither" "$T/out"
done
for dir in "$top_builddir"/lib/obj "$top_builddir"/lib/obj-*; do
	"$NM" -u "$dir/core-bytes.o"
done | grep -v '^$\|:$' >"$T/out"
none 'no loop of bytes.c has become a call of itself' "$T/out"

awk '$2 ~ /[A-TV-Z]/ && $2 != "U" { print $3 }' "$T/nm" | sort -u >"$T/defined"
grep '^__wrap_\|^iot_' "$T/undefined" | comm -23 - "$T/defined" >"$T/out"
none 'what the recorder uses of itself it defines' "$T/out"
sed -n 's/^--wrap=/__real_/p' "$top_builddir/lib/wrap.list" "$top_builddir/lib/libaio.list" | sort -u >"$T/known"
grep '^__real_' "$T/undefined" | comm -23 - "$T/known" >"$T/out"
none 'the linker knows every __real_ name' "$T/out"

# The dynamic variant finds libc by itself; libiotrace.so exports nothing but calls.
may dynamic
unknown "$top_builddir/lib/libiotrace-dynamic.a" >"$T/out"
none 'the dynamic variant uses nothing that a program can define' "$T/out"
"$NM" -g --defined-only "$top_builddir/lib/libiotrace-dynamic.a" 2>/dev/null | grep ' __wrap_' >"$T/out"
none 'its wrappers are known by the names of the calls alone' "$T/out"
# exports LIBRARY: names that are not versions'
exports()
{
	"$NM" -D --defined-only "$1" | sed '/ A /d; s/.* //; s/@.*//' | sort -u
}
exports "$top_builddir/lib/libiotrace.so" >"$T/exported"
sort -u "$top_builddir/lib/dynamic.names" >"$T/listed"
cmp "$T/exported" "$T/listed" >"$T/out" 2>&1
none 'libiotrace.so exports the calls, and nothing else' "$T/out"
for so in "$top_builddir"/mpi/libiotrace-mpi-*.so; do
	[ -f "$so" ] || continue
	name=${so##*/libiotrace-mpi-}
	name=${name%.so}
	exports "$so" >"$T/exported"
	sed -n 's/^\t\(.*\);$/\1/p' "$top_builddir/mpi/$name.dynamic.list" |
		sort -u - "$top_builddir/lib/dynamic.names" >"$T/listed"
	cmp "$T/exported" "$T/listed" >"$T/out" 2>&1
	none "${so##*/} exports those of $name besides" "$T/out"
	"$NM" -D "$so" | sed -n 's/^ *[Uwv] //p' | grep '^P*MPI_\|^ompi_' >"$T/out"
	none 'and needs nothing of it to be loaded' "$T/out"
done
for member in next stubs; do
	"$NM" "$top_builddir/lib/obj-dynamic/dynamic-$member.o" | sed -n 's/^ *U //p'
done | grep -v -x -e '_DYNAMIC' -e '_GLOBAL_OFFSET_TABLE_' -e 'iot_.*' -e '__wrap_.*' >"$T/out"
none 'what runs before relocation calls nobody but wrappers' "$T/out"

for lib in "$top_builddir"/lib/libiotrace-dynamic*.a "$top_builddir"/mpi/libiotrace-mpi-*-dynamic.a; do
	[ ! -f "$lib" ] || "$NM" "$lib" 2>/dev/null | grep '__wrap_\|__real_'
done >"$T/out"
none 'a dynamic executable may have any __wrap_ and __real_ itself' "$T/out"

musl=$top_builddir/lib/libiotrace-musl.a
if [ -f "$musl" ]; then
	may musl
	unknown "$musl" >"$T/out"
	none 'the variant for musl uses nothing that a program can define' "$T/out"
	"$NM" "$musl" 2>/dev/null | awk 'NF == 3 && $2 ~ /[A-TV-Z]/ { print $3 }' |
		grep -v '^iot_\|^__wrap_' >"$T/out"
	none 'all that it defines begins with iot_ or __wrap_' "$T/out"
	sed -n 's/^--wrap=//p' "$top_builddir/lib/wrap-musl.list" "$top_builddir/lib/libaio.list" | sort -u >"$T/known"
	"$NM" "$musl" 2>/dev/null | sed -n 's/^ *U __real_//p' | sort -u | comm -23 - "$T/known" >"$T/out"
	none 'the linker knows every __real_ name of it' "$T/out"
else
	skip 'the variant for musl' 'built without musl (Debian: musl-tools)'
fi

# One member for each wrapped function, so that programs get what they use.
awk '$2 == "T" && $3 ~ /^__wrap_/ { print $1 }' "$T/nm" | sort -u >"$T/members"
awk '$2 == "T" && $3 ~ /^__wrap_/ && $1 ~ /^core-/ { print $1, $3 }' "$T/nm" >"$T/out"
none 'no wrapper is in a member of the core' "$T/out"
ok 'wrappers have members of their own' test "$(wc -l <"$T/members")" -gt 200

# --- the build ----------------------------------------------------------------
# Developers have tools/ in PATH, where cat and stat are folders: make before 4.4 takes them for programs.
PATH=$top_builddir/tools:$PATH env -u MAKEFLAGS -u MAKELEVEL make -n -C "$top_builddir" iot-archive >"$T/out" 2>&1
grep 'denied' "$T/out" >"$T/denied"
none 'make runs with tools/ in PATH' "$T/denied"

# --- sources -----------------------------------------------------------------
cd "$top_srcdir" || exit 99
# What is written by hand; an in-tree build adds generated files to some directories.
for dir in bootstrap configure.ac Makefile.am iotrace.pc.in iotrace-read.pc.in .ci m4/iotrace.m4 analysis bench \
	compiler-wrappers doc fortran include lib mpi reader t table tools; do
	[ -e "$dir" ] && echo "$dir"
done >"$T/dirs"
xargs sh -c 'find "$@" -type d \( -name .libs -o -name .deps -o -path lib/gen -o \
	-path lib/obj -o -path t/fuzz/corpus \) -prune -o -type f -print' sh <"$T/dirs" |
	grep -v -x -e 'lib/calls-table\.h' -e 'analysis/call-effects\.h' -e 'table/calls\.def' -e 'tools/common/filter-names\.h' -e '.*\.list' -e 'include/iotrace/kinds\.h' -e 't/env\.sh' \
		-e 'doc/iotrace-\(calls\.7\|cat\.1\|export\.1\|findings\.7\)' -e 'doc/findings' -e 'tools/completion/iotrace' -e 'compiler-wrappers/io[a-z]*[0-9-]*[a-z+]*' |
	grep -v -E '\.(o|lo|la|a|log|trs|stamp|dirstamp|tmp)$' | sort >"$T/files"
grep -E '\.(c|cc|h|S|awk|sh|t|pm|pl|mk|def|in|ac|am|m4|[1-9])$|^bootstrap$|/run$' "$T/files" \
	>"$T/sources"
ok 'there are sources' grep -q -x table/posix.def "$T/sources"

# shellcheck disable=SC2016 # make's variables
printf 'include Makefile\nfiles:\n\t@printf "%%s\\n" $(patsubst $(srcdir)/%%,%%,$(DISTFILES))\n' |
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$top_builddir" -f - files | sort >"$T/packed"
comm -23 "$T/files" "$T/packed" >"$T/out"
none 'the tarball has all of them' "$T/out"

# What a test or a developer left there would be committed with the next `git add -A`.
for file in * .[!.]*; do
	[ -f "$file" ] || continue
	case $file in .git*) continue ;; esac
	grep -q -x -F -e "$file" "$T/packed" && continue
	while read -r pattern; do
		# shellcheck disable=SC2254 # patterns
		case $file in ${pattern#/}) continue 2 ;; esac
	done 2>/dev/null <.gitignore
	echo "$file: in no EXTRA_DIST, and not in .gitignore"
done >"$T/out"
none 'no file at the top is a left-over' "$T/out"

# but for pages of one line that name another page
grep -v -x -e 'doc/iocxx\.1' -e 'doc/io-.*\.1' "$T/sources" | xargs awk '
	FNR <= 5 && /SPDX-License-Identifier: BSD-3-Clause/ { has[FILENAME] }
	END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in has)) print ARGV[i] }' >"$T/out"
none 'every source file names its licence' "$T/out"

# a page of the manual is looked through
grep -v -x -e 'doc/.*\.[157]' -e 'doc/.*\.[157]\.in' "$T/sources" | xargs awk 'FNR == 601 { print FILENAME ": more than 600 lines" }' >"$T/out"
none 'no source file but pages of the manual is longer than 600 lines' "$T/out"

# Recorder and readers share include/iotrace-format.h and nothing else.
# includes HEADERS-OF FILES-OF: the files that include one of the headers
includes()
{
	names=$(grep "^$1.*\.h\$" "$T/sources" | sed 's,.*/,,' | tr '\n' '|')
	grep -E "^$2.*\.[chS]\$" "$T/sources" |
		xargs grep -nHE "^[[:space:]]*#[[:space:]]*include[[:space:]]+\"([^\"]*/)?(${names%|})\""
}
includes '\(reader\|include/iotrace\)/' 'lib/' >"$T/out"
includes '\(analysis\|tools\)/' '(lib|mpi|fortran)/' >>"$T/out"
none 'the recorder and the reader library include nothing of the readers above' "$T/out"
includes '\(analysis\|tools\)/' 'reader/' | grep -v '"iotrace/' >"$T/out"
includes '\(reader\|tools\)/' 'analysis/' | grep -v '"iotrace/' >>"$T/out"
none 'a library includes nothing of the tools, and the analysis nothing that is private to the reader' "$T/out"
"$NM" "$top_builddir/analysis/.libs/libiotrace-analysis.a" 2>/dev/null |
	awk 'NF == 3 && $2 ~ /[A-TV-Z]/ && $3 !~ /^iota_/ || $1 == "U" && $2 ~ /^(v?f?printf|f?puts|f?putc|putchar|std(out|err)|perror|write|exit)$/' >"$T/out"
none 'the analysis prints nothing, and its names begin with iota_' "$T/out"
grep -E '^(analysis|reader|tools)/.*\.c$' "$T/sources" | xargs grep -nHE 'strn?cmp\([^;]*param\[[^]]*\]\.name' >"$T/out"
none 'kinds of parameters decide, their names never' "$T/out"
# iotrace-run, which reads no logs, checks settings as the recorder does
includes 'lib/\(core\|wrap\)/' '(analysis|reader|tools)/' | grep -v '^tools/run/\(main\|env\|files\)\.c:' >"$T/out"
none 'readers include nothing of the recorder' "$T/out"
includes 'lib/wrap/' 'lib/core/' >"$T/out"
none 'the core includes nothing of the wrappers' "$T/out"
for dir in lib/core reader; do
	ok "$dir includes iotrace-format.h" grep -q -E '^#include "iotrace-format\.h"' \
		"$dir"/*.h
done

# The processor is known in one folder: registers, instructions, what a signal frame and a
# jmp_buf look like.  An assembler's label that names a symbol is no instruction.
grep -E '^(lib/(core|dispatch|dynamic|musl|wrap)|mpi|fortran)/.*\.[chS]$' "$T/sources" |
	xargs grep -nE '__x86_64__|REG_R[A-Z]|%%?(r[a-ds][xpi]|r[bs]p|rip|r[89]|r1[0-5]|fs:)|"[[:space:]]*syscall(\\n)?"|SYS_arch_|__asm__ *(__volatile__ *)?\("[a-z]' \
	>"$T/out"
none 'the processor is known in lib/arch alone' "$T/out"
for dir in lib/arch/*/; do
	grep "^$dir.*\.[chS]\$" "$T/sources" | xargs grep -lE '"[[:space:]]*syscall(\\n)?"' | sed "s,^$dir,," >"$T/where"
	is "$dir: the system call instruction is where it is known to be" \
		"$(tr '\n' ' ' <"$T/where")" 'arch-vfork.h leap.c syscall.c task.c '
done

# A file uses others, and none of these uses it, by whatever way: so each can be read with those
# beneath it alone.  That holds in the recorder, the reader, the analysis, the compiler wrappers and each
# tool, whose main therefore has nothing that others use.  A use that can't do without its circle goes to the list, as
# "FROM.o TO.o", a tab and the reason.
cat >"$T/may" <<'EOT'
option.o main.o	libc's argp wants argp_program_version to be the program's
out.o message.o	what can't be written is said
arch-syscall.o sys.o	the one instruction that enters the kernel asks what the program's filters allow
arch-leap.o dispatch-signals.o	assembly sets the handler that signals.c has described
dispatch-signals.o dispatch-dispatch.o	calls about signals are made and recorded as all others are
dispatch-process.o dispatch-dispatch.o	and those about processes
dispatch-filter.o dispatch-dispatch.o	and those that install filters
fortran-statement.o fortran-transfer.o	a program that ends within a statement ends the transfers, too
EOT
# pairs OBJECTS: which file of them uses which other one
pairs()
{
	"$NM" -A "$@" 2>/dev/null | sed 's,^[^ ]*/,,; s/^core-//; s/^libiotrace_read_la-//; s/^iotrace_[a-z]*-//; s/^iocc-//; s/:/ /' |
		awk '$(NF - 1) ~ /[A-TV-Z]/ && $(NF - 1) != "W" { file[$NF] = $1 }
			$(NF - 1) ~ /[Uwv]/ { uses[$1, $NF] }
			END {
				for (i in uses) {
					split(i, use, SUBSEP)
					if (use[2] in file && file[use[2]] != use[1])
						print use[1], file[use[2]]
				}
			}' | sort -u
}
# circles: of pairs, what tsort finds in circles; its first line says so
circles()
{
	cut -f 1 "$T/may" | sort -u | comm -23 "$1" - | tsort 2>&1 >/dev/null | sed 's/^tsort: //'
}
# no_circles WHAT LEAST OBJECTS: at least so many uses are known, and none of them is in a circle
no_circles()
{
	what=$1 least=$2
	shift 2
	pairs "$@" >"$T/pairs"
	ok "the files of $what use each other" test "$(wc -l <"$T/pairs")" -gt "$least"
	circles "$T/pairs" >"$T/out"
	none "no file of $what uses itself by way of others" "$T/out"
}
# what is generated, or of another executable's, is left out
no_circles lib 700 "$top_builddir"/lib/obj/arch-*.o "$top_builddir"/lib/obj/core-*.o "$top_builddir"/lib/obj/dispatch-*.o \
	"$top_builddir"/lib/obj/faults-*.o "$top_builddir"/lib/obj/fortran-*.o "$top_builddir"/lib/obj/wrap-*.o
# objects of the shared or the static library, whichever was built
# shellcheck disable=SC2046 # a list
no_circles reader 150 $(ls "$top_builddir"/reader/.libs/*_la-*.o "$top_builddir"/reader/*_la-*.o 2>/dev/null)
no_circles analysis 200 "$top_builddir"/analysis/*.o "$top_builddir"/analysis/rules/*.o
no_circles compiler-wrappers 30 "$top_builddir"/compiler-wrappers/iocc-*.o
for tool in audit cat export pack run stat $([ ! -x "$top_builddir/tools/iotrace-report" ] || echo report); do
	no_circles "iotrace-$tool" 5 "$top_builddir"/tools/*/*"iotrace_$tool"-*.o
done
# unpack.h is for those who have zstd
for folder in lib/core reader analysis; do
	grep -nE '^[[:space:]]*#[[:space:]]*include "' "$folder"/*.h |
		sed 's,^[^:]*/\([^:]*\):[^"]*"\([^"]*\)".*,\1 \2,' | sort -u >"$T/pairs"
	circles "$T/pairs" >"$T/out"
	none "no header of $folder includes itself by way of others" "$T/out"
	for header in "$folder"/*.h; do
		[ "$header" != reader/unpack.h ] || continue
		echo "#include \"${header##*/}\"" | $CC -std=gnu11 -D_GNU_SOURCE -Iinclude -I"$folder" \
			-I"lib/arch/$IOT_ARCH" -I"$top_builddir/lib" -I"$top_builddir" -I"$top_builddir/include" -fsyntax-only -Werror -Wall -x c - 2>&1 |
			sed -n "s,.*error:,$header:,p"
	done >"$T/out"
	none "each header of $folder can be included alone" "$T/out"
done

# --- shell scripts -----------------------------------------------------------
if command -v shellcheck >/dev/null; then
	{
		grep '\.sh$' "$T/files"
		grep -v -e '\.sh$' -e '\.in$' "$T/files" | xargs awk 'FNR == 1 && /^#!.*sh$/ { print FILENAME }'
	} | grep -v '^t/env\.sh$' >"$T/scripts"
	ok 'there are scripts' grep -q '^t/doc/rules.t$' "$T/scripts"
	# Each takes a quarter of a second.  Without TEST_LONG=1 only those of t/ are read that
	# the last ten commits have changed, as far as git can tell.
	if [ "${TEST_LONG:-0}" != 1 ]; then
		{
			grep -v '^t/.*\.t$' "$T/scripts"
			git diff --name-only HEAD~10 2>/dev/null | grep -x -F -f "$T/scripts"
		} | sort -u >"$T/read" && mv "$T/read" "$T/scripts"
	fi
	xargs shellcheck -x -P "$top_srcdir/t" -f gcc <"$T/scripts" >"$T/out" 2>&1
	none 'shellcheck has nothing to say' "$T/out"
else
	skip 'shellcheck has nothing to say' 'shellcheck is not installed'
fi

# make check runs them by name
for file in t/*/*.t; do
	[ -x "$file" ] || echo "$file"
done >"$T/out"
none 'tests are executable' "$T/out"

# HACKING shows what there is
awk '/^\t\/\* Generated/ { on = 1 } on { sub(/^\t/, ""); print } /IOT_EXPORT/ { exit }' HACKING >"$T/shown"
sed '/IOT_EXPORT/q' "$top_builddir/lib/gen/w_listen.c" >"$T/made"
same 'HACKING shows the wrapper that is made' "$T/shown" "$T/made"

# and names files that there are: by their paths, or by their names
grep -oE '[A-Za-z0-9_./-]+\.(c|h|def|awk|t|sh|py|pl|txt|in)([^A-Za-z]|$)' HACKING |
	sed -e 's/[^a-z]$//' -e 's,^\.\./,,' | grep -v -e '[A-Z][A-Z]' -e '^lib/gen/' -e '^desc_' -e '^x\.' -e '^\.' -e '^calls\.def' | sort -u >"$T/named"
ok 'HACKING names files' test "$(wc -l <"$T/named")" -gt 50
while read -r file; do
	grep -q -e "^$file\$" -e "/$file\$" "$T/packed" || echo "$file"
done <"$T/named" >"$T/out"
none 'HACKING names no file that is not there' "$T/out"

# and so do comments; page.c is generated, and a template has one more .in
grep -E '^(lib|fortran|mpi|reader|analysis|tools|include|compiler-wrappers)/.*\.[ch]$' "$T/files" | xargs grep -v -h '#include' |
	grep -oE '(^|[^A-Za-z0-9_/.%*"-])[a-z][a-z0-9_-]*\.c([^A-Za-z0-9_]|$)' | sed 's/^[^a-z]*//; s/[^a-z]*$//' | sort -u |
	grep -v '^page\.c$' >"$T/named"
ok 'comments name files' test "$(wc -l <"$T/named")" -gt 50
while read -r file; do
	grep -q -e "/$file\(\.in\)\{0,1\}\$" "$T/packed" || echo "$file"
done <"$T/named" >"$T/out"
none 'comments name no file that is not there' "$T/out"

# a dependency on what make does not make is none
# shellcheck disable=SC2016 # of make's
sed -n 's/^\([a-z_/-]*\)\.$(OBJEXT):.*/\1/p' ./*/local.mk ./*/*/local.mk >"$T/depend"
ok 'objects depend on what is generated' test -s "$T/depend"
while read -r object; do
	[ -f "$top_builddir/$object.o" ] || [ -f "$top_builddir/$object.lo" ] || echo "$object"
done <"$T/depend" >"$T/out"
none 'there are objects of these names' "$T/out"

# The build directory may be anywhere: a source that make made finds headers by -I, and not by a path from itself.
find "$top_builddir/lib/gen" "$top_builddir/tools" "$top_builddir/table" "$top_builddir/analysis" -name '*.[ch]' >"$T/generated"
ok 'there are generated sources' grep -q /w_listen.c "$T/generated"
xargs grep -nE '#[ 	]*include "\.\./' <"$T/generated" >"$T/out"
none 'generated sources name no header by a path from themselves' "$T/out"

# Merges lose lines.
awk '/^\*\* / && before != "" || !NF && before == "" && NR > 1 { print FILENAME ":" FNR ": " $0 } { before = $0 }' \
	"$top_srcdir/NEWS" >"$T/out"
none 'NEWS: an empty line before each entry, and no two' "$T/out"
grep '^2' "$top_srcdir/ChangeLog" | uniq -d >"$T/out"
none 'ChangeLog: each day once' "$T/out"

# --- what a program gets -----------------------------------------------------
cd "$T" || exit 99
cat >hello.c <<'EOT'
#include <stdio.h>

int main(void)
{
	return printf("Hello, world!\n") < 0;
}
EOT
# shellcheck disable=SC2086 # CC may have options
ok 'hello is linked without' $CC -O2 -static hello.c -o plain
ok 'hello is linked with the recorder' "$IOCC" -O2 -static hello.c -o traced
grown=$(($(wc -c <traced) - $(wc -c <plain)))
diag "hello grows by $grown bytes"
ok 'hello has the recorder' test "$grown" -gt 10000
ok 'hello grows by less than 185 KiB' test "$grown" -lt 189440
"$NM" plain | sed -n 's/^[0-9a-f]* [TWi] //p' | sort -u >has
"$NM" traced | sed -n 's/^[0-9a-f]* [TW] __wrap_//p' | sort -u >wraps
ok 'hello has the wrapper of a call that it makes' grep -q -x printf wraps
comm -13 has wraps >"$T/out"
none 'hello has no wrapper of functions that it had not without' "$T/out"
done_testing
