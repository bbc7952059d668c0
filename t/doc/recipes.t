#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What iotrace-recipes(7) says is done here, file by file and command by command, for the
# recipes whose tools are installed; and the program is recorded as the recipe promises.

# shellcheck disable=SC2016 # scripts
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
page=$top_srcdir/doc/iotrace-recipes.7
PATH=$top_builddir/tools:$top_builddir/compiler-wrappers:$PATH
export PATH
self=$(cd "${0%/*}" && pwd)/${0##*/}
cd "$T" || exit 99
mkdir home
cat >home/main.c <<'EOF'
#include <stdio.h>
int main(void)
{
	FILE *f = fopen("out.txt", "w");

	if (!f)
		return 1;
	for (int i = 0; i < 3000; i++)
		fprintf(f, "line %d\n", i);
	return fclose(f) != 0;
}
EOF

# recipe NAME: its files and the commands, in run.sh, in a directory of its own
recipe()
{
	rm -rf work
	cp -R home work
	awk -v name="$1" '
		function plain(s)
		{
			gsub(/\\f[BIRP]/, "", s)
			gsub(/\\-/, "-", s)
			gsub(/\\\(aq/, "\047", s)
			gsub(/\\&/, "", s)
			gsub(/\\e/, "\\", s)
			return s
		}
		/^\.\\" RECIPE / { on = plain($3) == name; next }
		/^\.S[HS] / { on = 0 }
		on && /^\.\\" FILE / { to = "work/" plain($3); next }
		on && /^\.\\" RUN$/ { to = "work/run.sh"; next }
		/^\.EX$/ { text = 1; next }
		/^\.EE$/ { text = 0; next }
		on && text { s = plain($0); if (to ~ /run\.sh$/) sub(/^\$ /, "", s); print s >to }
	' "$page"
	tap_about="$1: "
}

# records DIRECTORY: a log there has the bytes that the program wrote
records()
{
	iotrace cat --format=json -e write "$1" >log
	is 'what the program wrote is in the log' \
		"$(sed -n 's/.*"call":"write".*out.txt.*"ret":\([0-9]*\).*/\1/p' log | awk '{ n += $1 } END { print n + 0 }')" 28890
}

# builds NAME EXECUTABLE: the commands build it, static, and it is recorded
builds()
{
	ok 'the commands succeed' sh -c 'cd work && sh -e run.sh'
	mkdir logs
	ok 'the program runs' sh -c "cd work && IOTRACE_DIR=../logs ./$1"
	records logs
	rm -rf logs
}

# needs COMMAND...: whether there are all of them; else the recipe is skipped
needs()
{
	for command in "$@"; do
		command -v "$command" >/dev/null || {
			skip 'the recipe' "no $command"
			return 1
		}
	done
}

# --- build systems
recipe autotools
if needs autoreconf automake "${FC:-gfortran}"; then
	printf '%s\n' 'AC_INIT([demo],[1])' 'AM_INIT_AUTOMAKE([foreign])' 'AC_PROG_CC' \
		'AC_CONFIG_FILES([Makefile])' 'AC_OUTPUT' >work/configure.ac
	printf '%s\n' 'bin_PROGRAMS = demo' 'demo_SOURCES = main.c' >work/Makefile.am
	ok 'there is a configure script' sh -c 'cd work && autoreconf -fi'
	builds demo
	ok 'nothing is missed' iotrace audit work/demo
fi
for name in cmake-preset cmake-toolchain; do
	recipe $name
	needs cmake || continue
	printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(demo C)' \
		'add_executable(demo main.c)' >work/CMakeLists.txt
	case $name in
	*preset) builds build-iotrace/demo ;;
	*) builds build/demo ;;
	esac
done
recipe meson
if needs meson ninja; then
	printf '%s\n' "project('demo', 'c')" "executable('demo', 'main.c')" >work/meson.build
	builds build/demo
fi
recipe shim
printf 'demo: main.c\n\tgcc -static -o demo main.c\n' >work/Makefile
if needs gcc; then
	builds demo
fi
recipe whole-path
printf 'demo: main.c\n\t%s -o demo main.c\n' "$(command -v "${CC%% *}")" >work/Makefile
ok 'the commands succeed' sh -c 'cd work && sh -e run.sh'
records work/logs

# --- jobs, of which the launcher is one of ours
mkdir home/bin
for name in srun mpirun; do
	printf '%s\n' '#!/bin/sh' '[ "$1" != -x ] || shift 2' 'for i in 0 1; do' \
		'	SLURM_PROCID=$i SLURM_STEP_NUM_TASKS=2 SLURM_STEP_ID=0 "$@"' 'done' >home/bin/$name
	chmod +x home/bin/$name
