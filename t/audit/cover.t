#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-audit finds every way around the wrappers, and nothing else.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

# shellcheck disable=SC2317 # called by ok
build()
{
	$CC -DHOLES -nostdlib "$@" -o "$T/cover" "$top_srcdir/t/audit/cover.S"
}

cat >"$T/expected" <<'END'
_start  syscall exit_group  reached from the entry point
by_branch  syscall fstat  reached from _start
by_falling  syscall readv  reached from falls
by_jump  syscall lstat  reached from _start
by_lea  syscall stat  reached from _start
by_other_wrapper  syscall mmap  reached from __wrap_malloc
by_pointer  syscall lseek  reached from data table
by_slot  syscall poll  reached from _start
code_as_data  syscall access  reached from _start
fdatasync  syscall fdatasync  reached from _start
hop_behind_hole  syscall flock  reached from flock
hop_to_other_call  syscall close  reached from ioctl
no_symbol  syscall writev  reached from _start
write  syscall write  reached from _start
END
cat >"$T/expected-v" <<'END'
close  syscall close  behind __wrap_close
dup  syscall dup  behind __wrap_dup
fsync  syscall fsync  behind __wrap_fsync
hop  syscall fcntl  behind __wrap_fcntl
read  syscall read  behind __wrap_read
unused  syscall ioctl  never reached
used_by_unused  syscall pread64  never reached
4 sites are the recorder's
1 site makes a call that is no I/O
END

# Wrappers are __wrap_NAME, or libc's functions are iot_real_NAME: that aside both are alike.
names='s/  at [0-9a-fx,]*//; s/__wrap_m/__WRAP_m/; s/__wrap_//g; s/iot_real_//g; s/__WRAP/__wrap/'
sed "$names" "$T/expected" >"$T/want"
sed "$names" "$T/expected" "$T/expected-v" >"$T/want-v"

for how in -static -static-pie '-static -DDIRECT' '-static-pie -DDIRECT'; do
	# shellcheck disable=SC2086 # two options
	ok "$how: the program links" build $how || continue
	"$IOTRACE_AUDIT" "$T/cover" >"$T/out"
	is "$how: exit status" $? 1
	sed "$names" "$T/out" | sort >"$T/got"
	same "$how: ways around wrappers" "$T/got" "$T/want"
	"$IOTRACE_AUDIT" -v "$T/cover" | sed "$names" >"$T/got-v"
	sort "$T/want-v" >"$T/want-v.sorted"
	sort "$T/got-v" >"$T/got-v.sorted"
	same "$how: -v lists what is covered, too" "$T/got-v.sorted" "$T/want-v.sorted"
done
ok 'the program links again' build -static
"$IOTRACE_AUDIT" "$T/cover" >"$T/out"
sed 's/  at [0-9a-fx,]*//' "$T/out" >"$T/got"
same 'lines are sorted by function' "$T/got" "$T/expected"

# Addresses are those that the disassembler shows.
addr=$(sed -n 's/^write .* at \(0x[0-9a-f]*\) .*/\1/p' "$T/out")
nm "$T/cover" | sed -n 's/^0*\([0-9a-f]*\) T write$/\1/p' >"$T/start"
is 'address of a site' "$addr" "$(printf '0x%x' $((0x$(cat "$T/start") + 5)))"

"$IOTRACE_AUDIT" --format=json "$T/cover" >"$T/json"
is 'json: exit status' $? 1
is 'json: an object a line' "$(grep -c '^{.*}$' "$T/json")" 14
like 'json: members' "$T/json" \
	'^\{"function":"write","syscall":"write","sites":\["0x[0-9a-f]+"\],"verdict":"uncovered","reached_from":\["_start"\]\}$'
"$IOTRACE_AUDIT" -v --format=json "$T/cover" >"$T/json"
like 'json: covered sites' "$T/json" '"function":"read".*"verdict":"covered","behind":\["__wrap_read"\]'

for how in -static -static-pie '-static -DDIRECT'; do
	# shellcheck disable=SC2086 # two options
	ok "$how: the program without holes links" \
		$CC -nostdlib $how -o "$T/closed" "$top_srcdir/t/audit/cover.S" || continue
	"$IOTRACE_AUDIT" "$T/closed" >"$T/out"
	is "$how: exit status without holes" $? 0
	is "$how: nothing is listed without holes" "$(cat "$T/out")" ''
done

done_testing
