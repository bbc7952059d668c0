#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which line a finding names: that of a call, or where a helper is called from if that is
# where it is done again and again; what it costs; and nothing where nothing is wrong.
# shellcheck disable=SC2016 # perl's variables
. "${0%/*}/../lib/tap.sh"

cat >"$T/lines.c" <<'EOT_C'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char buf[65536];

/* Both write by it, one of them much in one go. */
__attribute__((noinline)) static void put(int fd, const void *p, size_t n)
{
	if (write(fd, p, n) != (ssize_t)n)
		_exit(1);
}

__attribute__((noinline)) static void head(int fd)
{
	put(fd, buf, sizeof(buf));
}

__attribute__((noinline)) static void save(int fd)
{
	for (int i = 0; i < 2000; i++)
		put(fd, buf, 16); /* small-writes */
}

/* From here and there, so that it is the function that is to be looked at. */
__attribute__((noinline)) static void get(int fd, off_t at)
{
	if (pread(fd, buf, 8, at * 104729 % 32768) != 8) /* scattered */
		_exit(1);
}

__attribute__((noinline)) static void note(FILE *f, int i)
{
	fprintf(f, "record %d\n", i);
	if (fflush(f)) /* flushed */
		_exit(1);
}

int main(int argc, char **argv)
{
	int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600), i;
	FILE *f = fopen("notes", "w");

	(void)argv;
	head(fd);
	if (argc > 1)
		return put(fd, buf, 16), fclose(f);
	save(fd);
	for (i = 0; i < 1200; i++) {
		if (i % 2)
			get(fd, i);
		else
			get(fd, i + 7);
		note(f, i);
	}
	return fclose(f);
}
EOT_C
# found: id, file, function and line of each finding, and whether what it costs makes sense
found()
{
	rm -rf "$T/logs"
	mkdir "$T/logs"
	(cd "$T" && IOTRACE_DIR=$T/logs ./lines "$@")
	# what costs little stands out, too, where a busy machine makes something else slow
	"$IOTRACE_STAT" --rule=reread=off --rule=small-reads=off --rule=minor=off --format=json "$T/logs" >"$T/json"
	perl -MJSON::PP -0777 -ne 'for (sort { $a->{id} cmp $b->{id} } grep { $_->{severity} ne "info" } @{ decode_json($_)->{findings} }) {
		my ($low, $high) = @{ $_->{saves} };
		print join(" ", $_->{id}, $_->{path} =~ s,.*/,,r, $_->{site}{func}, $_->{site}{file} =~ s,.*/,,r . ":$_->{site}{line}", $_->{calls},
			$low <= $high && $high <= $_->{seconds} && $_->{seconds} > 0 && @{ $_->{sites} } > 1 && $_->{assumes} ne "" ? "sound" : "?"), "\n" }' "$T/json"
}
line() { sed -n "/\* $1 \*/=" "$T/lines.c"; }
for form in -static ''; do
	tap_about="${form:-dynamic}: "
	# shellcheck disable=SC2086 # no word, or one
	ok 'it compiles' "$IOCC" $form -g -O2 -o "$T/lines" "$T/lines.c" || continue
	is 'findings, with their lines' "$(found)" "flushed notes note lines.c:$(line flushed) 1200 sound
scattered data get lines.c:$(line scattered) 1200 sound
small-writes data save lines.c:$(line small-writes) 2000 sound"
	is 'and none where nothing is wrong' "$(found clean)" ''
done
(cd "$T" && IOTRACE_DIR=$T/logs ./lines)
# a busy machine's slow open() may make the others minor, or come first
COLUMNS=80 "$IOTRACE_STAT" --rule=slow=off --rule=minor=off "$T/logs" >"$T/text"
like 'text: the line and its caller' "$T/text" "^ +save \(lines\.c:$(line small-writes)\) < main \(lines\.c:[0-9]+\)\$"
# parameters say nothing more
cat >"$T/store.cc" <<'EOT_CC'
#include <fcntl.h>
#include <unistd.h>

namespace store {
namespace {
__attribute__((noinline)) int put(const char *text, long n, int fd)
{
	for (int i = 0; i < 2000; i++)
		if (write(fd, text, n) != n)
			_exit(1);
	return close(fd);
}
}
__attribute__((noinline)) int save(const char *name)
{
	return put("0123456789abcdef", 16, open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600)) != 0;
}
}

int main()
{
	return store::save("store.log") != 0;
}
EOT_CC
mkdir "$T/store.logs"
ok 'C++ compiles' "$IOCXX" -O1 -o "$T/store" "$T/store.cc"
(cd "$T" && IOTRACE_DIR=$T/store.logs ./store)
COLUMNS=100 "$IOTRACE_STAT" --rule=minor=off "$T/store.logs" >"$T/text"
like 'C++: names without parameters' "$T/text" '^ +store::\(anonymous namespace\)::put \(store \+ 0x[0-9a-f]+\) < store::save <$'
# nor does what GCC adds to the name of a copy that it makes for certain arguments
cat >"$T/copy.c" <<'EOT_C'
#include <fcntl.h>
#include <unistd.h>

