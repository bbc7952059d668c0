#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_SYSCALLS: programs that do with signals, stacks, registers and children
# what can be done see no difference, and each of their system calls is recorded
# once, raw ones and libc's own too: dynamic ones, by iotrace run and by iocc, and
# static ones, of musl too.  strace is asked about iotrace run, and static ones but for
# what they do with signals, TEST_LONG=1: about all.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
src=$top_srcdir/t/dispatch
mkdir plain run iocc static musl-plain musl
forms='run iocc static'
[ ! -f "$top_builddir/lib/libiotrace-musl.a" ] || forms="$forms musl"
# musl comes without the kernel's headers
kernel=-isystem$top_builddir/lib/gen-musl/kernel

for name in signals processes filters deep altstacks cancel counted; do
	# shellcheck disable=SC2086 # CC may have options
	ok "$name compiles" $CC -g -O1 -o plain/$name "$src/$name.c" -lpthread || done_testing
	cp plain/$name run
	ok "$name compiles with iocc" "$IOCC" -g -O1 -fno-pie -no-pie -o iocc/$name "$src/$name.c" -lpthread
	ok "$name compiles with iocc -static" "$IOCC" -static --iotrace-syscalls -g -O1 -o static/$name "$src/$name.c" -lpthread
	[ "$forms" = "${forms% musl}" ] && continue
	# shellcheck disable=SC2086 # IOT_MUSL_CC may have options
	ok "$name compiles with musl" $IOT_MUSL_CC -static -g -O1 "$kernel" -o musl-plain/$name "$src/$name.c"
	ok "$name compiles with iocc and musl" env IOCC_CC="$IOT_MUSL_CC" "$IOCC" -static --iotrace-syscalls -g -O1 "$kernel" \
		-o musl/$name "$src/$name.c"
done

# as FORM PROGRAM PART: leaves FORM.out and FORM.status
as()
{
	rm -rf logs && mkdir logs
	(
		cd "$1" && export IOTRACE_DIR="$T/logs"
		case $1 in
		*plain) exec env IOTRACE=off "./$2" "$3" ;;
		run) exec "$top_builddir/tools/iotrace-run" --syscalls "./$2" "$3" ;;
		*) export IOTRACE_SYSCALLS=1; exec "./$2" "$3" ;;
		esac
	) >"$1.out" 2>/dev/null </dev/null
	echo $? >"$1.status"
}

# every PROGRAM PART ORACLE FORM...: ORACLE is no where strace can't compare
every()
{
	program=$1
	part=$2
	oracle=$3
	shift 3
	as plain "$program" "$part"
	for form; do
		without=plain
		if [ "$form" = musl ]; then
			without=musl-plain
			as musl-plain "$program" "$part"
		fi
		as "$form" "$program" "$part"
		same "$form: $program $part says the same" "$form.out" $without.out
		is "$form: $program $part ends alike" "$(cat "$form.status")" "$(cat $without.status)"
		case ${TEST_LONG:-0}$form in
		0iocc | 0musl) continue ;;
		0static) [ "$program" != signals ] || continue ;;
		esac
		[ "$oracle" = yes ] || continue
		rm -rf o && mkdir o
		ok "$form: $program $part agrees with strace" "$top_srcdir/t/lib/oracle" --syscalls --dir=o --report=report \
			-- "$form/$program" "$part" || diag_file report
	done
}

# shellcheck disable=SC2086 # several
{
	for part in sent masks children ignores stacks interrupted traps; do
		every signals $part yes $forms
	done
	for part in contexts cancels; do
		every signals $part yes run iocc static
	done
	# strace makes that one take for ever
	every signals storm no $forms
	for part in forks vforks clones cleared threads registers; do
		every processes $part yes $forms
	done
	for part in one all alone; do
		every filters $part yes $forms
	done
	# what is not recorded then is counted, or libc's own
	for part in longest vforked strict; do
		every filters $part no $forms
	done
	every deep '' yes $forms
	for part in sizes interrupted threads shared children left lent unseen without-memory; do
		every altstacks $part no run iocc static
	done
	every altstacks sizes yes run iocc static
	every cancel '' no run iocc static
	# musl waits for such a thread for ever
	every processes unmaps no run iocc static
	# children whose tracer is not strace
	every processes traced no $forms
}

# --- once each, or counted as lost once
for form in run iocc static; do
	as $form counted 20000
	"$top_builddir/tools/iotrace-cat" --format=json -e write logs >json 2>err
	is "$form: each call of a handler and of what it interrupts" \
		"$(grep -c '"size":1,' json) $(grep -c '"size":2,' json)" "$(cat $form.out)"
	as $form counted ''
	"$top_builddir/tools/iotrace-cat" logs >out 2>err
	like "$form: what a strict filter forbids is lost once" err ' 40 calls were not recorded'
done

# --- where it is not to be had
"$IOCC" -static -O1 -o static/without "$src/processes.c" -lpthread 2>said
rm -rf logs && mkdir logs
IOTRACE_DIR=$T/logs IOTRACE_SYSCALLS=1 static/without forks >out 2>err
is 'a static program that was not linked for it says so, once' "$(cat err)" \
	'iotrace: IOTRACE_SYSCALLS: this executable has not been linked for it (iocc --iotrace-syscalls); the setting is ignored'
like 'and is recorded as ever' out '^fork: status 700$'
if [ "$forms" != "${forms% musl}" ]; then
	echo '#include <pthread.h>
int main(void) { return pthread_cancel(pthread_self()); }' >cancel.c
	IOCC_CC=$IOT_MUSL_CC "$IOCC" -static --iotrace-syscalls -o musl/cancel cancel.c 2>said
	IOTRACE_DIR=$T/logs IOTRACE_SYSCALLS=1 musl/cancel 2>err
	is 'musl: a program that may cancel threads' "$(cat err)" \
		'iotrace: IOTRACE_SYSCALLS: not with musl where threads are cancelled; the setting is ignored'
fi
cat >no-prctl.c <<'C'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A kernel without Syscall User Dispatch */
int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 59, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 22),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { .len = 6, .filter = code };

	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		return 99;
	execv(argv[1], argv + 1);
	return 98;
}
C
$CC -O1 -o no-prctl no-prctl.c
for form in run iocc static; do
	rm -rf logs && mkdir logs
	case $form in
	run) set -- "$top_builddir/tools/iotrace-run" --syscalls ;;
	*) set -- ;;
	esac
	IOTRACE_DIR=$T/logs IOTRACE_SYSCALLS=1 ./no-prctl "$@" $form/processes forks >out 2>err
	is "$form: a kernel without it" "$(cat err)" \
		'iotrace: IOTRACE_SYSCALLS: the kernel does not deliver system calls (Linux 5.11 does); calls that libc makes within itself are not recorded'
	as plain processes forks
	same "$form: the program runs on" out plain.out
done
IOTRACE_DIR=$T/logs IOTRACE_SYSCALLS=maybe iocc/processes none 2>err
like 'a bad value is reported' err '^iotrace: IOTRACE_SYSCALLS=maybe: not one of on, off, yes, no, true, false, 1, 0; the setting is ignored$'
done_testing
