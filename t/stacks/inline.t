#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions that compilers expanded in others, files and lines: as llvm-symbolizer has them, of
# C, C++, Fortran and Rust, at each level of optimization, by GCC and clang, which says nowhere
# which unit an address belongs to; in one unit, of functions that the linker dropped or
# made one of, with DWARF in other files, compressed, or in an earlier version.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

src=$top_srcdir/t/stacks
if ! command -v llvm-symbolizer >/dev/null; then
	skip 'expanded functions' 'there is no llvm-symbolizer (Debian: llvm)'
	done_testing
fi

# agrees EXPANDED COMPILER...: what it makes, and so many addresses are of expanded functions
agrees()
{
	least=$1
	shift
	name=$(echo "$*" | sed "s|$src/||g")
	rm -f prog ./*.dwo
	"$@" -w -g -Wl,--build-id -o prog 2>err || {
		fail "$name: compiles"
		diag_file err
		return
	}
	perl "$src/inline.pl" "$IOTRACE_CAT" prog log.iotrace 700 >said 2>&1
	if grep -q '^[1-9][0-9]* same, [0-9]* expanded, 0 not$' said &&
		[ "$(sed -n 's/.* same, \([0-9]*\) expanded.*/\1/p' said)" -ge "$least" ]; then
		pass "$name"
	else
		fail "$name"
		diag_file said
	fi
}

# shellcheck disable=SC2086 # CC, CXX and FC may have options
for level in -O0 -O1 -O2 -O3; do
	some=$([ "$level" = -O0 ] && echo 0 || echo 40)
	agrees "$some" $CC $level "$src/calls.c" -lpthread -ldl
	agrees "$some" $CXX $level "$src/stream.cc" -lpthread
	[ -n "${FC:-}" ] && agrees 0 $FC $level -fopenmp "$src/team.f90"
done
# shellcheck disable=SC2086
for how in -flto -gsplit-dwarf -gz -gdwarf-4 '-gdwarf-4 -fdebug-types-section'; do
	agrees 40 $CXX -O2 $how "$src/stream.cc" -lpthread
done
# names that are relative to where the compiler ran
mkdir sub && cp "$src/calls.c" "$src/site.h" sub
# shellcheck disable=SC2086
for how in -gdwarf-4 -gdwarf-5; do
	agrees 40 $CC -O2 $how sub/calls.c -lpthread -ldl
done
# functions within functions, which lie within each other in DWARF alone
if [ -n "${FC:-}" ]; then
	# shellcheck disable=SC2086
	agrees 0 $FC -O0 "$src/nested.f90"
	# shellcheck disable=SC2086
	agrees 10 $FC -O3 "$src/nested.f90"
fi
if command -v clang++ >/dev/null; then
	for level in -O0 -O1 -O2 -O3; do
		agrees 0 clang $level "$src/calls.c" -lpthread -ldl
	done
	agrees 40 clang -O2 -gdwarf-4 sub/calls.c -lpthread -ldl
	agrees 40 clang++ -O2 "$src/stream.cc" -lpthread
	agrees 40 clang++ -O2 -gsplit-dwarf "$src/stream.cc" -lpthread
	agrees 40 clang++ -O2 -gdwarf-4 "$src/stream.cc" -lpthread
	if command -v ld.lld >/dev/null; then
		agrees 40 clang++ -O2 -ffunction-sections -fuse-ld=lld -Wl,--gc-sections -Wl,--icf=all \
			"$src/stream.cc" -lpthread
	else
		skip 'functions that a linker made one' 'there is no ld.lld (Debian: lld)'
	fi
else
	skip 'clang' 'there is no clang++ (Debian: clang)'
fi
PATH=$PATH:${HOME:-/root}/.cargo/bin
# shellcheck disable=SC2209 # the name of a command
rust=rustc
if command -v $rust >/dev/null; then
	for level in 2 $([ "${TEST_LONG:-0}" != 1 ] || echo 0); do
		rm -f prog
		ok "rustc, level $level: compiles" $rust -g -C "opt-level=$level" -C link-arg=-Wl,--build-id -o prog "$src/panics.rs"
		perl "$src/inline.pl" "$IOTRACE_CAT" prog log.iotrace 1000 >said 2>&1
		ok "rustc, level $level" grep -q '^[1-9][0-9]* same, [1-9][0-9]* expanded, 0 not$' said || diag_file said
	done
else
	skip 'Rust' 'there is no rustc (Debian: rustc)'
fi
done_testing
