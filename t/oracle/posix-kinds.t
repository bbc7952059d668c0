#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files of all kinds: what strace says, and where the kernel says that bytes went.
# shellcheck disable=SC2016 # awk programs
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
family posix-kinds

# a call that moves the offset ends where the lseek behind it finds the offset
"$IOTRACE_CAT" --format=json "$T/logs" | "$AWK" '
	function field(name)
	{
		if (!match($0, "\"" name "\":-?[0-9]+"))
			return "none"
		return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
	}
	/"call":"(read|write|writev|pwritev2)"/ && field("ret") >= 0 {
		at = field("offset")
		to = at == "none" ? "none" : at + field("ret")
		seen = $0
		# it is given an offset, and does not move that of the file: append.t
		if (/"RWF_APPEND"/)
			seen = ""
	}
	/"call":"(pread|preadv|preadv2|pwrite|pwritev|lseek|copy_file_range|close)"/ && !/SEEK_CUR/ { seen = "" }
	/"call":"lseek"/ && /SEEK_CUR/ {
		if (seen != "") {
			n++
			if (to == "none" || to - field("ret") != 0)
				print "to " to ", not " field("ret") ": " seen
		}
		seen = ""
	}
	END { print n + 0 >"/dev/stderr" }' >"$T/wrong" 2>"$T/n"
none 'offsets are where the kernel has them' "$T/wrong"
ok 'of many calls' test "$(cat "$T/n")" -ge 10

"$IOTRACE_CAT" "$T/logs" >"$T/text"
for flags in 'O_RDWR|O_CREAT|O_TRUNC|O_DIRECT' 'O_WRONLY|O_CREAT|O_SYNC' 'O_RDWR|O_DSYNC' \
	'O_RDWR|O_CREAT|O_TRUNC|O_APPEND' RWF_HIPRI RWF_DSYNC RWF_SYNC 'RWF_DSYNC|RWF_APPEND' RWF_NOWAIT \
	RWF_NOAPPEND RWF_ATOMIC RWF_DONTCACHE SEEK_DATA SEEK_HOLE FALLOC_FL_KEEP_SIZE \
	'FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE' FALLOC_FL_ZERO_RANGE FALLOC_FL_COLLAPSE_RANGE \
	FALLOC_FL_INSERT_RANGE FALLOC_FL_UNSHARE_RANGE FALLOC_FL_NO_HIDE_STALE FICLONE FICLONERANGE; do
	is "$flags has its name" "$(grep -cF ", $flags" "$T/text" | sed 's/^[1-9][0-9]*$/some/')" some
done
done_testing