done
ok 'a program' "$IOCC" -static -o home/demo home/main.c
for name in slurm pbs; do
	recipe $name
	ok 'the job succeeds' sh -c "cd work && PATH=\$PWD/bin:\$PATH PBS_O_WORKDIR=\$PWD PBS_JOBID=7 \
		SCRATCH=\$PWD SLURM_JOB_ID=7 bash -e job.sh"
	find work -name '*.r[01].*.iotrace' >logs
	is 'there is a log of each rank' "$(wc -l <logs | tr -d ' ')" 2
	like 'the sums have both' work/demo.7.txt '^demo, 2 ranks on .*, 2 logs, '
done
rm -rf home/bin home/demo

# --- what reads logs
mkdir home/logs
ok 'a program' "$IOCC" -g -static -o demo home/main.c
ok 'and its log' sh -c 'IOTRACE_DIR=home/logs ./demo'
recipe pandas
if needs python3 && python=$(for p in python3 /usr/bin/python3; do
	"$p" -c 'import pandas' 2>/dev/null && command -v "$p" && break
done) && [ -n "$python" ]; then
	sed -i "s,^python3,$python," work/run.sh
	(cd work && sh -e run.sh) >now 2>&1
	like 'calls and bytes of the file' now 'out\.txt +8 +28890'
	like 'bytes of that second' now '^20[0-9-]+ [0-9:]+\+00:00 +28890'
	# as if they were installed
	mkdir -p home/bin
	printf '%s\n' '#!/bin/sh' "echo '$top_srcdir/python'" >home/bin/pkg-config
	chmod +x home/bin/pkg-config
	for name in frame batches; do
		recipe $name
		sed -i "s,^python3,$python," work/run.sh
		(cd work && PATH=$PWD/bin:$PATH LIBIOTRACE_READ=$top_builddir/reader/.libs/libiotrace-read.so.0 \
			PYTHONDONTWRITEBYTECODE=1 sh -e run.sh) >now 2>&1
		case $name in
		frame) like 'what is beneath fprintf' now '^ +write +7 ' ;;
		batches) like 'bytes by size' now '^ +4096 +28672$' ;;
		esac
	done
	rm -rf home/bin
else
	skip 'the recipe' 'no pandas (Debian: python3-pandas)'
fi
recipe sqlite-csv
if needs sqlite3; then
	(cd work && sh -e run.sh) >now 2>&1
	like 'bytes of the file' now 'out\.txt\|28890$'
fi
recipe sqlite-json
if needs sqlite3; then
	(cd work && sh -e run.sh) >now 2>&1
	like 'calls by function' now '^main\|fprintf\|3000\|[0-9]+$'
fi
recipe awk
(cd work && sh -e run.sh) >now 2>&1
like 'time of a call' now '^[0-9]+ fprintf$'

recipe order
# 30 functions, far from each other, and none is called after its neighbour
awk 'BEGIN {
	for (i = 0; i < 30; i++) {
		print "__attribute__((noinline)) int f" i "(int x) { volatile int y = x; return y + " i "; }"
		print "void far" i "(void) { __asm__(\".skip 100000\"); }"
	}
	print "int main(void) { int s = 0;"
	for (i = 0; i < 30; i++)
		print "s += f" i * 7 % 30 "(" i ");"
	print "return s < 0; }" }' >work/main.c
# code_faults ROUND: page faults of the program's instructions
code_faults()
{
	iotrace cat -e page_fault "work/round$1" | grep -c '/main>.*EXEC'
}
if ! needs ld.lld gcc || ! { $CC "$top_srcdir/t/faults/asks.c" -o asks && ./asks; }; then
	skip 'the recipe' 'the kernel lets nobody count page faults here'
else
	ok 'the commands succeed' sh -c 'cd work && sh -e run.sh'
	functions=$(grep -c '^f[0-9]*$' work/order)
	ok "it has most functions: $functions" test "$functions" -ge 20
	is 'each once' "$(sort work/order | uniq -d)" ''
	first=$(code_faults 1) last=$(code_faults 3)
	ok "page faults become fewer: $first, $last" test "$last" -gt 0 -a $((2 * last)) -le "$first"
fi

recipe ci
echo '{}' >json
if iotrace stat --diff json json 2>&1 | grep 'without json-c' >/dev/null; then
	skip 'the recipe' 'built without json-c'
else
	exits 'a program that is as it was' 0 sh -c 'cd work && sh -e run.sh'
	sed -i 's/3000/9000/' work/main.c
	sed -n '/^mkdir/,$p' work/run.sh >work/again.sh
	exits 'one that does more' 1 sh -c 'cd work && iocc -static -g -o main main.c && rm -r now && sh -e again.sh'
	like 'and it is told what' .said 'write.calls>[+]5%: it was 8 and is 2'
fi

# --- no recipe is left out
tap_about=
grep -o '^\.\\" RECIPE .*' "$page" | sed 's/.* //; s/\\-/-/g' | while read -r name; do
	grep -qE "^[^#]*\b$name\b" "$self" || echo "$name"
done >untried
none 'every recipe has been tried' untried
done_testing
