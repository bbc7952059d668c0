#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What iotrace-audit says to files that it cannot examine, and to those that
# somebody has damaged: one line, exit status 2, and never a crash.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

# refuses DESCRIPTION PATTERN ARGUMENT...: one line on stderr, nothing on stdout, status 2
refuses()
{
	tap_what=$1
	tap_pattern=$2
	shift 2
	"$IOTRACE_AUDIT" "$@" >"$T/out" 2>"$T/err" </dev/null
	is "$tap_what: exit status" $? 2
	like "$tap_what: message" "$T/err" "$tap_pattern"
	is "$tap_what: one line" "$(wc -l <"$T/err" | tr -d ' ')" 1
	is "$tap_what: no report" "$(cat "$T/out")" ''
}

printf 'int main(void)\n{\n\treturn 0;\n}\n' >"$T/main.c"
ok 'programs to refuse' sh -c "
	'$CC' -c -o '$T/main.o' '$T/main.c' &&
	'$CC' -o '$T/dynamic' '$T/main.c' &&
	'$CC' -no-pie -o '$T/dynamic-no-pie' '$T/main.c' &&
	'$CC' -shared -fPIC -o '$T/main.so' '$T/main.c' &&
	'$CC' -static -s -o '$T/stripped' '$T/main.c' &&
	'$CC' -static -o '$T/plain' '$T/main.c' &&
	'$CC' -DHOLES -nostdlib -static -o '$T/cover' '$top_srcdir/t/audit/cover.S'"
echo text >"$T/text"
: >"$T/empty"
mkdir "$T/dir"

refuses 'no such file' "^iotrace-audit: $T/none: can't be opened: No such file" "$T/none"
refuses 'text' "^iotrace-audit: $T/text: not an ELF executable$" "$T/text"
refuses 'an empty file' 'not an ELF executable' "$T/empty"
refuses 'a directory' 'not a regular file' "$T/dir"
refuses 'an object file' 'an object file; examine the executable' "$T/main.o"
refuses 'a shared object' 'a shared object, not a static executable' "$T/main.so"
refuses 'a dynamic executable' "dynamic: libc's calls are outside it" "$T/dynamic"
refuses 'a dynamic executable at a fixed address' "dynamic: libc's calls are outside it" \
	"$T/dynamic-no-pie"
refuses 'a stripped executable' 'stripped: without its symbol table' "$T/stripped"

# The machine is the halfword at 18: 183 is aarch64.
cp "$T/plain" "$T/aarch64"
printf '\267' | dd of="$T/aarch64" bs=1 seek=18 conv=notrunc 2>/dev/null
refuses 'another processor' 'not an x86-64 executable' "$T/aarch64"
cp "$T/plain" "$T/elf32"
printf '\001' | dd of="$T/elf32" bs=1 seek=4 conv=notrunc 2>/dev/null
"$IOTRACE_AUDIT" "$T/elf32" >"$T/out" 2>&1
is '32 bits: exit status' $? 2

for args in '' '--nonsense' '--format=xml' 'a b'; do
	# shellcheck disable=SC2086 # several arguments
	"$IOTRACE_AUDIT" $args >"$T/out" 2>"$T/err"
	is "usage '$args': exit status" $? 2
	like "usage '$args': message" "$T/err" '^iotrace-audit: |unrecognized option'
done
ok '--help' "$IOTRACE_AUDIT" --help
ok '--version' "$IOTRACE_AUDIT" --version
if [ -c /dev/full ]; then
	"$IOTRACE_AUDIT" "$T/cover" >/dev/full 2>"$T/err"
	is 'report on a full device: exit status' $? 2
	like 'report on a full device: message' "$T/err" 'cannot write the report'
fi

"$IOTRACE_AUDIT" "$T/plain" >"$T/out" 2>"$T/err"
is 'not linked with iocc: exit status' $? 1
is 'not linked with iocc: one line' "$(cat "$T/out")" \
	"$T/plain has no wrappers: it was not linked with iocc, nothing that it does is recorded"

# damaged N: iotrace-audit looks at N files, each the program with some bytes
# changed or its end missing; prints the runs that did not end as they should.
damaged()
{
	# shellcheck disable=SC2016 # perl's variables
	perl -e '
		use strict;
		my ($audit, $good, $bad, $n) = @ARGV;
		local $/;
		open my $f, "<", $good or die "$good: $!";
		binmode $f;
		my $data = <$f>;
		my $size = length $data;
		my $headers = unpack "Q<", substr $data, 40, 8;
		my %seen;
		srand 20260101;
		for my $i (1 .. $n) {
			my $d = $data;
			for (0 .. int rand 6) {
				my $r = rand;
				my $at = $r < .3 ? int rand 64 : $r < .4 ? 64 + int rand 400 :
					 $r < .8 ? $headers + int rand($size - $headers) : int rand $size;
				my $width = rand() < .3 ? 4 : 1;
				my $with = (chr int rand 256, "\xff", "\0")[int rand 3];
				$at = $size - $width if $at > $size - $width;
				substr $d, $at, $width, $with x $width;
			}
			$d = substr $d, 0, int rand $size if $i % 8 == 0;
			open my $o, ">", $bad or die "$bad: $!";
			binmode $o;
			print $o $d;
			close $o;
			system "timeout 600 \"$audit\" -v \"$bad\" >/dev/null 2>\"$bad.err\"";
			my $status = $? & 127 ? "signal" : $? >> 8;
			$seen{$status}++;
			my $lines = `wc -l <"$bad.err"` + 0;
			print "run $i: status $status, $lines lines\n"
				unless $status =~ /^[012]$/ && $lines == ($status == 2);
		}
		print "nothing was refused\n" unless $seen{2};
		print "nothing was read\n" unless $seen{1};
	' "$IOTRACE_AUDIT" "$T/cover" "$T/bad" "$1"
}

is 'damaged executables' "$(damaged 400)" ''

done_testing
