#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What the documentation says is what there is: options, settings, calls, kinds,
# commands and the session in README.
. "${0%/*}/../lib/tap.sh"
command -v groff >/dev/null || skip_all 'groff is not installed'

calls7=$(page iotrace-calls.7)
pages=
for name in $(cd "$top_srcdir/doc" && ls ./*.[1-9] ./*.[1-9].in); do
	name=${name%.in}
	page=$(page "${name#./}")
	case " $pages " in
	*" $page "*) ;; # made in the source tree
	*) pages="$pages $page" ;;
	esac
done

# render PAGE: as plain text, with lines that are wide enough to break nothing
render()
{
	groff -t -man -rHY=0 -rLL=300n -Tascii -P-c -P-b -P-o -P-u "$1" | sed 's/.\x08//g'
}

# section NAME: its lines of a rendered page
section()
{
	awk -v name="$1" '/^[^ ]/ { inside = $0 == name; next } inside'
}

# tags: the tags of a rendered page's list, indented by one step
tags()
{
	sed -n 's/^ \{7\}\([^ ].*\)/\1/p'
}

# equal DESCRIPTION A WHAT-A B WHAT-B: both sorted files have the same lines
equal()
{
	comm -23 "$2" "$4" | sed "s|^|only in $3: |" >"$T/out"
	comm -13 "$2" "$4" | sed "s|^|only in $5: |" >>"$T/out"
	[ -s "$2" ] || echo "nothing in $3" >>"$T/out"
	none "$1" "$T/out"
}

# --- pages -------------------------------------------------------------------
for page in $pages; do
	name=${page##*/}
	if grep -q '^\.so ' "$page"; then
		target=$(sed -n 's/^\.so man[1-9]\///p' "$page")
		ok "$name stands for a page that there is" test -f "$(page "$target")"
		continue
	fi
	groff -t -man -ww -z -Tutf8 "$page" >"$T/out" 2>&1
	none "$name: groff has nothing to say" "$T/out"
	title=$(printf '%s\n' "${name%.*}" | tr '[:lower:]' '[:upper:]')
	like "$name has its name in its title" "$page" "^\.TH $title ${name##*.} "
	render "$page" >"$T/text"
	section NAME <"$T/text" >"$T/name"
	like "$name: NAME says what it is" "$T/name" "(^|[ ,])${name%.*}(,.*)? - [a-z].*[A-Za-z/]\$"
	case $name in
	iotrace-recipes.7 | iotrace-admin.7) ;; # are examples all over
	*) section EXAMPLES <"$T/text" >"$T/out"
	   ok "$name has examples" test -s "$T/out" ;;
	esac
	section 'SEE ALSO' <"$T/text" | grep -o '\(iotrace[a-z-]*\|ioc[a-z]*\)([1-9])' |
		while IFS='()' read -r see number _; do
			[ -f "$(page "$see.$number")" ] ||
				echo "there is no $see($number)"
			[ "$see.$number" != "$name" ] || echo "$see($number) is this page"
		done >"$T/out"
	none "$name: SEE ALSO names pages that there are" "$T/out"
done

# --- options -----------------------------------------------------------------
# --usage comes with argp and is not worth a word.
# page_of COMMAND: that or another one, whose page it shares
page_of()
{
	shared=$(sed -n 's,^\.so man1/\(.*\)\.1$,\1,p' "$(page "$1.1")")
	echo "${shared:-$1}"
}
for tool in "$top_builddir"/tools/iotrace-*; do
	name=${tool##*/}
	case $name in
	*.*) continue ;;
	esac
	"$tool" --help | sed -n 's/^ *\(-.*\)/\1/p' |
		sed 's/  .*//' | grep -oE '(^|[ ,])--?[A-Za-z?][a-z-]*' |
		sed 's/^[ ,]*//' | grep -v '^--usage$' | sort -u >"$T/help"
	render "$(page "$(page_of "$name").1")" | section OPTIONS | tags | grep '^-' |
		grep -oE '(^|[ ,])--?[A-Za-z?][a-z-]*' | sed 's/^[ ,]*//' | sort -u >"$T/man"
	equal "$name: --help and the man page have the same options" "$T/help" --help \
		"$T/man" 'the man page'
	exits "$name --version succeeds" 0 "$tool" --version
