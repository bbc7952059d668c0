#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Dynamic executables that are built for something else as well (a profile, sanitizers),
# and those whose I/O a language's own library does: they do what they do without,
# and their calls are in the log.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

cat >main.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
	char *text = malloc(100);
	FILE *f = fopen("out", "w");
	int fd = open("raw", O_WRONLY | O_CREAT, 0600);

	if (!text || !f || fd < 0 || write(fd, "raw", 3) != 3 || close(fd))
		return 1;
	snprintf(text, 100, "%d", 12345);
	fputs(text, f);
	free(text);
	puts("done");
	return fclose(f) ? 2 : 3;
}
C
cat >main.f90 <<'F'
program main
  implicit none
  integer :: i
  open(10, file='out')
  do i = 1, 1000
     write(10, *) i
  end do
  close(10)
  print *, 'done'
  stop 3
end program
F

# alike ABOUT: plain and traced do the same; leaves the log's calls in json
alike()
{
	for kind in plain traced; do
		rm -rf $kind.in logs && mkdir $kind.in logs
		(cd $kind.in && IOTRACE_DIR="$T/logs" ../$kind >../$kind.out 2>&1 </dev/null; echo $? >>../$kind.out)
	done
	same "$1: output and status" traced.out plain.out
	ok "$1: what it leaves behind" diff -r -x gmon.out traced.in plain.in
	"$IOTRACE_CAT" --format=json logs >json 2>said
	is "$1: the log is sound" "$(cat said)" ''
}

for how in '' -pg -fsanitize=address -fsanitize=thread -fsanitize=undefined; do
	# shellcheck disable=SC2086 # CC may have options, how may be none
	ok "${how:-nothing}: compiles" $CC -g -O1 $how -o plain main.c || continue
	# shellcheck disable=SC2086
	ok "${how:-nothing}: compiles with iocc" "$IOCC" -g -O1 $how -o traced main.c || continue
	alike "${how:-nothing}"
	like "${how:-nothing}: its write" json '"call":"write".*/raw","offset":0,"size":3,"ret":3'
	like "${how:-nothing}: its stream" json '"call":"fputs".*/out"'
	like "${how:-nothing}: what fclose wrote" json '"call":"write".*/out","size":5,"ret":5,"status":"inferred"'
	[ "$how" != -pg ] || ok '-pg: a profile' test -s traced.in/gmon.out
done

if command -v gfortran >/dev/null; then
	ok 'gfortran: compiles' gfortran -o plain main.f90
	cp plain traced.real
	printf '#!/bin/sh\nexec "%s" "%s/traced.real"\n' "$top_builddir/tools/iotrace-run" "$T" >traced
	chmod +x traced
	alike 'gfortran'
	bytes=$(perl -MJSON::PP -ne 'my $c = decode_json($_);
		$n += $c->{ret} if $c->{call} eq "write" && ($c->{path} // "") =~ m,/out$,; END { print $n // 0 }' json)
	is 'gfortran: every byte that libgfortran wrote' "$bytes" "$(wc -c <traced.in/out | tr -d ' ')"
else
	skip 'gfortran' 'no gfortran (Debian: gfortran)'
fi
done_testing
