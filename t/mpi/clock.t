#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ranks on hosts whose clocks differ: the second half of them finds another boot id,
# host name and monotonic clock in namespaces of their own, and a wall clock that is
# an hour ahead.  Their calls stand where they belong all the same, also if their clocks
# are 30 % fast, so that the distance changes while the job runs.
# shellcheck disable=SC2016 # awk's fields
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99
if ! unshare -rmuT --monotonic 1000 true 2>/dev/null; then
	skip_all 'namespaces can not be had here (unshare -rmuT)'
fi

# the ranks take turns, three times round, a call each
cat >ring.c <<'END'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, size, turn;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (turn = 0; turn < 3 * size; turn++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (turn % size != rank)
			continue;
		usleep(20000);
		access("/turn", F_OK);
		usleep(20000);
	}
	MPI_Finalize();
	return 0;
}
END
# what the launcher says: two ranks a host
cat >host.sh <<'END'
case ${OMPI_COMM_WORLD_RANK-$PMI_RANK} in
[01])
	export OMPI_COMM_WORLD_LOCAL_SIZE=2 MPI_LOCALNRANKS=2
	exec ./ring ;;
*)
	export OMPI_COMM_WORLD_LOCAL_SIZE=2 MPI_LOCALNRANKS=2
	exec unshare -muT --monotonic 1000 sh -c '
		hostname other && mount --bind boot_id /proc/sys/kernel/random/boot_id || exit 98
		exec ./clocks -a 3600 $FAST ./ring' ;;
esac
END
chmod +x host.sh
echo 01234567-89ab-cdef-0123-456789abcdef >boot_id
# shellcheck disable=SC2086 # CC may have options
ok 'a clock is built that is an hour ahead' $CC -O2 -o clocks "$top_srcdir/t/recorder/clocks.c"

# Open MPI alone: Debian's MPICH, when it has to use TCP, now and then hangs in
# MPI_Finalize by itself.
# So that what a clock is fast by is small when the job begins, it counts from then.
since=$(cut -d. -f1 /proc/uptime)
for form in $(echo "$IOT_MPIS" | grep -o openmpi | sed 'p; s/$/-fast/'); do
	tap_about="$form: "
	FAST=
	case $form in *-fast) FAST="-f 0.3 -s $((since + 1000))" form=${form%-fast} ;; esac
	export FAST
	ok 'iompicc builds it' mpi_build "$form" ring ring.c || continue
	rm -rf logs
	mkdir logs
	MPIRUN=$(mpi_tool "$form" mpirun)
	export MPIRUN
	IOTRACE_DIR=$T/logs timeout 600 unshare -r "$MPIRUN" -np 4 sh ./host.sh >out 2>err </dev/null
	is 'it runs' $? 0 || diag_file err
	"$IOTRACE_CAT" --format=raw -e access -P '^/turn$' logs >raw 2>cat.err
	is 'logs are sound' "$? $(cat cat.err)" '0 '
	is 'there are two hosts' "$(sed -n 's/^#host!//p' raw | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" '2 2 '
	is 'turns in their order' "$(grep -v '^#' raw | cut -d! -f6 | tr '\n' ' ')" '0 1 2 3 0 1 2 3 0 1 2 3 '
	ok 'all within seconds' by_column '/^#/ { next } !first { first = $start } { last = $start }
		END { exit !(last - first > 100e6 && last - first < 1800e9) }' raw
	# the same logs, if nobody had measured: an hour is between them
	for log in logs/*.r[23].*; do
		"$IOTRACE_CAT" --format=raw -e none "$log" | sed -n 's/^#start!//p'
	done >starts
	ok 'logs, too, begin when they began' awk -v first="$(sed -n 's/^#start!//p' raw | sort -n | head -n 1)" \
		'{ if ($1 - first > 1800e9 || first - $1 > 1800e9) exit 1 }' starts
	is 'the clocks do differ' "$(for log in logs/*.r[03].*; do
		name=${log##*/}; name=${name%.iotrace}; echo "${name##*.}"
	done | awk '{ t[NR] = $1 } END { d = (t[2] - t[1]) / 1e6; print (d > 3000 && d < 4200) ? "an hour" : d }')" 'an hour'
done
done_testing
