#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_MERGE: the ranks' logs in one file, which has what they have by themselves;
# and whatever goes wrong, nothing is lost.  TEST_LONG=1: as much under iotrace run, and
# more ranks.
# shellcheck disable=SC2016 # awk's fields
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99
logs=$T/m.logs

# merged WHAT RANKS ARGS...: a run; leaves the calls in $T/calls
merged()
{
	tap_about="$form: $1: "
	merged_ranks=$2
	shift 2
	IOTRACE_MERGE=${merge-1} mpi_run "$form" "$merged_ranks" m "$@"
	merged_status=$?
	"$IOTRACE_CAT" --format=raw "$logs" >raw 2>cat.err
	cat_status=$?
	grep -v '^#' raw >calls
}

# files PATTERN: so many logs
files()
{
	find "$logs" -name "$1" | wc -l | tr -d ' '
}

# has RANKS [FACTOR]: all that the ranks did, each in its own name
has()
{
	has_got=$(by_column '$call == "write" && $path ~ /merge-own/ && $ret == 7 { n[$rank " " $path]++ }
		END { for (k in n) { split(k, a, /[ .]/); print a[1], n[k] } }' calls | sort -n | tr '\n' ';')
	has_want=$(i=0; while [ $i -lt "$1" ]; do i=$((i + 1)); printf '%s' "$((i - 1)) $((i * ${2-1}));"; done)
	is 'the calls of all ranks' "$has_got" "$has_want"
	is 'their common file' "$(by_column -v prog="/m$" '$call == "pread" && $path ~ prog && $offset == 100 * $rank' calls | wc -l | tr -d ' ')" "$1"
}

whole()
{
	ok 'it ends well' [ "$merged_status" -eq 0 ] || diag_file m.err
	is 'there is one file' "$(files 'm.job.*.iotrace') $(files '*')" '1 2'
	ok 'its logs are sound' [ "$cat_status" -eq 0 ]
	is 'nothing is said' "$(cat cat.err m.err)" ''
	is 'MPI_Finalize is there' "$(by_column '$call == "MPI_Finalize" && $ret == 0' calls | wc -l | tr -d ' ')" "$merged_ranks"
}

# UCX over TCP, which is what Debian's static MPICH takes by itself, now and then hangs
# in MPI_Finalize, with us or without.
UCX_TLS=self,posix
export UCX_TLS

if [ "${TEST_LONG:-0}" = 1 ]; then ranks=12; else ranks=5; fi
for form in $(mpi_forms); do
	tap_about="$form: "
	ok 'iompicc builds it' mpi_build "$form" m "$top_srcdir/t/mpi/merge.c" || continue

	# the forms differ in nothing here: once is enough
	case ${TEST_LONG:-0}$form in
	1* | 0static)
		merge=0 merged 'not merged' 3
		is 'each rank has its log' "$(files 'm.r[0-2].*')" 3
		is 'that is all' "$(files '*')" 4
		has 3
		;;
	esac

	merged 'merged' $ranks
	whole
	has $ranks
	is 'ranks as MPI has them' "$("$IOTRACE_STAT" --format=csv --by=rank "$logs" | cut -d, -f3 | tail -n +2 | sort -n | tr '\n' ' ')" \
		"$(seq 0 $((ranks - 1)) | tr '\n' ' ')"
	ok 'sums are those of its calls' "$top_srcdir/t/lib/stat-sums" "$logs"
	# as they are read alike, one is enough
	case ${TEST_LONG:-0}$form in
	1* | 0openmpi | 0static)
		is 'no bit of it changes without a word' \
			"$("$top_srcdir/t/lib/flip-bits" "$IOTRACE_CAT" "$logs"/*.job.* 60 5 all 2>flips.err)" 0 || diag_file flips.err
		;;
	esac
	is 'what ranks share is there once' "$(grep -a -c '^call [0-9]* posix pread ' "$logs"/*)" 1

	case ${TEST_LONG:-0}$form in 0run-*) continue ;; esac
	merged 'a rank that dies' 3 die
	ok 'the job fails' [ "$merged_status" -ne 0 ]
	is 'its log is there' "$(files 'm.r2.*')" 1
	has 3

	merged 'I/O behind MPI_Finalize' 3 after
	is 'rank 0 has another log' "$(files 'm.r0.*')" 1
	is 'and that is all' "$(files '*.iotrace')" 2
	has 3
	is 'which has it' "$(by_column '$rank == 0 && $call == "write" && $path ~ /merge-after/' calls | wc -l | tr -d ' ')" 4

	# what follows does not depend on how it was linked
	[ "$form" != static ] || continue
	merged 'many calls' 3 many
	whole
	has 3 5000

	merged 'children' 2 fork
	is 'those that ended are in the ranks'"'"' logs' "$(files 'm.r[01].*')" 0
	is 'and so in that of the job' "$(files 'm.job.*')" 1
	has 2
	is 'which has their calls' "$(by_column '$call == "write" && $path ~ /merge-child/' calls | wc -l | tr -d ' ')" 6

	IOTRACE_BUFFER=16384 merged 'a small buffer' 3 many
	whole
	has 3 5000

	IOTRACE_BUFFER=16384 merged 'threads go on meanwhile' 3 busy
	is 'it ends well' "$merged_status $(cat m.err)" '0 '
	is 'the others are in the log of the job' "$(files 'm.job.*') $(files 'm.r0.*')" '1 0'
	is 'each of these has its own' "$(files 'm.r[12].*')" 2
	ok 'its logs are sound' [ "$cat_status" -eq 0 ]
	has 3
