#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # awk programs
# Fortran's statements are about the file that they are about, and lie where the bytes do.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"
[ -n "${FC-}" ] || skip_all 'configure found no Fortran compiler'
cd "$T" || exit 99
src=$top_srcdir/t/fortran

# compile NAME: NAME-static and NAME-dynamic
compile()
{
	for form in static dynamic; do
		link=-static
		[ $form = static ] || link=
		# shellcheck disable=SC2086 # none or one
		ok "$1, $form: compiles" "$IOF90" $link -O1 -o "$1-$form" "$src/$1.f90" || done_testing
	done
}

# record COMMAND...: in an empty directory, with what $before makes there
record()
{
	rm -rf in logs
	mkdir in logs
	(cd in && eval "${before-:}" && IOTRACE_DIR=$T/logs "$@" 2>err)
	status=$?
	cat_logs
}

# statements: "DEPTH CALL FILE OFFSET BYTES"
statements()
{
	by_column '$family == "fortran" {
		n = split($path, p, "/")
		print $depth, $call, (p[n] == "" ? "-" : p[n]), ($offset == "" ? "-" : $offset), ($ret == "" ? "?" : $ret)
	}' calls
}

# --- character variables -------------------------------------------------------------
compile internal
cat >expected <<'EOF'
0 OPEN after.txt - 0
0 WRITE after.txt 0 13
0 FLUSH after.txt - 0
0 CLOSE after.txt - 0
0 OPEN again.txt - 0
0 WRITE again.txt 0 5
0 REWIND again.txt - 0
0 READ again.txt 0 5
0 CLOSE again.txt - 0
0 OPEN outer.txt - 0
0 WRITE outer.txt 0 13
1 WRITE outer.txt 0 4
1 WRITE outer.txt 4 8
2 WRITE outer.txt 4 4
2 WRITE outer.txt 8 4
3 WRITE outer.txt 8 4
0 CLOSE outer.txt - 0
EOF
for form in static dynamic; do
	before='echo text >input'
	record sh -c 'exec "$1" <input' sh "../internal-$form"
	is "internal, $form: runs" $status 0
	statements >now
	same "internal, $form: statements" now expected
	(IOTRACE_EXCLUDE='/input$' && export IOTRACE_EXCLUDE && record sh -c 'exec "$1" <input' sh "../internal-$form")
	cat_logs
	statements >now
	same "internal, $form: standard input excluded" now expected
done

# --- records of direct access that are not full ------------------------------------------
compile partly
cat >expected <<'EOF'
0 OPEN records - 0
0 WRITE records 0 0
0 WRITE records 100 20
0 WRITE records 200 40
0 WRITE records 300 60
0 WRITE records 400 80
0 WRITE records 500 100
0 WRITE records 200 11
0 READ records 100 12
0 READ records 500 100
0 READ records 0 0
0 CLOSE records - 0
0 OPEN records - 0
0 WRITE records 300 100
0 CLOSE records - 0
EOF
before=
for form in static dynamic; do
	for unbuffered in n y; do
		export GFORTRAN_UNBUFFERED_ALL=$unbuffered
		record "../partly-$form"
		is "partly, $form, unbuffered $unbuffered: runs" $status 0
		statements >now
		same "partly, $form, unbuffered $unbuffered: what the items have" now expected
	done
done
unset GFORTRAN_UNBUFFERED_ALL

# --- descriptors that others move too ----------------------------------------------------
compile shared
cat >expected <<'EOF'
0 READ input 7 6
0 WRITE out 7 10
0 WRITE out 23 10
0 READ input 13 7
0 WRITE out 33 12
0 REWIND input - 0
0 READ input 0 7
0 WRITE out 45 11
EOF
before='printf "header\\nfirst\\nsecond\\nthird\\n" >input; echo before >out'
for form in static dynamic; do
	for settings in GFORTRAN_OPTIONAL_PLUS=0 GFORTRAN_UNBUFFERED_ALL=1 GFORTRAN_UNBUFFERED_PRECONNECTED=1 \
		GFORTRAN_FORMATTED_BUFFER_SIZE=1 GFORTRAN_FORMATTED_BUFFER_SIZE=40; do
		for to in 'exec "$@" >>out' '{ echo before; exec "$@"; } >out'; do
			what="shared, $form, $settings, $to"
			record sh -c "{ read x; $to; } <input" sh env $settings "../shared-$form"
			is "$what: runs" $status 0
			statements >now
			same "$what: statements" now expected
			is "$what: what they wrote is there" "$(tail -c +24 in/out | head -c 9 | tr '\n' ' ')" 'two lines'
		done
	done
