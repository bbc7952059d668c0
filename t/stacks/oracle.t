#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stacks, frame by frame as libdw's unwinder sees them from outside, at each system call that
# is made within a record (t/stacks/frames.c, oracle.pl): in C, C++, Fortran, OpenMP, Python,
# MPI and HDF5, static, dynamic, preloaded and dispatched.  TEST_LONG=1: at each level of
# optimization, with Rust and Go as well, and what is not C static and dispatched, too.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

src=$top_srcdir/t/stacks
frames=$top_builddir/t/stacks/frames
run=$top_builddir/tools/iotrace-run
$NM -g --defined-only "$top_builddir"/lib/*.a "$top_builddir"/mpi/*.a 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >names
by=auto until='' exits=0

# Where a stack may end, though libdw goes on:
# - makecontext() has functions return to where another begins, which no table tells, and
#   libdw goes on by a frame pointer that is left from getcontext();
# - libc.so has no table for the instruction by which clone3() makes a child;
# - in a function's first and last instructions, while it aligns its stack, its frame begins
#   where a scratch register says; at its last one libdw takes it for its caller's;
# - the loader's function that binds others when they are called keeps that in another register.
# libc.so and the loader don't name these functions.  And libdw ends
# - in a static executable's linkage table, which has no unwind table: what is on top of the
#   stack there lies behind a call of that entry.
ends='(coroutine|deep) < (libc\.so\.6:\?|\S+:__start_context) <
^clone3 < libc\.so\.6:\? <
:realigned_leaf < \S+:stepped
:realigned_leaf < \S+:stepped\S* <
< ld-linux-x86-64\.so\.2:\? < \S+:(stepped|plugins|interrupted)
< static:\? < nothing$'

# agrees DESCRIPTION ATLEAST PROGRAM COMMAND...: stacks of so many calls of PROGRAM are the same
agrees()
{
	what=$1 least=$2 only=$3
	shift 3
	rm -rf logs && mkdir logs
	IOTRACE_DIR=$T/logs IOTRACE_STACK=64 IOTRACE_STACK_BY=$by FRAMES_ONLY=$only \
		timeout 600 "$frames" stops "$@" >out 2>err </dev/null
	status=$?
	"$IOTRACE_CAT" -k --format=json logs/*.iotrace >json 2>cat-err
	IFS='
'
	# shellcheck disable=SC2086 # lines
	perl "$src/oracle.pl" ${until:+"--until=$until"} stops json names $ends >said 2>&1
	unset IFS
	rm -f stops json
	if [ "$status" -eq "$exits" ] && [ "$(sed -n 's/ same, [0-9]* early, 0 not$//p' said)" -ge "$least" ] 2>/dev/null; then
		pass "$what: as libdw has them"
	else
		fail "$what: as libdw has them"
		diag "status $status: $*"
		diag_file err 5
		diag_file cat-err 5
		diag_file said
	fi
}

# forms NAME ATLEAST SOURCE OPTION...: a C program, in all forms
forms()
{
	name=$1 least=$2 source=$src/$3
	shift 3
	ok "$name: compiles" "$IOCC" -w "$@" -o dynamic "$source" -lpthread -ldl
	ok "$name: compiles, -static" "$IOCC" -w -static "$@" -o static "$source" -lpthread
	# shellcheck disable=SC2086 # CC may have options
	ok "$name: compiles without us" $CC -w "$@" -o plain "$source" -lpthread -ldl
	# shellcheck disable=SC2086
	agrees "$name, dynamic" "$least" dynamic ./dynamic $plugins
	agrees "$name, static" "$least" static ./static
	# shellcheck disable=SC2086
	agrees "$name, iotrace run" "$least" plain "$run" -o "$T/logs" ./plain $plugins
	# shellcheck disable=SC2086
	agrees "$name, --syscalls" "$least" plain "$run" --syscalls -o "$T/logs" ./plain $plugins
	ok "$name: compiles, -static --iotrace-syscalls" \
		"$IOCC" --iotrace-syscalls -w -static "$@" -o static "$source" -lpthread
	agrees "$name, --iotrace-syscalls, static" "$least" static env IOTRACE_SYSCALLS=1 ./static
}

# two that differ in nothing but tables, where the other one was
for size in 5000 6000; do
	# shellcheck disable=SC2086
	$CC -O2 -fomit-frame-pointer -shared -fPIC -DSIZE=$size -o b$size.so "$src/bound.c" || exit 99
done
# dlopen() from code of theirs
for keep in "-O0 -fno-omit-frame-pointer" "-O2 -fomit-frame-pointer"; do
	# shellcheck disable=SC2086
	$CC $keep -shared -fPIC -o opens"${keep%% *}.so" "$src/opens.c" || exit 99
done
plugins="./b5000.so ./b6000.so ./opens-O0.so ./opens-O2.so"
levels=-O2 keeps=-fomit-frame-pointer
if [ "${TEST_LONG:-0}" = 1 ]; then
	levels="-O0 -O1 -O2 -O3" keeps="-fomit-frame-pointer -fno-omit-frame-pointer"
	for more in -mstackrealign -fcf-protection=full; do
		forms "$more" 1000 kinds.c -O2 -fomit-frame-pointer "$more"
	done
fi
for level in $levels; do
	for keep in $keeps; do
		forms "$level $keep" 1000 kinds.c "$level" "$keep"
	done
done
# stack-tables.t has them in other forms
ok 'handlers, contexts: compiles' "$IOCC" -w -O1 -o handlers "$src/calls.c" -lpthread -ldl
agrees 'handlers, contexts' 100 handlers ./handlers
# shellcheck disable=SC2086
ok 'handlers, contexts: compiles without us' $CC -w -O1 -o handlers "$src/calls.c" -lpthread -ldl
agrees 'handlers, contexts, --syscalls' 100 handlers "$run" --syscalls -o "$T/logs" ./handlers

# the other ways
by=tables
agrees 'IOTRACE_STACK_BY=tables' 100 dynamic ./dynamic
by=fp until=main
ok 'with frame pointers: compiles' "$IOCC" -w -O2 -o dynamic "$src/kinds.c" -lpthread -ldl
agrees 'IOTRACE_STACK_BY=fp, up to main' 10 dynamic ./dynamic plain
by=auto until=

for link in '' -static; do
	[ -z "$link" ] || [ "${TEST_LONG:-0}" = 1 ] || continue # kinds.c has been static, too
	# shellcheck disable=SC2086 # none or one
	ok "C++${link:+, $link}: compiles" "$IOCXX" -w $link -O2 -fomit-frame-pointer -o stream "$src/stream.cc" -lpthread
	agrees "C++${link:+, $link}" 40 stream ./stream
	[ -n "${FC:-}" ] || {
		skip "Fortran${link:+, $link}" 'there is no Fortran compiler'
		continue
	}
	# shellcheck disable=SC2086
	ok "Fortran${link:+, $link}: compiles" "$IOF90" -w $link -O2 -fomit-frame-pointer -o item "$src/item.f90" "$src/item.c"
	agrees "Fortran${link:+, $link}" 30 item ./item
	# shellcheck disable=SC2086
	ok "OpenMP${link:+, $link}: compiles" "$IOF90" -w $link -O2 -fopenmp -fomit-frame-pointer -o team "$src/team.f90"
	agrees "OpenMP${link:+, $link}" 40 team ./team
done

python=$(readlink -f /usr/bin/python3)
if [ -x "$python" ]; then
	agrees 'Python, iotrace run' 300 "${python##*/}" "$run" -o "$T/logs" "$python" "$src/callbacks.py"
	[ "${TEST_LONG:-0}" != 1 ] ||
		agrees 'Python, --syscalls' 300 "${python##*/}" "$run" --syscalls -o "$T/logs" "$python" "$src/callbacks.py"