__attribute__((noinline, noipa)) static int get(int fd, char *p, long n)
{
	return read(fd, p, n) < 0;
}

__attribute__((noinline)) static int scrub(int fd, int step, const char *fill)
{
	int i, bad = 0;

	for (i = 0; i < 2000; i += step)
		bad += write(fd, fill, 16) != 16;
	return bad;
}

int main(void)
{
	char c;
	int fd = open("copy.data", O_RDWR | O_CREAT | O_TRUNC, 0600);

	return scrub(fd, 1, "0123456789abcdef") + get(fd, &c, 1);
}
EOT_C
ok 'a copy of a function compiles' "$IOCC" -O2 -o "$T/copy" "$T/copy.c"
like 'it has such a name' "$(nm "$T/copy" >"$T/names"; echo "$T/names")" ' scrub\.(constprop|isra)\.0'
mkdir "$T/copy.logs"
(cd "$T" && IOTRACE_DIR=$T/copy.logs ./copy)
COLUMNS=100 "$IOTRACE_STAT" --rule=minor=off "$T/copy.logs" >"$T/text"
like 'the name is that of the source' "$T/text" '^ +scrub \(copy \+ 0x[0-9a-f]+\)'
# what a call of stdio takes itself is for data, but where it opens, closes or seeks
"$IOTRACE_STAT" --format=json "$T/logs" >"$T/json"
is 'what stdio spends its time on' "$(perl -MJSON::PP -0777 -ne 'my %of = map { $_->{call} => $_ } @{ decode_json($_)->{calls} };
	print join(" ", map { my $row = $of{$_}; "$_: " . join("", grep { $row->{self} && $row->{$_} == $row->{self} } qw(moving metadata)) }
		qw(fopen fprintf fflush fclose))' "$T/json")" 'fopen: metadata fprintf: moving fflush: moving fclose: metadata'

# --- lines are looked up for findings, and not for tables of files ------------
# opens OPTIONS...: how often iotrace-stat opens the program for that
opens()
{
	strace -f -o "$T/strace" -e trace=open,openat "$IOTRACE_STAT" "$@" "$T/logs" >"$T/said" || return 1
	grep -c "\"$T/lines\"" "$T/strace"
}
tap_about=
ok 'findings: the program is looked into' [ "$(opens)" -gt 0 ]
is '--by=file: it is not' "$(opens --by=file)" 0
is '--format=csv: it is not' "$(opens --format=csv)" 0

# --- sums in parts know as much as the whole ----------------------------------
cat >"$T/library.c" <<'EOT_C'
#include <fcntl.h>
#include <stdio.h>

int PREFIX_open(int i);
int PREFIX_open(int i)
{
	char name[20];

	snprintf(name, sizeof(name), "kept.%d", i % 2);
	return open(name, O_RDWR | O_CREAT, 0600);
}
EOT_C
cat >"$T/user.c" <<'EOT_C'
int PREFIX_open(int i);

