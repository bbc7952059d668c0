#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat-openmpi and its like: however many ranks read the logs, rank 0 prints what
# iotrace-stat prints, and says what it says, once.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "$top_srcdir/t/lib/mpi.sh"
cd "$T" || exit 99
# shellcheck disable=SC2086 # several words
set -- $IOT_MPIS
form=$1
mkdir logs
ok 'a program is built' mpi_build "$form" m "$top_srcdir/t/mpi/merge.c" || exit 1
(export IOTRACE_DIR="$T/logs" && timeout 600 "$(mpi_tool "$form" mpirun)" -np 4 ./m many >m.out 2>m.err </dev/null)
is 'it runs' $? 0
is 'each rank has a log' "$(find logs -name 'm.r?.*.iotrace' | wc -l | tr -d ' ')" 4
head -c 3000 "$(find logs -name 'm.r2.*')" >logs/cut.iotrace
echo 'no log' >logs/none.iotrace

# read RANKS OPTIONS LOGS...: by that many ranks of $form, and by one process
read_by()
{
	ranks=$1
	shift
	tap_about="$form, $ranks ranks: iotrace-stat $*: "
	"$IOTRACE_STAT" "$@" >whole 2>whole.err </dev/null
	whole=$?
	timeout 600 "$(mpi_tool "$form" mpirun)" -np "$ranks" "$IOTRACE_STAT-$form" "$@" >printed 2>printed.err </dev/null
	is 'the exit status' $? $whole
	same 'the same is printed' printed whole
	# mpirun, too, may have something to say of a status
	sed -n "s/^iotrace-stat-$form:/iotrace-stat:/p" printed.err >printed.said
	grep '^iotrace-stat:' whole.err >whole.said
	same 'and said, once' printed.said whole.said
}
for form; do
	read_by 3 logs
	ok 'findings are among it' grep -q 'What stands out' printed
	ok 'and something is said' test -s printed.said
	read_by 2 --by=all,constellation,seek,layout --format=json logs
	read_by 9 --by=all,time --format=json logs
	read_by 3 --file=merge logs
	read_by 3 -e mkdirat logs
	read_by 3 --by=nothing logs
	read_by 2 --diff --fail-if='calls>+0' logs logs/m.r1.*
	tap_about="$form: "
	timeout 600 "$(mpi_tool "$form" mpirun)" -np 2 "$IOTRACE_STAT-$form" - >printed 2>printed.err </dev/null
	is 'standard input is for one: the exit status' $? 2
	is 'and it is said so, once' "$(grep "^iotrace-stat-$form: " printed.err)" \
		"iotrace-stat-$form: -: only one rank has standard input; name the log"
	timeout 600 "$(mpi_tool "$form" mpirun)" -np 1 "$IOTRACE_STAT-$form" logs : \
		-np 1 "$IOTRACE_STAT-$form" not-there >printed 2>printed.err </dev/null
	is 'a rank that has no logs gives up, and so do all: the exit status' $? 2
	is 'and says why' "$(grep "^iotrace-stat-$form: not" printed.err)" \
		"$("$IOTRACE_STAT" not-there 2>&1 | sed "s/^iotrace-stat:/iotrace-stat-$form:/")"
done
done_testing
