#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The kernel's asynchronous I/O: each operation that a program submits has a record with its
# file, offset and size, and one with what came of it, by libaio, syscall(2) and instructions of
# the program's own.  strace and the program itself say the same.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

src=$top_srcdir/t/aio/linux.c
pl=$top_srcdir/t/aio/linux.pl
cd "$T" || exit 99

# libaio, as a program without iotrace finds it
if printf 'int io_destroy(long); int main(void) { return io_destroy(0) != -22; }\n' >"$T/has.c" &&
	$CC -static -o "$T/has" "$T/has.c" -laio 2>/dev/null; then
	has_libaio=yes
else
	has_libaio=
	skip 'libaio' 'no libaio.a (Debian: libaio-dev)'
fi
# shellcheck disable=SC2086 # CC may have options
ok 'compiles' $CC -O2 -DBY=BY_SYSCALL -o "$T/asks" "$src" -lpthread || done_testing
(cd "$T" && ./asks 1 1 >asked)
[ $? -ne 77 ] || skip_all 'the kernel has no asynchronous I/O'

# holds NAME ARGUMENTS COMMAND...: the program and its log count the same
holds()
{
	name=$1
	arguments=$2
	shift 2
	rm -rf "$T/logs" "$T/in"
	mkdir "$T/logs" "$T/in"
	# shellcheck disable=SC2086 # arguments
	(cd "$T/in" && IOTRACE_DIR=$T/logs "$@" $arguments) >"$T/out" 2>"$T/err"
	is "$name: runs" "$?" 0
	none "$name: says nothing" "$T/err"
	perl "$pl" sums "$T"/logs/*.iotrace >"$T/sums" 2>&1
	same "$name: the log says what the program counts" "$T/sums" "$T/out" || return
	"$IOTRACE_STAT" --format=json "$T/logs" >"$T/json"
	is "$name: iotrace-stat has the bytes" \
		"$(perl -MJSON::PP -0777 -ne '@f = grep { $_->{path} =~ m,/[abc]$, } @{ decode_json($_)->{files} };
			for (@f) { $r += $_->{read}; $w += $_->{written} } print "read $r written $w"' "$T/json")" \
		"$(sed 's/.*\(read .*\)/\1/' "$T/out")"
	ok "$name: and the sums that the records come to" "$top_srcdir/t/lib/stat-sums" "$T/logs"
}

# masks NAME COMMAND...: signals that io_pgetevents lets through: their handler's calls, and calls that they end
masks()
{
	name=$1
	shift
	holds "$name" '8 300 masked' "$@"
	"$IOTRACE_CAT" --format=json -e write,io_pgetevents "$T/logs" | perl -MJSON::PP -ne '$c = decode_json($_);
		$handled++ if ($c->{path} // "") =~ m{/d$};
		$ended++ if $c->{call} eq "io_pgetevents" && ($c->{errno} // "") eq "EINTR";
		END { print "handled $handled interrupted $ended\n" }' >"$T/masked"
	same "$name: signals that end calls, and what is done in their handler" "$T/masked" "$T/in/masked"
}

# compile NAME HOW OPTION...
compile()
{
	compile_to=$1
	by=$2
	shift 2
	# shellcheck disable=SC2046 # no word, or one
	ok "$compile_to: compiles" "$IOCC" -g -O2 "-DBY=$by" "$@" -o "$T/$compile_to" "$src" -lpthread \
		$([ "$by" != BY_LIBAIO ] || echo -laio)
}

for by in ${has_libaio:+BY_LIBAIO} BY_SYSCALL; do
	compile "static-$by" "$by" -static || continue
	ok "$by: no call goes past the wrappers" "$IOTRACE_AUDIT" "$T/static-$by"
	compile "dynamic-$by" "$by" || continue
	# shellcheck disable=SC2046,SC2086 # CC may have options
	ok "plain-$by: compiles" $CC -g -O2 "-DBY=$by" -o "$T/plain-$by" "$src" -lpthread $([ "$by" != BY_LIBAIO ] || echo -laio)
	for form in static dynamic plain; do
		run=
		[ $form != plain ] || run=$top_builddir/tools/iotrace-run
		# shellcheck disable=SC2086 # nothing, or a command
		holds "$by, $form" '1 300' $run "$T/$form-$by"
		# shellcheck disable=SC2086 # the same
		holds "$by, $form, threads" '2 300 threads' $run "$T/$form-$by"
		# shellcheck disable=SC2086 # the same
		masks "$by, $form, masked" $run "$T/$form-$by"
	done
	# the same run, seen by both
	rm -rf "$T/logs"
	mkdir "$T/logs"
	if (cd "$T" && IOTRACE_DIR=$T/logs strace -f -v -s 0 -e trace=open,openat,io_submit,io_getevents,io_pgetevents -o strace \
		"./static-$by" 3 300 >out 2>err); then
		perl "$pl" strace "$T/strace" "$T"/logs/*.iotrace >"$T/differs"
		none "$by: strace sees the same requests and results" "$T/differs"
	else
		fail "$by: runs under strace"
	fi
	rm -rf "$T/logs"
	mkdir "$T/logs"
	ok "$by: and the same calls" "$top_srcdir/t/lib/oracle" "--dir=$T/logs" "--report=$T/report" -- "$T/static-$by" 4 100
done
# instructions of its own: the kernel tells of them
compile static-BY_INSTRUCTION BY_INSTRUCTION -static --iotrace-syscalls &&
	export IOTRACE_SYSCALLS=on &&
	holds 'BY_INSTRUCTION, static, dispatched' '5 300' "$T/static-BY_INSTRUCTION" &&
	masks 'BY_INSTRUCTION, static, dispatched, masked' "$T/static-BY_INSTRUCTION"
unset IOTRACE_SYSCALLS
compile dynamic-BY_INSTRUCTION BY_INSTRUCTION &&
	IOTRACE_SYSCALLS=on holds 'BY_INSTRUCTION, dynamic, dispatched' '6 300' "$T/dynamic-BY_INSTRUCTION"
[ ! "$has_libaio" ] ||
	IOTRACE_SYSCALLS=on holds 'BY_LIBAIO, dynamic, dispatched' '7 300 threads' "$T/dynamic-BY_LIBAIO"
done_testing
