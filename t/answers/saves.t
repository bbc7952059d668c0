#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What iotrace-stat says that a fix saves is what the fix saves: of each program of which
# the first finding names the cause, the middle of the estimate is within a factor of two
# of the difference between the program's time and that of the same program with -DFIXED.
#
# Times are medians of runs that take turns, without recording.  Between the quartiles of the
# runs of one program lies what can't be told: so much the difference may be wrong, and where it
# is less than that, and the estimate, too, the program is passed over.

# shellcheck disable=SC2317,SC2086 # functions that ok calls; words without spaces
. "${0%/*}/../lib/tap.sh"
[ -n "${TEST_LONG:-}" ] || skip_all 'times programs: only with TEST_LONG=1, on a machine that does nothing else'
# shellcheck source=t/answers/programs.sh
. "${0%/*}/programs.sh"
: "${SAVES_REPEAT:=7}"

# in_place AS: a directory with the program, as it was built, and its input, and nothing else
in_place()
{
	rm -rf "$T/in"
	cp -R "$T/$1" "$T/in" && cd "$T/in" && make_input
}

# timed AS: runs it without recording, and prints the microseconds that it takes
timed()
{
	in_place "$1" >"$T/said" 2>&1 || return 1
	begun=$(date +%s%N)
	(IOTRACE=off && export IOTRACE && run) || return 1
	echo $((($(date +%s%N) - begun) / 1000))
}

# estimate: of a recorded run, the first finding's id, and what a fix saves, in microseconds
estimate()
{
	in_place seeded >"$T/said" 2>&1 && run &&
		"$IOTRACE_STAT" --no-progress --format=json program.logs >"$T/json" 2>"$T/said" &&
		perl -MJSON::PP -0777 -ne '
			my ($f) = grep { $_->{severity} ne "info" } @{ decode_json($_)->{findings} || [] };
			printf "%s %d\n", $f->{id}, ($f->{saves}[0] + $f->{saves}[1]) * 5e5 if $f && $f->{saves}' "$T/json"
}

# quartiles FILE: the first, the median and the third of numbers
quartiles()
{
	sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 3) / 4)], v[int((NR + 1) / 2)], v[int((3 * NR + 1) / 4)] }'
}

# measure: runs that take turns; their times go to $T/times.seeded and $T/times.fixed, and
# estimates to $T/estimates
measure()
{
	for as in seeded fixed; do
		rm -rf "${T:?}/$as"
		mkdir "$T/$as" && cd "$T/$as" || exit 99
		defines=
		[ $as = seeded ] || defines=-DFIXED
		build $defines >"$T/said" 2>&1 || return 1
	done
	for list in times.seeded times.fixed estimates; do
		: >"$T/$list"
	done
	turn=0
	while [ $turn -lt "$SAVES_REPEAT" ]; do
		turn=$((turn + 1))
		timed seeded >>"$T/times.seeded" && timed fixed >>"$T/times.fixed" && estimate >>"$T/estimates" || return 1
	done
}

# within_two ESTIMATE: of what was measured, as far as runs tell that; says both
within_two()
{
	echo "$1 microseconds are estimated, $saved saved, and runs differ by $spread"
	[ "$1" -le $((2 * (saved + spread))) ] && [ $((2 * $1)) -ge $((saved - spread)) ]
}

# or of the programs that it is given
if [ $# -gt 0 ]; then
	printf '%s\n' "$@"
else
	awk '/ cause/ { print $1 }' "$sources/reached"
fi >"$T/names"
while read -r name; do
	choose "$name"
	lacking=$(lacks)
	if [ -n "$lacking" ]; then
		skip "$name" "$lacking"
		continue
	fi
	ok "$name: it is built and runs" measure || continue
	read -r low median high <<EOT_QUARTILES
$(quartiles "$T/times.seeded")
EOT_QUARTILES
	spread=$((high - low))
	read -r low saved high <<EOT_QUARTILES
$(quartiles "$T/times.fixed")
EOT_QUARTILES
	spread=$((spread + high - low)) saved=$((median - saved))
	rule=$(cut -d' ' -f1 "$T/estimates" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
	sed -n "s/^$rule //p" "$T/estimates" >"$T/of-rule"
	read -r low estimated high <<EOT_QUARTILES
$(quartiles "$T/of-rule")
EOT_QUARTILES
	if [ -z "$estimated" ]; then
		skip "$name: what a fix saves" 'there is no estimate'
	elif [ "$saved" -le "$spread" ] && [ "$estimated" -le $((2 * spread)) ]; then
		skip "$name: what a fix of $rule saves" "$saved microseconds of $estimated, while runs differ by $spread"
	else
		ok "$name: a fix of $rule saves what was said, within a factor of two" within_two "$estimated"
	fi
done <"$T/names"
done_testing
