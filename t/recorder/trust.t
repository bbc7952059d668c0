#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Who can write a log can't do anything to the program that it is of: nothing that
# stands in the mapped file decides what the recorder does.  And nobody but its owner
# can write it, whatever the umask.
# shellcheck disable=SC2119 # n_logs takes a directory, or none
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build trust -Wall

# --- the file's mode
mode()
{
	rm -rf "$logs" "$T/in"
	mkdir "$logs" "$T/in"
	(umask "$1" && cd "$T/in" && IOTRACE_DIR=$logs exec "$T/traced/trust" work 10 >"$T/out" 2>"$T/err")
	is "umask $1: the log's mode" "$(stat -c %a "$logs"/*.iotrace)" "$2"
}
for umask in 0 002 077 027 0777; do
	mode $umask 600
done
export IOTRACE_MODE=0640
mode 0 640
mode 0777 640
mode 077 640
export IOTRACE_MODE=0644
mode 022 644
mode 077 644
unset IOTRACE_MODE

# --- somebody stores into it
for size in 16384 65536; do
	run_plain trust work 200000
	for seed in 1 2 3; do
		rm -rf "$logs" "$T/in"
		mkdir "$logs" "$T/in"
		(
			cd "$T/in" || exit
			IOTRACE_DIR=$logs IOTRACE_BUFFER=$size "$T/traced/trust" work 200000 >"$T/out" 2>"$T/err"
			echo $? >"$T/status"
		) &
		program=$!
		while [ "$(n_logs)" = 0 ]; do
			sleep 0.01
		done
		sleep 0.05
		"$T/plain/trust" scribble "$logs"/*.iotrace $seed &
		scribbler=$!
		wait $program
		kill -0 $scribbler
		is "IOTRACE_BUFFER=$size, seed $seed: somebody stored into the log" $? 0
		kill $scribbler
		wait $scribbler 2>/dev/null
		undisturbed "IOTRACE_BUFFER=$size, seed $seed"
	done
done

# --- children do, who have been given what their parent has mapped
for size in 16384 65536; do
	IOTRACE_BUFFER=$size both trust children 200000
done
done_testing
