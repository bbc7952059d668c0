#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The settings in the environment: what each does, what bad values and
# directories do, and that the program's output and status never change.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build settings
run_plain settings

# said DESCRIPTION NAME: the program said the same as ever but for one line, on
# stderr, from the recorder, with NAME in it
said()
{
	grep -v '^iotrace: ' "$T/err" >"$T/err.program"
	is "$1: one line on stderr" "$(grep -c '^iotrace: ' "$T/err")" 1 || diag_file "$T/err"
	like "$1: which names it" "$T/err" "^iotrace: .*$2"
	mv "$T/err.program" "$T/err"
	undisturbed "$1"
}

# with NAME=VALUE...: the program with these settings, otherwise undisturbed
with()
{
	for setting in "$@"; do
		export "${setting?}"
	done
	run settings
	for setting in "$@"; do
		unset "${setting%%=*}"
	done
	ask
}

# --- on and off
with IOTRACE=on
undisturbed 'IOTRACE=on'
is 'a log for the program, and its child in it' "$(n_logs) $(n_processes)" '1 2'
sound 'defaults'
count 'every call on posix descriptors' '$call == "write" && $path ~ "/keep/raw$"' 5
cp "$T/calls" "$T/calls.all"
with IOTRACE=off
undisturbed 'IOTRACE=off'
is 'IOTRACE=off: no log' "$(n_logs)" 0
# a static program that loads a library: dlopen() is called as from its caller, which needs no recorder
printf '#include <dlfcn.h>\nint main(void) { return !dlopen("libm.so.6", RTLD_NOW); }\n' >"$T/loads.c"
"$IOCC" -static -o "$T/loads" "$T/loads.c" 2>/dev/null
ok 'IOTRACE=off: dlopen() in a static program' env IOTRACE=off "$T/loads"
for word in 0 no No false OFF; do
	with IOTRACE=$word
	undisturbed "IOTRACE=$word"
	is "IOTRACE=$word: no log" "$(n_logs)" 0
done
for word in 1 yes YES true On; do
	with IOTRACE=$word
	undisturbed "IOTRACE=$word"
	is "IOTRACE=$word: a log" "$(n_logs)" 1
done
usual=$([ -n "${IOT_DEFAULT_OFF:-}" ] && echo 0 || echo 1)
with IOTRACE=
undisturbed 'IOTRACE empty'
is 'IOTRACE empty: as if it were not there' "$(n_logs)" "$usual"
with IOTRACE=maybe
said 'IOTRACE=maybe' 'IOTRACE=maybe'
is 'IOTRACE=maybe: ignored' "$(n_logs)" "$usual"

# --- units are those of tools' options
for setting in IOTRACE_BUFFER=64KiB IOTRACE_BUFFER=64kb IOTRACE_LIMIT=1g IOTRACE_UNTIL=2min IOTRACE_UNTIL=1h IOTRACE_UNTIL=1d; do
	with $setting
	undisturbed "$setting"
	is "$setting: a log" "$(n_logs)" "$usual"
done
with IOTRACE_BUFFER=64KiBi
said 'a unit that is none' 'IOTRACE_BUFFER=64KiBi: not a size'

# --- the directory
mkdir "$T/elsewhere"
with "IOTRACE_DIR=$T/elsewhere"
undisturbed 'an absolute directory'
is 'logs lie there' "$(n_logs "$T/elsewhere")" 1
mkdir "$T/rel"
with IOTRACE_DIR=../rel
undisturbed 'a relative directory'
is 'logs lie where it is, from where the program started' "$(n_logs "$T/rel")" 1
rm -rf "$T/in"
mkdir "$T/in"
(cd "$T/in" && "$T/traced/settings" >"$T/out" 2>"$T/err" </dev/null)
is 'without a directory they lie where the program started' "$(n_logs "$T/in")" 1
for bad in "file/none:not a directory" "file:not a directory" "fifo:not a directory" "null:not a directory"; do
	: >"$T/file"
	[ -e "$T/fifo" ] || mkfifo "$T/fifo"
	rm -f "$T/none"
	dir=$T/${bad%%:*}
	[ "${bad%%:*}" != null ] || dir=/dev/null
	with IOTRACE_DIR="$dir"
	said "a directory that is none (${bad%%:*})" "$dir: ${bad#*:}"
