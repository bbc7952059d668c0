#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# direct.sh LIBIOTRACE.A WRAP.LIST LIBC.A OUTPUT.A - libc with the recorder in it, for
# links in which --wrap can't be ours.  Or gfortran's runtime with the wrappers of its
# statements.
#
# In it wrappers carry the names of the calls, and libc's definitions of these names
# are renamed to iot_real_NAME.  Who links it in place of libc.a needs no --wrap:
# - a program that has a __wrap_NAME of its own, with --wrap or without;
# - LLVM's linker.  It decides which names to wrap before it has settled which archive
#   members it needs, and takes a wrapper of a name that libc defines weakly (write,
#   fclose) for optional: calls end at address 0.
# OUTPUT.A.of says what LIBC.A was like.
# It is one archive, since of two the linker would find a name in the one that it is
# just searching.
set -eu

if [ $# != 4 ]; then
	echo "usage: $0 LIBIOTRACE.A WRAP.LIST LIBC.A OUTPUT.A" >&2
	exit 2
fi
# REAL: what the library's own definitions are called
# PART: of the library only the members that have been changed are wanted
REAL=${REAL:-iot_real_}
NM=${NM:-nm} AR=${AR:-ar} RANLIB=${RANLIB:-ranlib} OBJCOPY=${OBJCOPY:-objcopy}
LC_ALL=C
export LC_ALL

work=$4.d
rm -rf "$work" "$4"
mkdir -p "$work/libc" "$work/maps"
# those that this library has
$NM -g --defined-only "$3" 2>/dev/null | awk 'NF > 2 { print $NF }' | sort -u >"$work/defined"
sed -n 's/^--wrap=//p' "$2" | sort | comm -12 - "$work/defined" >"$work/names"

# The wrappers.  They are weak as libc's own definitions are, so that a program
# may define a function of that name.  One that another wrapper calls has a name
# besides, which no --wrap of the program's leads elsewhere.
$NM -u "$1" 2>/dev/null | sed -n 's/^ *[Uw] __wrap_\([^.]*\)$/\1/p' | sort -u >"$work/called"
{
	sed 's/.*/__wrap_& iot_wrap_&/' "$work/called"
	comm -23 "$work/names" "$work/called" | sed 's/.*/__wrap_& &/'
	sed "s/.*/__real_& $REAL&/" "$work/names"
} >"$work/rename"
$OBJCOPY --redefine-syms="$work/rename" --weaken-symbols="$work/names" "$1" "$work/wrappers.a"
$NM -A -f sysv -g --defined-only "$work/wrappers.a" 2>/dev/null | tr -d ' ' | awk -F '|' '
	NR == FNR { called["iot_wrap_" $1] = $1; next }
	{
		name = $1
		sub(/.*:/, "", name)
		member = substr($1, 1, length($1) - length(name) - 1)
		sub(/.*:/, "", member)
	}
	name in called { print member, called[name] "=" $NF ":0x" $2 ",function,weak" }
	' "$work/called" - >"$work/named"
while read -r member symbol; do
	[ -f "$work/$member" ] || (cd "$work" && "$AR" x wrappers.a "$member")
	$OBJCOPY --add-symbol "$symbol" "$work/$member"
	"$AR" rS "$work/wrappers.a" "$work/$member"
done <"$work/named"

# Each member of libc.a that defines one of the names.  Some libc's have several members
# of one name.
libc=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
$NM -A -g --defined-only "$libc" 2>/dev/null | awk '
	NR == FNR { wrapped[$1] = 1; next }
	$NF in wrapped { sub(/:[^:]*$/, ""); sub(/.*:/, ""); print }' "$work/names" - | sort -u >"$work/changed"
$AR t "$libc" | awk -v part="${PART:-}" '
	FILENAME != "-" { changed[$0] = 1; next }
	{ n = ++seen[$0] }
	!part || $0 in changed { print (n > 1 ? n "-" $0 : $0), n, $0 }' "$work/changed" - >"$work/members"
(cd "$work/libc" && cut -d' ' -f 3 ../members | sort -u | xargs "$AR" x "$libc")
sort -k 3 -k 2n "$work/members" | awk 'again == $3 { print } { again = $3 }' | while read -r file nth member; do
	(cd "$work" && "$AR" xN "$nth" "$libc" "$member" && mv "$member" "libc/$file" && "$AR" xN 1 "$libc" "$member" && mv "$member" libc/)
done
(cd "$work/libc" && cut -d' ' -f 1 ../members | xargs "$NM" -A -g --defined-only 2>/dev/null) | awk -v maps="$work/maps/" -v real="$REAL" '
	NR == FNR { wrapped[$1] = 1; next }
	$NF in wrapped {
		split($1, where, ":")
		print $NF, real $NF >(maps where[1])
	}' "$work/names" -
for map in "$work/maps"/*; do
	$OBJCOPY --redefine-syms="$map" "$work/libc/${map##*/}"
done
(cd "$work/libc" && cut -d' ' -f 1 ../members | while read -r file; do
	[ -n "${PART:-}" ] && [ ! -f "../maps/$file" ] || echo "$file"
done | xargs "$AR" qcS ../libc.a)
printf '%s\n' "open $work/libc.a" "addlib $work/wrappers.a" save end | $AR -M
$RANLIB "$work/libc.a"
mv "$work/libc.a" "$4"
# what it is a copy of: iocc says so if that has changed since
echo "$(stat -L -c '%s %Y' "$libc") $libc" >"$4.of"
rm -rf "$work"
