#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# analysis/kinds.def has every call of the tables that moves data, and no other.
. "${0%/*}/../lib/tap.sh"

# "RESULT NAME" of each call
sed -n 's/^[a-z]\{1,\}	\([A-Za-z]* [A-Za-z_0-9]*\)(.*[[ ]as=\([a-z0-9_]*\).*/\1 \2/p; t
	s/^[a-z]\{1,\}	\([A-Za-z]* [A-Za-z_0-9]*\)(.*/\1/p' "$top_builddir/table/calls.def" "$top_srcdir/table/mpi.def" |
	awk '{ print $1, NF == 3 ? $3 : $2 }' | sort -u >"$T/calls"
ok 'there are calls' grep -q '^bytes write$' "$T/calls"
sed -n 's/^KIND([A-Z]*, [A-Z]*, \([A-Za-z0-9_]*\))$/\1/p' "$top_srcdir/analysis/kinds.def" | sort >"$T/kinds"
is 'each has a line of its own' "$(uniq -d "$T/kinds")" ''
sed -n 's/^OTHERS(\([a-z_]*\))$/\1/p' "$top_srcdir/analysis/kinds.def" | sort | comm -23 - "$T/kinds" >"$T/out"
is 'those that wait for others are among them' "$(cat "$T/out")" ''
sed 's/.* //' "$T/calls" | sort -u | comm -13 - "$T/kinds" >"$T/out"
is 'all of them are calls' "$(cat "$T/out")" ''
# What tells a number of bytes or characters, but moves no data of a file.
sort >"$T/others" <<'EOT'
canonicalize_file_name
get_current_dir_name
getwd
mktemp
ptsname
realpath
tempnam
tmpnam
tmpnam_r
ttyname
MPI_Test
MPI_Testany
io_complete
aio_return
fgetxattr
flistxattr
getdents64
getxattr
lgetxattr
listxattr
llistxattr
mkdtemp
process_vm_readv
process_vm_writev
readlink
readlinkat
ungetc
ungetwc
EOT
sed -nE 's/^(bytes|items|chars?|w?text|nonneg) //p' "$T/calls" | sort -u |
	comm -23 - "$T/kinds" >"$T/out"
same 'what moves data is there' "$T/out" "$T/others"
done_testing
