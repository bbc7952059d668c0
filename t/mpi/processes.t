#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs that do not simply begin and end: MPI_Abort and ranks that crash, threads that
# do MPI-IO at once, MPI_Comm_spawn, sessions, programs that never call MPI_Init or
# know nothing of MPI.  They end as they do without us, and logs have what they did.

# shellcheck disable=SC2016 # awk's fields
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99
mkdir plain traced

# job RANKS WHAT: the program without us, once for each MPI, and with us; leaves the calls
# in $T/calls
job()
{
	job_ranks=$1 job_what=$2
	tap_about="$form: $job_what: "
	job_mpi=${form#run-}
	[ "$job_mpi" != static ] || job_mpi=mpich
	# as mpi_run does, so that shells and launchers say the same
	job_was=plain/$job_mpi-$job_ranks-$job_what
	if [ ! -f "$job_was" ]; then
		(cd plain && timeout 600 "$(mpi_tool "$job_mpi" mpirun)" -np "$job_ranks" ./p "$job_what" >p.out 2>p.err </dev/null)
		echo $? >"$job_was"
		mv plain/p.out "$job_was.out"
		mv plain/p.err "$job_was.err"
	fi
	job_plain=$(cat "$job_was")
	(cd traced && mpi_run "$form" "$job_ranks" p "$job_what")
	is 'it ends as it does without us' $? "$job_plain" || diag_file traced/p.err
	# but for pids in what MPICH's launcher says
	is 'and says the same' "$(sed '/^=/d' traced/p.out | sort)" "$(sed '/^=/d' "$job_was.out" | sort)"
	"$IOTRACE_CAT" --format=raw traced/p.logs >raw 2>cat.err
	grep -v '^#' raw >calls
}

# each log's number of calls of that name, and how often: "4x20 "
each()
{
	by_column -v wanted="$1" '$call == wanted { n[$pid]++ } END { for (p in n) print n[p] }' calls |
		sort -n | uniq -c | awk '{ printf "%sx%s ", $1, $2 }'
}

# logs RANKS...: there is one for each
logs()
{
	is 'a log for each rank, named so' "$(find traced/p.logs -name '*.iotrace' | sed 's,.*/p\.\(r[0-9]*\)\..*,\1,' | sort | tr '\n' ' ')" "$* "
}

# whole RANKS FILES: all that each did on so many files
whole()
{
	is 'all writes' "$(each MPI_File_write_at)" "$1x$((10 * $2)) "
	is 'all that were begun' "$(each MPI_File_iwrite_at)" "$1x$((10 * $2)) "
	is 'and completed' "$(each MPI_Wait)" "$1x$((10 * $2)) "
	# beneath them, not in helper threads of AIO
	is 'and what MPI did for the blocking ones' "$(by_column '$depth > 0 && $family == "posix" && $call ~ /^p?writev?(64)?$/ && $path ~ /\.data$/ && $ret == 8' calls |
		wc -l | tr -d ' ')" "$(($1 * 10 * $2))"
}

