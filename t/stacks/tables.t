#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stacks by unwind tables, frame by frame as libgcc's unwinder sees them from where the
# call is made: at each level of optimization, with and without frame pointers, static and
# dynamic, below libc's callbacks, in handlers, threads and plugins.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

src=$top_srcdir/t/stacks
run=$top_builddir/tools/iotrace-run

# compared WAY COMMAND...: $T/said is what compare.pl says of its stacks
compared()
{
	by=$1
	shift
	rm -rf logs && mkdir logs
	IOTRACE_DIR=$T/logs IOTRACE_STACK=64 IOTRACE_STACK_BY=$by "$@" >out 2>err || {
		diag "$* exits with $?"
		return 1
	}
	perl "$src/compare.pl" "$IOTRACE_CAT" logs/*.iotrace <out >said
}

# all DESCRIPTION ATLEAST COMMAND...: they are the same
all()
{
	what=$1 least=$2
	shift 2
	compared auto "$@"
	if [ "$(sed -n '$s/ same, 0 not$//p' said)" -ge "$least" ] 2>/dev/null; then
		pass "$what: as the unwinder has them"
	else
		fail "$what: as the unwinder has them"
		diag_file said
	fi
}

for size in 64 5000; do
	# shellcheck disable=SC2086 # CC may have options
	$CC -O2 -fomit-frame-pointer -shared -fPIC -DSIZE=$size -o p$size.so "$src/plugin.c" || exit 99
done
plugins='./p64.so ./p5000.so ./p64.so'
for level in -O0 -O1 -O2 -O3; do
	for keep in -fno-omit-frame-pointer -fomit-frame-pointer; do
		name="$level $keep"
		ok "$name: compiles" "$IOCC" -w $level $keep -o dynamic "$src/calls.c" -lpthread -ldl
		ok "$name: compiles, -static" "$IOCC" -w -static $level $keep -o static "$src/calls.c" -lpthread
		# shellcheck disable=SC2086 # words
		all "$name, dynamic" 59 ./dynamic $plugins
		all "$name, static" 56 ./static
	done
	# shellcheck disable=SC2086
	$CC -w $level -o plain "$src/calls.c" -lpthread -ldl || exit 99
	# shellcheck disable=SC2086
	all "$level, iotrace run" 59 "$run" -o "$T/logs" ./plain $plugins
done
# below other run-time libraries
for link in '' -static; do
	for level in -O0 -O2; do
		name="$level -fomit-frame-pointer${link:+ $link}"
		# shellcheck disable=SC2086 # none or one
		ok "C++, $name: compiles" "$IOCXX" -w $link $level -fomit-frame-pointer -o stream "$src/stream.cc" -lpthread
		all "C++, $name" 28 ./stream
		if [ -n "${FC:-}" ]; then
			# shellcheck disable=SC2086
			ok "Fortran, $name: compiles" "$IOF90" -w $link $level -fomit-frame-pointer -o item "$src/item.f90" "$src/item.c"
			all "Fortran, $name" 8 ./item
		else
			skip "Fortran, $name" 'there is no Fortran compiler'
		fi
	done
done
iompicc=$top_builddir/compiler-wrappers/iompicc
if [ -n "${IOT_MPIS:-}" ]; then
	ok 'MPI: compiles' "$iompicc" -w -O2 -fomit-frame-pointer -o reduce "$src/reduce.c"
	# shellcheck source=t/lib/openmpi.sh
	. "$top_srcdir/t/lib/openmpi.sh"
	all 'MPI' 2 ./reduce
else
	skip 'MPI' 'configure found no MPI'
fi
# what all this is for
# shellcheck disable=SC2086
compared fp ./dynamic $plugins
ok 'frame pointers alone do not do' grep -q '[1-9][0-9] not$' said
# shellcheck disable=SC2086
compared tables ./dynamic $plugins
ok 'tables alone do' grep -q ' same, 0 not$' said || diag_file said
done_testing
