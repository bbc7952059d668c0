#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_SYSCALLS: programs that do with signals, stacks, registers and children
# what can be done see no difference, and each of their system calls is recorded
# once, raw ones and libc's own too: dynamic ones, by iotrace run and by iocc, and
# static ones.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
src=$top_srcdir/t/dispatch
mkdir plain run iocc static

for name in signals processes; do
	# shellcheck disable=SC2086 # CC may have options
	ok "$name compiles" $CC -g -O1 -o plain/$name "$src/$name.c" -lpthread || done_testing
	cp plain/$name run
	ok "$name compiles with iocc" "$IOCC" -g -O1 -fno-pie -no-pie -o iocc/$name "$src/$name.c" -lpthread
	ok "$name compiles with iocc -static" "$IOCC" -static --iotrace-syscalls -g -O1 -o static/$name "$src/$name.c" -lpthread
done

# as FORM PROGRAM PART: leaves FORM.out and FORM.status
as()
{
	rm -rf logs && mkdir logs
	(
		cd "$1" && export IOTRACE_DIR="$T/logs"
		case $1 in
		plain) exec env IOTRACE=off "./$2" "$3" ;;
		run) exec "$top_builddir/tools/iotrace-run" --syscalls "./$2" "$3" ;;
		*) export IOTRACE_SYSCALLS=1; exec "./$2" "$3" ;;
		esac
	) >"$1.out" 2>/dev/null </dev/null
	echo $? >"$1.status"
}

# every PROGRAM PART ORACLE: ORACLE is no where strace can't compare
every()
{
	as plain "$1" "$2"
	for form in run iocc static; do
		as $form "$1" "$2"
		same "$form: $1 $2 says the same" $form.out plain.out
		is "$form: $1 $2 ends alike" "$(cat $form.status)" "$(cat plain.status)"
		[ "$3" = yes ] || continue
		rm -rf o && mkdir o
		ok "$form: $1 $2 agrees with strace" "$top_srcdir/t/lib/oracle" --syscalls --dir=o --report=report \
			-- $form/"$1" "$2" || diag_file report
	done
}

for part in sent masks children stacks interrupted contexts cancels traps; do
	every signals $part yes
done
# strace makes that one take for ever
every signals storm no
for part in forks vforks clones threads registers; do
	every processes $part yes
done
every processes unmaps no
# children whose tracer is not strace
every processes traced no

# --- where it is not to be had
"$IOCC" -static -O1 -o static/without "$src/processes.c" -lpthread 2>said
rm -rf logs && mkdir logs
IOTRACE_DIR=$T/logs IOTRACE_SYSCALLS=1 static/without forks >out 2>err
is 'a static program that was not linked for it says so, once' "$(cat err)" \
	'iotrace: IOTRACE_SYSCALLS: this executable has not been linked for it (iocc --iotrace-syscalls); the setting is ignored'
like 'and is recorded as ever' out '^fork: status 700$'
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
like 'a bad value is reported' err '^iotrace: IOTRACE_SYSCALLS=maybe: not a number; the setting is ignored$'
done_testing
