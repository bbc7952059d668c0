#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat --by=constellation of ranks: what barriers, messages and collective calls on files
# order, if the log has them.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

# says FILE COLUMN...: the columns of the file's line, and then what orders
says()
{
	says_file=$1
	shift
	"$IOTRACE_STAT" --by=constellation --format=csv -P "/$says_file\$" shared.logs 2>>err |
		awk -F, -v wanted="$*" 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
			NR == 2 { for (i = 1; i <= NF; i++) at[name[i]] = $i
				n = split(wanted, w, " "); for (i = 1; i <= n; i++) printf "%s=%s ", w[i], at[w[i]]
				for (i = 1; i <= NF; i++) if (name[i] ~ /^by_/ && $i) printf "%s=%s ", name[i], $i }'
}

for form in $(mpi_forms); do
	tap_about="$form: "
	ok 'iompicc builds it' mpi_build "$form" shared "$top_srcdir/t/mpi/shared.c" || continue
	for calls in posix,mpiio,mpi posix,mpiio; do
		tap_about="$form: $calls: "
		rm -f barrier message collective err
		IOTRACE_CALLS=$calls ok 'it runs' mpi_run "$form" 3 shared
		by=mpi
		[ "$calls" = posix,mpiio,mpi ] || by=nothing
		is 'rank 0 writes, barrier, all read' "$(says barrier consistency depends readers)" \
			"consistency=posix depends=2000 readers=3 by_$by=2000 "
		is 'a message' "$(says message consistency depends)" \
			"consistency=posix depends=1000 by_$by=1000 "
		case $form in
		*openmpi) is 'write, MPI_File_sync, read' "$(says collective consistency depends)" \
			'consistency=commit depends=3000 by_mpi=3000 ' ;;
		esac
		none 'nothing on stderr' err
	done
done
done_testing
