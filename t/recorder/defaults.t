#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a site sets for all: the administrator's file of defaults, what IOTRACE_DIR may
# have in it, and recording that is off unless asked for.
# shellcheck disable=SC2016,SC2119 # for another shell; n_logs takes a directory, or none
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build which -Wall
run_plain which

# --- directories
# dir VALUE DIRECTORY NAME=VALUE...: with IOTRACE_DIR=$T/d/VALUE the log is in $T/d/DIRECTORY
dir()
{
	dir_value=$1 dir_there=$2
	shift 2
	rm -rf "$T/d" "$T/in"
	mkdir "$T/d" "$T/in"
	(cd "$T/in" && exec env -u USER -u LOGNAME "$@" IOTRACE_DIR="$T/d/$dir_value" "$T/traced/which" >"$T/out" 2>"$T/err" </dev/null)
	echo $? >"$T/status"
	undisturbed "IOTRACE_DIR=$dir_value"
	is "IOTRACE_DIR=$dir_value: the log is in $dir_there" \
		"$(cd "$T/d" && find . -name '*.iotrace' | sed 's|/[^/]*$||; s|^\./||')" "$dir_there"
}
dir new new A=1
is 'the directory is made for its owner' "$(stat -c %a "$T/d/new")" 700
dir a/b//c a/b/c A=1
is 'and those above it' "$(stat -c %a "$T/d/a" "$T/d/a/b" | tr '\n' ' ')" '700 700 '
umask=$(umask)
umask 0777
dir e/f e/f A=1
umask "$umask"
is 'and with any umask' "$(stat -c %a "$T/d/e" "$T/d/e/f" | tr '\n' ' ')" '700 700 '
dir '%u' someone USER=someone
dir '%u' someone LOGNAME=someone
dir '%u' "$(id -u)" A=1
dir 'x-%u' 'x-_._up_x' USER='../up/x'
dir '%j/%r' 17/3 SLURM_JOB_ID=17 PMI_RANK=3 PMI_SIZE=4
dir '%j' 4.server PBS_JOBID=4.server
dir '%j' f23 FLUX_JOB_ID=f23
dir '%j-%r' none-none A=1
dir '%n.%h' "which.$(uname -n | sed 's/\..*//')" A=1
dir '50%%' 50% A=1
dir 'a%x%' a%x% A=1
rm -rf "$T/d"
(cd "$T/in" && IOTRACE_DIR=$T/d/%p "$T/traced/which" >/dev/null)
pid=$(ls "$T/d")
is '%p is the process' "$(find "$T/d" -name "which.*.$pid.*.iotrace" | wc -l | tr -d ' ')" 1
: >"$T/file"
rm -rf "$T/in"
mkdir "$T/in"
(cd "$T/in" && IOTRACE_DIR=$T/file/below exec "$T/traced/which" >"$T/out" 2>"$T/err" </dev/null)
like 'what can not be made is said' "$T/err" "^iotrace: $T/file/below: not a directory; this run is not recorded"

# --- the file
ok 'make install does not change its name, wherever it goes' sh -c '! grep "^IOT_DEFAULTS = .*[$]" "$1"' sh "$top_builddir/Makefile"
[ -n "$IOT_DEFAULTS" ] || { skip 'the file of defaults' 'built without'; done_testing; }
how=-m
[ "$(id -u)" = 0 ] || how=-rm
if ! unshare $how mount -t tmpfs none "${IOT_DEFAULTS%/*}" 2>/dev/null; then
	skip 'the file of defaults' "can't mount anything at ${IOT_DEFAULTS%/*}"
	done_testing
