#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Looking at the page cache, and at page faults, marks no page as used: the kernel evicts the same
# pages as it would without iotrace.
# shellcheck disable=SC2317 # functions that ok calls
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

src=$top_srcdir/t/faults
iotrace=$top_builddir/tools/iotrace
export IOTRACE_STACK=0 IOTRACE_DIR="$T/logs"

# shellcheck disable=SC2086 # CC may have options
ok 'compiles' $CC -O1 "$src/marked.c" -o "$T/marked" || done_testing
# shellcheck disable=SC2086
ok 'reader, plain: compiles' $CC -O1 "$src/cached.c" -o "$T/plain" || done_testing
ok 'reader, static: compiles' "$IOCC" -static -O1 "$src/cached.c" -o "$T/static" || done_testing
ok 'reader, dynamic: compiles' "$IOCC" -O1 "$src/cached.c" -o "$T/dynamic" || done_testing
head -c 4194304 /dev/zero | tr '\0' x >"$T/file"
sync "$T/file"
"$T/marked" "$T/file" fill && "$T/marked" "$T/file" >"$T/unused"
[ $? != 77 ] || skip_all 'the kernel does not say which pages are marked'

# marks COMMAND...: how the pages are marked that nobody had used before it
marks()
{
	rm -rf "$T/logs"
	mkdir "$T/logs"
	"$T/marked" "$T/file" fill
	"$@" || return
	"$T/marked" "$T/file"
}

# alike FILE COMMAND...: whether the pages are marked as FILE has it.  Where memory is short the kernel
# changes marks at any time, so that it is tried again; what looking marks is marked each time.
alike()
{
	file=$1
	shift
	for _ in 1 2 3 4 5; do
		marks "$@" >"$T/said"
		! cmp -s "$T/said" "$file" || return 0
	done
	diff "$file" "$T/said"
}

unused=$(cat "$T/unused")
marks "$T/plain" "$T/file" all >"$T/once"
# shellcheck disable=SC2016 # the inner shell's
marks sh -c '"$0" "$@" && "$0" "$@"' "$T/plain" "$T/file" all >"$T/twice"
ok 'reading marks pages' test "$(cat "$T/once")" != "$unused"
ok 'and reading them again marks them otherwise' test "$(cat "$T/twice")" != "$(cat "$T/once")"
for form in static dynamic preloaded; do
	case $form in
	preloaded) set -- "$iotrace" run "$T/plain" ;;
	*) set -- "$T/$form" ;;
	esac
	export IOTRACE_CACHE=1
	ok "IOTRACE_CACHE, $form: as often as it reads" alike "$T/once" "$@" "$T/file" all
	unset IOTRACE_CACHE
	ok "IOTRACE_CACHE, $form: looks" "$IOTRACE_CAT" -e read "$T/logs"
done

# this one touches each page by its own mapping, before it says what is marked
"$T/marked" "$T/file" fill
IOTRACE_FAULTS=1 "$iotrace" run "$T/marked" "$T/file" >"$T/said" 2>"$T/err"
is 'IOTRACE_FAULTS: as untraced' "$(cat "$T/said")" "$unused"
ok 'IOTRACE_FAULTS: looks' test "$("$IOTRACE_CAT" -P '/file$' -e page_fault "$T/logs" | grep -c .)" -gt 0

done_testing
