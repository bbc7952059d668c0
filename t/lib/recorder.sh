# shellcheck shell=sh disable=SC2154,SC2016
# SPDX-License-Identifier: BSD-3-Clause
#
# recorder.sh - what tests of the recorder share, after tap.sh: a test program
# of t/recorder, built without and with iocc, runs of both, and the calls in the
# logs.

# the first descriptor that a program opens is number 3, whatever runs this test
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

rec_src=$top_srcdir/t/recorder
logs=$T/logs

# form: what programs are linked as.  t/dynamic/NAME.t is t/recorder/NAME.t for dynamic ones.
form=static link=-static
# shellcheck disable=SC2034 # tap.sh's
case $(cd "${0%/*}" && pwd) in
*/t/dynamic)	form=dynamic link='' tap_about='dynamic: ' ;;
esac

# either STATIC DYNAMIC: what is expected, where the two forms differ
either()
{
	if [ "$form" = static ]; then echo "$1"; else echo "$2"; fi
}

# build NAME [OPTION...]: $T/plain/NAME and $T/traced/NAME
build()
{
	rec_name=$1
	shift
	mkdir -p "$T/plain" "$T/traced"
	# shellcheck disable=SC2086 # CC may have options, and link be none
	ok "$rec_name: compiles without iocc" $CC $link -g -O2 "$@" -o "$T/plain/$rec_name" "$rec_src/$rec_name.c" || done_testing
	# shellcheck disable=SC2086
	ok "$rec_name: compiles with iocc" "$IOCC" $link -g -O2 "$@" -o "$T/traced/$rec_name" "$rec_src/$rec_name.c" || done_testing
}

# run_plain NAME [ARGUMENT...]: in a directory of its own; leaves $T/plain.out,
# plain.err and plain.status
run_plain()
{
	rec_name=$1
	shift
	rm -rf "$T/in"
	mkdir "$T/in"
	# how it was killed, which the shell says, is not of interest
	( (cd "$T/in" && exec "$T/plain/$rec_name" "$@" >"$T/plain.out" 2>"$T/plain.err" </dev/null); exit $?) 2>/dev/null
	echo $? >"$T/plain.status"
}

# run NAME [ARGUMENT...]: the traced program in the same directory made anew;
# leaves $T/out, err and status, and logs in $logs, unless IOTRACE_DIR is set
run()
{
	rec_name=$1
	shift
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	( (cd "$T/in" && IOTRACE_DIR=${IOTRACE_DIR-$logs} exec "$T/traced/$rec_name" "$@" >"$T/out" 2>"$T/err" </dev/null); exit $?) 2>/dev/null
	echo $? >"$T/status"
}

# undisturbed DESCRIPTION: the two runs said and returned the same
undisturbed()
{
	if cmp -s "$T/out" "$T/plain.out" && cmp -s "$T/err" "$T/plain.err" && cmp -s "$T/status" "$T/plain.status"; then
		pass "$1: output and status are the same"
	else
		fail "$1: output and status are the same"
		for f in out err status; do
			diff -u "$T/plain.$f" "$T/$f" >"$T/.said" || diag_file "$T/.said"
		done
		return 1
	fi
}

# both NAME [ARGUMENT...]: the two runs, compared
both()
{
	run_plain "$@"
	run "$@"
	undisturbed "$*"
}

# number of logs
n_logs()
{
	find "${1:-$logs}" -name '*.iotrace' | wc -l | tr -d ' '
}

# number of processes that recorded something: a forked child is in its parent's log
n_processes()
{
	"$IOTRACE_STAT" --format=csv --by=process "${1:-$logs}" | "$AWK" 'END { print NR - 1 }'
}

# cat_logs [OPTION...]: all logs' calls in $T/calls, for by_column; what the tool said in
# $T/cat.err, and its status in $cat_status
cat_logs()
{
	"$IOTRACE_CAT" --format=raw "$@" "$logs" >"$T/raw" 2>"$T/cat.err"
	cat_status=$?
	grep -v '^#' "$T/raw" >"$T/calls"
	return 0
}

# sound DESCRIPTION [OPTION...]: the logs are read without complaint
sound()
{
	rec_what=$1
	shift
	cat_logs "$@"
	if [ $cat_status -eq 0 ] && [ ! -s "$T/cat.err" ]; then
		pass "$rec_what: logs are sound"
	else
		fail "$rec_what: logs are sound"
		diag "iotrace-cat: status $cat_status"
		diag_file "$T/cat.err"
		return 1
	fi
}

# how_many AWK-CONDITION: calls in $T/calls for which it holds
how_many()
{
	by_column "$1 { n++ } END { print n + 0 }" "$T/calls"
}

# count DESCRIPTION AWK-CONDITION EXPECTED
count()
{
	is "$1" "$(how_many "$2")" "$3"
}

# the sum of what the logs say was lost
lost()
{
	by_column '/^#lost/ { n += $2 } END { print n + 0 }' "$T/raw"
}

# counted HOW TOTAL: a program that made TOTAL pwrites was not disturbed; what is not in the log is counted, and said
counted()
{
	cat_logs
	got=$(how_many '$call == "pwrite"')
	ok "$1: recording went on for a while" test "$got" -gt 0
	ok "$1: not for ever" test "$got" -lt "$2"
	ok "$1: what was lost is counted ($got recorded, $(lost) lost)" test $((got + $(lost))) -ge "$2"
	ok "$1: and no more than that" test $((got + $(lost))) -le $(($2 + 40))
	like "$1: iotrace-cat says so" "$T/cat.err" 'calls were not recorded'
}
