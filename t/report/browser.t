#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Pages of iotrace-report in real browsers: browser.py looks at them and clicks.
. "${0%/*}/../lib/tap.sh"

report=$top_builddir/tools/iotrace-report
python3=/usr/bin/python3
[ -x "$report" ] || skip_all 'there is no iotrace-report: configure found no d3'
"$python3" -c 'import selenium' 2>/dev/null || skip_all 'there is no selenium (Debian: python3-selenium)'
command -v chromedriver >/dev/null || skip_all 'there is no chromedriver (Debian: chromium-driver)'
mkdir "$T/in" "$T/logs"
ok 'the program compiles' "$IOCC" -static -g -O1 -I"$top_srcdir/include" "$top_srcdir/t/report/program.c" -o "$T/program" -lpthread || done_testing
(cd "$T/in" && IOTRACE_DIR=$T/logs "$T/program")
cd "$T" || exit 99
"$report" -o page.html logs
"$report" -o few.html --max-calls=100 logs
mkdir less
ok 'another program compiles' "$IOCC" -static -g -O1 -DLINES=1500 -I"$top_srcdir/include" "$top_srcdir/t/report/program.c" -o "$T/program" -lpthread
(cd in && IOTRACE_DIR=$T/less "$T/program")
"$report" -o compared.html --diff=logs less 2>err || rm -f compared.html # without json-c there is no --diff
"$report" -o twice.html --together logs less
# what is known of pages that everybody can use: npm's, of which nothing is kept
if command -v npm >/dev/null && HOME=$T timeout 60 npm pack --silent axe-core@4.14.1 >/dev/null 2>&1; then
	ok 'axe-core is unpacked' tar xzf axe-core-4.14.1.tgz package/axe.min.js
else
	skip 'axe-core' 'npm has none'
fi
# in BROWSER
in_browser()
{
	HOME=$T "$python3" "$top_srcdir/t/report/browser.py" "$1" "$T" >result 2>err || diag_file err
	assertions result "$1: "
}
in_browser chromium
if command -v firefox-esr >/dev/null; then
	in_browser firefox
else
	skip 'pages in Firefox' 'it is not there (Debian: firefox-esr)'
fi
done_testing