done
grep -ohE -e '"--iotrace-[a-z-]+' "$top_srcdir"/compiler-wrappers/*.c | tr -d '"' | sort -u >"$T/help"
render "$top_srcdir/doc/iocc.1" | section OPTIONS | tags | grep -oE -e '^--iotrace-[a-z-]+' |
	sort -u >"$T/man"
equal 'iocc and its man page have the same options' "$T/help" iocc "$T/man" 'the man page'
"$IOCC" --iotrace-help | sed -n 's/^  \(--iotrace-[a-z-]*\) .*/\1/p' | sort -u >"$T/man"
equal 'iocc and its help have the same options' "$T/help" iocc "$T/man" --iotrace-help

# --- settings ----------------------------------------------------------------
# NAME|KIND|VALUES|DEFAULT of each setting that is the recorder's
sed -n 's/^SETTING(\([A-Z_]*\), "\([A-Z_]*\)", \([A-Z]*\), "\(.*\)", "\(.*\)")$/\2|\3|\4|\5/p' \
	"$top_srcdir/lib/core/setting.def" | grep -v '|OTHER|' >"$T/settings"
cut -d'|' -f1 "$T/settings" | sort -u >"$T/code"
render "$top_srcdir/doc/iotrace.7" >"$T/iotrace"
section ENVIRONMENT <"$T/iotrace" | tags | grep -oE '^IOTRACE[A-Z_]*$' | sort -u >"$T/man"
equal 'iotrace(7) has the settings of the recorder' "$T/code" lib/core "$T/man" 'iotrace(7)'
# those of MPI's are in iompicc(1)
grep -ohE '"IO[A-Z0-9]+_[A-Z0-9]+"' "$top_srcdir"/compiler-wrappers/*.c "$top_srcdir"/tools/common/where.c | tr -d '"' | grep -v '^IOMPI' |
	sort -u >"$T/code"
render "$top_srcdir/doc/iocc.1" | section ENVIRONMENT | tags |
	grep -oE '\bIO[A-Z0-9]+_[A-Z0-9]+\b' | sort -u >"$T/man"
equal 'iocc(1) has the settings of iocc and its like' "$T/code" iocc "$T/man" 'iocc(1)'
grep '^IOTRACE' "$T/man" | while read -r name; do
	grep -q "\<$name\>" "$T/iotrace" || echo "$name"
done >"$T/out"
none 'iotrace(7) mentions the settings of iocc' "$T/out"
while IFS='|' read -r name kind values default; do
	section ENVIRONMENT <"$T/iotrace" |
		awk -v name="$name" '/^       [^ ]/ { on = $1 == name } on' | tr -s '\n ' ' ' >"$T/text"
	case $kind in
	NUMBER | SIZE | TIME) grep -q -w "$values" "$T/text" || echo "$name: not from $values" ;;
	WORD)
		for word in $(echo "$values" | tr -d ,); do
			grep -q -w "$word" "$T/text" || echo "$name: no word $word"
		done ;;
	esac
	case $kind in
	SWITCH | NUMBER | SIZE | TIME | WORD)
		grep -q "Default: $default\b" "$T/text" || echo "$name: the default is not $default" ;;
	esac
	grep -q 'Example: \|EXAMPLE' "$T/text" || echo "$name: no example"
done <"$T/settings" >"$T/out"
none 'iotrace(7) has the values and defaults of the recorder, and an example of each' "$T/out"

# what iotrace-run's help says of defaults
"$top_builddir/tools/iotrace-run" --help | tr -s '\n ' ' ' >"$T/help"
for setting in STACK=N BUFFER=SIZE; do
	default=$(sed -n "s/^IOTRACE_${setting%=*}|.*|//p" "$T/settings")
	option=--$(echo "${setting%=*}" | tr '[:upper:]' '[:lower:]')
	like "iotrace-run --help: the default of $option" "$T/help" "[ ]$option=${setting#*=} [^-]*; default: $default "
done

# --- the reader library ------------------------------------------------------
# shellcheck disable=SC2086 # CC may have options
$CC -I"$top_srcdir/include" -I"$top_builddir/include" -E -P "$top_srcdir/include/iotrace/read.h" |
	tr '\n' ' ' | tr ';{}' '[\n*3]' | sed -n '/^ *typedef/d; s/.*[ *]\(iotr_[a-z0-9_]*\)(.*/\1/p' |
	sort -u >"$T/code"
