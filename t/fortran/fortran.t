#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # awk programs
# iof90: Fortran's statements are in the log, with unit, file, line and bytes, the
# same in every kind of executable.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"
[ -n "${FC-}" ] || skip_all 'configure found no Fortran compiler'
cd "$T" || exit 99
src=$top_srcdir/t/progs/fortran.f90
run_tool=$top_builddir/tools/iotrace-run

# record COMMAND...: in an empty directory
record()
{
	rm -rf in logs
	mkdir in logs
	(cd in && IOTRACE_DIR="$T/logs" "$@" >out 2>err </dev/null)
	status=$?
	cat_logs
}

# statements: "DEPTH CALL FILE OFFSET RESULT ERRNO ARGUMENTS", without what differs
# from run to run
statements()
{
	by_column '$family == "fortran" {
		n = split($path, p, "/")
		printf "%s %s %s %s %s %s %s\n", $depth, $call, (p[n] == "" ? "-" : p[n]), ($offset == "" ? "-" : $offset),
			($ret == "" ? "?" : $ret), ($errno == "" ? "-" : $errno), $args
	}' calls | sed 's/gfortrantmp[A-Za-z0-9]*/gfortrantmp/; s,"at":"[^"]*/,"at":",; s/  */ /g'
}

# every KIND COMMAND...: the statements of the program are as expected
every()
{
	kind=$1
	shift
	record "$@"
	is "$kind: runs" $status 0
	is "$kind: the log can be read" "$cat_status" 0
	statements >now
	same "$kind: statements" now "$top_srcdir/t/fortran/statements.txt"
	# what a file was written with in one go
	for file in stream.bin namelist.txt other.txt out; do
		is "$kind: bytes written to $file" \
			"$(by_column -v f="/$file" '$call == "WRITE" && substr($path, length($path) - length(f) + 1) == f &&
				$offset == at + 0 { at += $ret } END { print at }' calls)" "$(wc -c <"in/$file")"
	done
	count "$kind: the runtime's calls stand beneath statements" \
		'$call == "write" && $depth == 0 && $path !~ /\/out$/' 0
}
ok 'compiles, static' "$IOF90" -static -O2 -o prog "$src"
every static ../prog
for options in '-O2' '-O0 -no-pie' '-static-libgfortran' '-static-libgfortran -fuse-ld=gold'; do
	# shellcheck disable=SC2086 # several options
	ok "compiles, $options" "$IOF90" $options -o prog "$src"
	none 'and the linker has nothing to say' "$T/.said"
	every "$options" ../prog
done
ok 'compiles without us' "$FC" -O2 -o plain-prog "$src"
every 'iotrace run' "$run_tool" ../plain-prog
ok 'compiles, lld' "$IOF90" -static -fuse-ld=lld -O2 -o prog "$src"
every 'static, lld' ../prog
ok 'a C driver links it' sh -c '"$1" -c -o f.o "$2" && "$3" -static -o prog f.o -lgfortran -lquadmath -lm -lpthread' \
	sh "$IOF90" "$src" "$IOCC"
every 'linked by iocc' ../prog
ok 'a C++ driver links it' sh -c '"$1" -static -o prog f.o -lgfortran -lquadmath -lm -lpthread' sh "$IOCXX"
every 'linked by iocxx' ../prog

# --- buffers of all sizes, or none ---------------------------------------------------
for buffers in GFORTRAN_UNBUFFERED_ALL=1 'GFORTRAN_FORMATTED_BUFFER_SIZE=1 GFORTRAN_UNFORMATTED_BUFFER_SIZE=1' \
	'GFORTRAN_FORMATTED_BUFFER_SIZE=15 GFORTRAN_UNFORMATTED_BUFFER_SIZE=15' \
	'GFORTRAN_FORMATTED_BUFFER_SIZE=100 GFORTRAN_UNFORMATTED_BUFFER_SIZE=100'; do
	# shellcheck disable=SC2086 # several settings
	record env $buffers ../prog
	is "$buffers: runs" $status 0
	statements >now
	same "$buffers: statements" now "$top_srcdir/t/fortran/statements.txt"
done

# --- lines -----------------------------------------------------------------------
strip prog
record ../prog
"$IOTRACE_STAT" -k -e WRITE logs >sites
like 'lines are known without debug information' sites 'fortran\.f90:54$'
ok 'compiles, -g' "$IOF90" -static -g -O0 -o prog "$src"
record ../prog
"$IOTRACE_CAT" -k -P 'formatted.txt' logs >stacks
awk '/^ *write\(/ { on = 1; next } !/^ *>/ { on = 0 } on' stacks >beneath
like 'calls beneath a statement have its stack' beneath '> MAIN__.*fortran\.f90:[0-9]'

