#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace run of MPI programs that were not linked by us: whose wrappers come along,
# for programs that need MPI themselves, through a library, or in a plugin; what the
# wrong ones do (nothing).  What is recorded, t/mpi/basic.t and its like look at.

# shellcheck disable=SC2016 # awk's fields
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99
run=$top_builddir/tools/iotrace-run

# a plugin does the work, and says what was preloaded
cat >plugin.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int work(void)
{
	const char *library = getenv("LD_PRELOAD");
	MPI_Status status;
	MPI_File fh;
	int n;

	printf("%s\n", library ? strrchr(library, '/') + 1 : "none");
	fflush(stdout);
	MPI_Init(NULL, NULL);
	MPI_File_open(MPI_COMM_SELF, "work.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
	MPI_File_write_at(fh, 10, "hello", 5, MPI_CHAR, &status);
	MPI_Get_count(&status, MPI_CHAR, &n);
	MPI_File_close(&fh);
	MPI_Finalize();
	return n == 5 ? 3 : 99;
}
END
echo 'int work(void); int main(void) { return work(); }' >main.c
cat >opens.c <<'END'
#include <dlfcn.h>

int main(void)
{
	void *plugin = dlopen("./libplugin.so", RTLD_NOW | RTLD_LOCAL);
	int (*work)(void);

	if (!plugin)
		return 98;
	*(void **)&work = dlsym(plugin, "work");
	return work();
}
END

# traced COMMAND...: leaves out, status, and the MPI-IO calls
traced()
{
	rm -rf logs
	timeout 600 "$run" -o logs "$@" >out 2>err </dev/null
	echo $? >status
	"$IOTRACE_CAT" --format=raw -e mpiio logs 2>cat.err | by_column '/^#/ { next } { print $call, $offset, $ret }' >calls
}

printf '%s\n' 'MPI_Init  0' 'MPI_File_open  0' 'MPI_File_write_at 10 5' 'MPI_File_close  0' 'MPI_Finalize  0' >want
# seen LIBRARY: it was preloaded, and all is as it should be
seen()
{
	is "$1" "$(cat out status)" "$1
3" || diag_file err
	same 'its calls are recorded' calls want
}

# how often the five bytes were written
writes()
{
	"$IOTRACE_CAT" --format=raw logs | by_column '$call ~ /write/ && $family == "posix" && $path ~ /work\.data$/ && $ret == 5' | wc -l | tr -d ' '
}

for mpi in $IOT_MPIS; do
	tap_about="$mpi: "
	cc=$(mpi_cc "$mpi")
	# shellcheck disable=SC2086 # CC may have options
	ok 'programs are built' sh -c "$cc -shared -fPIC -o libplugin.so plugin.c && $cc -o direct main.c plugin.c &&
		$CC -o through main.c -L. -Wl,-rpath,'\$ORIGIN' -lplugin && $CC -o opens opens.c -ldl" || continue
	tap_about="$mpi: needed: "
	traced ./direct
	seen "libiotrace-mpi-$mpi.so"
	tap_about="$mpi: by a library: "
	traced ./through
	seen "libiotrace-mpi-$mpi.so"
	printf '#!%s/through\n' "$T" >script
	chmod +x script
	tap_about="$mpi: by an interpreter: "
	traced ./script
	seen "libiotrace-mpi-$mpi.so"
	tap_about="$mpi: a plugin, by itself: "
	traced ./opens
	is 'libiotrace.so' "$(cat out status)" 'libiotrace.so
3'
	tap_about="$mpi: a plugin, --mpi: "
	traced "--mpi=$mpi" ./opens
	seen "libiotrace-mpi-$mpi.so"
	tap_about="$mpi: a plugin, under mpirun: "
	rm -rf logs
	timeout 600 "$(mpi_tool "$mpi" mpirun)" -np 1 "$run" -o logs ./opens >out 2>err </dev/null
	echo $? >status
	"$IOTRACE_CAT" --format=raw -e mpiio logs | by_column '/^#/ { next } { print $call, $offset, $ret }' >calls
	seen "libiotrace-mpi-$mpi.so"
	tap_about="$mpi: its launcher: "
	traced "$(mpi_tool "$mpi" mpirun)" -np 1 ./opens
	seen "libiotrace-mpi-$mpi.so"
	tap_about="$mpi: --mpi=none: "
	traced --mpi=none ./direct
	is 'libiotrace.so' "$(cat out status)" 'libiotrace.so
3'
	is 'no call of MPI is recorded' "$(cat calls)" ''
	tap_about="$mpi: both libraries, MPI's first: "
	traced --mpi=none "$run" ./direct
	same 'its calls are recorded' calls want
	is 'each call once' "$(writes)" 1
	tap_about="$mpi: both libraries, MPI's last: "
	traced "--mpi=$mpi" "$run" --mpi=none ./direct
	is 'the exit status is its own' "$(tail -n 1 status)" 3
	is 'each call once' "$(writes)" 1
	for other in $IOT_MPIS; do
		[ "$other" != "$mpi" ] || continue
		tap_about="$mpi, with wrappers for $other: "
		traced "--mpi=$other" ./direct
		is 'it runs as it does' "$(cat out status)" "libiotrace-mpi-$other.so
3" || diag_file err
		is 'no call of MPI is recorded' "$(cat calls)" ''
		is 'others are' "$(writes)" 1
	done
done
tap_about=
traced --mpi=lam true
is 'an MPI that is none: 125' "$(cat status)" 125
like 'and why' err '^iotrace-run: --mpi=lam: iotrace has not been configured with that one \(.*or none\)$'
traced true
is 'what uses no MPI' "$(cat status)" 0

# the program finds no trace of the child that looked at its libraries
cat >child.c <<'END'
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

int main(void)
{
	struct rusage r;
	sigset_t pending;

	sigpending(&pending);
	getrusage(RUSAGE_CHILDREN, &r);
	printf("%d %d %ld\n", sigismember(&pending, SIGCHLD), waitpid(-1, NULL, 0) < 0 && errno == ECHILD ? 0 : 1,
	       r.ru_maxrss);
	return signal(SIGCHLD, SIG_DFL) != SIG_DFL;
}
END
cat >blocked.c <<'END'
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	sigset_t set;

	(void)argc;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	execv(argv[1], argv + 1);
	return 99;
}
END
# shellcheck disable=SC2086
ok 'a program that looks is built' sh -c "$CC -o child child.c && $CC -o blocked blocked.c"
rm -rf logs
./blocked "$run" -o logs ./child >out 2>err
is 'no trace of a child' "$? $(cat out err)" '0 0 0 0'
done_testing
