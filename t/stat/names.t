#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat --by=file: a file is one line, whatever its names, and lines add up to all.
# shellcheck disable=SC2016 # perl's variables, and an inner shell's
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

files()
{
	perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>); print eval($ARGV[0]), "\n"' "$1" <"$T/json"
}
file='my ($f) = grep { $_->{path} =~ m{/%s$} } @{$j->{files}}; '

ok 'it is built' "$IOCC" -static -o "$T/names" "$top_srcdir/t/stat/names.c"
mkdir -p "$logs" "$T/in"
ok 'it runs' sh -c 'cd "$T/in" && IOTRACE_DIR=$T/logs ../names'
"$IOTRACE_STAT" --by=file,call --format=json "$logs" >"$T/json"
is 'all reads and writes of a file' "$(files "${file%\%s*}data\$} } @{\$j->{files}}; join ' ', @\$f{qw(opens reads read writes written)}")" '5 4 400 3 12000'
is 'its other names' "$(files "${file%\%s*}data\$} } @{\$j->{files}}; join ' ', map { s{.*/in/}{}r } sort @{\$f->{names}}")" 'dir/../data hard sym'
is 'they have no lines' "$(files 'scalar grep { $_->{path} =~ m{/(sym|hard|dir/../data)$} } @{$j->{files}}')" 0
is 'one file after another is not the same' "$(files 'join " ", map { "$_->{written} $_->{opens}" } grep { $_->{path} =~ m{/(first|second)$} } @{$j->{files}}')" '100 1 100 1'
is 'nor after one without a name' "$(files 'join " ", map { "$_->{written} $_->{opens}" } grep { $_->{path} =~ m{/third$} } @{$j->{files}}')" '100 1'
"$IOTRACE_STAT" --by=file -e read,write --format=json "$logs" >"$T/json"
is 'without removals, each name has a line' "$(files 'join " ", map { "$_->{reads} $_->{writes}" } sort { $a->{path} cmp $b->{path} }
	grep { $_->{path} =~ m{/(data|hard|sym|first|second|third)$} } @{$j->{files}}')" '1 3 1 0 0 1 1 0 0 1 1 0 0 1'
"$IOTRACE_STAT" --by=file,call --format=json "$logs" >"$T/json"
for key in calls syscalls errors self; do
	is "$key: files add up to calls" "$(files "my \$n = 0; \$n += \$_->{$key} for @{\$j->{files}}; \$n")" \
		"$(files "my \$n = 0; \$n += \$_->{$key} for @{\$j->{calls}}; \$n")"
done
for key in reads read writes written lib_written; do
	is "$key: files add up to the total" "$(files "my \$n = 0; \$n += \$_->{$key} for @{\$j->{files}}; \$n")" "$(files "\$j->{total}{$key}")"
done
done_testing