done

# A tool under mpirun of which each rank reads a part of the job's log
for form in $IOT_MPIS; do
	tap_about="$form: read in parallel: "
	mpi_build "$form" m "$top_srcdir/t/mpi/merge.c" || continue
	merged 'a job to be summed up' 5
	tap_about="$form: read in parallel: "
	build=$top_builddir
	# shellcheck disable=SC2046 # several words
	ok 'the tool is built' "$(mpi_cc "$form")" -DHAVE_CONFIG_H -I"$build" -I"$build/include" -I"$top_srcdir/include" \
		-o reduce "$top_srcdir/t/stat/reduce.c" "$build"/tools/*/t_stat_parts-*.o \
		"$build/analysis/.libs/libiotrace-analysis.a" "$build/reader/.libs/libiotrace-read.a" \
		$(sed -n "s/^dependency_libs='\(.*\)'/\1/p" "$build/analysis/libiotrace-analysis.la" "$build/reader/libiotrace-read.la") \
		$(sed -n 's/^SQLITE_LIBS = //p' "$build/Makefile") || continue
	timeout 600 "$(mpi_tool "$form" mpirun)" -np 3 ./reduce "$logs"/m.job.* >reduced 2>reduce.err </dev/null
	is 'it runs' $? 0 || diag_file reduce.err
	"$IOTRACE_STAT" --format=json --by=call,file,process,thread,rank,region,site,seek,layout,constellation "$logs" >whole 2>whole.err
	"$IOTRACE_STAT" --format=json "$logs" >findings 2>>whole.err
	ok 'its sums are those of iotrace-stat' perl -MJSON::PP -e '
		my ($got, $want, $findings) = map { local (@ARGV, $/) = $_; decode_json(<>) } @ARGV;
		$want->{findings} = $findings->{findings};
		delete $_->{logs} for map { $_, $_->{job} } $got, $want;
		my $json = JSON::PP->new->canonical->pretty;
		my ($g, $w) = map { $json->encode($_) } $got, $want;
		print "$g\n---\n$w" if $g ne $w;
		exit !($g eq $w && @{ $got->{ranks} } == 5)' reduced whole findings
done

# Of these ranks one is not recorded: the others wait for it in vain, and that is all.
for form in $IOT_MPIS; do
	tap_about="$form: a rank without us: "
	ok 'it is built' "$(mpi_cc "$form")" -o plain "$top_srcdir/t/mpi/merge.c" || continue
	mpi_build "$form" m "$top_srcdir/t/mpi/merge.c" || continue
	set -- ./plain
	[ "$form" = openmpi ] || set -- env IOTRACE=off ./m
	rm -rf m.logs merge-own.*
	mkdir m.logs
	IOTRACE_MERGE=1 IOTRACE_DIR=$logs timeout 600 "$(mpi_tool "$form" mpirun)" -np 2 ./m : -np 1 "$@" >m.out 2>m.err </dev/null
	is 'the job ends well' $? 0
	is 'all ranks did what they do' "$(cat merge-own.[012] | wc -c | tr -d ' ')" 42
	said='iotrace: not all ranks are recorded; their clocks are not compared, and logs not merged'
	is 'those that are recorded say so, once' "$(cat m.err)" "$(printf '%s\n' "$said" "$said")"
	is 'and keep their logs' "$(files 'm.r[01].*') $(files '*')" '2 3'
	"$IOTRACE_CAT" --format=raw "$logs" 2>cat.err | grep -v '^#' >calls
	has 2
done

# A file system that is full when it comes to the job's log
if unshare -rm true 2>/dev/null; then
	for form in $IOT_MPIS; do
		tap_about="$form: a full disk: "
		mpi_build "$form" m "$top_srcdir/t/mpi/merge.c" || continue
		merge=0 merged 'its size' 2 many
		tap_about="$form: a full disk: "
		SIZE=$(($(du -sk m.logs | cut -f1) + 300))k
		rm -rf m.logs small
		mkdir small
		export IOTRACE_MERGE=1 IOTRACE_DIR="$T/small" MPIRUN SIZE
		MPIRUN=$(mpi_tool "$form" mpirun)
		# shellcheck disable=SC2016
		unshare -rm sh -c '
			mount -t tmpfs -o size=$SIZE none small || exit 98
			timeout 600 "$MPIRUN" -np 2 ./m many >m.out 2>m.err </dev/null
			echo $? >status
			mkdir m.logs && cp --sparse=always small/* m.logs'
		unset IOTRACE_MERGE IOTRACE_DIR
		is 'the program does not notice' "$(cat status)" 0
		is 'no job log is left' "$(files '*job*')" 0
		is 'the ranks keep theirs' "$(files 'm.r[01].*')" 2
		like 'one line says so' m.err "^iotrace: .*can't be written; each rank keeps its own log"
		"$IOTRACE_CAT" --format=raw "$logs" 2>cat.err | grep -v '^#' >calls
		has 2 5000
	done
else
	diag 'no namespaces here: a full disk is not tried'
fi
done_testing
