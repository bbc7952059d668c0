#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Pages of iotrace-report about MPI-IO: collective and independent calls, the system calls beneath,
# and who came late, compared with what iotrace-cat has of each call.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"

report=$top_builddir/tools/iotrace-report
[ -x "$report" ] || skip_all 'there is no iotrace-report: configure found no d3'
cd "$T" || exit 99
for form in $(mpi_forms); do
	tap_about="$form: "
	ok 'the program is built' mpi_build "$form" late "$top_srcdir/t/report/late.c" || continue
	ok 'it runs' mpi_run "$form" 3 late
	"$report" --title=late -o page.html late.logs >err 2>&1 || diag_file err
	"$IOTRACE_CAT" --format=json late.logs 2>/dev/null >calls.json
	# the same from a database
	pages=page.html
	"$top_builddir/tools/iotrace-export" --to=sqlite -o late.db late.logs 2>err
	if grep 'built without' err >/dev/null; then
		skip 'a database' 'iotrace was built without SQLite'
	else
		"$report" --title=late -o database.html late.db >err 2>&1 || diag_file err
		pages='page.html database.html'
	fi
	for about in 'mpi.py 3' 'arcs.py 6'; do
		# shellcheck disable=SC2086 # words
		python3 "$top_srcdir/t/report/"$about calls.json $pages >result
		assertions result
	done
done
tap_about='in a browser: '
if /usr/bin/python3 -c 'import selenium' 2>/dev/null && command -v chromedriver >/dev/null; then
	HOME=$T /usr/bin/python3 "$top_srcdir/t/report/browser.py" chromium "$T" mpi >result 2>err || diag_file err
	assertions result
else
	skip 'the page' 'there is no selenium or chromedriver (Debian: python3-selenium, chromium-driver)'
fi
done_testing