render "$top_srcdir/doc/libiotrace-read.3" >"$T/text"
grep -oE '\biotr_[a-z0-9_]+ ?\(\)' "$T/text" | sed 's/ *()//' | sort -u >"$T/man"
equal 'libiotrace-read(3) has every function of <iotrace/read.h>' "$T/code" read.h "$T/man" 'libiotrace-read(3)'

# --- calls and kinds ---------------------------------------------------------
render "$calls7" >"$T/text"
sed -n 's/^IOT_ROW("\([^"]*\)".*/\1/p' "$top_builddir/lib/calls-table.h" | sort -u >"$T/calls"
section CALLS <"$T/text" | tags | sed -n 's/(.*//p' | sort -u >"$T/man"
equal 'iotrace-calls(7) has every call, and no other' "$T/calls" calls.def "$T/man" 'iotrace-calls(7)'
grep -oE '[A-Za-z0-9_]+' "$T/text" | sort -u >"$T/words"
sed 's/.*--wrap[=,]//' "$top_builddir/lib/wrap.list" | sort -u | comm -23 - "$T/words" |
	grep -v '^_gfortrani_' >"$T/out"
none 'iotrace-calls(7) has every name that programs can call' "$T/out"
sed -n 's/^inline[[:space:]]*\([A-Za-z0-9_]*\).*/\1/p; /^#/d' "$top_builddir/table/calls.def" |
	sort -u >"$T/inline"
ok 'there are calls without a wrapper' test -s "$T/inline"
section 'WHAT IS NOT RECORDED' <"$T/text" | grep -oE '[A-Za-z0-9_]+' | sort -u |
	comm -23 "$T/inline" - >"$T/out"
none 'iotrace-calls(7) has every call without a wrapper' "$T/out"
sed -n 's/^\([A-Za-z0-9_]\{1,\}\)[[:space:]].*/\1/p' "$top_srcdir/t/coverage/left-out.txt" |
	sort -u | comm -23 - "$T/words" >"$T/out"
none 'iotrace-calls(7) has every name that was left out' "$T/out"
# kinds that a log has: those of the table, but for those of wrappers alone
sed -n 's/^IOT_KIND([0-9]*, *[A-Z0-9]*, *\([A-Za-z0-9]*\),.*/\1/p' "$top_srcdir"/table/kinds*.def | sort -u >"$T/code"
sed -n '/^\.SS Kinds of arguments/,/^\.SS Kinds of results/s/^\.B //p' "$calls7" | sed 's|, |\n|g' | sort -u >"$T/man"
equal 'iotrace-calls(7) has every kind of argument' "$T/code" kinds.def "$T/man" 'iotrace-calls(7)'
sed -n -e 's/^IOT_RESULT([0-9]*, *[A-Z0-9]*, *\([A-Za-z0-9]*\),.*/\1/p' \
	-e 's/^IOT_RETURN([A-Z0-9]*, *\([A-Za-z0-9]*\),.*/\1/p' "$top_srcdir"/table/kinds*.def | sort -u >"$T/code"
sed -n '/^\.SS Kinds of results/,/^\.SH/s/^\.B //p' "$calls7" | sed 's|, |\n|g' | sort -u >"$T/man"
equal 'iotrace-calls(7) has every kind of result' "$T/code" kinds.def "$T/man" 'iotrace-calls(7)'

# --- keys of iotrace-stat's rows ----------------------------------------------
sed -n 's/^COLUMN([A-Z]*, [A-Z0-9_]*, "\([a-z0-9_]*\)",.*/\1/p' "$top_srcdir/analysis/columns.def" | sort -u >"$T/code"
ok 'there are keys' test -s "$T/code"
sed -n '/^\.SS Keys of all tables/,/^\.SS Keys of time/p' "$top_srcdir/doc/iotrace-json.5" | grep -oE '[a-z0-9_]+' | sort -u |
	comm -23 "$T/code" - >"$T/out"
none 'iotrace-json(5) has the key of each column' "$T/out"

# --- README ------------------------------------------------------------------
readme=$top_srcdir/README
grep -oE '\b(iotrace-[a-z]+|ioc[a-z]+)\b' "$readme" | sort -u | while read -r name; do
	[ -x "$top_builddir/tools/$name" ] || [ -x "$top_builddir/compiler-wrappers/$name" ] ||
		[ -f "$(page "$name.5")" ] || [ -f "$(page "$name.7")" ] || echo "$name"
