#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_FAULTS: who faulted, with and without frame pointers: the functions and lines that the
# program says are on its stack, whatever libc has beneath them.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

export IOTRACE_STACK=16
# shellcheck source=t/lib/faults.sh
. "${0%/*}/../lib/faults.sh"
head -c 4194304 /dev/zero >"$T/file"

# Of each fault: OFFSET FUNCTION:LINE ..., the program's own from the innermost to the outermost.
# Beyond a frame of 8 KiB in code without frame pointers nothing is known: that of the step deep
# may end there.
cat >"$T/found.pl" <<'EOT'
use strict;
use warnings;
use Lines 'line';

my ($said, $ends) = @ARGV;
my %deep;
open(my $in, '<', $said) or die "$said: $!";
while (<$in>) {
	$deep{$1} = $2 if /^(\d+) deep (.*)/;
}
while (<STDIN>) {
	my $r = line($_);
	my @own = map { "$_->{func}:$_->{line}" } grep { ($_->{file} // "") =~ m,/stacks\.c$, } @{ $r->{stack} };

	pop @own while @own && $own[-1] =~ /^(main|thread):/;
	my $found = join(" ", @own);
	$found = $deep{ $r->{offset} } if $ends && $found eq ($deep{ $r->{offset} } // "") =~ s/ .*//r;
	print "$r->{offset} $found\n";
}
EOT

# found OPTIONS: those of the log
found()
{
	ends=
	[ "$1" != '-O2 -fomit-frame-pointer' ] || ends=1
	"$IOTRACE_CAT" -k --format=json -e page_fault -P '/file$' "$T"/logs/stacks*.iotrace |
		perl -I"$top_srcdir/t/lib" "$T/found.pl" "$T/said" $ends
}

# judge NAME COMMAND...: each stack is what the program says
judge()
{
	name=$1
	shift
	rm -rf "$T/logs"
	mkdir "$T/logs"
	IOTRACE_FAULTS=1 IOTRACE_DIR=$T/logs "$@" "$T/file" >"$T/said" 2>"$T/err"
	is "$name: runs" $? 0
	none "$name: says nothing" "$T/err"
	is "$name: makes its steps" "$(grep -c . "$T/said")" 18
	# not all may see those within system calls
	[ "$(id -u)" = 0 ] || sed -i '/ writes /d' "$T/said"
	sed 's/ .*/ /; s/^/^/' "$T/said" >"$T/offsets"
	found "$options" | grep -f "$T/offsets" | sort -n >"$T/found"
	sed 's/ [a-z]* / /' "$T/said" | sort -n >"$T/expected"
	same "$name: each stack" "$T/found" "$T/expected"
}

# -fno-builtin: memcpy and its like, which keep no frame pointer, are called
for options in -O0 '-O2 -fomit-frame-pointer' '-O2 -fno-omit-frame-pointer'; do
	for form in static dynamic plain; do
		[ "$form" != plain ] || [ -z "${options##*omit-frame*}" ] || continue
		case $form in
		static) set -- "$IOCC" --iotrace-faults -static ;;
		dynamic) set -- "$IOCC" ;;
		*) # shellcheck disable=SC2086 # CC may have options
			set -- $CC ;;
		esac
		# shellcheck disable=SC2086 # there are several options
		ok "$form $options: compiles" "$@" -g $options -fno-builtin -pthread "$src/stacks.c" -o "$T/stacks"
		case $form in
		plain) judge "$form $options" "$top_builddir/tools/iotrace" run "$T/stacks" ;;
		*) judge "$form $options" "$T/stacks" ;;
		esac
	done
done
done_testing
