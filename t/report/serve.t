#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-report --serve: who may ask and who may not, what is answered, calls page by page, and
# programs that run; in a browser, too.
. "${0%/*}/../lib/tap.sh"

report=$top_builddir/tools/iotrace-report
[ -x "$report" ] || skip_all 'there is no iotrace-report: configure found no d3'
mkdir "$T/in" "$T/logs"
ok 'the program compiles' "$IOCC" -static -g -O1 -DLINES=800 -I"$top_srcdir/include" "$top_srcdir/t/report/program.c" -o "$T/program" -lpthread || done_testing
ok 'the talker compiles' "$IOCC" -static -g -O1 "$top_srcdir/t/report/talker.c" -o "$T/talker" || done_testing
(cd "$T/in" && IOTRACE_DIR=$T/logs "$T/program")
cd "$T" || exit 99

# code without names
mkdir unnamed
ok 'it is stripped' strip -o hidden program
(cd in && IOTRACE_DIR=$T/unnamed "$T/hidden")

if "$report" --serve nowhere 2>&1 | grep 'without libmicrohttpd' >/dev/null; then
	exits 'without libmicrohttpd there is no --serve' 2 "$report" --serve logs
	done_testing
fi
exits 'no log' 2 "$report" --serve nowhere.iotrace
exits 'what is none' 1 "$report" --serve program
exits 'a page as well' 2 "$report" --serve -o page.html logs
exits 'standard input' 2 "$report" --serve -
exits 'a port that is none' 2 "$report" --serve=65536 logs
# its children stand still before they read
cat >stopped <<EOT
#!/bin/sh
exec strace -D -f -qq -e trace=prctl -e inject=prctl:signal=SIGSTOP -o /dev/null "$report" "\$@"
EOT
chmod +x stopped
# the limit is for what hangs: a busy machine may take long
timeout -k 10 3600 python3 "$top_srcdir/t/report/serve.py" "$T" "$report" "$IOTRACE_CAT" "$IOTRACE_STAT" >result 2>err </dev/null || diag_file err
assertions result
if ! /usr/bin/python3 -c 'import selenium' 2>/dev/null || ! command -v chromedriver >/dev/null; then
	skip 'the page in a browser' 'there is no selenium or chromedriver (Debian: python3-selenium, chromium-driver)'
	done_testing
fi
rm -rf live
HOME=$T timeout -k 10 3600 /usr/bin/python3 "$top_srcdir/t/report/browser.py" chromium "$T" served "$report" >result 2>err </dev/null || diag_file err
assertions result 'chromium: '
done_testing
