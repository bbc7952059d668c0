#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# io_uring: programs that say which requests they submitted, and what came of each, find the same
# in the log: of liburing, static and shared, of rings without it, by syscall(2) and by an
# instruction of the program's own.  iotrace-audit finds no gap, strace no other submissions.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
src=$top_srcdir/t/uring
run=$top_builddir/tools/iotrace-run

printf '#include <liburing.h>\nint main(void)\n{\n\tstruct io_uring r;\n\n\treturn io_uring_queue_init(8, &r, 0) ? 77 : 0;\n}\n' >probe.c
# shellcheck disable=SC2086 # CC may have options
$CC -o probe probe.c -luring 2>err || skip_all 'no liburing to compile with'
./probe || skip_all 'this kernel makes no io_uring'

echo 'some text' >in
for name in mix special; do
	[ $name = special ] && newer=$src/newer.c || newer=
	# shellcheck disable=SC2086
	ok "$name compiles" $CC -g -O1 -o "$name-plain" "$src/$name.c" $newer -luring -lpthread || done_testing
	ok "$name compiles with iocc" "$IOCC" -g -O1 -o "$name-dynamic" "$src/$name.c" ${newer:+"$newer"} -luring -lpthread
	ok "$name compiles with iocc -static" "$IOCC" -static -g -O1 -o "$name-static" "$src/$name.c" ${newer:+"$newer"} \
		-luring -lpthread
done
# shellcheck disable=SC2086
ok 'raw compiles' $CC -g -O1 -o raw-plain "$src/raw.c"
# shellcheck disable=SC2086
ok 'latest compiles' $CC -g -O1 -o latest-plain "$src/latest.c"
for name in raw resize latest; do
	# shellcheck disable=SC2086
	ok "$name compiles with its own instruction" $CC -g -O1 -DINSTRUCTION -o "$name-instruction" "$src/$name.c"
	ok "$name compiles with iocc -static" "$IOCC" -static -g -O1 -o "$name-static" "$src/$name.c"
done

# traced FORM NAME ARGUMENT...: runs it, and makes json of its log
traced()
{
	form=$1 name=$2
	shift 2
	rm -rf logs && mkdir logs
	case $form in
	preloaded) IOTRACE_DIR=logs timeout 600 "$run" "./$name-plain" "$@" ;;
	dispatched) IOTRACE_DIR=logs timeout 600 "$run" --syscalls "./$name-plain" "$@" ;;
	instruction) IOTRACE_DIR=logs timeout 600 "$run" --syscalls "./$name-instruction" "$@" ;;
	*) IOTRACE_DIR=logs timeout 600 "./$name-$form" "$@" ;;
	esac
	status=$?
	"$IOTRACE_CAT" --format=json logs >json 2>err
	return $status
}

# mix FORM SEED COUNT FLAGS THREADS
mix()
{
	what="mix $*"
	traced "$1" mix "$2" "$3" "$4" "$5"
	case $? in
	77)
		skip "$what" 'this kernel makes no such ring'
		return ;;
	0) ;;
	*)
		fail "$what: ends well"
		return ;;
	esac
	is "$what: nothing is lost" "$(cat err)" ''
	"$src/agree.pl" said json >out 2>&1
	is "$what: the log has what the program did" "$? $(cat out)" '0 '
}
# queues that the kernel reads by itself (2), large entries (0xc00), threads
for form in static dynamic preloaded dispatched; do
	mix "$form" 1 300 0 0
	mix "$form" 2 300 0 3
	mix "$form" 3 300 0xc00 0
done
mix static 4 300 2 0
mix dynamic 5 300 2 3
mix static 6 5000 0 0

# Many records are like others before them.
if packs 'mix static 6: a packed log'; then
	"$IOTRACE_PACK" -c logs/* >packed.iotrace
	"$IOTRACE_CAT" --format=json packed.iotrace >json.packed
	ok 'mix static 6: a packed log has the same' cmp json json.packed
fi
for log in logs/* packed.iotrace; do
	[ -e "$log" ] || continue
	"$IOTRACE_CAT" --format=json --path='/in$' "$log" | grep -c '"call":"\(request\|completion\)"'
done >chosen
is 'mix static 6: and so has a choice by file' "$(sort -u chosen)" \
	"$(grep '"call":"\(request\|completion\)"' json | grep -c '"path":"[^"]*/in"')"

# raw FORM ARGUMENT...: 100 writes, one after the other in the file
raw()
{
	what="raw $*"
	traced "$1" raw "$2" "${3-}"
	case $? in
	77)
		skip "$what" 'this kernel makes no such ring'
		return ;;
	0) ;;
	*)
		fail "$what: ends well"
		return ;;
	esac
	is "$what: nothing is lost" "$(cat err)" ''
	is "$what: requests" "$(grep '"call":"request"' json | grep -c '"path":"[^"]*/out".*"size":4096,')" 100
	is "$what: in the order of submission" "$(sed -n '/"call":"request"/s/.*"offset":\([0-9]*\),.*/\1/p' json | sort -nc 2>&1)" ''
	is "$what: completions" "$(grep '"call":"completion"' json | grep -c '"ret":4096,')" 100
}
for form in static preloaded instruction; do
	raw "$form" 0
	raw "$form" 0xc00