# --- settings ---------------------------------------------------------------------
(IOTRACE_CALLS=fortran && export IOTRACE_CALLS && record ../prog)
cat_logs
statements >now
same 'statements alone' now "$top_srcdir/t/fortran/statements.txt"
count 'and nothing else' '$family != "fortran"' 0
(IOTRACE_PATHS='namelist' && export IOTRACE_PATHS && record ../prog)
cat_logs
count 'one file: it is there' '$family == "fortran" && $path ~ /namelist/' 5
count 'others are not' '$family == "fortran" && $path != "" && $path !~ /namelist/' 0
(IOTRACE_STACK_PATHS='namelist' && export IOTRACE_STACK_PATHS && record ../prog)
"$IOTRACE_CAT" --format=json -k logs | grep '"family":"fortran"' >json
is 'stacks for one file' "$(grep -c '"path":"[^"]*namelist.*"stack":' json)" 5
is 'and no others' "$(grep -v namelist json | grep -c '"stack":')" 0

# in_each PROGRAM CHECK OPTIONS: the program in all kinds of executables
in_each()
{
	src=$top_srcdir/t/progs/$1.f90
	for kind in "-static $3" "-static -fuse-ld=lld $3" "$3" "-static-libgfortran $3" 'iotrace run'; do
		case $kind in
		*run)
			# shellcheck disable=SC2086 # none or one
			ok "$1, $kind: compiles" "$FC" $3 -o prog "$src" && record "$run_tool" ../prog
			;;
		*)
			# shellcheck disable=SC2086 # several options
			ok "$1, $kind: compiles" "$IOF90" $kind -o prog "$src" && record ../prog
			;;
		esac
		is "$1, $kind: runs" $status 0
		$2 "$1, $kind"
	done
}

# --- units -----------------------------------------------------------------------
# shellcheck disable=SC2317 # called by in_each
units()
{
	# until gfortran 11, it is an error like others to flush a unit that is not connected
	statements | sed '/FLUSH - -/s/ -1 - \(.*"iostat":\)5002}/ 0 - \1-5005}/' >now
	same "$1: statements, with their files" now "$top_srcdir/t/fortran/units.txt"
}
in_each fortran-units units ''

# --- statements within statements, errors, ends ---------------------------------------
# shellcheck disable=SC2317
nested()
{
	statements >now
	same "$1: statements" now "$top_srcdir/t/fortran/nested.txt"
	count "$1: a command that was executed" '$call == "system" && $args ~ /from the shell/' 1
	# what waits in a buffer is written, however the program ends
	case $1 in
	*run) run="$run_tool ../prog" ;;
	*) run=../prog ;;
	esac
	for how in error stop; do
		# shellcheck disable=SC2086 # two words
		record $run $how
		[ "$how" = error ] || set -- "$1" 0
		is "$1, $how: status" "$status" "${2-3}"
		count "$1, $how: the last bytes" '$call == "write" && $path ~ /fort\.10$/ && $ret == 12' 1
	done
}
in_each fortran-nested nested ''

# --- formats -----------------------------------------------------------------------
# shellcheck disable=SC2317
formats()
{
	statements >now
	same "$1: statements, from where they began" now "$top_srcdir/t/fortran/formats.txt"
	for file in out formats.txt; do
		is "$1: bytes written to $file" \
			"$(by_column -v f="/in/$file" '$call == "WRITE" && index($path, f) { n += $ret } END { print n }' calls)" \
			"$(wc -c <"in/$file")"
	done
}
in_each fortran-format formats ''

# --- asynchronous transfers --------------------------------------------------------
# shellcheck disable=SC2317
async()
{
	statements | grep -v TRANSFER >now
	same "$1: statements" now "$top_srcdir/t/fortran/async.txt"
	# each unit has a thread
	statements | grep TRANSFER | sed 's/,"elapsed":[0-9]*//; s/.*"op":\([0-9]*\)/\1 &/' | sort -n >now
	same "$1: what was done for them" now "$top_srcdir/t/fortran/transfers.txt"
	count "$1: in threads" '$call == "TRANSFER" && $pid == $tid' 0
	count "$1: the thread's calls stand beneath" \
		'$call ~ /^(write|read|lseek)$/ && $pid != $tid && $depth == 0' 0
	count "$1: none begins before it was asked for" '$call == "TRANSFER" && $args !~ /"elapsed":[1-9]/' 0
	is "$1: what was never done is listed" \
		"$(grep -c 'never completed: operation [0-9]*, READ of .*/lines.fifo' cat.err)" 1
	"$IOTRACE_STAT" -P records.bin logs >sums 2>/dev/null
	like "$1: iotrace-stat counts what it did" sums '^calls above them read 4008 bytes and wrote 4416 bytes$'
}
in_each fortran-async async -fopenmp
ok 'static, without threads: compiles' "$IOF90" -static -o prog "$src"
record ../prog first
is 'static, without threads: runs' $status 0
if [ "$(how_many '$call == "pthread_create"')" = 0 ]; then
	count 'then statements do it themselves' '$call == "WRITE" && $args ~ /ASYNCHRONOUS/ && $ret >= 0 && $args !~ /op/' 10
	count 'and nobody else' '$call == "TRANSFER"' 0
else
	# since GCC 14 the runtime has them anyway
	async 'static, threads of its own'
fi

