#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # scripts for dash
#
# dash: fork, vfork, exec, pipes, descriptors moved about, signals; and itself
# again as a child.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
. "${0%/*}/../lib/real.sh"

real_build dash
cat >"$T/script" <<'EOF'
exec 5>out 6<&0
echo one >&5
cat <<END
here $(echo a document)
END
for i in 1 2 3; do echo $i; done | while read x; do echo "got $x"; done
(cd / && pwd) | cat
false || echo failed $?
sh -c 'exit 7'; echo $?
"$SELF" -c 'echo a child of its own; exec true'
"$SELF" -c 'echo text | { read a; echo "$a"; } >&2; kill -TERM $$'
echo killed $?
trap 'echo trapped' USR1
kill -USR1 $$
sleep 0.01 & wait
echo "$(echo nested "$(echo twice)")"
[ -e out ] && test -w / && echo tested
umask 077
: >made; ls -l made | cut -c1-10
cat /missing
. ./missing 2>/dev/null || :
echo not reached
EOF
real_run 'a script' "$T/script"
printf 'echo from standard input\nread x\nthe line\necho $x\nexit 3\n' >"$T/stdin"
run_stdin=$T/stdin
real_run 'standard input' -s
done_testing
