#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace run: what it runs is recorded with its children, whatever environment
# they are given; options, exit status and what cannot be recorded.

# shellcheck disable=SC2016 # scripts for other shells
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
run=$top_builddir/tools/iotrace-run
iotrace=$top_builddir/tools/iotrace
cd "$T" || exit 99

# recorded: the programs that have logs, sorted, in one line
recorded()
{
	find logs -name '*.iotrace' 2>/dev/null | sed 's,.*/,,; s,\..*,,' | sort | tr '\n' ' '
}

# traced ARGUMENT...: iotrace-run with an empty directory for logs; leaves out, err, status
traced()
{
	rm -rf logs
	"$run" -o logs "$@" >out 2>err </dev/null
	echo $? >status
}

# calls [CALL]: how many there are
calls()
{
	"$IOTRACE_CAT" --format=json logs | grep -c "\"call\":\"${1-}"
}

cat >prog.c <<'C'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open("data", O_CREAT | O_RDWR, 0666);

	if (fd < 0 || write(fd, "data", 4) != 4 || close(fd))
		return 99;
	if (argc > 2 && !strcmp(argv[1], "kill"))
		raise(atoi(argv[2]));
	return argc > 2 ? atoi(argv[2]) : 0;
}
C
$CC -O2 -o prog prog.c
$CC -O2 -static -o static prog.c

# --- status and signals
for n in 0 1 42 255; do
	traced ./prog exit $n
	is "the exit status is the program's: $n" "$(cat status err)" $n
done
is 'its calls are recorded' "$(recorded)$(calls write)" 'prog 1'
for n in 6 9 11 15; do
	traced ./prog kill $n
	is "the program dies of signal $n" "$(cat status)" $((128 + n))
	is 'and its calls are recorded' "$(recorded)$(calls write)" 'prog 1'
done
traced no-such-program
is 'not found: 127' "$(cat status err)" "127
iotrace-run: no-such-program: not found"
traced ./data/x
is 'not found beneath a file: 127' "$(cat status)" 127
traced "$T"
is 'a directory: 126' "$(cat status)" 126
traced ./prog.c
is 'not executable: 126' "$(cat status err)" "126
iotrace-run: ./prog.c: Permission denied"
printf 'echo no interpreter line\n' >script && chmod +x script
traced ./script
is 'a script without an interpreter line is run as shells do' "$(cat out)" 'no interpreter line'
printf '#!%s/prog\n' "$T" >script
traced ./script
is 'a script is recorded as its interpreter' "$(recorded)" 'prog '
exits 'no program: 125' 125 "$run"
exits 'an unknown option: 125' 125 "$run" --no-such-option ./prog
exits 'options of the program are its own' 0 "$run" -o logs sh -c 'exit 0' --help

# --- iotrace
exits 'iotrace run is iotrace-run' 42 "$iotrace" run -o logs ./prog exit 42
ok 'iotrace cat is iotrace-cat' sh -c "'$iotrace' cat --format=json logs | grep -q '\"call\":\"write\"'"
exits 'iotrace: no such command' 2 "$iotrace" nonsense
like 'is told' .said '^iotrace: nonsense: no such command'
exits 'iotrace alone' 2 "$iotrace"
exits 'iotrace with a path' 2 "$iotrace" ./prog

# --- options
rm -rf logs
(mkdir -p elsewhere && cd elsewhere && "$run" sh -c 'mkdir -p sub; cd sub; "$0"' "$T/prog")
is 'no -o: where it was started, wherever children are' \
	"$(find elsewhere -name '*.iotrace' | sed 's,[^/]*$,,' | sort -u)" elsewhere/
