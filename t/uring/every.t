#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# io_uring: every request that the kernel has is in the log with its file, offset and size, and with what
# came of it, once for each completion.  What is appended has no offset, since nobody knows it; what is
# copied is read from one file and written to another; bytes that the kernel adds are not counted.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
src=$top_srcdir/t/uring
run=$top_builddir/tools/iotrace-run

# shellcheck source=t/uring/forms.sh
. "$src/forms.sh"
forms_of every

# every FORM ARGUMENT...: false: the kernel has no such ring
every()
{
	what="every $*"
	form=$1
	shift
	in_form "$form" every "$@" >said 2>err
	[ $status != 77 ] || { skip "$what" 'this kernel makes no such ring' && return 1; }
	is "$what: ends as it is to" "$status $(cat err)" '0 '
	"$IOTRACE_CAT" --format=json logs >json 2>err
	is "$what: nothing is lost" "$(cat err)" ''
}

for form in static dynamic preloaded dispatched; do
	for flags in 0 0xc00; do # SQE128, CQE32
		every "$form" "$flags" || continue
		perl "$src/agree.pl" said json >differs
		none "$what: the log has what was asked for, and how it ended" differs
		is "$what: what is only looked at moves no bytes" \
			"$(grep '"call":"completion"' json | grep -c '"operation":"recv[a-z]*".*"result":')" 2
	done
	every "$form" 0 copies || continue
	is "$what: read from one file, written to the other" "$("$IOTRACE_STAT" --format=json logs |
		perl -MJSON::PP -0777 -ne 'print join " ", map { "$_->{read} $_->{written}" }
			grep { $_->{path} =~ m{/plain$} } @{ decode_json($_)->{files} }')" '577 300'
	is "$what: both are on record" "$(grep -c '"call":"request".*"path":"[^"]*/plain".*"fd_out":[0-9]' json)" 2
done

done_testing
