#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fortran's statements on units that have no stream: closed, never opened, negative,
# preconnected and not used yet.  What they print, how they end, and the files that
# they leave are those of an untraced program, even where that one is killed.
. "${0%/*}/../lib/tap.sh"
[ -n "${FC-}" ] || skip_all 'configure found no Fortran compiler'
cd "$T" || exit 99
src=$top_srcdir/t/fortran/units.f90
# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0
mkdir logs
export IOTRACE_DIR="$T/logs"

# tries NAME COMMAND...: every statement on every unit, to NAME.out.  Each has a
# file of its own for unit 6, which some of them truncate.
tries()
{
	name=$1
	shift
	mkdir in && cd in || exit 99
	for statement in inquire wait flush rewind backspace endfile close read write; do
		for unit in closed closed-formatted -1 -99 0 5 6 77; do
			echo "$statement $unit"
			sh -c '"$@" 2>/dev/null >../said; echo "status $?"' sh "$@" $statement $unit </dev/null 2>/dev/null
			cat ../said
			# without a process where nothing was left
			echo ./*
			for left in ./*; do
				[ ! -e "$left" ] || rm -f "$left"
			done
		done
	done >"../$name.out"
	cd .. && rmdir in
}

for form in static dynamic; do
	link=
	[ $form = dynamic ] || link=-static
	ok "$form: compiles without iof90" "$FC" $link -o plain-$form "$src" || done_testing
	ok "$form: compiles with iof90" "$IOF90" $link -o traced-$form "$src" || done_testing
	tries plain-$form "$T/plain-$form"
	ok "$form: all were tried" test "$(grep -c '^status' plain-$form.out)" = 72
	tries traced-$form "$T/traced-$form"
	same "$form: as untraced" traced-$form.out plain-$form.out
	tries off-$form env IOTRACE=off "$T/traced-$form"
	same "$form, IOTRACE=off: as untraced" off-$form.out plain-$form.out
done
tries preloaded "$top_builddir/tools/iotrace" run "$T/plain-dynamic"
same 'preloaded: as untraced' preloaded.out plain-dynamic.out
tries dispatched "$top_builddir/tools/iotrace" run --syscalls "$T/plain-dynamic"
same 'dispatched: as untraced' dispatched.out plain-dynamic.out
done_testing
