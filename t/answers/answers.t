#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What iotrace-stat says of programs with one fault each, of the same without it, and of
# clean ones: whatever it once had right, which reached lists, it still has.
. "${0%/*}/../lib/tap.sh"
here=$top_srcdir/t/answers

# --- the judge itself --------------------------------------------------------
cat >"$T/box.c" <<'EOT_C'
	first(); /* FINDING small-writes|appends out/box~ */
	second(); /* FINDING small-writes box.log */
EOT_C
# judged AS FINDING...: what the judge says of these findings
judged()
{
	tap_as=$1
	shift
	printf '{"findings":[%s]}' "$*" >"$T/json"
	"$here/verdict" "$tap_as" "$T/json" "$T/box.c" | grep -v '#' | tr '\n' ' '
}
right='{"id":"appends","severity":"cost","path":"/tmp/out/box.1","site":{"func":"f","file":"/src/box.c","line":2}}'
wrong='{"id":"reread","severity":"cost","path":"/tmp/abox.log","site":{"func":"f","file":"/src/box.c","line":3}}'
info='{"id":"unseen","severity":"info","path":"/tmp/box.log"}'
is 'a finding that is right' "$(judged seeded "$right")" 'cause file line '
is 'a second one does not count' "$(judged seeded "$right,$wrong")" 'cause file line '
is 'a finding that is wrong' "$(judged seeded "$wrong,$right")" ''
is 'information does not count' "$(judged seeded "$info,$right")" 'cause file line '
is 'none' "$(judged seeded)" ''
is 'none is what a program without a fault wants' "$(judged fixed)" 'silent '
is 'and information' "$(judged fixed "$info")" 'silent '
is 'but no other finding' "$(judged fixed "$info,$right")" ''

echo '	third(); /* INFORMATION unseen box.log */' >"$T/box.c"
is 'information that a program asks for' "$(judged fixed "$info")" ''
is 'with its line' "$(judged fixed '{"id":"unseen","severity":"info","path":"/tmp/box.log","site":{"func":"f","file":"/src/box.c","line":1}}')" 'silent '

# --- what it says of iotrace-stat --------------------------------------------
# shellcheck source=t/answers/programs.sh
chosen=$(. "$here/programs.sh" && chosen_names)
# shellcheck disable=SC2086 # several words
"$here/judge" $chosen >"$T/judged" 2>"$T/said"
none 'the programs are judged' "$T/said"
grep '#' "$T/judged"
# lacks NAME WORDS...: which of them do not hold of it
lacks()
{
	holds=" $(sed -n "s/^$1 \([^#]*\).*/\1/p" "$T/judged") "
	shift
	for word; do
		case $holds in *" $word "*) ;; *) echo "$word" ;; esac
	done
}
# The load of the machine may make a call slow, and so a fault of what is none: what does not
# hold is judged again.
while read -r name words; do
	echo "$chosen" | grep -q -x "$name" || continue
	for again in 1 2; do
		grep -q "^$name skipped" "$T/judged" && break
		# shellcheck disable=SC2086 # several words
		[ -n "$(lacks "$name" $words)" ] || break
		diag "$name: judged again, $again"
		sed "/^$name /d" "$T/judged" >"$T/others"
		{ cat "$T/others"; "$here/judge" "$name" </dev/null | tee "$T/said" | grep "^$name "; } >"$T/judged"
		grep "^# $name" "$T/said"
	done
	if grep -q "^$name skipped" "$T/judged"; then
		skip "$name: $words" "$(sed -n "s/^$name skipped # //p" "$T/judged")"
	else
		# shellcheck disable=SC2086 # several words
		is "$name: $words" "$(lacks "$name" $words | tr '\n' ' ')" ''
	fi
done <"$here/reached"
# what has come to hold belongs into the list
while read -r name words; do
	# shellcheck disable=SC2013,SC2086 # several words
	for word in $words; do
		case $word in
		skipped) break ;;
		esac
		grep -q -E "^$name( .*)? $word( |\$)" "$here/reached" || diag "not in t/answers/reached: $name $word"
	done
done <<EOT_JUDGED
$(grep -v '^#' "$T/judged")
EOT_JUDGED
done_testing