IOTRACE_STACK=x traced --stack=0 --calls=posix ./prog
is '--stack and --calls' "$(cat err; calls; "$IOTRACE_CAT" --format=json logs | grep -c stack)" '3
0'
traced --exclude=data ./prog
is '--exclude' "$(calls)" 0
traced --paths=data ./prog
is '--paths' "$(calls)" 3
traced --programs='/prog$' sh -c './prog; true'
is '--programs' "$(recorded)" 'prog '
traced --stack=8 --stack-paths=/none --buffer=16k --limit=1M ./prog
is '--stack-paths, --buffer, --limit' "$(cat err; calls; "$IOTRACE_CAT" --format=json logs | grep -c stack)" '3
0'
PMI_RANK=1 PMI_SIZE=2 traced --ranks=0 ./prog
is '--ranks: another one' "$(recorded)" ''
traced --longer=1000s --mode=0640 ./prog
is '--longer: nothing takes as long' "$("$IOTRACE_CAT" --format=json logs 2>/dev/null | grep -c '"call":"write"')" 0
is '--mode' "$(stat -c %a logs/*.iotrace)" 640
PMI_RANK=3 PMI_SIZE=4 traced --sample=2 ./prog
is '--sample: another one' "$(recorded)" ''
traced --after=1000 ./prog
is '--after' "$(calls 2>/dev/null)" 0
traced --until=1000 ./prog
is '--until' "$(cat err; calls)" 3
while read -r bad why; do
	traced "$bad" ./prog
	is "$bad is refused" "$(cat err status; recorded)" "iotrace-run: $bad: $why
