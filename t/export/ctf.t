#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-export --to=ctf: babeltrace2 reads the calls, times and bytes that iotrace-cat and iotrace-stat have.
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/export/recorded.sh
. "${0%/*}/recorded.sh"
export=$top_builddir/tools/iotrace-export
python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "$python3: not there (Debian: python3)"
command -v babeltrace2 >/dev/null || skip_all 'babeltrace2 is not installed (Debian: babeltrace2)'
src=$top_srcdir/t/export
cd "$T" || exit 99

# agrees LOGS WHAT: what ctf.py says of the numbers of threads and processes
agrees()
{
	"$export" --to=ctf -o "$1.ctf" "$1" 2>err
	is "$1: is exported" "$?$(cat err)" 0
	"$python3" "$src/ctf.py" "$IOTRACE_STAT" "$IOTRACE_CAT" "$1.ctf" "$1" 2>&1 | grep -v ': never completed: ' >out
	like "$1: threads and processes" out "^$2 True\$"
	sed '$d' out >differs
	none "$1: the same calls, times and bytes" differs
}

recorded '[0-9]+ [0-9]+' aio posix-rw proc signals stdio
recorded_dynamic '[0-9]+ [0-9]+'
babeltrace2 stdio.ctf >out
like 'entries have the line that made the call' out 'stdio:f(open|write)_entry: .* site = "[a-z_]+ \([^"]*\.[ch]:[0-9]+\)"'

# --- threads share streams when there are more than descriptors
mkdir ranks
perl -I"$top_srcdir/t/lib" "$src/hosts.pl" ranks 130
agrees ranks '390 130'
is 'ranks: streams' "$(find ranks.ctf -name 'stream-*' | wc -l)" 256
# shellcheck disable=SC3045 # dash and bash know -n
(ulimit -n 64; "$export" --to=ctf -o few.ctf ranks)
is 'few descriptors: streams' "$(find few.ctf -name 'stream-*' | wc -l)" 16
"$python3" "$src/ctf.py" "$IOTRACE_STAT" "$IOTRACE_CAT" few.ctf ranks >out 2>&1
is 'few descriptors: the same' "$(cat out)" '390 130 True'

# --- names of every sort, of files and of calls
# shellcheck disable=SC2016 # perl's variables
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my @names = ("-", "a\"b", "\\", "\\n", "a\nb", "\e]0;x\a", "\xff\xfe", "\xe2\x80\xae.txt", "%s%n", "{ x = 1 }", "\xc3\xa4", "a, b = \"c\"");
	my $l = MkLog->new(latest => 900e9, calls => [ @MkLog::CALLS, "posix x\x22;};/* - - - fd:fd" ]);
	$l->block(stream => 1, records => [ map { (MkLog::path($_ + 1, $names[$_]), MkLog::handle($_ + 1, 3 + $_, $_ + 1),
		$l->compact("write", handle => $_ + 1, start => 1e5 * ($_ + 1), size => 4, offset => 0)) } 0 .. $#names ]);
	mkdir "names";
	$l->save("names/x.iotrace");'
agrees names '1 1'
babeltrace2 names.ctf >out
is 'no byte that a terminal obeys' "$(LC_ALL=C tr -d '\n\040-\176\303\244' <out | wc -c)" 0

# --- a log in which time goes back, since it is damaged
# shellcheck disable=SC2016 # perl's variables
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new(latest => 900e9);
	for my $b (3, 9, 5, 1) {
		$l->block(stream => 1, seq => $b, records => [ $b == 3 ? (MkLog::path(1, "/data/in"), MkLog::handle(1, 3, 1)) : (),
			map { $l->compact("write", handle => 1, start => 1e8 * $b + 1e5 * $_, size => 4096, offset => 0) } 1 .. 300 ]);
	}
	mkdir "back";
	$l->save("back/x.iotrace");'
"$export" --to=ctf -o back.ctf back 2>err
babeltrace2 --clock-seconds --no-delta back.ctf >out 2>err
is 'times that go back: are read' "$?$(cat err)" 0
is 'times that go back: in order' "$(sort -c out 2>&1 | head -1)" ''
is 'times that go back: all calls' "$(grep -c write_exit out)" "$("$IOTRACE_CAT" back 2>/dev/null | wc -l)"

# --- an output is complete, or not there
mkdir held
exits 'a directory that is empty is taken' 0 "$export" --to=ctf -o held aio
"$export" --to=ctf -o held/ stdio
is 'a trace is replaced' "$(cd held && sum ./*)" "$(cd stdio.ctf && sum ./*)"
(ulimit -f 1; "$export" --to=ctf -o held posix-rw 2>err)
is 'no room: status' "$?" 2
is 'no room: it is said' "$(cat err)" "iotrace-export: can't write to held: File too large"
is 'no room: what was there is' "$(cd held && sum ./*)" "$(cd stdio.ctf && sum ./*)"
exits 'what is no trace is left alone' 2 "$export" --to=ctf -o aio aio
"$export" --to=ctf -o aio aio 2>err
like 'which is said' err '^iotrace-export: aio: is there already; only what an earlier run wrote is replaced$'
exits 'a file is left alone' 2 "$export" --to=ctf -o aio.bin aio
is 'nothing else is left' "$(find . -name '*.tmp.*')" ''

# --- of many calls, memory is what it is of few
# shellcheck disable=SC2016 # perl's variables
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	for my $n (1, 200) {
		my $l = MkLog->new(latest => 900e9);
		for my $b (0 .. $n - 1) {
			$l->block(stream => 1, seq => $b, records => [ $b ? () : (MkLog::path(1, "/data/in"), MkLog::handle(1, 3, 1)),
				map { $l->compact("write", handle => 1, start => 1e6 * $b + 1e3 * $_, size => 4096, offset => 0) } 1 .. 1000 ]);
		}
		mkdir "n$n";
		$l->save("n$n/x.iotrace");
	}'
cat >memory.py <<'EOT'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
EOT
few=$("$python3" memory.py "$export" --to=ctf -o n1.ctf n1)
many=$("$python3" memory.py "$export" --to=ctf -o n200.ctf n200)
is '200,000 calls are exported' "$(babeltrace2 n200.ctf | grep -c 'write_exit')" 200000
ok "they take $many KiB, and 1,000 take $few" test "$many" -lt $((few + 4096))
done_testing