done
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir "$T/closed" "$T/free"
	chmod 755 "$T" "$T/closed"
	chmod 777 "$T/free"
	: >"$T/status"
	(cd "$T/free" && IOTRACE_DIR=$T/closed setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$T/traced/settings" >"$T/out" 2>"$T/err" </dev/null)
	echo $? >"$T/status"
	said 'a directory of others' "$T/closed: permission denied"
else
	mkdir "$T/closed"
	chmod 555 "$T/closed"
	with IOTRACE_DIR="$T/closed"
	said 'a directory that must not be written' "$T/closed: permission denied"
fi

# --- paths
with IOTRACE_PATHS='/keep(/|$)'
undisturbed IOTRACE_PATHS
sound IOTRACE_PATHS
count 'paths that match are there' '$path ~ "/keep/raw$" && $call == "write"' 5
count 'with what libc does for them' '$path ~ "/keep/text$" && $internal == 1 && $call == "write"' 1
count 'in the child too' '$path ~ "/keep/child$" && $call == "write"' 1
count 'no others' '$path != "" && $path !~ "/keep" && $call != "rename"' 0
count 'a rename to such a path' '$call == "rename"' 2
count 'calls that concern no path' '$call == "_Fork" || $call == "fork"' "$(by_column '$call == "_Fork" || $call == "fork" { n++ } END { print n + 0 }' "$T/calls.all")"
with IOTRACE_EXCLUDE='/drop(/|$)'
undisturbed IOTRACE_EXCLUDE
sound IOTRACE_EXCLUDE
count 'paths that match are not there' '$path ~ "/drop" && $call != "rename"' 0
count 'nor what libc does for them' '$call == "fopen" || ($internal == 1 && $call == "open" && $path !~ /proc/)' "$(either 2 1)"
count 'nor calls on the directory' '$family == "dir"' 0
count 'others are' '$path ~ "/keep/raw$" && $call == "write"' 5
count 'and calls without a path' '$call == "socketpair"' 1
with IOTRACE_PATHS='/(keep|drop)/' IOTRACE_EXCLUDE='/(raw|again)$'
sound 'both'
count 'IOTRACE_EXCLUDE takes from IOTRACE_PATHS' '$call == "write" && $path ~ "/(keep|drop)/text$"' 2
count 'and nothing else is left' '$call == "write" && $path ~ "raw$"' 0

# --- families
n=0
for family in posix stdio dir mem proc net; do
	with IOTRACE_CALLS=$family
	undisturbed "IOTRACE_CALLS=$family"
	cat_logs
	is "$family: all of its calls" "$(how_many 1)" "$(by_column -v f=$family '$family == f { n++ } END { print n + 0 }' "$T/calls.all")"
	count "$family: no others" "\$family != \"$family\"" 0
	n=$((n + $(how_many 1)))
done
is 'the families together are everything' "$n" "$(wc -l <"$T/calls.all" | tr -d ' ')"
with IOTRACE_CALLS=stdio
cat_logs -y
count 'paths of descriptors that were opened by calls of other families are known' '$call == "fprintf" && $path ~ "/(keep|drop)/text$"' 2
with IOTRACE_CALLS=posix,proc
cat_logs
count 'two families' '$family == "proc" || $family == "posix"' "$(how_many 1)"

# --- programs
cp "$T/traced/settings" "$T/traced/other"
cp "$T/plain/settings" "$T/plain/other"
run_plain settings "$T/plain/other"
for one in settings other; do
	export IOTRACE_PROGRAMS="/$one\$"
	run settings "$T/traced/other"
	undisturbed "IOTRACE_PROGRAMS=$IOTRACE_PROGRAMS"
	sound "only $one"
	count "only $one" "\$prog != \"$one\"" 0
	count "all of $one" '$call == "write" && $path ~ "/keep/raw$"' 5
done
unset IOTRACE_PROGRAMS
run settings "$T/traced/other"
cat_logs
count 'both otherwise' '$call == "write" && $path ~ "/keep/raw$"' 10
run_plain settings

# --- stacks
# depth: how many return addresses socketpair's stack has
depth()
{
	"$IOTRACE_CAT" -k -e socketpair "$logs" 2>/dev/null | grep -c '^ > .*\[0x[0-9a-f]*\]$'
}
for n in 0 1 3; do
	with IOTRACE_STACK=$n
	undisturbed "IOTRACE_STACK=$n"
	is "IOTRACE_STACK=$n: as many frames" "$(depth)" $n
done
with IOTRACE_STACK=64
is 'more than there are: all there are' "$([ "$(depth)" -ge 12 ] && echo all)" all
with IOTRACE_STACK_PATHS='/keep/'
undisturbed IOTRACE_STACK_PATHS
"$IOTRACE_CAT" -k --format=json "$logs" >"$T/json"
is 'stacks for paths that match' "$(grep -c '"path":"[^"]*/keep/raw".*"stack":' "$T/json")" "$(grep -c '"path":"[^"]*/keep/raw"' "$T/json")"
is 'none for others' "$(grep -c '"path":"[^"]*/drop/text".*"stack":' "$T/json")" 0

# --- sizes
for size in 16384 64k 64K 1m 1M; do
	with IOTRACE_BUFFER=$size
	undisturbed "IOTRACE_BUFFER=$size"
	sound "IOTRACE_BUFFER=$size"
	is "IOTRACE_BUFFER=$size: every call" "$(how_many 1)" "$(wc -l <"$T/calls.all" | tr -d ' ')"
done

# --- what is ignored
for bad in 'IOTRACE_STACK=-1' 'IOTRACE_STACK=65' 'IOTRACE_STACK=many' 'IOTRACE_STACK=1x' 'IOTRACE_BUFFER=1' 'IOTRACE_BUFFER=99T' \
	'IOTRACE_BUFFER=9999999999999999999999999' 'IOTRACE_LIMIT=16777217T' 'IOTRACE_LIMIT=1kk' 'IOTRACE_LIMIT=k' 'IOTRACE_CALLS=posix,files' \
	'IOTRACE_CALLS=posix,' 'IOTRACE_CALLS=,' 'IOTRACE_PATHS=[a' 'IOTRACE_EXCLUDE=(' 'IOTRACE_PROGRAMS=*' \
	'IOTRACE_STACK_PATHS=a{2' 'IOTRACE_ON_SLOW=maybe' 'IOTRACE_STACK_BY=frames' \
	'IOTRACE_MEMORY=2' 'IOTRACE_SYSCALLS=2' 'IOTRACE_MERGE=y' 'IOTRACE_MPI_POLL=-1'; do
	with "$bad"
	said "$bad" "$(printf %s "$bad" | sed 's/[][*(){}]/\\&/g').*ignored"
	is "$bad: ignored" "$(n_logs)" 1
done
# allowed SETTING=VALUE WHAT: the message says what may be there
allowed()
{
	with "$1"
	like "$1: what is allowed" "$T/err" "^iotrace: $1: $2; the setting is ignored\$"
}
allowed IOTRACE_STACK=65 'not a number from 0 to 64'
allowed IOTRACE_BUFFER=15K 'not a size from 16k to 16M'
allowed IOTRACE_MEMORY=ja 'not one of on, off, yes, no, true, false, 1, 0'
allowed IOTRACE_STACK_BY=dwarf 'not one of auto, fp, tables'
long=$("$AWK" 'BEGIN { while (i++ < 500) printf "[a]" }')
with "IOTRACE_PATHS=$long"
said 'a long bad pattern' 'IOTRACE_PATHS=.*too many bracket.*ignored'
with "IOTRACE_PATHS=[a
b"
said 'a bad pattern of two lines' 'IOTRACE_PATHS=.*ignored'
with IOTRACE_NONE=1 IOTRACED=2
undisturbed 'settings that there are not'

# --- slips
# slip NAME NEAREST
slip()
{
	with "$1=$T/elsewhere"
	said "$1" "$1 is no setting; the nearest is $2\$"
	is "$1: a log all the same" "$(n_logs)" 1
}
slip IOTRACE_DRI IOTRACE_DIR
slip IOTRACE_PATH IOTRACE_PATHS
slip IOTRACE_STAKC IOTRACE_STACK
slip IOTRACE_EXCULDES IOTRACE_EXCLUDE
slip IOTRACE_DIRECTORY IOTRACE_DIR
slip IOTRACE_LIBDIRS IOTRACE_LIBDIR
with IOTRACE_HOME=/opt/iotrace IOTRACE_ROOT=/opt IOTRACE_VERSION=1 IOTRACE_=2 \
	IOTRACE_A_NAME_THAT_IS_LONGER_THAN_THAT_OF_ANY_SETTING=3 IOTRACE_WRAPPER=off
undisturbed 'names that may be of somebody else'
with IOTRACE_DRI=1 IOTRACE=off
undisturbed 'a slip where nothing is recorded'

# --- one line for a job
cat >"$T/chain.c" <<'EOT'
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	pid_t child = access("/", F_OK) || argc < 2 ? -1 : fork();

	if (!child)
		execv(argv[1], argv + 1);
	return argc > 1 && waitpid(child, NULL, 0) != child;
}
EOT
# shellcheck disable=SC2154,SC2086 # recorder.sh's; there may be no option
ok 'a program that runs others is built' "$IOCC" $link -O2 "$T/chain.c" -o "$T/chain" || done_testing
# once DESCRIPTION LINES COMMAND...: so many lines in all of such a job
once()
{
	once_what=$1 once_lines=$2
	shift 2
	rm -rf "$logs"
	mkdir "$logs"
	IOTRACE_DIR=$logs "$@" 2>"$T/err"
	is "$once_what" "$(grep -c '^iotrace: ' "$T/err")" "$once_lines" || diag_file "$T/err"
}
once 'a slip, in three programs: one line' 1 env IOTRACE_DRI=1 "$T/chain" "$T/chain" "$T/chain"
is 'each of them has a log' "$(n_logs)" 3
once 'a bad value: one line' 1 env IOTRACE_STACK=65 "$T/chain" "$T/chain" "$T/chain"
once 'a shell between them: one line' 1 env IOTRACE_STACK=65 "$T/chain" /bin/sh -c "$T/chain; :"
once 'a program that changes it: two lines' 2 env IOTRACE_STACK=65 "$T/chain" /usr/bin/env IOTRACE_STACK=66 "$T/chain"
once 'whoever was not recorded has not said it' 1 env IOTRACE_STACK=65 IOTRACE_PROGRAMS='/last$' "$T/chain" \
	/bin/sh -c "cp $T/chain $T/last; $T/last; :"
once 'rank 0 says it' 1 env IOTRACE_STACK=65 PMI_RANK=0 PMI_SIZE=2 "$T/chain"
once 'rank 1 does not' 0 env IOTRACE_STACK=65 PMI_RANK=1 PMI_SIZE=2 "$T/chain"
done_testing
