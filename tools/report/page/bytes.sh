#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bytes.sh D3 LICENCE FILE...: files as C, each an array of its bytes, and a table of them.
set -e

# array NUMBER FILE
array()
{
	printf 'static const unsigned char part_%d[] = {\n' "$1"
	od -An -v -tu1 "$2" | sed 's/  */,/g; s/^,//; s/$/,/'
	echo '};'
}

d3=$1 licence=$2
shift 2
printf '/* Made by bytes.sh. */\n#include "config.h"\n#include "tools/report/page.h"\n'
n=0
table=
for file in "$d3" "$licence" "$@"; do
	case $n in
	0) name=d3 ;;
	1) name=licence ;;
	*) name=${file##*/} ;;
	esac
	array $n "$file"
	table="$table	{\"$name\", part_$n, sizeof(part_$n)},
"
	n=$((n + 1))
done
printf 'const struct page_part page_parts[] = {\n%s	{0},\n};\n' "$table"
