# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# programs.sh - the programs of this directory: how they are built and run.  Included after
# tap.sh.
#
# The head of a program's source says
#
#	build: iocc -static	with what it is compiled; for MPI: iompicc openmpi|mpich|static
#	ranks: 4		how many ranks it has
#	launcher: mpich		the MPI that starts them, if the program is none of MPI's
#	library: NAME.c		a shared library of its own
#	with: NAME.c		another file of its source; slow-disk.c is linked as if it were libc's
#	calls: posix,mpi	what is recorded of it, if not all that is by default
#	package: hdf5		what pkg-config knows of a library
#	input: COMMAND		makes the files that it reads
#	as: NAME		of the program that is much like it: make check judges that one,
#				and this one with TEST_LONG=1 only
#
# and a comment at the guilty line says what the first finding has to be:
#
#	/* FINDING id path */
#
# with other ids that are as true behind |, and other paths behind a space.  In a path, ~ stands
# for any part of a name, ? for a character, and - alone for no path.  There may be several such
# lines.  With INFORMATION in place of FINDING it is what the program has to be told besides: a
# finding that is information only.  A program without a FINDING is clean: there is nothing to
# find in it.  With -DFIXED there is nothing to find in any.

# shellcheck disable=SC2154 # tap.sh sets it
sources=$top_srcdir/t/answers
# shellcheck source=t/lib/mpi.sh
[ -z "${IOT_MPIS:-}" ] || . "$top_srcdir/t/lib/mpi.sh"

# program_names: those of all programs
program_names()
{
	grep -l -E '^[ !*]* build: ' "$sources"/*.* | grep -v '\.sh$' | sed 's,.*/,,; s/\..*//' | sort
}

# chosen_names: those of the programs that are to be judged
chosen_names()
{
	for name in $(program_names); do
		choose "$name"
		[ -n "${TEST_LONG:-}" ] || [ -z "$as" ] || continue
		echo "$name"
	done
}

# choose NAME: what follows is about this program
choose()
{
	name=$1
	for source in "$sources/$name.c" "$sources/$name.cc" "$sources/$name.F90"; do
		[ ! -f "$source" ] || break
	done
	compiler='' ranks='' library='' launcher='' package='' with='' calls='' input='' as='' head_lines=20
	# without a process: this is done for each program
	while [ $head_lines -gt 0 ] && IFS= read -r line; do
		head_lines=$((head_lines - 1))
		line=${line#"${line%%[! !*]*}"}
		value=${line#*:}
		value=${value#"${value%%[! ]*}"}
		case $line in
		build:*)	compiler=$value ;;
		ranks:*)	ranks=$value ;;
		library:*)	library=$value ;;
		launcher:*)	launcher=$value ;;
		package:*)	package=$value ;;
		with:*)		with=$value ;;
		calls:*)	calls=$value ;;
		input:*)	input=$value ;;
		as:*)		as=$value ;;
		esac
	done <"$source"
	flags=${compiler#"${compiler%% *}"} compiler=${compiler%% *}
	flags=${flags# }
}

# is_seeded: whether it has a fault
is_seeded()
{
	grep -q FINDING "$source" ${library:+"$sources/$library"}
}

# lacks: says what is missing to build $source, if anything is
lacks()
{
	case $compiler in
	iof90)	[ -n "${FC:-}" ] || echo 'no gfortran' ;;
	iompi*)	mpi_forms 2>/dev/null | grep -q -x "$flags" || echo "no MPI of this kind: $flags" ;;
	esac
	[ -z "$launcher" ] || mpi_forms | grep -q -x "$launcher" || echo "no $launcher"
	[ -z "$package" ] || pkg-config --exists "$package" || echo "no $package"
}

# build DEFINES...: ./program of $source, and the library that it has
# shellcheck disable=SC2046,SC2086 # several words
build()
{
	set -- -g -O2 "$@"
	if [ -n "$library" ]; then
		"$IOCC" "$@" -fPIC -shared -o "lib${library%.c}.so" "$sources/$library" || return 1
		libraries="-L. -l${library%.c} -Wl,-rpath,$PWD"
	else
		libraries=
	fi
	[ -z "$package" ] || libraries="$libraries $(pkg-config --cflags --libs "$package")"
	other=
	if [ "$with" = slow-disk.c ]; then
		# what a program has by a call's name is its own, and not on record, but in libc's libraries
		$CC "$@" -c -o slow-disk.o "$sources/$with" && ar cr librt.a slow-disk.o || return 1
		other=-Wl,--whole-archive,librt.a,--no-whole-archive
	elif [ -n "$with" ]; then
		other=$sources/$with
	fi
	case $compiler in
	iompi*)	COMPILER=$compiler mpi_build "$flags" program "$@" "$source" ${other:+"$other"} ;;
	*)	"$top_builddir/compiler-wrappers/$compiler" "$@" $flags -o program "$source" ${other:+"$other"} $libraries ;;
	esac
}

# make_input: the files that it reads
make_input()
{
	[ -z "$input" ] || sh -c "$input"
}

# run: its logs are in program.logs
run()
{
	unset IOTRACE_CALLS
	[ -z "$calls" ] || export IOTRACE_CALLS="$calls"
	if [ -n "$ranks" ]; then
		mpi_run "${launcher:-$flags}" "$ranks" program
	else
		mkdir program.logs &&
			IOTRACE_DIR=$PWD/program.logs timeout 600 ./program >program.out 2>program.err </dev/null
	fi
}
