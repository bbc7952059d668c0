#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Pointers that the kernel never reads: every row of the table, every pointer that it
# has, bad in every way.  The same result, errno or signal, and the same address of
# the fault, as without a recorder; t/pointers/left-out.txt says what is not called.
# Every twelfth row, chosen by POINTERS_SHARD (0 to 11), unless POINTERS_ALL=1.
# shellcheck disable=SC2086 # options
. "${0%/*}/../lib/tap.sh"
: "${POINTERS_SHARD=0}" "${POINTERS_ALL=0}"
src=$top_srcdir/t/pointers
iotrace=$top_builddir/tools/iotrace

for form in static dynamic; do
	link=
	[ $form = dynamic ] || link=-static
	mkdir "$T/$form"
	awk -v form=$form -f "$src/gen.awk" "$src/left-out.txt" "$top_srcdir/table/kinds.def" \
		"$top_builddir/table/calls.def" >"$T/$form/cases.h"
	ok "$form: the table has pointers" test "$(grep -c '^	{ ' "$T/$form/cases.h")" -gt 500
	ok "$form: compiles without iocc" $CC $link -w -g -O0 -fno-builtin -I"$T/$form" -o "$T/$form/plain" "$src/pointers.c" || done_testing
	ok "$form: compiles with iocc" "$IOCC" $link ${link:+--iotrace-syscalls} -w -g -O0 -fno-builtin -I"$T/$form" -o "$T/$form/traced" "$src/pointers.c" || done_testing
done

# tries FORM/HOW [VARIABLE=VALUE...] COMMAND...: what came of it, in $T/out/FORM-HOW
tries()
{
	(
		at=$T/at/${1%/*}-${1#*/} out=$T/out/${1%/*}-${1#*/}
		shift
		mkdir -p "$at/logs" "$at/in" "$T/out"
		cd "$at/in" || exit 99
		if [ "$POINTERS_ALL" = 1 ]; then
			set -- "$@" 0 1 all
		else
			set -- "$@" "$POINTERS_SHARD" 12 some
		fi
		env IOTRACE_DIR="$at/logs" "$@" >"$out" 2>"$out.err" </dev/null
		rm -rf "$at"
	)
}

tries static/plain "$T/static/plain" &
tries dynamic/plain "$T/dynamic/plain"
tries static/traced "$T/static/traced" &
tries dynamic/traced "$T/dynamic/traced"
tries static/off IOTRACE=off "$T/static/traced" &
tries dynamic/off IOTRACE=off "$T/dynamic/traced"
tries static/dispatched IOTRACE_SYSCALLS=1 "$T/static/traced" &
tries dynamic/preloaded "$iotrace" run "$T/dynamic/plain"
tries dynamic/dispatched "$iotrace" run --syscalls "$T/dynamic/plain"
wait

for form in static dynamic; do
	ok "$form: cases were tried" test "$(wc -l <"$T/out/$form-plain")" -gt 500
	for how in traced off dispatched preloaded; do
		[ "$form-$how" != static-preloaded ] || continue
		same "$form, $how: as without a recorder" "$T/out/$form-$how" "$T/out/$form-plain"
	done
done

# --- streams that libc does not look at
for form in static dynamic; do
	link=
	[ $form = dynamic ] || link=-static
	ok "$form: calls for nothing compile" $CC $link -w -O0 -fno-builtin -o "$T/$form/nothing" "$src/nothing.c"
	ok "$form: calls for nothing compile with iocc" "$IOCC" $link ${link:+--iotrace-syscalls} -w -O0 -fno-builtin -o "$T/$form/traced-nothing" "$src/nothing.c"
	mkdir "$T/nothing-$form"
	"$T/$form/nothing" >"$T/nothing.plain" 2>&1 </dev/null
	like "$form: calls for nothing return" "$T/nothing.plain" '^11 1: -1$'
	for how in traced off dispatched preloaded; do
		case $form-$how in
		*traced) set -- "$T/$form/traced-nothing" ;;
		*off) set -- IOTRACE=off "$T/$form/traced-nothing" ;;
		static-dispatched) set -- IOTRACE_SYSCALLS=1 "$T/static/traced-nothing" ;;
		*dispatched) set -- "$iotrace" run --syscalls "$T/dynamic/nothing" ;;
		static-preloaded) continue ;;
		*) set -- "$iotrace" run "$T/dynamic/nothing" ;;
		esac
		env IOTRACE_DIR="$T/nothing-$form" "$@" >"$T/nothing.out" 2>&1 </dev/null
		same "$form, $how: calls for nothing do as without a recorder" "$T/nothing.out" "$T/nothing.plain"
	done
done

# --- memory that other threads take away and bring back meanwhile
for form in static dynamic; do
	link=
	[ $form = dynamic ] || link=-static
	ok "$form: calls for memory that moves compile" $CC $link -w -O0 -fno-builtin -o "$T/$form/moving" "$src/moving.c" -lpthread
	ok "$form: calls for memory that moves compile with iocc" "$IOCC" $link ${link:+--iotrace-syscalls} -w -O0 -fno-builtin \
		-o "$T/$form/traced-moving" "$src/moving.c" -lpthread
	for how in plain traced off dispatched preloaded; do
		case $form-$how in
		*plain) set -- "$T/$form/moving" ;;
		*traced) set -- "$T/$form/traced-moving" ;;
		*off) set -- IOTRACE=off "$T/$form/traced-moving" ;;
		static-dispatched) set -- IOTRACE_SYSCALLS=1 "$T/static/traced-moving" ;;
		*dispatched) set -- "$iotrace" run --syscalls "$T/dynamic/moving" ;;
		static-preloaded) continue ;;
		*) set -- "$iotrace" run "$T/dynamic/moving" ;;
		esac
		rm -rf "$T/moving" && mkdir "$T/moving" "$T/moving/in"
		(cd "$T/moving/in" && exec env IOTRACE_DIR="$T/moving" "$@" 1000) >"$T/moving.out" 2>"$T/moving.err" </dev/null
		is "$form, $how: calls for memory that moves do not fault" $? 0
		is "$form, $how: and succeed, or say EFAULT" "$(grep -v ': as it should be$' "$T/moving.out")" ''
		[ $how = plain ] || [ $how = off ] || ok "$form, $how: the log of them is sound" "$IOTRACE_CAT" "$T/moving"
	done
done
done_testing
