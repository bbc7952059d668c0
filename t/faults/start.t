#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_FAULTS with IOTRACE_CACHE: what the kernel and the loader read before the recorder begins is
# known by file, as /proc and mincore(2) show it to the program.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

iotrace=$top_builddir/tools/iotrace
export IOTRACE_STACK=0

# shellcheck source=t/lib/faults.sh
. "${0%/*}/../lib/faults.sh"
# shellcheck disable=SC2086 # CC may have options
ok 'library: compiles' $CC -O1 -shared -fPIC -DLIBRARY "$src/start.c" -o "$T/libstart.so" || done_testing
# shellcheck disable=SC2086 # CC may have options
ok 'preloaded: compiles' $CC -O1 -DLINKED "$src/start.c" -L"$T" -lstart -Wl,-rpath,"$T" -o "$T/preloaded" || done_testing
ok 'dynamic: compiles' "$IOCC" -O1 -DLINKED "$src/start.c" -L"$T" -lstart -Wl,-rpath,"$T" -o "$T/dynamic"
ok 'static: compiles' "$IOCC" --iotrace-faults -static -O1 "$src/start.c" -o "$T/static"
"$iotrace" drop-cache "$T/libstart.so" >/dev/null 2>&1 || skip_all 'the file system has no page cache that could be emptied'

# traced OPTION PROGRAM FILE: sums of the file in $T/sums
traced()
{
	rm -rf "$T/logs"
	mkdir "$T/logs"
	# shellcheck disable=SC2086 # an option, or none
	"$iotrace" run $1 --faults --cache -o "$T/logs" "$2" "$3" >"$T/out" 2>"$T/err"
	is 'runs' $? 0
	"$IOTRACE_CAT" --format=json -e pages_found,pages_gained -P "/${3##*/}\$" "$T/logs"/*.iotrace |
		perl -ne '%v = /"(found|size|touched|unused)":(\d+)/g; $sum{$_} += $v{$_} for keys %v;
			END { print join(" ", map { "$_ " . ($sum{$_} // "none") } qw(found size touched unused)), "\n" }' >"$T/sums"
}

for form in preloaded dynamic; do
	tap_about="$form: "
	traced --cold "$T/$form" "$T/libstart.so"
	is 'what came, and what of it was not used' "$(cut -d ' ' -f 1-4,7-8 "$T/sums")" \
		"$(awk '{ print "found 0 size", $2, "unused", $4 }' "$T/out")"
	# half a MiB of pointers, between data that nobody looks at
	ok 'what the loader has written to is touched' test "$(awk '{ print $6 }' "$T/sums")" -ge "$(awk '{ print $3 }' "$T/out")"
	ok 'which is not little' test "$(awk '{ print $3 }' "$T/out")" -ge 524288
done

tap_about='static: '
traced --cold "$T/static" "$T/static"
is 'all that is there has come' "$(awk '{ print $1, $2, $4 }' "$T/sums")" "$(awk '{ print "found 0", $2 }' "$T/out")"

tap_about='a part was there: '
"$iotrace" drop-cache "$T/libstart.so" >/dev/null
perl -e 'open F, "<", $ARGV[0]; sysseek F, 4 << 20, 0; sysread F, $b, 40960' "$T/libstart.so"
traced '' "$T/preloaded" "$T/libstart.so"
is 'what was there and what came is what there is' "$(awk '{ print $2 + $4 }' "$T/sums")" "$(awk '{ print $2 }' "$T/out")"
ok 'that was there' test "$(awk '{ print $2 }' "$T/sums")" -ge 40960
is 'and has not come' "$("$IOTRACE_CAT" --format=json -e pages_gained -P '/libstart.so$' "$T/logs"/*.iotrace |
	perl -ne '($o) = /"offset":(\d+)/; ($s) = /"size":(\d+)/; print "$o $s\n" if $o < (4 << 20) + 40960 && $o + $s > 4 << 20')" ''

# shellcheck disable=SC2016 # scripts of ours expand them
{
	# scripts that become a program for certain
	printf '#!/usr/bin/env preloaded\n' >"$T/by-env"
	printf '#!/usr/bin/env -S preloaded\n' >"$T/by-env-S"
	printf '#!/bin/sh\n# the program\nHERE=1\nexport HERE\n\nexec "%s" "$@"\n' "$T/preloaded" >"$T/by-exec"
	printf '#!/usr/bin/env sh\nexport HERE=1\n\texec preloaded "$@"\n' >"$T/by-both"
	# and those of which nobody knows
	printf '#!/bin/sh\nif :; then exec "%s" "$@"; fi\n' "$T/preloaded" >"$T/by-if"
	printf '#!/bin/sh\nPROGRAM=%s\nexec "$PROGRAM" "$@"\n' "$T/preloaded" >"$T/by-name"
	printf '#!/bin/sh\nPATH=%s\nexec preloaded "$@"\n' "$T" >"$T/by-path"
}
chmod +x "$T"/by-*
PATH=$T:$PATH
for script in by-env by-env-S by-exec by-both by-if by-name by-path; do
	tap_about="$script: "
	"$iotrace" warm "$T/libstart.so" >/dev/null
	traced --cold "$T/$script" "$T/libstart.so"
	case $script in
	by-if | by-name | by-path)
		like 'says that what it begins stays' "$T/err" '--cold: .*/by-[a-z]* is a script: .*drop-cache --log=DIR'
		is 'that was there' "$(awk '{ print $2 }' "$T/sums")" "$(awk '{ print $2 }' "$T/out")"
		;;
	*)
		unlike 'says nothing of scripts' "$T/err" script
		is 'what came' "$(cut -d ' ' -f 1-4 "$T/sums")" "$(awk '{ print "found 0 size", $2 }' "$T/out")"
		;;
	esac
done

# the program and its children see nothing of it
tap_about='environment: '
# shellcheck disable=SC2016 # so does that one
IOTRACE_DIR=$T/logs "$iotrace" run --faults --cache sh -c 'echo "$IOTRACE_FOUND"; env' >"$T/out"
is 'nothing is left' "$(sed -n '1p; s/^IOTRACE_FOUND=//p' "$T/out" | tr -d '\n')" ''
"$IOTRACE_CAT" --about "$T/logs"/*.iotrace >"$T/about" 2>&1
unlike 'nor in the log' "$T/about" IOTRACE_FOUND

done_testing
