#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What libc itself writes to standard error for perror, psignal, warn and the like: each has a
# record, with the file, and beneath it, at its place in the file, as many bytes as came there.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

src=$top_srcdir/t/dynamic/messages.c
run=$top_builddir/tools/iotrace-run

# told FORM COMMAND...: the log says what the program does
told()
{
	form=$1
	shift
	rm -rf logs && mkdir logs
	IOTRACE_DIR=$T/logs "$@" "$T/messages" >said 2>&1
	is "$form: runs" $? 0
	"$IOTRACE_CAT" --format=json logs/*.iotrace >json 2>err
	# where libc's own calls are seen, these tell what getopt does; and in static programs error
	case $form in
	static) except='/^error/d; /^getopt/d' ;;
	--syscalls) except='s/^getopt[a-z_]*/write/' ;;
	*) except='' ;;
	esac
	sed -n '/status\| 0$/d; / [0-9]* [0-9]*$/p' said | sed "$except" >want
	"$AWK" -f "$T/lines.awk" json >got
	ok "$form: each message, where it is and how long" cmp -s want got || { diag_file want; diag_file got; }
	is "$form: those that end the program" "$(grep -cE '"call":"errx?".*"fd":2.*messages"' json)" 2
	is "$form: which does as it would" "$(grep status said | tr '\n' ' ')" \
		'err status 3 errx status 3 error status 3 error_at_line status 3 error_at_line status 3 '
	is "$form: nothing is said" "$(cat err)" ''
}

# name, offset and size of each message; bytes may go by several calls
cat >lines.awk <<'AWK'
function value(key)
{
	if (!match($0, "\"" key "\":(\"[^\"]*\"|[0-9]+)"))
		return ""
	return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
}
function flush()
{
	if (name != "" && n)
		print name, at, n
	name = at = ""
	n = 0
}
{ call = value("call"); gsub(/"/, "", call) }
# which the parent waits for meanwhile
call == "wait" { next }
/"depth":0/ { flush() }
/"depth":0/ && call ~ /^(perror|psig|v?warn|err|getopt|v?syslog)/ && /messages"/ { name = call }
/"depth":0/ && call == "write" && /messages"/ { print call, value("offset"), value("ret") }
/"depth":[1-9]/ && call == "write" && /messages"/ && name != "" {
	if (at == "")
		at = value("offset")
	n += value("ret")
}
END { flush() }
AWK

ok 'compiles' "$IOCC" -O1 "$src" -o dynamic || done_testing
ok 'compiles, -static' "$IOCC" -static -O1 "$src" -o static
# shellcheck disable=SC2086 # CC may have options
ok 'compiles without us' $CC -O1 "$src" -o plain
told dynamic ./dynamic
told static ./static
told 'iotrace run' "$run" -o "$T/logs" ./plain
told '--syscalls' "$run" --syscalls -o "$T/logs" ./plain
done_testing
