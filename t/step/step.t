#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The recorder, instruction by instruction: killed at each, and interrupted at
# each by handlers that make calls, or leave by longjmp.  What the log holds is
# compared with what the program says that it did.  TEST_LONG=1 leaves nothing out.
. "${0%/*}/../lib/tap.sh"

step=$top_builddir/t/step/step
ok 'the stepped program is built' "$IOCC" -static -g -O2 "$top_srcdir/t/step/stepped.c" \
	-o "$T/stepped" || done_testing

# step MODE SETUP PATTERN [HANDLER [STRIDE [LOW HIGH]]]: see t/step/step.c
step()
{
	rm -rf "$T/in"
	mkdir -p "$T/in/logs"
	(cd "$T/in" && head -c 1000000 /dev/zero >data &&
		IOTRACE_DIR=$T/in/logs IOTRACE_BUFFER=16384 "$step" "$1" "$T/stepped" "$2" "$3" ${4+"$4"} \
			"${5:-1}" ${6+"$6" "$7"}) >"$T/out" 2>&1
	status=$?
	[ $status -ne 77 ] || skip_all "$(cat "$T/out")"
	is "$*" $status 0
	cat "$T/out"
}

# either LONG SHORT
either()
{
	if [ "${TEST_LONG:-}" ]; then echo "$1"; else echo "$2"; fi
}

# at every STRIDE-th instruction, or at each
thin()
{
	[ "${TEST_LONG:-}" ] && set 1
	echo "$1"
}

# --- killed: in the first call of all, in calls of all sorts, while windows are
# written, in the first call of a thread
[ -z "${TEST_LONG:-}" ] || step kill '' D
step kill DF wWRrlfpfpsonecdkkkpfpfpfpfpfpfppc
step kill D "$(either LLLLLLLLLLLL LLLLL)"
[ -z "${TEST_LONG:-}" ] || step kill D 'w(WoW)oc(WW)w(LLLLL)w'

# --- handlers' calls between those of the program, on other descriptors and on
# the same one
for calls in w W R r f p l k; do
	step signal DHF $calls i "$(thin 11)"
done
step signal DH w m
step signal DH W h
step signal DH e i "$(thin 11)"
step signal DH s i "$(thin 11)"
step signal DH oc hi "$(thin 11)"
step signal DH nc i "$(thin 31)"
step signal DH LLL i "$(thin 257)"

# --- handlers at all instructions of one run
for calls in w f oc s; do
	step within DHF $calls i "$(thin 13)"
done
step within DH LLL i "$(thin 61)"
step within DH w m

# --- handlers in handlers
step deep DH w i "$(thin 11)"
step deep DH w m "$(thin 11)"
step deep DH W h "$(thin 11)"
step deep DHF f i "$(thin 11)"
step deep DH oc i "$(thin 41)"
[ -z "${TEST_LONG:-}" ] || step deep DH LLL i

# --- handlers that do not return
for calls in w W R r l k; do
	step jump DH $calls '' "$(thin 11)"
done
step jump DH w i
for calls in oc nc e s; do
	step jump DH $calls '' "$(thin 41)"
done
step jump DH LLL '' "$(thin 257)"

# --- nor let the recorder finish or break a seal: what is recorded next is sound all the same
for function in iot_window_seal iot_window_unseal; do
	from=$(nm "$T/stepped" | sed -n "s/ [tT] $function\$//p")
	to=$(nm -n "$T/stepped" | sed -n "/ [tT] $function\$/{n;s/ .*//p;}")
	diag "$function: from $from to $to"
	step look DH x '' "$(thin 11)" "$from" "$to"
done
done_testing