done

# --- the first transfer of a unit ----------------------------------------------------------
compile first
cat >expected <<'EOF'
0 WRITE out 7 8
0 READ input 7 13
0 OPEN one - 0
0 WRITE one 0 4
0 CLOSE one - 0
0 OPEN one - 0
0 WRITE one 4 10
0 OPEN two - 0
0 WRITE two 0 5
0 OPEN two - 0
0 WRITE two 5 5
0 OPEN two - 0
0 READ two 0 5
0 CLOSE two - 0
0 OPEN two - 0
0 WRITE two 10 2
0 CLOSE two - 0
0 OPEN two - 0
0 READ two 0 5
0 CLOSE two - 0
0 WRITE fort.11 0 6
0 REWIND fort.11 - 0
0 READ fort.11 0 6
0 CLOSE fort.11 - 0
0 WRITE fort.11 0 6
0 CLOSE fort.11 - 0
0 OPEN three - 0
0 WRITE three 4 3
0 WRITE three 1 3
0 CLOSE three - 0
0 OPEN two - 0
0 BACKSPACE two - 0
0 READ two 0 5
0 CLOSE two - 0
0 OPEN two - 0
0 REWIND two - 0
0 READ two 0 5
0 CLOSE two - 0
0 OPEN four - 0
0 OPEN five - 0
0 WRITE five 0 5
0 WRITE four - ?
0 WRITE four 6 5
EOF
for form in static dynamic; do
	for settings in GFORTRAN_OPTIONAL_PLUS=0 GFORTRAN_UNBUFFERED_ALL=1 GFORTRAN_FORMATTED_BUFFER_SIZE=3; do
		record sh -c '{ read x; exec "$@" >>out; } <input' sh env $settings "../first-$form"
		is "first, $form, $settings: runs" $status 0
		statements >now
		same "first, $form, $settings: statements" now expected
	done
done

# --- single characters -------------------------------------------------------------------
compile characters
cat >expected <<'EOF'
0 OPEN text - 0
0 FPUTC text 0 1
0 FPUTC text 1 1
0 FPUTC text 2 1
0 FPUTC text 3 1
0 FPUTC text 4 1
0 FPUTC text 5 1
0 FLUSH text - 0
0 FTELL text - 6
0 FSEEK text - 0
0 FGETC text 1 1
0 FGETC text 2 1
0 FGETC text 3 1
0 FGETC text 4 1
0 FTELL text - 5
0 FSEEK text - 0
0 FGETC text 6 0
0 FSEEK text - 0
0 READ text 2 4
0 REWIND text - 0
0 FGETC text 0 1
0 CLOSE text - 0
0 OPEN more - 0
0 FPUTC more 0 1
0 FPUTC more 1 1
0 FSEEK more - 0
0 FPUTC more 2 1
0 FSEEK more - 0
0 FPUTC more 1 1
0 FSEEK more - 0
0 FPUTC more 8 1
0 CLOSE more - 0
0 FPUTC - - -1
0 FPUT out 7 1
0 FPUT out 8 1
0 FPUT out 9 1
0 FGET input 7 1
0 FGET input 8 1
0 WRITE out 10 5
0 FPUT out 15 1
0 FLUSH - - 0
EOF
for form in static dynamic; do
	record sh -c '{ read x; exec "$@" >>out; } <input' sh "../characters-$form"
	is "characters, $form: runs" $status 0
	statements >now
	same "characters, $form: statements" now expected
done

# --- two units that are one file -----------------------------------------------------------
compile errors
for form in static dynamic; do
	record sh -c 'exec "$1" >out 2>&1' sh "../errors-$form"
	is "errors, $form: runs" "$status $(tr '\n' ' ' <in/out)" '0 one two xythree errr errrr errrrr '
	is "errors, $form: statements have no offset" "$(statements | awk '{ print $2, $4 }' | sort | uniq -c | xargs)" '2 FLUSH - 2 FPUT - 6 WRITE -'
	is "errors, $form: the calls beneath do" "$(by_column '$call == "write" { print $fd, $offset, $ret }' calls | tr '\n' ' ')" '1 0 8 1 8 8 2 16 18 '
	record sh -c 'exec "$1" >out 2>err' sh "../errors-$form"
	is "errors, $form: they have in two files" "$(statements | awk '$2 != "FLUSH" { print $3, $4 }' | xargs)" 'out 0 err 0 out 4 err 5 out 8 out 9 err 11 out 10'
done
done_testing
