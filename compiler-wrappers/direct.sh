#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# direct.sh LIBIOTRACE.A WRAP.LIST LIBC.A OUTPUT.A - the archive for linkers
# whose --wrap can't be relied upon.
#
# lld decides which names to wrap before it has settled which archive members
# it needs, and takes a wrapper of a name that libc defines weakly (write,
# fclose) for optional: calls end at address 0.  So this archive needs no
# --wrap.  Its wrappers carry the names of the calls, and each member of libc
# that defines such a name is there once more with that definition renamed to
# __real_NAME.  Searched before libc.a, it takes libc's place for these names.
set -eu

if [ $# != 4 ]; then
	echo "usage: $0 LIBIOTRACE.A WRAP.LIST LIBC.A OUTPUT.A" >&2
	exit 2
fi
NM=${NM:-nm} AR=${AR:-ar} OBJCOPY=${OBJCOPY:-objcopy}
LC_ALL=C
export LC_ALL

work=$4.d
rm -rf "$work" "$4"
mkdir -p "$work/libc" "$work/maps"
# gfortran's names are not libc's, and not weak.
sed -n '/=_gfortrani*_/d; s/^--wrap=//p' "$2" >"$work/names"

# The wrappers.  They are weak as libc's own definitions are, so that a program
# may define a function of that name.
sed 's/.*/__wrap_& &/' "$work/names" >"$work/rename"
$OBJCOPY --redefine-syms="$work/rename" --weaken-symbols="$work/names" "$1" "$work/whole.a"

# Which member of libc.a defines which of the names.
$NM -A -g --defined-only "$3" 2>/dev/null | awk -v maps="$work/maps/" '
	NR == FNR { wrapped[$1] = 1; next }
	$NF in wrapped {
		split($1, where, ":")
		print $NF, "__real_" $NF >(maps where[2])
		if (!(where[2] in seen)) {
			seen[where[2]] = 1
			print where[2]
		}
	}' "$work/names" - >"$work/members"
libc=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
(cd "$work/libc" && xargs "$AR" x "$libc" <../members)
while read -r member; do
	$OBJCOPY --redefine-syms="$work/maps/$member" "$work/libc/$member" \
		"$work/libc/libc-$member"
	rm "$work/libc/$member"
done <"$work/members"
(cd "$work/libc" && find . -name 'libc-*' | sort) |
	(cd "$work/libc" && xargs "$AR" qcS ../direct.a)
printf '%s\n' "open $work/whole.a" "addlib $work/direct.a" save end | $AR -M
mv "$work/whole.a" "$4"
rm -rf "$work"
