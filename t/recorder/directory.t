#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_DIR leads where its user wants: a directory that is made is its owner's, whatever
# the umask, and links on the way are followed as the kernel does with protected_symlinks:
# none of another user's in a directory that everybody may write.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build hostile -Wall
chmod 755 "$T"
run_plain hostile none 10

# goes DIRECTORY COMMAND...: the program with that IOTRACE_DIR, from $T/in, undisturbed
goes()
{
	goes_to=$1
	shift
	rm -rf "$T/in"
	mkdir -m 777 "$T/in"
	(cd "$T/in" && IOTRACE_DIR=$goes_to exec "$@" "$T/traced/hostile" none 10 >"$T/out" 2>"$T/err" </dev/null)
	echo $? >"$T/status"
	grep '^iotrace:' "$T/err" >"$T/said"
	sed -i '/^iotrace:/d' "$T/err"
	undisturbed "$goes_to"
	goes_logs=$(find "$T" -name 'hostile.*.iotrace' | sed "s,$T/,,; s,/hostile.*,,")
	find "$T" -name 'hostile.*.iotrace' -exec rm {} +
}

# --- links
mkdir "$T/to" "$T/to/deep"
ln -s to "$T/near"
ln -s "$T/near/deep" "$T/far"
ln -s loop "$T/loop"
ln -s ../to/deep "$T/to/up"
goes "$T/near" env
is 'a relative link' "$goes_logs" to
goes "$T/far" env
is 'a link over a link' "$goes_logs" to/deep
goes "$T/near/up/../deep/new//er/" env
is 'links, .. and what is made' "$goes_logs" to/deep/new/er
goes ../near/deep env
is 'from the working directory' "$goes_logs" to/deep
goes /proc/self/cwd/logs env
is 'a link of /proc' "$goes_logs" in/logs
goes "$T/loop" env
is 'a loop' "$goes_logs" ''
like 'a loop: said' "$T/said" '/loop: no such directory'

# --- umask
if [ "$(id -u)" = 0 ]; then
	user='setpriv --reuid=65534 --regid=65534 --clear-groups'
else
	user='env'
fi
for umask in 0777 0700 0; do
	mkdir -m 777 "$T/made"
	# shellcheck disable=SC2016,SC2086 # its own; words
	goes "$T/made/a/b" $user sh -c "umask $umask"' && exec "$@"' sh
	is "umask $umask: a directory is made, and found again" "$goes_logs" made/a/b
	is "umask $umask: it is its owner's" "$(stat -c %a "$T/made/a" "$T/made/a/b" | tr '\n' ' ')" '700 700 '
	chmod -R u+rwx "$T/made"
	rm -rf "$T/made"
done

# --- links of others
if [ "$(id -u)" != 0 ]; then
	skip 'links of others' 'only root can make those'
	done_testing
fi
mkdir -m 1777 "$T/tmp"
mkdir -m 777 "$T/open" "$T/open/target"
mkdir -m 755 "$T/own"
for dir in tmp open own; do
	ln -s "$T/open/target" "$T/$dir/theirs"
	chown -h 1 "$T/$dir/theirs"
	ln -s "$T/open/target" "$T/$dir/mine"
	chown -h 65534 "$T/$dir/mine"
	ln -s "$T/open/target" "$T/$dir/root"
done
# shellcheck disable=SC2086 # words
for who in "$user" env; do
	for link in theirs mine root; do
		for dir in tmp open own; do
			case $dir-$link-$who in
			tmp-theirs-* | tmp-mine-env)	expected= ;;
			*)				expected=open/target/new ;;
			esac
			rm -rf "$T/open/target/new"
			goes "$T/$dir/$link/new" $who
			is "$dir: the link $link, followed by ${who%% *}" "$goes_logs" "$expected"
			[ -n "$expected" ] ||
				like 'said' "$T/said" "symbolic link on the way is another user's.*not recorded"
			[ -n "$expected" ] || ok 'nothing is made there' test ! -e "$T/open/target/new"
		done
	done
done
ln -s "$T/tmp/theirs" "$T/own/twice"
goes "$T/own/twice/new" env
is 'over a link of its own' "$goes_logs" ''
done_testing
