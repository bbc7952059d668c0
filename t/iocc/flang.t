#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # awk programs
# LLVM's flang is named as what it is: its runtime is not gfortran's, of which nothing is
# linked.  The calls that it makes are recorded.  FLANG: the one to try, if not the one in PATH.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"
[ -x "$IOF90" ] || skip_all 'there is no iof90'
cd "$T" || exit 99
cat >hello.f90 <<'EOT'
program hello
  integer :: x(10)
  x = 1
  open (10, file='numbers', form='unformatted')
  write (10) x
  close (10)
  print *, 'hello'
end program hello
EOT
# stands for one of any release
# some releases can't be asked for files
printf '#!/bin/sh\ncase " $* " in\n*" -print-file-name="*)\n	echo "unknown argument" >&2\n	exit 1 ;;\nesac\nexec %s "$@"\n' "$CC" >flang-99
chmod +x flang-99
ln -s flang-99 f18
note="^iof90: not instrumented: Fortran.s statements .they are LLVM flang.s, not gfortran.s; calls are recorded.\$"
for compiler in flang-99 f18; do
	for link in '' -static; do
		about="$compiler $link"
		# shellcheck disable=SC2086 # none or one
		IOF90_FC=$T/$compiler "$IOF90" --iotrace-show $link -o hello hello.f90 >shown 2>said
		like "$about: it is named" said "$note"
		is "$about: nothing of gfortran's" "$(grep -c 'libgfortran\|libiotrace-fortran\|/fortran.list' shown)" 0
		is "$about: but ours" "$(grep -c 'libiotrace' shown)" 1
	done
	IOF90_FC=$T/$compiler "$IOF90" --iotrace-show -c hello.f90 2>said >shown
	is "$compiler: not where nothing is linked" "$(cat said)" ''
done
like 'configure names it' "$top_srcdir/configure.ac" 'LLVM flang: calls are recorded, statements are not'

for flang in ${FLANG-} flang flang-new flang-22 flang-19 flang-16 ''; do
	[ -n "$flang" ] && flang=$(command -v "$flang") && break
done
if [ -z "$flang" ]; then
	skip 'programs of flang' 'no flang to try'
	done_testing
fi
options=
"$flang" -o plain hello.f90 >/dev/null 2>&1 || options=-flang-experimental-exec
for link in '' -static; do
	# shellcheck disable=SC2086 # none or one each
	if ! "$flang" $options $link -o plain hello.f90 >said 2>&1; then
		diag "$flang $link does not link by itself"
		continue
	fi
	# shellcheck disable=SC2086
	ok "$flang $link: links" env IOF90_FC="$flang" "$IOF90" $options $link -o hello hello.f90
	rm -rf logs in
	mkdir logs in
	is "$flang $link: says the same" "$(cd in && IOTRACE_DIR=$T/logs ../hello)" "$(./plain)"
	same "$flang $link: writes the same" in/numbers numbers
	cat_logs
	is "$flang $link: the log can be read" "$cat_status" 0
	count "$flang $link: calls are recorded" '$call == "write" && $path ~ /in\/numbers$/ && $ret == 48' 1
	count "$flang $link: no statements" '$family == "fortran"' 0
done
done_testing
