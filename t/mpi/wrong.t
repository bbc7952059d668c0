#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPI calls with arguments that are none: the same error, or the same end, as without
# a recorder, which reads nothing that MPI turns down and asks MPI for nothing that the
# program could be ended for.  TEST_LONG=1: each number with "world" and without, else with
# one of the two, in turn, and each third one where recording is off.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99
# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0
mkdir logs

every='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 30 31'
few='1 4 7 10 13 16 19 22 25 30'
# waits, messages and collectives
talk='15 17 20 30 31 41 44 45 46 48 51 53 54 55 56 57 58'

# worlds NUMBER: with which second argument it is tried
worlds()
{
	case ${TEST_LONG:-0}$(($1 % 2)) in
	00) echo none ;;
	01) echo world ;;
	*) echo none world ;;
	esac
}

# tries NAME NUMBERS COMMAND...: those calls, a line each, to NAME.out
tries()
{
	name=$1 numbers=$2
	shift 2
	mkdir in && cd in || exit 99
	for number in $numbers; do
		for world in $(worlds "$number"); do
			world=${world#none}
			# shellcheck disable=SC2046,SC2086 # an argument, or none; one line
			echo "$number $world" $(sh -c '"$@" 2>/dev/null; echo "status $?"' sh env \
				IOTRACE_DIR="$T/logs" timeout 600 "$@" $number $world </dev/null 2>/dev/null)
			rm -f ./*
		done
	done >"../$name.out"
	cd .. && rmdir in
}

# alike NAME MPI NUMBERS COMMAND...: that command's calls end as those of plain-MPI, which
# are in plain-MPI.out.  Calls that don't are tried again, by both: on a busy machine Open
# MPI itself dies at its end now and then.
alike()
{
	what=$1 plain=plain-$2 differ=$3
	shift 3
	tries traced "$differ" "$@"
	cp "$plain.out" untraced.out
	for round in 1 2 3; do
		differ=$(diff untraced.out traced.out | sed -n 's/^[<>] \([0-9]*\) .*/\1/p' | sort -nu)
		[ -n "$differ" ] || break
		echo "# round $round: $(echo "$differ" | tr '\n' ' ')"
		tries untraced "$differ" "$T/$plain"
		tries traced "$differ" "$@"
	done
	same "$what" traced.out untraced.out
}

for mpi in $IOT_MPIS; do
	ok "$mpi: compiles" "$(mpi_cc "$mpi")" -w -o "plain-$mpi" "$top_srcdir/t/mpi/wrong.c" || continue
	ok "$mpi: compiles with iompicc" mpi_build "$mpi" "traced-$mpi" -w "$top_srcdir/t/mpi/wrong.c" || continue
	tries "plain-$mpi" "$every" "$T/plain-$mpi"
	ok "$mpi: calls were tried" test "$(grep -c class "plain-$mpi.out")" -gt 10
	alike "$mpi: as untraced" "$mpi" "$every" "$T/traced-$mpi"
	# all ask for 8 bytes; whether a type of the program's is one is not known if the call failed
	"$IOTRACE_CAT" --format=json -e MPI_File_write_at logs >json 2>/dev/null
	like "$mpi: how much a call that failed was to write" json '"size":8,"ret":-1,'
	grep '"size":' json | grep -v '"size":8,' >other
	none "$mpi: or nothing of it" other
	rm -rf logs/*
	if [ "${TEST_LONG:-0}" = 0 ]; then
		off=$few
		tries "plain-$mpi" "$off" "$T/plain-$mpi"
	else
		off=$every
	fi
	alike "$mpi, IOTRACE=off: as untraced" "$mpi" "$off" env IOTRACE=off "$T/traced-$mpi"
	tries "plain-$mpi" "$talk" "$T/plain-$mpi"
	alike "$mpi, IOTRACE_CALLS=mpi: as untraced" "$mpi" "$talk" env IOTRACE_CALLS=mpi "$T/traced-$mpi"
done
done_testing
