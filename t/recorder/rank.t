#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The rank that a launcher gives a process: in the log's name, in its header and in
# what the tools make of it; for any program that was started so.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

cat >"$T/prog.c" <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	access("/", F_OK);
	if (argc > 1 && !strcmp(argv[1], "fork")) {
		if (fork() == 0) {
			clearenv();
			_exit(access("/", R_OK));
		}
		wait(NULL);
	}
	return 0;
}
END
# shellcheck disable=SC2086 # CC may have options
ok 'a program is built without iocc' $CC -g -o "$T/plain" "$T/prog.c" || done_testing
ok 'a static one' "$IOCC" -static -o "$T/static" "$T/prog.c" || done_testing
ok 'a dynamic one' "$IOCC" -o "$T/dynamic" "$T/prog.c" || done_testing

# run PROGRAM [NAME=VALUE...] : with nothing in the environment but these
run()
{
	rank_prog=$1
	shift
	rm -rf "$logs"
	mkdir "$logs"
	env -i ${IOTRACE:+IOTRACE="$IOTRACE"} IOTRACE_DIR="$logs" "$@" "$T/$rank_prog" ${rank_arg:+"$rank_arg"}
}

# is_rank DESCRIPTION RANK SIZE: what the one log there is says; "-" is nothing
is_rank()
{
	got=$(basename "$logs"/*.iotrace)
	got=${got#"$rank_prog".}
	case $got in
	r[0-9]*.*) got=${got%%.*} ;;
	*) got=- ;;
	esac
	got="$got $("$IOTRACE_CAT" --format=raw "$logs" | sed -n 's/^#rank!//p' | head -n 1)"
	got="$got/$("$IOTRACE_CAT" --format=raw "$logs" | sed -n 's/^#size!//p' | head -n 1)"
	[ "$2" = - ] && want='- /' || want="r$2 $2/$3"
	is "$rank_prog: $1" "$got" "$want"
	cat_logs
	is "$rank_prog: $1: of each call" "$(cut -d! -f6 "$T/calls" | sort -u)" "${2#-}"
}

for form in static dynamic; do
	run $form A=1
	is_rank 'no launcher' -
	run $form OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8 PMIX_RANK=3
	is_rank 'Open MPI' 3 8
	run $form PMI_RANK=0 PMI_SIZE=2
	is_rank 'Hydra' 0 2
	run $form PMIX_RANK=5
	is_rank 'PMIx' 5 ''
	run $form MV2_COMM_WORLD_RANK=1 MV2_COMM_WORLD_SIZE=3
	is_rank 'MVAPICH' 1 3
	run $form PALS_RANKID=12
	is_rank 'PALS' 12 ''
	run $form ALPS_APP_PE=9
	is_rank 'ALPS' 9 ''
	run $form JSM_NAMESPACE_RANK=2 JSM_NAMESPACE_SIZE=4 PMIX_RANK=2
	is_rank 'JSM' 2 4
	run $form FLUX_TASK_RANK=10 FLUX_JOB_SIZE=16
	is_rank 'Flux' 10 16
	run $form SLURM_PROCID=6 SLURM_STEP_NUM_TASKS=7 SLURM_STEP_ID=0 SLURM_NTASKS=99
	is_rank 'srun' 6 7
done
run static SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_NPROCS=4 SLURM_JOB_ID=1
is_rank 'a batch script' -
run static SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 SLURM_STEP_ID=4294967290 SLURM_JOB_ID=1
is_rank 'the shell of salloc' -
run static SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 SLURM_STEP_ID=1 OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=8
is_rank 'mpirun, whose daemons srun started' 5 8
run static SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 SLURM_STEP_ID=1 PMI_RANK=3 PMI_SIZE=4
is_rank 'mpiexec, likewise' 3 4

# numbers that can't be true say nothing, and the next one is asked
for bad in '' x 3x -1 8 99999999999 ' 3'; do
	run static "OMPI_COMM_WORLD_RANK=$bad" OMPI_COMM_WORLD_SIZE=8
	is_rank "rank '$bad' of 8" -
done
run static OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=many
is_rank 'a size that is none' -
run static OMPI_COMM_WORLD_RANK=9 OMPI_COMM_WORLD_SIZE=8 PMI_RANK=1 PMI_SIZE=2
is_rank 'the next launcher' 1 2
run static PMIX_RANK=4294967294
is_rank 'a tool of PMIx' -
run static OMPI_COMM_WORLD_RANK=2
is_rank 'no size' 2 ''

# a rank's children are of that rank, even if they know nothing of it
rank_arg=fork
run static PMI_RANK=1 PMI_SIZE=2
is 'a child is in its log' "$(n_logs "$logs")" 1
is 'which is named' "$(find "$logs" -name 'static.r1.*.iotrace' | wc -l | tr -d ' ')" 1
rank_arg=

# libiotrace.so, of which programs that clean their environment know nothing
iotrace=$top_builddir/tools/iotrace
rm -rf "$logs"
mkdir "$logs"
ok 'iotrace run' env PMI_RANK=4 PMI_SIZE=8 "$iotrace" run -o "$logs" env -i "$T/plain"
is 'its logs are named' "$(find "$logs" -name '*.r4.*' | wc -l | tr -d ' ')" 1 || diag "$(ls "$logs")"
is 'the child has another environment' "$(find "$logs" -name 'plain.*' | wc -l | tr -d ' ')" 1
done_testing
