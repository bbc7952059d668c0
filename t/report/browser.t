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
mkdir queued
ok 'a program with operations in flight compiles' "$IOCC" -g -O1 "$top_srcdir/t/report/flights.c" -o "$T/flights" -lpthread
(cd in && IOTRACE_DIR=$T/queued "$T/flights")
"$report" -o queued.html queued
perl -I"$top_srcdir/t/lib" -e 'use MkLog; MkLog->new->save("none.iotrace")'
"$report" -o none.html none.iotrace
# ranks on two hosts, each with two threads
cat >hosts.pl <<'EOT'
use MkLog;
for my $rank (0 .. 3) {
	my $host = 'node' . ($rank % 2 ? 17 : 9) . '.partition.example.org';
	my $l = MkLog->new(pid => 1000 + $rank, latest => 2e9, keys => [ program => 'ocean-model', host => $host, boot_id => $host, rank => $rank ]);
	for my $thread (0, 1) {
		$l->block(stream => 1 + $thread, tid => 1000 + $rank + 500 * $thread, records => [ MkLog::path(1, "/data/rank$rank"), MkLog::handle(1, 3, 1),
			map { $l->compact('write', handle => 1, start => 1e7 * $_ + 1e6 * $rank, dur => 2e6, size => 4096, offset => 4096 * $_) } 1 .. 50 ]);
	}
	$l->save("hosts/rank$rank.iotrace");
}
EOT
mkdir hosts
perl -I"$top_srcdir/t/lib" hosts.pl
"$report" -o hosts.html hosts
# ranks that have the same finding
mkdir alike
perl -I"$top_srcdir/t/lib" "$top_srcdir/t/export/hosts.pl" alike 6
"$report" -o alike.html alike
# more files than a page has
cat >files.pl <<'EOT'
use MkLog;
my $l = MkLog->new(pid => 77, latest => 4e9, keys => [ program => 'many', host => 'node', boot_id => 'x' ]);
for my $n (1 .. 21) {
	$l->block(stream => 1, seq => $n - 1, tid => 77, records => [ map {
		my $file = 100 * $n + $_;
		(MkLog::path($file, sprintf('/data/part%04d', $file)), MkLog::handle($file, 3, $file),
			$l->compact('pwrite', handle => $file, start => 1e6 * $file, dur => 1e5 + $file, size => 512, offset => 4096));
	} 0 .. 99 ]);
}
$l->save('many.iotrace');
EOT
perl -I"$top_srcdir/t/lib" files.pl
"$report" -o many.html many.iotrace
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