for form in $(mpi_forms); do
	tap_about="$form: "
	(cd plain && case $form in
	static) mpi_build run-mpich p "$top_srcdir/t/mpi/processes.c" ;;
	*) mpi_build "run-${form#run-}" p "$top_srcdir/t/mpi/processes.c" ;;
	esac)
	ok 'the program is built' sh -c "exit $?"
	(cd traced && mpi_build "$form" p "$top_srcdir/t/mpi/processes.c")
	ok 'and with us' sh -c "exit $?" || continue

	for what in abort segv kill; do
		job 3 $what
		logs r0 r1 r2
		whole 3 1
		is 'logs are sound' "$(cat cat.err)" ''
	done
	is 'nobody called MPI_Abort' "$(each MPI_Abort)" ''
	[ "$form" = static ] && continue
	job 3 abort
	is 'rank 1 called MPI_Abort, which did not return' "$(by_column '$call == "MPI_Abort" { print $rank, $status }' calls)" '1 noreturn'

	job 2 threads
	logs r0 r1
	whole 2 4
	is 'each operation ends once, in its thread' "$("$IOTRACE_CAT" --format=json -e MPI_File_iwrite_at,MPI_Wait traced/p.logs |
		sed 's/.*"tid":\([0-9]*\).*"rank":\([0-9]*\).*"op":\([0-9]*\).*/\2 \1 \3/' | sort | uniq -c | awk '{ print $1 }' | sort | uniq -c |
		awk '{ print $1, $2 }')" '80 2'

	OMPI_MCA_btl=self,vader,tcp job 2 spawn
	if [ "$job_plain" -eq 0 ]; then
		case $form in
		# the launcher knows nothing of iotrace run
		run-*) logs r0 r1; whole 2 1 ;;
		*) logs r0 r0 r1 r1; whole 4 1 ;;
		esac
	else
		diag "$form: this MPI can't do MPI_Comm_spawn here: $(tail -n 1 "$job_was.err")"
	fi

	job 2 none
	logs r0 r1
	is 'what they wrote' "$(by_column '$call == "write" && $fd == 1 && $ret == 12 { print $rank }' calls | sort | tr '\n' ' ')" '0 1 '

	job 2 session
	if [ "$job_plain" -eq 4 ]; then
		logs r0 r1
		is 'sessions begin and end' "$(each MPI_Session_init)$(each MPI_Session_finalize)" '2x1 2x1 '
		is 'files in one' "$(by_column '$call == "MPI_File_write_at_all" { print $rank, $offset, $ret }' calls | sort | tr '\n' ';')" '0 0 8;1 8 8;'
	else
		is 'this MPI has no sessions' "$job_plain" 77
	fi
done

# Programs without MPI.
# shellcheck disable=SC2086 # CC may have options
# MPICH's launcher dies of SIGPIPE if the ranks have ended before it could pass the end of its
# input on, which is why the first waits for that
cat >own.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	const char *number = getenv("OMPI_COMM_WORLD_RANK") ?: getenv("PMI_RANK");
	char c;

	if (write(1, "own\n", 4) != 4)
		return 1;
	while (number && !strcmp(number, "0") && read(0, &c, 1) > 0)
		;
	return 0;
}
END
# shellcheck disable=SC2016 # the shell that is started knows its rank
wait_too='dd if=/dev/zero of=/dev/null bs=100 count=7; [ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" != 0 ] || cat'
for mpi in $IOT_MPIS; do
	tap_about="$mpi, no MPI: "
	mpirun=$(mpi_tool "$mpi" mpirun)
	rm -rf logs
	timeout 600 "$mpirun" -np 2 "$top_builddir/tools/iotrace-run" -o logs \
		sh -c "$wait_too" >out 2>err </dev/null
	is 'iotrace run dd ends well' $? 0 || diag_file err
	is 'its calls' "$("$IOTRACE_CAT" --format=raw logs | by_column '$call == "write" && $path == "/dev/null" && $ret == 100 { print $rank }' | sort | uniq -c |
		awk '{ print $2, $1 }' | tr '\n' ' ')" '0 7 1 7 '
	for link in '' -static; do
		ok "iocc $link builds a program" "$IOCC" $link -o own own.c
		rm -rf logs
		mkdir logs
		IOTRACE_DIR=$T/logs timeout 600 "$mpirun" -np 2 ./own >out 2>err </dev/null
		is 'it ends well' "$? $(sort -u out)" '0 own' || diag_file err
		is 'logs are named by rank' "$(find logs -type f | sed 's,.*/own\.\(r[0-9]*\)\..*,\1,' | sort | tr '\n' ' ')" 'r0 r1 '
		is 'and have its call' "$("$IOTRACE_CAT" --format=raw logs | by_column '$call == "write" && $ret == 4' | wc -l | tr -d ' ')" 2
	done
done
done_testing