done
raw static 0 unmap
raw static 0x40 disabled
raw static 0 dropped
raw static 0 index
raw static 0x4000	# in the program's own memory
for form in static preloaded instruction; do
	raw "$form" 0 closed
	raw "$form" 0 replaced
	raw "$form" 0xc000	# it never has a descriptor
done

# operations of newer kernels, and whose file a direct descriptor is
for form in static preloaded instruction; do
	for flags in 0 0xc00; do
		traced "$form" latest $flags >said
		case $? in
		77) skip "latest $form $flags" 'this kernel makes no pipes by io_uring' ;;
		0)
			perl "$src/agree.pl" said json >differs
			none "latest $form $flags: the log has what was asked for, and how it ended" differs
			is "latest $form $flags: nothing is lost" "$(cat err)" ''
			;;
		*) fail "latest $form $flags: ends well" ;;
		esac
	done
done

op_of() { sed -n '/"call":"'"$1"'"/s/.*"op":\([0-9]*\),.*/\1/p' json; }
count() { grep '"call":"'"$1"'"' json | grep -c "$2"; }
# special WAY REQUESTS COMPLETIONS
special()
{
	for form in static dynamic dispatched; do
		./special-plain "$1"
		plain=$?
		traced "$form" special "$1"
		is "special $1, $form: ends as without iotrace" $? $plain
		if [ $plain = 77 ]; then
			skip "special $1, $form" 'this kernel has no such thing'
			continue
		fi
		is "special $1, $form: nothing is lost" "$(grep -v 'never completed' err)" ''
		is "special $1, $form: requests and completions" "$(count request .) $(count completion .)" "$2 $3"
	done
}
special multishot 2 4
is 'multishot: each is of the same request' "$(count completion '"op":1,')" 4
is 'multishot: but for the last more are to come' "$(count completion 'IORING_CQE_F_MORE')" 3
special same 8 8
is 'same: the first has ended first' \
	"$(sed -n '/"call":"completion"/s/.*"op":\([0-9]*\),.*/\1/p' json | paste -s -d ' ')" '1 2 3 4 5 6 7 8'
special uncopied 1 2
if [ "$plain" != 77 ]; then
	is 'uncopied: a completion, and word that the buffer is free' \
		"$(sed -n '/"call":"completion"/s/.*"op":\([0-9]*\),.*"flags":"IORING_CQE_F_\([A-Z]*\)".*/\1 \2/p' json |
			paste -s -d ' ')" '1 MORE 1 NOTIF'
	is 'uncopied: the bytes count once' \
		"$("$IOTRACE_STAT" --format=json logs | grep -o '"written":[0-9]*' | sort -u | paste -s -d ' ')" '"written":0 "written":4'
fi
special quiet 2 1
is 'quiet: the completion of the one that fails says which it was' \
	"$(grep '"call":"completion"' json | grep '"errno":"EBADF"' | grep '"path":"[^"]*/in"' | grep -c '"operation":"pwrite"')" 1
for way in crowd many; do
	[ $way = many ] && n=12000 || n=1024
	special $way "$n" "$n"
	is "$way: each completes, once" \
		"$(sed -n '/"call":"completion"/s/.*"op":\([0-9]*\),.*/\1/p' json | sort -nu | wc -l)" "$n"
done
# in full, both records of a request have 192 bytes
ok 'many: records that are like others are short' test "$(cat logs/* | wc -c)" -lt $((n * 100))
traced static special names
is 'names: each completes, once' "$(sed -n '/"call":"completion"/s/.*"op":\([0-9]*\),.*/\1/p' json | sort -nu | wc -l)" 12000
special stopped 6 6
traced static special stopped
is 'stopped: what the kernel did not take at first has ended as well' "$(grep 'never completed' err)" ''
is 'stopped: the one that it turned down is the third' \
	"$(sed -n '/"errno":"EINVAL"/s/.*"op":\([0-9]*\),.*/\1/p' json)" 3
special changed 5 5
is 'changed: what it became is what was submitted' \
	"$(sed -n '/"call":"request"/s/.*"opcode":"IORING_OP_\([A-Z]*\)".*/\1/p' json | paste -s -d ' ')" 'NOP NOP READ NOP'
special family 540 540
special family-polled 540 540
for way in heirs heirs-polled; do
	special $way 3 3
	is "$way: each process has the result of its own" "$(sed -n '/"call":"completion"/s/.*"pid":\([0-9]*\),.*"ret":\([0-9]*\).*/\1 \2/p' json |
		awk '!($1 in n) { n[$1] = ++processes } { print n[$1] ":" $2 }' | paste -s -d ' ')" '1:2 2:1 2:0'