else
	skip 'Python' 'there is no /usr/bin/python3'
fi

if hdf5=$(pkg-config --cflags --libs hdf5 2>/dev/null || pkg-config --cflags --libs hdf5-serial 2>/dev/null); then
	# shellcheck disable=SC2086 # words
	ok 'HDF5: compiles' "$IOCC" -O2 -fomit-frame-pointer -o hdf5 "$src/hdf5.c" $hdf5
	agrees 'HDF5' 100 hdf5 ./hdf5
else
	skip 'HDF5' 'there is no HDF5 (Debian: libhdf5-dev)'
fi

if [ -n "${IOT_MPIS:-}" ] && [ -n "${FC:-}" ]; then
	# shellcheck source=t/lib/mpi.sh
	. "$top_srcdir/t/lib/mpi.sh"
	for mpi in $IOT_MPIS; do
		COMPILER=iompif90
		ok "$mpi: compiles" mpi_build "$mpi" mpiio -w -O2 -fomit-frame-pointer "$src/mpiio.f90"
		agrees "$mpi" 100 mpiio ./mpiio
	done
else
	skip 'MPI' 'configure found no MPI, or no Fortran'
fi

if [ "${TEST_LONG:-0}" != 1 ]; then
	done_testing
fi
PATH=$PATH:${HOME:-/root}/.cargo/bin
if command -v rustc >/dev/null; then
	ok 'Rust: compiles' rustc -O -o panics "$src/panics.rs"
	agrees 'Rust, iotrace run' 60 panics "$run" -o "$T/logs" ./panics
	agrees 'Rust, --syscalls' 80 panics "$run" --syscalls -o "$T/logs" ./panics
else
	skip 'Rust' 'there is no rustc (Debian: rustc)'
fi
# Go's runtime begins stacks, and changes from one to another, in functions of assembler whose
# frames nothing tells.
ends="$ends
< \\S*:runtime\\.(goexit|mstart|rt0_go)\\S*\$
:runtime\\.(asmcgocall|mcall)\\S* < \\S+\$
:syscall\\.rawVforkSyscall\\S* < \\S+\$"
if command -v go >/dev/null; then
	ok 'Go: compiles' env GOPATH="$T/gopath" GOCACHE="$T/gocache" go build -o goroutines "$top_srcdir/t/dispatch/threads.go"
	exits=7
	agrees 'Go, --syscalls' 0 goroutines "$run" --syscalls -o "$T/logs" ./goroutines
	ok 'Go: many, up to where a goroutine begins' test "$(sed -n 's/.* same, \([0-9]*\) early.*/\1/p' said)" -gt 2000
	chmod -R u+w gopath gocache
else
	skip 'Go' 'there is no go (Debian: golang-go)'
fi
done_testing