fi
make_file='cp "$CONF" "$FILE" && chmod 644 "$FILE"'
# site [COMMAND...]: the command, or the program, where $T/conf is the file of defaults
site()
{
	[ $# -gt 0 ] || set -- "$T/traced/which"
	rm -rf "$T/in" "$T/site"
	mkdir "$T/in" "$T/site"
	(cd "$T/in" && CONF=$T/conf FILE=$IOT_DEFAULTS unshare $how sh -c \
		'mount -t tmpfs none "${FILE%/*}" && '"$make_file"' && unset CONF FILE && exec "$@"' sh "$@" \
		>"$T/out" 2>"$T/err" </dev/null)
	echo $? >"$T/status"
}
# has_setting DESCRIPTION NAME=VALUE: in the log's header
has_setting()
{
	is "$1" "$(cat "$T"/site/*.iotrace | grep -a "^setting ${2%%=*}=")" "setting $2"
}

cat >"$T/conf" <<EOT
# of all users
IOTRACE_DIR = $T/site
	IOTRACE_STACK=3

most IOTRACE_LIMIT = 1M
final IOTRACE_BUFFER = 32k
EOT
site
undisturbed 'a file of defaults'
is 'its directory counts' "$(n_logs "$T/site")" 1
has_setting 'its settings are in the log' IOTRACE_STACK=3
has_setting 'what is the most is the default' IOTRACE_LIMIT=1M
mkdir -p "$logs"
rm -f "$logs"/*
site env IOTRACE_DIR="$logs" IOTRACE_STACK=5 "$T/traced/which"
undisturbed 'the environment counts more'
is 'its directory' "$(n_logs "$logs") $(n_logs "$T/site")" '1 0'
site env IOTRACE_STACK=5 "$T/traced/which"
has_setting 'and its numbers' IOTRACE_STACK=5
site env IOTRACE_LIMIT=512k "$T/traced/which"
undisturbed 'less than the most'
has_setting 'less than the most counts' IOTRACE_LIMIT=512k
for more in 2M 0; do
	site env IOTRACE_LIMIT=$more "$T/traced/which"
	like "IOTRACE_LIMIT=$more is more than that" "$T/err" "^iotrace: IOTRACE_LIMIT=$more: more than the administrator allows"
	has_setting "IOTRACE_LIMIT=$more: the most counts" IOTRACE_LIMIT=1M
done
site env IOTRACE_BUFFER=1M "$T/traced/which"
like 'what is final is said to be' "$T/err" '^iotrace: IOTRACE_BUFFER=1M: the administrator has set it'
has_setting 'and counts' IOTRACE_BUFFER=32k
site env IOTRACE_BUFFER=32k "$T/traced/which"
undisturbed 'the same value as what is final'

printf 'IOTRACE = no\nIOTRACE_DIR = %s' "$T/site" >"$T/conf"
unset IOTRACE
site
undisturbed 'off by default'
is 'off by default: no log' "$(n_logs "$T/site")" 0
site env IOTRACE=1 "$T/traced/which"
is 'IOTRACE=1 asks for it' "$(n_logs "$T/site")" 1
site "$top_builddir/tools/iotrace-run" -o "$T/site" cat /dev/null
is 'so does iotrace run' "$(n_logs "$T/site")" 1
site "$top_builddir/tools/iotrace-run" cat /dev/null
is 'iotrace run without -o: the directory of the site' "$(n_logs "$T/site")" 1
printf 'final IOTRACE = on\nIOTRACE_DIR = %s\n' "$T/site" >"$T/conf"
site env IOTRACE=0 "$T/traced/which"
undisturbed 'whoever wants no log'
is 'has none' "$(n_logs "$T/site")" 0
ask

cat >"$T/conf" <<EOT
IOTRACE_DIR = $T/site
IOTRACE_STAKC = 3
nonsense
IOTRACE_SYSCALLS = 1
IOTRACE_STACK = 99
EOT
site
like 'a name that is none' "$T/err" "^iotrace: IOTRACE_STAKC: is no setting that can stand in $IOT_DEFAULTS\$"
like 'a line that is none' "$T/err" "^iotrace: nonsense: is no line NAME = VALUE of $IOT_DEFAULTS\$"
like 'what is asked for before' "$T/err" "^iotrace: IOTRACE_SYSCALLS: is no setting that can stand in $IOT_DEFAULTS\$"
like 'a bad value' "$T/err" '^iotrace: IOTRACE_STACK=99: not a number from 0 to 64'
is 'the rest counts' "$(n_logs "$T/site")" 1

echo "IOTRACE_DIR = $T/site" >"$T/conf"
for mode in 646 664; do
	make_file='cp "$CONF" "$FILE" && chmod '$mode' "$FILE"'
	rm -f "$logs"/*
	site env -C "$logs" "$T/traced/which"
	like "mode $mode: is ignored" "$T/err" "^iotrace: $IOT_DEFAULTS: is no file that only root can write; it is ignored"
	is "mode $mode: does not count" "$(n_logs "$T/site")" 0
done
if [ "$(id -u)" = 0 ]; then
	make_file='cp "$CONF" "$FILE" && chmod 644 "$FILE" && chown 65534 "$FILE"'
	site
	is 'of somebody else: does not count' "$(n_logs "$T/site")" 0
else
	skip 'of somebody else: does not count' 'not root'
fi
make_file='mkfifo -m 600 "$FILE"'
site timeout 600 "$T/traced/which"
is 'a pipe keeps nobody waiting' "$(cat "$T/status")" 0
make_file=:
if command -v strace >/dev/null; then
	site env IOTRACE_DIR="$logs" strace -f -qq -o "$T/strace" "$T/traced/which"
	is 'a file that is not there costs one open' "$(grep -c "\"$IOT_DEFAULTS\"" "$T/strace")" 1
else
	skip 'a file that is not there costs one open' 'strace is not installed'
fi

# --- --enable-default-off
cat >"$T/off.c" <<'EOT'
#include <stdio.h>
#include "setting.h"

int main(void)
{
	uint64_t on = 2;

	iot_setting_number(IOT_SET_ON, NULL, &on);
	return printf("%d\n", (int)on) < 0;
}
EOT
# shellcheck disable=SC2086 # CC may have options
for off in '' -DIOT_DEFAULT_OFF; do
	ok "setting.c is compiled ${off:-as it is}" $CC $off -I"$top_srcdir/lib/core" -I"$top_builddir/lib" -o "$T/off" \
		"$T/off.c" "$top_srcdir/lib/core/setting.c"
	is "recording is ${off:-on}" "$("$T/off")" "$([ -n "$off" ] && echo 0 || echo 1)"
done
# A program with that recorder: what an archive is searched for behind it is already there.
if [ "$form" = static ]; then
	# shellcheck disable=SC2086
	ok 'setting.c is compiled for a program' $CC -O2 -fPIE -fno-stack-protector -D_GNU_SOURCE -DIOT_DEFAULT_OFF \
		-I"$top_srcdir/lib/core" -I"$top_srcdir/include" -I"$top_builddir/lib" -c -o "$T/setting.o" \
		"$top_srcdir/lib/core/setting.c"
	ok 'a program is linked with it' "$IOCC" -static -O2 -o "$T/traced/which" "$T/setting.o" "$rec_src/which.c"
	# asked VALUE LOGS: so many logs there are with IOTRACE=VALUE, without it if it is empty
	asked()
	{
		rm -rf "$T/in" "$logs"
		mkdir "$T/in" "$logs"
		(unset IOTRACE && cd "$T/in" && exec env ${1:+IOTRACE="$1"} IOTRACE_DIR="$logs" \
			"$T/traced/which" >"$T/out" 2>"$T/err" </dev/null)
		echo $? >"$T/status"
		undisturbed "off unless asked for, IOTRACE=$1"
		is "off unless asked for, IOTRACE=$1: logs" "$(n_logs)" "$2"
	}
	asked '' 0
	asked off 0
	asked on 1
	asked yes 1
	# iotrace run asks if it is of such a build itself
	if [ -n "${IOT_DEFAULT_OFF:-}" ]; then
		rm -rf "$logs"
		(unset IOTRACE && exec "$top_builddir/tools/iotrace-run" -o "$logs" "$T/traced/which") >"$T/out" 2>&1
		is 'iotrace run asks for it' "$(n_logs)" 1
	fi
fi
done_testing
