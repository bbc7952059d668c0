#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # awk programs
# A Fortran program that ends within statements: these have their units and all else that
# is known of them.  And the specifiers of OPEN.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"
[ -n "${FC-}" ] || skip_all 'configure found no Fortran compiler'
cd "$T" || exit 99
# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0

# ends HOW STATUS STATEMENT...: the last statements, as "DEPTH CALL FILE STATUS ARGUMENTS"
ends()
{
	how=$1 expected=$2
	shift 2
	printf '%s\n' "$@" >expected
	rm -rf in logs
	mkdir in logs
	(cd in && IOTRACE_DIR=$T/logs "../ends-$form" "$how" 2>../err)
	is "$form, $how: status" $? "$expected"
	cat_logs
	is "$form, $how: the log can be read" "$cat_status" 0
	by_column '$family == "fortran" {
		n = split($path, p, "/")
		print $depth, $call, (p[n] == "" ? "-" : p[n]), $status, $args
	}' calls | sed 's,"at":"[^"]*/,"at":",' | tail -n $# >now
	same "$form, $how: statements" now expected
	count "$form, $how: exit stands beneath them" '$call == "exit" && $depth == '$# 1
}

# errors: the number of each error that the program ends for, as the runtime gives it in static
# executables, where its own function says so.  That of a shared runtime keeps it to itself;
# what it prints tells, if no other number has that text.
errors()
{
	cat <<'EOF'
again READ 5001
beyond READ 5002
deleted CLOSE 2
direct READ 5003
format WRITE 5006
integer READ 5010
logical READ 5010
marker READ 5017
read READ 5
real READ 5010
scratch CLOSE 5002
short READ 5016
written WRITE 5007
EOF
	if [ $form = static ]; then echo 'back BACKSPACE 5001'; else echo 'back BACKSPACE -'; fi
}

for form in static dynamic; do
	link=-static
	[ $form = static ] || link=
	# shellcheck disable=SC2086 # none or one
	ok "$form: compiles" "$IOF90" $link -fdec -o ends-$form "$top_srcdir/t/fortran/ends.f90" || done_testing
	ends eof 2 '0 READ text noreturn {"at":"ends.f90:43","unit":10,"mode":"FORMATTED","iostat":-1}'
	"$IOTRACE_CAT" --format=json -e OPEN logs | sed -n 's/.*"status":"replace",\(.*\)}}/\1/p' >now
	cat >expected <<'EOF'
"form":"unformatted","position":"rewind","convert":"big_endian","asynchronous":"no"
"blank":"zero","delim":"quote","pad":"no","decimal":"comma","encoding":"utf-8","round":"up","sign":"plus","carriagecontrol":"list","share":"denyrw"
EOF
	same "$form: specifiers of OPEN" now expected
	"$IOTRACE_CAT" -e OPEN logs >text
	like "$form: and as text" text ', form="unformatted", position="rewind", convert="big_endian", asynchronous="no") = 0'
	ends bad 2 '0 READ text noreturn {"at":"ends.f90:45","unit":10,"mode":"LIST","iostat":5010}'
	ends open 2 '0 OPEN here noreturn {"at":"ends.f90:47","unit":11,"status":"old","iostat":2}'
	ends busy 2 '0 OPEN - noreturn {"at":"ends.f90:60","unit":11,"iostat":21}'
	ends option 2 '0 OPEN new noreturn {"at":"ends.f90:64","unit":12,"status":"new","form":"option","iostat":5002}'
	ends stop 3 '0 WRITE text noreturn {"at":"ends.f90:49","unit":10,"mode":"LIST"}'
	ends nested 2 '0 WRITE text noreturn {"at":"ends.f90:51","unit":10,"mode":"LIST"}' \
		'1 WRITE fort.22 noreturn {"at":"ends.f90:15","unit":22,"mode":"LIST"}' \
		'2 WRITE fort.21 noreturn {"at":"ends.f90:15","unit":21,"mode":"LIST"}' \
		'3 READ other noreturn {"at":"ends.f90:17","unit":40,"mode":"LIST","iostat":-1}'
	ends close 2 '0 CLOSE text noreturn {"at":"ends.f90:53","unit":10,"status":"close","iostat":5002}'
	ends rec 2 '0 WRITE - noreturn {"at":"ends.f90:55","unit":10,"mode":"UNFORMATTED|DIRECT","rec":3,"iostat":5001}'
	ends eor 2 '0 READ text noreturn {"at":"ends.f90:57","unit":10,"mode":"FORMATTED|NONADVANCING","iostat":-2}'
	errors >expected
	while read -r how _; do
		rm -rf in logs
		mkdir in logs
		(cd in && IOTRACE_DIR=$T/logs "../ends-$form" "$how" 2>../err) && echo "$how ended well"
		"$IOTRACE_CAT" --format=json logs | awk -v how="$how" '
			/"family":"fortran"/ {
				call = $0
				sub(/.*"call":"/, "", call)
				sub(/".*/, "", call)
				if (!sub(/.*"iostat":/, ""))
					$0 = "-"
				last = how " " call " " $0
			}
			END { sub(/}.*/, "", last); print last }'
	done <expected >now
	same "$form: numbers of errors" now expected
done
done_testing
