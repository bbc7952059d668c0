#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Completion in bash: what is offered is what the tools take, no more and no less, and a
# real bash completes a line with it.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
command -v bash >/dev/null || skip_all 'bash is not installed'
completion=$top_builddir/tools/completion/iotrace
wrappers=$top_builddir/compiler-wrappers
cd "$T" || exit 99
mkdir logs
: >logs/prog.host.1.2.iotrace
mkdir saved
: >saved/run.json
: >saved/run.txt
: >logs/notes.txt

# What bash would be given for the last of these words, a line each
cat >offer.bash <<'EOF'
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
case ${1##*/} in
io[cfm-]*) f=_iotrace_compiler ;;
*) f=_iotrace ;;
esac
case $(complete -p "${1##*/}") in
*"-F $f "*) ;;
*) echo "${1##*/} has no completion" ;;
esac
"$f" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>err
cat err
[ -z "${COMPREPLY[*]}" ] || printf '%s\n' "${COMPREPLY[@]}"
EOF
offered()
{
	PATH=$top_builddir/tools:$PATH bash --norc --noprofile offer.bash "$completion" "$@" </dev/null
}

# --- options, of each tool by both of its names
for tool in cat stat report ctl audit drop-cache export pack run warm; do
	command=$top_builddir/tools/iotrace-$tool
	if [ ! -x "$command" ] && [ $tool = report ]; then
		skip 'iotrace-report' 'there is none: configure found no d3'
		continue
	fi
	"$command" --help | sed -n 's/^ *\(-.*\)/\1/p' | sed 's/  .*//' |
		grep -oE '(^|[ ,])--?[A-Za-z?][a-z-]*' | tr -d ' ,' | sort -u >help
	ok "iotrace-$tool has options" test -s help
	offered "$command" - | sed 's/=$//' | sort -u >now
	same "iotrace-$tool: all options of --help are offered" now help
	offered "$top_builddir/tools/iotrace" "$tool" - | sed 's/=$//' | sort -u >now
	same "iotrace $tool: the same" now help
	"$command" --help | sed -n 's/^ *\(-.*\)/\1/p' | grep -oE -e '--[a-z-]+=' | sort -u >help
	offered "$command" -- | grep '=$' | sort -u >now
	same "iotrace-$tool: a = follows where there is a value" now help
done
offered "$top_builddir/tools/iotrace" '' | sort >now
for tool in audit cat ctl drop-cache export pack report run stat warm; do
	echo "$tool"
done >help
same 'iotrace has these commands' now help
for name in iocc io-gcc; do
	"$wrappers/$name" --iotrace-help | grep -oE '^  --iotrace-[a-z-]+' | tr -d ' ' | sort >help
	offered "$wrappers/$name" --iot | sort >now
	same "$name: its own options" now help
done
is 'iocc: files are left to bash' "$(offered "$wrappers/iocc" lo)" ''

# --- values: the tools say which they take when they are given another
# values TOOL OPTION MESSAGE: what comes before the values in the message
values()
{
	"$top_builddir/tools/iotrace-$1" "$2=x" true 2>&1 | sed -n "s/.*$3//p" |
		sed 's/)$//; s/,/ /g' | tr ' ' '\n' | grep -vxE 'and|or|' | sort >help
	ok "iotrace-$1 $2: the tool says what it takes" test -s help
	offered "iotrace-$1" "$2" = '' | sort >now
	same "iotrace-$1 $2: its values" now help
}
values cat --format 'none of '
values stat --format 'none of '
values audit --format 'none of '
values export --to 'none of '
values stat --by 'none of '
values stat --sort 'none of '
values run --stack-by 'not one of '
values run --calls 'nor families '
values run --mpi 'that one ('
for tool in cat stat; do
	offered "iotrace-$tool" -e '' >words
	ok "iotrace-$tool -e: words are offered" test -s words
	while read -r word; do
		"$top_builddir/tools/iotrace-$tool" -e "$word" logs 2>&1 </dev/null | grep -e "-e: '"
	done <words >said
	none "iotrace-$tool -e takes what is offered" said
done
offered iotrace-cat -e '' | grep -vxE 'all|none' | sort >now
offered iotrace-run --calls = '' | sort >help
same 'families to record are those to print' now help

"$top_builddir/tools/iotrace-ctl" --help | sed -n 's/^Usage: .*PID //p' | tr '|' '\n' | sort >help
ok 'iotrace-ctl says what it takes' test -s help
offered iotrace-ctl 1 '' | sort >now
same 'iotrace-ctl: what it takes' now help
offered iotrace ctl 1 '' | sort >now
same 'iotrace ctl: the same' now help
ok 'and processes' test -n "$(offered iotrace ctl "$$")"

# --- parts of words
is 'the last of a list' "$(offered iotrace-stat --by = file,si)" file,site
is 'the first of all but these' "$(offered iotrace-cat -e '!mp' | tr '\n' ' ')" '!mpiio !mpi '
is 'in one word, where = does not cut' "$(offered iotrace-cat --format=j)" json
is 'logs, and not other files' "$(offered iotrace-cat logs/)" logs/prog.host.1.2.iotrace
is 'with --diff saved JSON, too' "$(offered iotrace-stat --diff saved/)" saved/run.json
is 'a directory for logs' "$(offered iotrace run -o lo)" logs
is 'behind the program, all is its' "$(offered iotrace run --syscalls -o logs cat logs/ | sort | tr '\n' ' ')" \
	'logs/notes.txt logs/prog.host.1.2.iotrace '

# --- a real bash: what has been completed is printed, in place of being run
if command -v script >/dev/null; then
	tab=$(printf '\t')
	begin=$(printf '\001')
	end=$(printf '\005')
	cat >inputrc <<'EOF'
set bell-style none
set enable-bracketed-paste off
EOF
	{
		echo "PS1= PS2= PATH=$top_builddir/tools:$wrappers:\$PATH"
		echo ". '$completion'"
		for words in 'iotrace st' 'iotrace-cat --forma' 'iotrace-stat --by=call,pro' \
			'iotrace cat -y logs/pr' 'iocc --iotrace-sy'; do
			printf '%s%s%sprintf '\''<%%s>\\n'\'' "%s"\n' "$words" "$tab" "$begin" "$end"
		done
		echo exit
	} >typed
	INPUTRC=$T/inputrc TERM=dumb script -qec 'bash --norc --noprofile -i' /dev/null <typed 2>&1 |
		tr -d '\r' | grep -o '^<[^%<]*>$' >now
	cat >want <<'EOF'
<iotrace stat >
<iotrace-cat --format=>
<iotrace-stat --by=call,process>
<iotrace cat -y logs/prog.host.1.2.iotrace >
<iocc --iotrace-syscalls >
EOF
	same 'a real bash completes these' now want
else
	skip 'a real bash' 'no script (Debian: bsdutils)'
fi
done_testing