done
special another 3 3
# the other ring is told of each
special sent 4 6
is 'sent: the file is known there' "$(grep '"opcode":"IORING_OP_READ"' json | grep -c '"path":"[^"]*/in"')" 2
# queues that become larger and smaller while a request is in flight
for form in static instruction; do
	traced "$form" resize
	status=$?
	[ $status = 77 ] && skip "resize, $form" 'this kernel resizes no ring' && continue
	is "resize, $form: ends well" "$status $(cat err)" '0 '
	is "resize, $form: each request, once" "$(op_of request | sort -nu | wc -l) $(count request .)" '28 28'
	is "resize, $form: and its completion" "$(op_of completion | sort -nu | wc -l) $(count completion .)" '28 28'
done
special itself 2 2
special index 8 8
special nameless 8 8
is 'nameless: whoever has its number is a file' \
	"$(grep -c '"call":"close".*"path":"[^"]*/in"' json) $(count request '"path":"[^"]*/in"')" '1 0'
traced static special nameless
is 'nameless: that its descriptor is closed is on record' "$(count io_uring_close_ring_fd '"ret":1}') $(count close .)" '1 1'
# what nobody saw is counted, with the reason
./special-plain polled
if [ $? = 77 ]; then
	skip 'special polled' 'this kernel makes no such ring'
else
	traced static special polled
	is 'special polled: ends well' $? 0
	is 'special polled: as many as the queues have places' "$(count request .) $(count completion .)" '8 16'
	is 'special polled: the others are lost, and why' "$(sed -n 's/.*: \([0-9]* calls\).*\(IORING_SETUP_SQPOLL\).*/\1 \2/p' err)" \
		'56 calls IORING_SETUP_SQPOLL'
fi
for way in held full; do
	special $way 40 40
	is "$way: each completes once" "$(sed -n '/"call":"completion"/s/.*"op":\([0-9]*\),.*/\1/p' json | sort -nu | wc -l)" 40
	is "$way: those for which there was no place say so" "$(count completion IORING_SQ_CQ_OVERFLOW)" 24
done
special gone 4 3

# A handler submits to the ring of the call that it interrupts, at each of iotrace's instructions
within()
{
	"$IOCC" ${3:+"$3"} -g -O1 -o "within-$1" "$src/within.c" || return
	objdump -d --no-show-raw-insn "within-$1" | awk '
		/^[0-9a-f]+ </ { of_rings = $2 ~ /<(iot_(uring|ring|line|operation)_|draft|effects|read_|take|give_|skip|record|store|put_|find|follow|claim|leave)/ }
		of_rings && /^ / { sub(":", "", $1); print $1 }' >addresses
	IOTRACE_BUFFER=4194304 traced "$1" within "$2" <addresses >asked
	status=$?
	[ $status = 77 ] && skip "within $*" 'this system has no such ring or breakpoints' && return
	is "within $*: ends well" $status 0
	ok "within $*: breakpoints were met" test "$(cat asked)" -gt 50
	is "within $*: nothing is lost" "$(cat err)" ''
	is "within $*: each request, once" "$(op_of request | sort -nu | wc -l) $(count request .)" "$(cat asked) $(cat asked)"
	is "within $*: and its completion" "$(op_of completion | sort -nu | wc -l) $(count completion .)" "$(cat asked) $(cat asked)"
}
if ! command -v objdump >/dev/null; then
	skip 'within' 'no objdump'
else
	within static looks -static
	within static submits -static
	within dynamic submits
fi

# Each function that liburing exports has a row, or a reason why not.
library=$(ldd mix-plain | sed -n 's/.*liburing[^ ]* => \([^ ]*\) .*/\1/p')
nm -D --defined-only "$library" | sed -n 's/.* [TW] \([^@]*\).*/\1/p' | sort -u >exported
{ sed -n 's/^aio.*[\[ ]name=\([a-z0-9_]*\) .*/\1/p; s/^aio	[a-z]* \([a-z0-9_]*\)(.*/\1/p' "$top_srcdir/table/uring.def"
	sed -n 's/^\([a-z][a-z0-9_]*\)	.*/\1/p' "$src/no-row.txt"; } | sort -u >known
ok 'liburing exports functions' test "$(grep -c '^io_uring_' exported)" -gt 20
is 'each has a row or a reason' "$(comm -23 exported known)" ''

ok 'iotrace-audit: nothing of a program with liburing is missed' "$IOTRACE_AUDIT" mix-static
"$IOTRACE_AUDIT" raw-static >out
ok 'nor of one with syscall(2)' test $? = 0

# A ring of which nothing is known: somebody else made it
strace -f -e trace=io_uring_enter -o trace ./mix-static 7 300 0 0
submitted=$(sed -n 's/.*io_uring_enter(.*= \([0-9][0-9]*\)$/\1/p' trace | awk '{ n += $1 } END { print n }')
is 'strace counts as many submitted' "$(grep -c '^r' said)" "$submitted"
"$IOTRACE_CAT" --format=json ./mix-static.*.iotrace >json
is 'and so does the log' "$(count request .)" "$submitted"

# What one call submits began before the block that its records come into, if that is a new one.
strace -c -e trace=rt_sigprocmask -o counts ./special-static many
ok 'requests that began before a block are no reason to ask for the time' \
	test "$(awk '$NF == "rt_sigprocmask" { print $4 }' counts)" -lt 1000

done_testing