# --- markers of another size -------------------------------------------------------
cat >marker.f90 <<'EOT'
program marker
  integer :: x(10)
  x = 1
  open (10, file='marker.bin', form='unformatted')
  write (10) x
  write (10) x
  rewind (10)
  read (10) x
end program marker
EOT
ok 'compiles, -frecord-marker=8' "$IOF90" -frecord-marker=8 -o prog marker.f90
record ../prog
is 'markers of 8 bytes' "$(by_column '$call == "WRITE" || $call == "READ" { printf "%s+%s ", $offset, $ret }' calls)" '0+56 56+56 0+56 '

# --- ends ---------------------------------------------------------------------------
cat >ends.f90 <<'EOT'
program ends
  character(len=10) :: line
  open (10, file='file')
  write (10, '(A)') 'text'
  rewind (10)
  read (10, '(A)') line
  read (10, '(A)') line
  print *, 'not here'
end program ends
EOT
ok 'compiles' "$IOF90" -static -o prog ends.f90
record ../prog
is 'an error ends it as it would' $status 2
count 'a statement that ended the program' '$call == "READ" && $status == "noreturn" && $args ~ /ends.f90:7/' 1
cat >blocks.f90 <<'EOT'
program blocks
  character(len=10) :: line
  read (*, '(A)') line
end program blocks
EOT
ok 'compiles' "$IOF90" -static -o prog blocks.f90
rm -rf logs
mkdir logs
mkfifo fifo
(sleep 600 >fifo & echo $! >sleeper; IOTRACE_DIR=$T/logs exec ./prog <fifo) &
prog=$!
tries=0
while cat_logs; [ "$(how_many '$call == "read" && $status == "unfinished"')" = 0 ] && [ $tries -lt 6000 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
kill -9 $prog "$(cat sleeper)"
wait $prog 2>/dev/null
sound killed
count 'a killed program was in a statement' '$call == "READ" && $status == "unfinished" && $args ~ /blocks.f90:3/' 1

# --- build systems --------------------------------------------------------------------
for probe in '-c conftest.f90' '-c CMakeFortranCompilerId.F' 'conftest.f' '--version' '-E a.F90' \
	'-shared a.o' '-J conftest a.o -c'; do
	# shellcheck disable=SC2086 # several words
	is "left alone: $probe" "$("$IOF90" --iotrace-show $probe)" "$FC $probe"
done
is 'compiling' "$("$IOF90" --iotrace-show -c a.f90)" "$FC -fno-omit-frame-pointer -c a.f90"
mkdir cmake
cat >cmake/CMakeLists.txt <<'EOT'
cmake_minimum_required(VERSION 3.10)
project(hello Fortran)
add_executable(hello main.f90 hello.f90)
EOT
cat >cmake/hello.f90 <<'EOT'
module hello
contains
  subroutine greet()
    write (6, '(A)') 'hello'
  end subroutine greet
end module hello
EOT
cat >cmake/main.f90 <<'EOT'
program main
  use hello
  call greet()
end program main
EOT
ok 'cmake configures' cmake -S cmake -B cmake-build -DCMAKE_Fortran_COMPILER="$IOF90"
ok 'and builds' cmake --build cmake-build
record ../cmake-build/hello
is 'what it built runs' "$(cat in/out)" hello
count 'and records' '$call == "WRITE" && $args ~ /hello.f90:4/ && $ret == 6' 1
mkdir auto
cat >auto/configure.ac <<'EOT'
AC_INIT([hello], [1])
AC_PROG_FC
AC_PROG_F77
AC_LANG([Fortran])
AC_FC_FREEFORM
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
EOT
printf 'hello:\n\t@FC@ @FCFLAGS@ -o $@ ../cmake/hello.f90 ../cmake/main.f90\n' >auto/Makefile.in
ok 'autoconf finds it' sh -c 'cd auto && autoconf && ./configure FC="$1" F77="${1%90}77" && make' sh "$IOF90"
record ../auto/hello
count 'autoconf: what it built records' '$call == "WRITE" && $args ~ /hello.f90:4/ && $ret == 6' 1

# --- threads ------------------------------------------------------------------------
cat >omp.f90 <<'EOT'
program omp
  integer :: i, u
  open (20, file='shared.txt')
  !$omp parallel do private(u) num_threads(4)
  do i = 1, 100
    open (newunit=u, file='own'//char(65 + mod(i, 50))//'.txt', position='append')
    write (u, '(A)') 'line'
    close (u)
    write (20, '(I4)') i
  end do
  close (20)
end program omp
EOT
for options in '' -static; do
	# shellcheck disable=SC2086 # none or one
	ok "compiles, -fopenmp $options" "$IOF90" $options -fopenmp -o prog omp.f90
	record ../prog
	is "OpenMP $options: runs" $status 0
	count "OpenMP $options: each statement is there" '$call == "WRITE" && $args ~ /omp.f90:[79]/' 200
	count "OpenMP $options: no bytes but its own" '$call == "WRITE" && $ret != "" && $ret != 5' 0
done
done_testing