int main(void)
{
	for (int i = 0; i < 40; i++)
		if (PREFIX_open(i) < 0)
			return 1;
	return 0;
}
EOT_C
# leaks: whether the same program, but for the name of the library's function, leaks
leaks()
{
	rm -rf "$T/logs" && mkdir "$T/logs" && cd "$T" || return 1
	"$CC" -DPREFIX_open="$1_open" -O2 -fPIC -shared -o libuser.so library.c &&
		"$IOCC" -DPREFIX_open="$1_open" -g -O2 -o user user.c -L. -luser -Wl,-rpath,"$T" || return 1
	IOTRACE_DIR=$T/logs ./user || return 1
	"$IOTRACE_STAT" --format=json logs/* >whole && "$top_builddir/t/stat/parts" 1 logs/* >part || return 1
	echo "$(grep -c '"leaked"' whole) $(grep -c '"leaked"' part)"
}
built "$top_builddir/t/stat/parts"
is 'descriptors that a library leaves open' "$(leaks own)" '1 1'
is 'descriptors that MPI leaves open are its own' "$(leaks PMPI)" '0 0'

# --- what is about all that a file moves is one finding, whatever lines move it --
cat >"$T/again.c" <<'EOT_C'
#include <fcntl.h>
#include <unistd.h>

static char block[65536];

static void once(int fd)
{
	for (int i = 0; i < 4; i++)
		if (pread(fd, block, sizeof(block), i * (off_t)sizeof(block)) < 0)
			_exit(1);
}

int main(void)
{
	int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (ftruncate(fd, 4 * sizeof(block)))
		return 1;
	once(fd);
	for (int i = 0; i < 4; i++)
		if (read(fd, block, sizeof(block)) < 0)
			return 1;
	return 0;
}
EOT_C
ok 'two lines that read a file: it compiles' "$IOCC" -g -O1 -o "$T/again" "$T/again.c"
rm -rf "$T/logs"
mkdir "$T/logs"
(cd "$T" && IOTRACE_DIR=$T/logs ./again)
"$IOTRACE_STAT" --format=json --rule=minor=off "$T/logs" >"$T/json"
is 'it was read again: once, with the calls of both' "$(perl -MJSON::PP -0777 -ne 'print map { "$_->{id} $_->{calls} $_->{bytes}\n" }
	@{ decode_json($_)->{findings} }' "$T/json")" 'reread 8 524288'

# --- a stream reads on from where the program went with its descriptor ----------
cat >"$T/halves.c" <<'EOT_C'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char all[262144];

/* Reads one of four parts of the file. */
static int part(int number)
{
	int fd = open("data", O_RDWR | O_CREAT, 0600);
	FILE *f = fdopen(fd, "r");

	if (ftruncate(fd, 4 * sizeof(all)) || lseek(fd, number * (off_t)sizeof(all), SEEK_SET) < 0)
		return 1;
	return fread(all, 1, sizeof(all), f) != sizeof(all);
}

int main(void)
{
	return part(0) || part(1) || part(2) || part(3);
}
EOT_C
ok 'a stream on a descriptor: it compiles' "$IOCC" -g -O1 -o "$T/halves" "$T/halves.c"
rm -rf "$T/logs"
mkdir "$T/logs"
ok 'it runs' sh -c "cd '$T' && IOTRACE_DIR='$T/logs' ./halves"
"$IOTRACE_STAT" --format=json --rule=minor=off "$T/logs" >"$T/json"
unlike 'nothing is read again' "$T/json" '"reread"'

# --- what a stream reads in vain
cat >"$T/heads.c" <<'EOT_C'
#include <stdio.h>

int main(int argc, char **argv)
{
	static char buffer[1 << 16];
	FILE *f = fopen(argv[1], "r");
	char head[64];

	setvbuf(f, buffer, _IOFBF, argc > 2 ? 4096 : sizeof(buffer));
	for (int i = 0; i < 100; i++)
		if (fseek(f, i % 5 * 100000, SEEK_SET) || fread(head, sizeof(head), 1, f) != 1) /* in vain */
			return 1;
	return 0;
}
EOT_C
head -c 1000000 /dev/zero >"$T/big"
ok 'a large buffer, of which little is used: it compiles' "$IOCC" -static -g -O1 -o "$T/heads" "$T/heads.c"
rm -rf "$T/logs"
mkdir "$T/logs"
ok 'it runs' sh -c "IOTRACE_DIR='$T/logs' '$T/heads' '$T/big'"
COLUMNS=80 "$IOTRACE_STAT" --rule=reread=off --rule=slow=off --rule=minor=off "$T/logs" >"$T/text"
like 'what is read and never used' "$T/text" '^1 .* bytes read and never used'
like 'its line' "$T/text" "main .heads.c:$(sed -n '/in vain/=' "$T/heads.c")"
like 'quotes in advice are quotes' "$T/text" ' "disable"'
rm -rf "$T/logs"
mkdir "$T/logs"
ok 'with a small buffer' sh -c "IOTRACE_DIR='$T/logs' '$T/heads' '$T/big' small"
"$IOTRACE_STAT" --format=json --rule=minor=off "$T/logs" >"$T/json"
unlike 'none of it' "$T/json" '"id":"unused"'
# Two plugins, of which the second is loaded to where the first one was: their calls have one stack
mkdir "$T/plugins"
perl -I"$top_srcdir/t/lib" -MMkLog -e '
	sub at {
		my ($since, $name) = @_;
		my $d = MkLog::map_def(0x10000, 0x20000, 0, "12345678", "/none/$name");
		$d->[0] .= pack "Q", MkLog::ticks($since);
		substr($d->[0], 8, 8) = pack "Q", length($d->[0]) / 8 << 32;
		return $d;
	}
	my $l = MkLog->new;
	my @of = map { my $of = $_; [ map { $l->compact("write", handle => 1, stack => 5, start => 100000 * $of + 10 * $_, dur => 5,
		size => 16, offset => 16 * $_) } 1 .. 2000 ] } 1, 2;
	$l->block(records => [ MkLog::path(1, "/data/out"), MkLog::handle(1, 3, 1), MkLog::stack(5, 0x10005), at(100, "first.so"),
		at(200000, "second.so"), @{ $of[0] } ]);
	$l->block(seq => 1, base => 200000, records => $of[1]);
	$l->save($ARGV[0])' "$T/plugins/log.iotrace"
is 'each of two plugins at one address has its own calls' \
	"$("$IOTRACE_STAT" --rule=minor=off --format=json "$T/plugins" | perl -MJSON::PP -0777 -ne '
		print join " ", sort map { $_->{count} . " by " . ($_->{site}{module} =~ s{.*/}{}r) }
			grep { $_->{id} eq "small-writes" } @{ decode_json($_)->{findings} }')" '2000 by first.so 2000 by second.so'
done_testing
