#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls on mapped memory count for the file that lies there, when parts of a mapping have been taken
# away or moved, too.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

ok 'compiles' "$IOCC" -static -O1 "$top_srcdir/t/stat/mappings.c" -o "$T/mappings" || done_testing
mkdir "$T/logs"
(cd "$T" && IOTRACE_DIR=$T/logs ./mappings)
is 'runs' $? 0
"$IOTRACE_STAT" --format=json "$T/logs" | perl -MJSON::PP -0777 -ne '
	print map { "$1 syncs $_->{syncs} calls $_->{calls}\n" if $_->{path} =~ m,/(one|two)$, }
		sort { $a->{path} cmp $b->{path} } @{ decode_json($_)->{files} }' >"$T/sums"
# open, ftruncate, mmap, close; munmap, 2 msync, munmap; mremap, 2 msync, madvise, munmap
is 'one' "$(sed -n 1p "$T/sums")" 'one syncs 2 calls 8'
is 'two' "$(sed -n 2p "$T/sums")" 'two syncs 2 calls 9'
ok 'and as the records have it' "$top_srcdir/t/lib/stat-sums" "$T/logs"

# open, ftruncate, mmap, close, msync; the child's msync, munmap
# open, ftruncate, mmap, close; the grandchild's msync, munmap
# open, ftruncate, mmap, close, munmap; the child's msync, munmap; the grandchild's munmap
cat >"$T/expected" <<'END'
four syncs 1 calls 5
one syncs 2 calls 7
three syncs 1 calls 8
two syncs 1 calls 6
END
for how in -static -dynamic; do
	# shellcheck disable=SC2046 # no option
	ok "children: compiles, $how" "$IOCC" $([ $how = -dynamic ] || echo $how) -O1 "$top_srcdir/t/stat/inherited.c" -o "$T/inherited" || done_testing
	rm -rf "$T/logs" "$T/packed"
	mkdir "$T/logs"
	(cd "$T" && IOTRACE_DIR=$T/logs ./inherited)
	is "children: runs, $how" $? 0
	if packs "children: packed, $how"; then
		"$IOTRACE_PACK" -o "$T/packed" "$T"/logs/*.iotrace
	fi
	for logs in logs packed; do
		[ -e "$T/$logs" ] || continue
		"$IOTRACE_STAT" --format=json "$T/$logs" | perl -MJSON::PP -0777 -ne '
			print map { "$1 syncs $_->{syncs} calls $_->{calls}\n" if $_->{path} =~ m,/(one|two|three|four)$, }
				sort { $a->{path} cmp $b->{path} } @{ decode_json($_)->{files} }' >"$T/sums"
		same "children: what a parent had mapped is the file's, $how, $logs" "$T/sums" "$T/expected"
	done
	ok "children: and as the records have it, $how" "$top_srcdir/t/lib/stat-sums" "$T/logs"
done

done_testing
