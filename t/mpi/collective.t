#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A collective write of small strided pieces, which one process does for all: beneath
# its call, and beneath no other's, stand writes that are fewer and larger.

# shellcheck disable=SC2016 # awk's fields
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

for form in $(mpi_forms); do
	tap_about="$form: "
	rm -f collective.data
	ok 'the program is built' mpi_build "$form" c "$top_srcdir/t/mpi/collective.c" || continue
	ok 'it runs' mpi_run "$form" 4 c
	"$IOTRACE_CAT" --format=raw c.logs | grep -v '^#' >calls
	is 'each rank asks for its part, where its view begins' \
		"$(by_column '$call == "MPI_File_write_all" { print $rank, $offset, $size, $ret }' calls | sort | tr '\n' ';')" \
		'0 0 512 512;1 8 512 512;2 16 512 512;3 24 512 512;'
	# RANK PARENT BYTES, of what goes to the file
	by_column '{ at[$tid, $depth] = $call }
		$family == "posix" && $call ~ /^p?writev?(64)?$/ && $path ~ /collective\.data$/ { print $rank, at[$tid, 0], $ret }' calls >writes
	is 'one rank writes, within that call' "$(cut -d' ' -f1,2 writes | sort -u | sed 's/^[0-3]/N/')" 'N MPI_File_write_all'
	is 'all that there is' "$(awk '{ n += $3 } END { print n }' writes)" 2048
	ok 'in fewer writes than there are pieces' test "$(wc -l <writes)" -lt 64
	ok 'each larger than a piece' awk '$3 <= 8 { exit 1 }' writes
	# what collective calls do beside system calls is waiting for others, and no I/O: time of I/O is
	# that of calls that the program made, or MPI beneath the program's
	"$IOTRACE_CAT" --format=json c.logs >json
	most=$(perl -MJSON::PP -ne 'my $c = decode_json($_);
		$n += $c->{dur} // 0 if $c->{family} !~ /^mpi/ && !$c->{mpi_own}; END { print $n }' json)
	io=$("$IOTRACE_STAT" --format=json c.logs | perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>)->{job};
		print $j->{io} + $j->{undivided}')
	ok 'collective calls wait' test "$io" -le "$most" || diag "$io ns of I/O, of $most"
	"$IOTRACE_STAT" -e mpiio --format=json c.logs >json
	is 'without system calls, all time of collective calls is said not to be' "$(perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>);
		my $n = 0; $n += $_->{self} for grep { $_->{call} =~ /_all$|_(open|close|set_view)$/ } @{$r->{calls}};
		print join(" ", $n > 0, map { $_ == $n } $r->{job}{undivided}, map { my $c = $_; my $m = 0; $m += $_->{$c} for @{$r->{calls}}; $m } qw(io undivided))' <json)" '1 1 1 1'
	is 'and the first screen says so' "$("$IOTRACE_STAT" -e mpiio c.logs | grep -c '^[0-9.]* of this in collective calls of MPI-IO')" 1
	# shellcheck disable=SC2154
	is 'the file says the same' "$(wc -c <collective.data | tr -d ' ')" 2048
done
done_testing