done >"$T/out"
none 'README names commands and pages that there are' "$T/out"
sed -n 's/^ *man \(\([1-9]\) \)*\([a-z-]*\) .*/\2 \3/p' "$readme" | while read -r a b; do
	[ -n "$b" ] || { b=$a; a=1; }
	[ -f "$(page "$b.$a")" ] || echo "man $a $b"
done >"$T/out"
none 'README names manual pages that there are' "$T/out"
sed -n 's/^ *\.\/bootstrap \([a-z]*\) .*/\1/p' "$readme" | sort -u | while read -r word; do
	grep -qE "^($word|.*\| $word|$word \|.*)\)" "$top_srcdir/bootstrap" || echo "$word"
done >"$T/out"
none 'bootstrap takes what README gives it' "$T/out"
grep -oE '\b(see|    ) ?[A-Z]{4,}\b|^    [A-Z]{4,} ' "$readme" | grep -oE '[A-Z]{4,}' |
	while read -r name; do
		[ -f "$top_srcdir/$name" ] || echo "$name"
	done >"$T/out"
none 'README names files that there are' "$T/out"

# The session: the same program gives the same calls.
mkdir "$T/home"
# shown LINE: what README shows indented behind that line, and an empty one
shown()
{
	awk -v line="$1" '$0 ~ line { on = 1; next } /^[^ ]/ { on = 0 } on && (n++ || $0 != "")' "$readme" |
		sed 's/^    //'
}
shown '^greet\\.c:' >"$T/home/greet.c"
shown '^orbit\\.c:' >"$T/home/orbit.c"
awk '/\$ iotrace-cat \*/ { on = 1; next } /^$/ { on = 0 } on' "$readme" | sed 's/^    //' >"$T/session"
# the same but for times, the place, and what is as long as that
timeless()
{
	sed -e 's/ <[0-9.]*>$//' -e "s,\"[^\"]*/greeting,\"greeting,g" \
		-e '/^readlink/s/ = [0-9]*/ = N/'
}
ok 'README has a session' test -s "$T/session"
cd "$T/home" || exit 99
ok "README's program compiles" "$IOCC" -g -static greet.c -o greet
# make and the TAP driver leave descriptors open
ok "README's program runs" sh -c 'exec ./greet 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-'
"$IOTRACE_CAT" ./*.iotrace >"$T/now"
timeless <"$T/now" >"$T/now.timeless"
timeless <"$T/session" >"$T/session.timeless"
same "README's program does what README says" "$T/now.timeless" "$T/session.timeless"

# And the sums of it.
options=$(sed -n 's/^    \$ iotrace-stat \(.*\) \*\.iotrace$/\1/p' "$readme")
shown '[$] iotrace-stat .* [*][.]iotrace' >"$T/session"
numberless()
{
	sed -e 's/[0-9]*\.[0-9][0-9]*/N/g' -e 's,(/[^:]*:[0-9]*),(greet.c),' -e 's/  */ /g' \
		-e 's/, process .*//' -e '/^I.O /s/[0-9][0-9]*/N/g' -e '/^$/d'
}
ok 'README sums it up' test -n "$options"
# shellcheck disable=SC2086 # several options
"$IOTRACE_STAT" $options ./*.iotrace | numberless >"$T/now.numberless"
numberless <"$T/session" >"$T/session.numberless"
same 'the sums are those of README' "$T/now.numberless" "$T/session.numberless"

# And what stands out in another program, whose path may be longer.
ok "README's other program compiles" "$IOCC" -g -static orbit.c -o orbit
ok "README's other program runs" sh -c 'exec ./orbit 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-'
in_a_line()
{
	numberless | sed -e 's/([0-9N.]*[kKMG]*B.s)//' -e 's,[^ ]*/orbit,orbit,' | tr '\n' ' ' | tr -s ' '
}
shown '[$] iotrace-stat orbit[.]' | in_a_line >"$T/session.line"
# on a busy machine some calls take long, and the program is stopped now and then, so that it
# loses its processor, and writes in bursts, which is true, and no matter of README's
"$IOTRACE_STAT" --rule=slow=off orbit.*.iotrace | sed -e '/^ *calls *errors/,$d' -e '/^written in [0-9]* bursts/d' -e '/^[0-9]* times a thread lost/d' | in_a_line >"$T/now.line"
same 'what stands out is what README says' "$T/now.line" "$T/session.line"
done_testing
