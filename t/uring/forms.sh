# shellcheck shell=sh disable=SC2154,SC2034 # src, run and status are the including test's
# SPDX-License-Identifier: BSD-3-Clause
# Included by tests of io_uring: a program in four forms.

# forms_of NAME OPTION...: $src/NAME.c compiled as NAME-static, -dynamic, -preloaded, and -dispatched,
# which has an instruction of its own for system calls
forms_of()
{
	name=$1
	shift
	# shellcheck disable=SC2086 # CC may have options
	ok 'compiles' $CC -g -O1 -o "$name-preloaded" "$src/$name.c" "$@" || done_testing
	# shellcheck disable=SC2086
	ok 'compiles with an instruction of its own' $CC -g -O1 -DINSTRUCTION -o "$name-dispatched" "$src/$name.c" "$@"
	ok 'compiles with iocc' "$IOCC" -g -O1 -o "$name-dynamic" "$src/$name.c" "$@"
	ok 'compiles with iocc -static' "$IOCC" -static -g -O1 -o "$name-static" "$src/$name.c" "$@"
}

# in_form FORM NAME ARGUMENT...: runs it in the folder in, which is new, as logs is; sets $status
in_form()
{
	program=../$2-$1
	case $1 in
	preloaded) with=$run ;;
	dispatched) with="$run --syscalls" ;;
	*) with= ;;
	esac
	shift 2
	rm -rf in logs && mkdir in logs
	# shellcheck disable=SC2086 # no words, or several
	(cd in && IOTRACE_DIR=../logs timeout 600 $with "$program" "$@")
	status=$?
}