125"
done <<'EOF'
--buffer=nonsense not a size from 16k to 16M
--buffer=1 not a size from 16k to 16M
--stack=65 not a number from 0 to 64
--stack=-1 not a number from 0 to 64
--limit=1x not a size from 0 to 1048576T
--calls=posix,pipes neither calls nor families posix stdio dir aio mem proc net mpiio fortran user mpi
--longer=5y not a time (ns, us, ms, s, min, h, d) from 0 to 1000000s
--after=-1 not a time (ns, us, ms, s, min, h, d) from 0 to 1000000s
--until=x not a time (ns, us, ms, s, min, h, d) from 0 to 1000000s
--ranks=3-1 not a list of ranks, as 0-3,7 is
--sample=0 not a number from 1 to 1000000
--mode=0666 not one of 0600, 0640, 0644
--paths=a( ( without )
--exclude=[ [ without ]
--programs=+ nothing to repeat
--stack-paths=a( ( without )
EOF

# --- children
traced sh -c './prog; (./prog)'
is 'children' "$(recorded | sed 's/[a-z]*sh //g')" 'prog prog '
traced env -i ./prog
is 'env -i' "$(recorded)" 'env prog '
cat >spawn.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *argv[] = { (char *)"./prog", NULL }, *none[] = { NULL };
static char *other[] = { (char *)"LD_PRELOAD=libm.so.6", (char *)"IOTRACE_CALLS=stdio", NULL };

static void run(const char *how)
{
	if (!strcmp(how, "execve"))
		execve("./prog", argv, none);
	else if (!strcmp(how, "null"))
		execve("./prog", argv, NULL);
	else if (!strcmp(how, "execvpe"))
		execvpe("./prog", argv, none);
	else if (!strcmp(how, "execle"))
		execle("./prog", "./prog", NULL, none);
	else if (!strcmp(how, "fexecve"))
		fexecve(open("./prog", O_RDONLY), argv, none);
	else if (!strcmp(how, "SYS_execve"))
		syscall(SYS_execve, "./prog", argv, none);
	else if (!strcmp(how, "SYS_execveat"))
		syscall(SYS_execveat, -100, "./prog", argv, none, 0);
	else if (!strcmp(how, "other"))
		execve("./prog", argv, other);
	clearenv();
	if (!strcmp(how, "execv"))
		execv("./prog", argv);
	else if (!strcmp(how, "execvp"))
		execvp("./prog", argv);
	else if (!strcmp(how, "execl"))
		execl("./prog", "./prog", NULL);
	else if (!strcmp(how, "execlp"))
		execlp("./prog", "./prog", NULL);
	_exit(99);
}

int main(int argc, char **args)
{
	int status = -1;
	pid_t pid;

	if (argc != 2)
		return 2;
	if (!strcmp(args[1], "spawn") || !strcmp(args[1], "spawnp")) {
		if (args[1][5] ? posix_spawnp(&pid, "./prog", NULL, NULL, argv, none) :
				 posix_spawn(&pid, "./prog", NULL, NULL, argv, none))
			return 3;
	} else if (!strcmp(args[1], "vfork")) {
		pid = vfork();
		if (!pid) {
			execve("./prog", argv, none);
			_exit(99);
		}
	} else {
		pid = fork();
		if (!pid)
			run(args[1]);
	}
	return waitpid(pid, &status, 0) != pid || status;
}
C
$CC -O2 -o spawn spawn.c
for how in execve null execvpe execle fexecve SYS_execve SYS_execveat execv execvp execl execlp spawn spawnp vfork; do
	traced ./spawn $how
	is "$how: a child without our environment" "$(cat status) $(recorded | sed 's/spawn spawn/spawn/')" \
		'0 prog spawn '
done

# an environment at a bad address is the kernel's affair
cat >bad-env.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	char *argv[] = { (char *)"prog", NULL }, *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *bad_entry[] = { (char *)"A=b", (char *)8, NULL };
	char *no_end[] = { page + 4093, NULL };
	char **env[] = { (char **)8, bad_entry, no_end, (char **)(void *)(page + 4096 - sizeof(char *)) };
	pid_t pid;

	page[4093] = page[4094] = page[4095] = 'x';
	mprotect(page + 4096, 4096, PROT_NONE);
	for (int i = 0; i < 4; i++) {
		errno = 0;
		execve("./prog", argv, env[i]);
		printf("execve %d\n", errno);
		syscall(SYS_execve, "./prog", argv, env[i]);
		printf("SYS_execve %d\n", errno);
		fexecve(open("./prog", O_RDONLY), argv, env[i]);
		printf("fexecve %d\n", errno);
		printf("posix_spawn %d\n", posix_spawn(&pid, "./prog", NULL, NULL, argv, env[i]));
	}
	return 0;
}
C
$CC -O2 -o bad-env bad-env.c
./bad-env >want
traced ./bad-env
same 'an environment at a bad address: the same error' out want

# system and popen pass on `environ', which stays as the program has left it
cat >shell.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

extern char **environ;

/* As long as the kernel takes an argument */
static const char *longest(const char *command)
{
	static char text[128 << 10];

	memset(text, 'x', sizeof(text) - 1);
	memcpy(text + sprintf(text, "%s #", command), "x", 1);
	return text;
}

int main(int argc, char **argv)
{
	char line[400];
	int status = -1;
	wordexp_t words;
	FILE *f;

	if (argc < 3)
		return 99;
	clearenv();
	if (argc > 3)
		putenv(argv[3]);
	if (!strcmp(argv[1], "system"))
		status = system(argv[2]);
	if (!strcmp(argv[1], "long"))
		status = system(longest(argv[2]));
	if (!strcmp(argv[1], "wordexp"))
		status = wordexp(argv[2], &words, 0);
	f = strcmp(argv[1], "popen") ? NULL : popen(argv[2], "r");
	while (f && fgets(line, sizeof(line), f))
		fputs(line, stdout);
	if (f)
		status = pclose(f);
	printf("status %x, %d variables\n", (unsigned)status, environ && *environ ? argc - 3 : 0);
	return 0;
}
C
$CC -O2 -o shell shell.c
# kinds: of programs that have logs, whatever /bin/sh is called
kinds()
{
	recorded | tr ' ' '\n' | sed '/^$/d; s/^[a-z]*sh$/sh/' | sort -u | tr '\n' ' '
}
for how in system popen; do
	traced ./shell $how './prog exit 7'
	is "$how: what the shell runs is recorded, and the shell" "$(kinds)" 'prog sh shell '
	is "$how: and its status is there" "$(cat out)" 'status 700, 0 variables'
	# shellcheck disable=SC2089
	while read -r command; do
		env ./shell $how "$command" A=b >want 2>want.err
		traced ./shell $how "$command" A=b
		grep -v '^\(IOTRACE[_=]\|LD_PRELOAD=\)' out >seen
		same "$how: $command" seen want
		same "$how: $command: standard error" err want.err
	done <<'C'
echo "$0" "$#" 'it'"'"'s' \$A $A `echo x`; exit 3
env | sort
no-such-command
if then
kill -9 $$
-x
exit
[ "$PPID" != "$$" ] && echo parent

C
	traced --syscalls ./shell $how ./prog
	is "$how: with --syscalls" "$(kinds)" 'prog sh shell '
done
# where libc is not told what to run, only the kernel sees it
while read -r how command status; do
	traced ./shell "$how" "$command"
	is "$how: what it runs is not recorded" "$(cat out): $(kinds)" "status $status, 0 variables: shell "
	traced --syscalls ./shell "$how" "$command"
	is "$how: with --syscalls it is" "$(cat out): $(kinds)" "status $status, 0 variables: prog sh shell "
done <<'C'
wordexp $(./prog) 0
long ./prog 0
C
traced ./spawn other
is 'what the program sets itself counts' "$(cat status) $(recorded)$(calls write)" '0 prog spawn 0'
"$IOCC" -O2 -o spawn-iocc spawn.c
rm -rf logs && mkdir logs
IOTRACE_DIR="$T/logs" ./spawn-iocc execve
is 'what iocc linked adds nothing' "$(recorded)" 'spawn-iocc '
LD_PRELOAD=libm.so.6 traced sh -c 'echo "$LD_PRELOAD"'
like 'an LD_PRELOAD that was there is kept' out '/libiotrace\.so:libm\.so\.6$'

# --- with a recorder of its own
"$IOCC" -O2 -o prog-iocc prog.c
"$IOCC" -O2 -static -o static-iocc prog.c
traced ./prog-iocc
is 'what iocc linked is recorded once' "$(cat err; recorded)$(calls write)" 'prog-iocc 1'
traced ./static-iocc
is 'static too' "$(cat err; recorded)$(calls write)" 'static-iocc 1'

# --- what cannot be recorded
traced ./static exit 5
is 'a static program: is run' "$(cat status)" 5
is 'and the remedy told' "$(cat err)" 'iotrace-run: ./static: not recorded: it is static (link it with iocc -static)'
cp prog setuid && chmod u+s setuid
if [ "$(id -u)" = 0 ]; then
	chown 65534 setuid && chmod u+s setuid
	chmod 777 .
	traced ./setuid
	like 'a set-user-id program' err '^iotrace-run: \./setuid: not recorded: it is set-user-id.*\(run a copy'
else
	skip 'a set-user-id program' 'not root'
fi
if command -v musl-gcc >/dev/null; then
	musl-gcc -O2 -o musl prog.c
	traced ./musl
	like 'a program that uses musl' err '^iotrace-run: \./musl: not recorded: its libc is another.*musl.*\(link it'
	./musl >want 2>&1
	is 'runs as without' "$(cat status)" $?
	same 'and says the same' out want
	is 'and has no log' "$(ls logs)" ''
	traced sh -c ./musl
	is 'one that a shell starts' "$(cat status)" 0
	is 'has none either' "$(find logs -name 'musl.*')" ''
else
	skip 'a program that uses musl' 'no musl-gcc (Debian: musl-tools)'
fi
# an executable for another processor: the kernel would not run it either
cp prog other
printf '\267\000' | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
traced ./other
like 'a program for another architecture' err '^iotrace-run: \./other: not recorded: it is for another architecture'
is 'and its status' "$(cat status)" 126
for size in 4 16 63 64 65 200; do
	head -c $size prog >"$T/short" && chmod +x short
	traced ./short
	ok "an executable of $size bytes: no harm" test "$(cat status)" -lt 128
done

# --- AddressSanitizer, which wants to be first
cat >asan.c <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char *b = malloc(10);
	int fd = open(argv[0], O_RDONLY);
	int n = (int)read(fd, b, argc > 1 ? 20 : 10);

	free(b);
	return n != 10;
}
C
$CC -g -fsanitize=address -o asan asan.c
traced ./asan
is 'AddressSanitizer: runs and is recorded' "$(cat status) $(recorded)$(calls read)" '0 asan 1'
traced ./asan x
like 'AddressSanitizer: finds what it finds' err 'heap-buffer-overflow'
"$IOCC" -g -fsanitize=address -o asan-iocc asan.c
rm -rf logs && mkdir logs
IOTRACE_DIR=$T/logs ./asan-iocc >out 2>err
is 'AddressSanitizer and iocc: runs and is recorded' "$? $(recorded)$(calls read)" '0 asan-iocc 1'
IOTRACE_DIR=$T/logs ./asan-iocc x >out 2>err
like 'AddressSanitizer and iocc: finds what it finds' err 'heap-buffer-overflow'
# --- where the kernel does not tell where the loader's list is
lib=$top_builddir/lib/libiotrace.so
cat >writes.c <<'C'
#include <stdio.h>
int main(void) { return puts("written") < 0; }
C
ok 'a program' "$CC" writes.c -o writes
ldd writes | grep -o '/[^ ]*' >libraries
loader=$(grep '/ld-' libraries)
rm -rf logs
mkdir logs
IOTRACE_DIR=$T/logs "$loader" --preload "$lib" ./writes >out 2>err
is 'executed by the loader it runs' "$? $(cat out err)" '0 written'
is 'and is recorded' "$(calls puts)" 1
rm -rf logs
mkdir -p "root$T/logs" logs
while read -r file; do
	mkdir -p "root${file%/*}" && cp "$file" "root$file"
done <<C
$(cat libraries)
$lib
C
cp writes root
if unshare -r chroot root /writes >out 2>err; then
	IOTRACE_DIR=$T/logs LD_PRELOAD=$lib unshare -r chroot root /writes >out 2>err
	is 'without /proc it runs' "$? $(cat out err)" '0 written'
	mv "root$T/logs" logs.root
	"$IOTRACE_CAT" --format=json logs.root >out
	like 'and is recorded' out '"call":"puts"'
	# a build tree without /proc
	mkdir -p root/at/tools root/at/lib "root$T/logs"
	cp "$top_builddir/tools/iotrace" "$run" root/at/tools
	cp "$lib" root/at/lib
	: >root/at/config.status
	ln -s at/tools/iotrace root/iotrace
	unshare -r chroot root /iotrace run -o "$T/logs" /writes >out 2>err
	is 'iotrace run without /proc' "$? $(cat out err)" '0 written'
	"$IOTRACE_CAT" --format=json "root$T/logs" >out
	like 'records' out '"call":"puts"'
else
	skip 'without /proc' "$(cat err)"
fi

# Valgrind executes the program itself.  It reads all memory to look for leaks, and makes
# the program's system calls by an instruction of its own.
cat >leaks.c <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

char *volatile leak;

int main(void)
{
	int fd = open("data", O_CREAT | O_RDWR, 0666);

	leak = malloc(100);
	leak = NULL;
	return fd < 0 || write(fd, "data", 4) != 4 ? 99 : 7;
}
C
# beneath DESCRIPTION COMMAND...: it ends as it does without us, and its write is recorded
beneath()
{
	what=$1
	shift
	rm -rf logs && mkdir logs
	IOTRACE_DIR=$T/logs "$@" >out 2>err
	is "beneath valgrind: $what: its status" $? 7 || diag_file err
	like "beneath valgrind: $what: what leaks" err 'definitely lost: 100 bytes in 1 blocks'
	is "beneath valgrind: $what: its write" "$(calls write)" 1
}

if command -v valgrind >/dev/null; then
	# shellcheck disable=SC2086 # CC may have options
	ok 'a program that leaks' $CC -g -o leaks leaks.c
	ok 'with iocc' "$IOCC" -g -o leaks-traced leaks.c
	beneath 'of iocc' valgrind --leak-check=full ./leaks-traced
	beneath 'iotrace run' "$run" valgrind --leak-check=full ./leaks
	beneath 'iotrace run --syscalls' "$run" --syscalls valgrind --leak-check=full ./leaks
	like 'which says that the kernel delivers no calls there' err 'IOTRACE_SYSCALLS: not beneath valgrind'
else
	skip 'beneath valgrind' 'there is no valgrind'
fi

done_testing
