/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kinds.c - calls from where calls.c makes none: before main, in resolvers, in children on
 * their parent's stack, from functions that are jumped to, that do not return, that align
 * their stack or keep their registers elsewhere, and below functions of libc that call back.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
/* the call before is not the function's last instruction */
#define KEEP(x) __asm__ volatile("" : "+r"(x))

static volatile int zero;
static char **plugin;

static NOINLINE int site(void)
{
	int fd = open("/dev/null", O_WRONLY), n = (int)write(fd, "bytes", 5);

	KEEP(n);
	close(fd);
	return n;
}

__attribute__((constructor)) static void before_main(void)
{
	site();
}

__attribute__((destructor)) static void behind_main(void)
{
	site();
}

/* a jump, not a call */
static NOINLINE int tail(int n)
{
	return n > zero ? tail(n - 1) : site();
}

static NOINLINE __attribute__((noreturn)) void thrown(sigjmp_buf *to)
{
	site();
	siglongjmp(*to, 1);
}

static NOINLINE void no_return(void)
{
	sigjmp_buf here;

	if (!sigsetjmp(here, 1))
		thrown(&here);
	site();
}

static NOINLINE int sized(int n)
{
	char a[n], b[2 * n];
	int ret;

	memset(a, 0, sizeof(a));
	memset(b, 0, sizeof(b));
	ret = site();
	KEEP(ret);
	return ret + a[0] + b[0];
}

static NOINLINE unsigned leaf(unsigned x)
{
	return x * 1664525 + 1013904223;
}

#ifdef __x86_64__
typedef double wide __attribute__((vector_size(32)));

__attribute__((noinline, target("avx"))) static double vectors(double x)
{
	wide v[4] = { { x, x, x, x } };

	KEEP(x);
	for (int i = 1; i < 4; i++) {
		site();
		v[i] = v[i - 1] * v[i - 1];
	}
	return v[3][zero];
}

/* without a frame pointer, and with the only one that there is */
__attribute__((noinline, force_align_arg_pointer)) static int realigned(int n)
{
	char a[n];
	int ret;

	memset(a, 0, sizeof(a));
	ret = site();
	KEEP(ret);
	return ret + a[0];
}

__attribute__((noinline, force_align_arg_pointer)) static int realigned_leaf(int n)
{
	char a[n & 100];

	a[0] = 0;
	KEEP(n);
	return n + a[0];
}

/* From here on there is a signal after each instruction, or no longer. */
void trap(void);
__asm__(".text\n.type trap,@function\ntrap:\n.cfi_startproc\n"
	"pushfq\n.cfi_adjust_cfa_offset 8\n"
	"xorq $256, (%rsp)\n"
	"popfq\n.cfi_adjust_cfa_offset -8\n"
	"ret\n.cfi_endproc\n.size trap, .-trap\n");

static void trapped(int sig)
{
	(void)sig;
	if (write(-1, "", 0) != -1)
		_exit(6);
}

/* a function that the loader finds when it is called first, and one of many registers */
static NOINLINE int stepped(int n, char **argv)
{
	char a[n];

	signal(SIGTRAP, trapped);
	trap();
	n = strcmp(argv[0], "") + (int)leaf((unsigned)n);
	n += realigned_leaf(n);
	snprintf(a, (size_t)n & 1, "%d", n);
	trap();
	return n;
}
#endif

static int each_file(const char *path, const struct stat *st, int flag, struct FTW *where)
{
	(void)path, (void)st, (void)flag, (void)where;
	return site() != 5;
}

static int each_entry(const struct dirent *e)
{
	return site() && e->d_name[0] == '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	site();
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int each_error(const char *path, int err)
{
	(void)path, (void)err;
	return site() != 5;
}

/* What libc calls, and what it does itself. */
static NOINLINE void libc(void)
{
	struct dirent **list = NULL;
	glob_t found;
	FILE *fp;
	int n;

	nftw(".", each_file, 4, FTW_PHYS);
	n = scandir(".", &list, each_entry, by_name);
	while (n > 0)
		free(list[--n]);
	free(list);
	if (!glob("/nowhere/*/*", GLOB_ERR, each_error, &found))
		globfree(&found);
	fp = fopen("file", "w+");
	fprintf(fp, "%d", 1);
	fseek(fp, 0, SEEK_SET);
	fwrite("more", 1, 4, fp);
	fclose(fp);
	unlink("file");
	errno = ENOENT;
	perror("kinds");
	syscall(SYS_write, 2, "raw\n", 4);
	puts("at exit");
}

static void cleanup(void *arg)
{
	(void)arg;
	site();
}

static void *cancelled(void *arg)
{
	pthread_key_t key;

	pthread_key_create(&key, cleanup);
	pthread_setspecific(key, arg);
	pthread_cleanup_push(cleanup, arg);
	for (;;)
		pause();
	pthread_cleanup_pop(0);
	return NULL;
}

static void *exiting(void *arg)
{
	pthread_cleanup_push(cleanup, arg);
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
	return NULL;
}

static NOINLINE void threads(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, cancelled, &t);
	pthread_create(&t[1], NULL, exiting, &t);
	pthread_cancel(t[0]);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
}

static void in_child(void)
{
	site();
}

static NOINLINE void children(void)
{
	char *args[] = { (char *)"true", NULL };
	posix_spawn_file_actions_t actions;
	int status;
	pid_t pid;

	pthread_atfork(in_child, in_child, in_child);
	pid = fork();
	if (!pid)
		_exit(site() != 5);
	waitpid(pid, &status, 0);
	pid = vfork();
	if (!pid)
		_exit(site() != 5);
	waitpid(pid, &status, 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	if (!posix_spawn(&pid, "/bin/true", &actions, NULL, args, NULL))
		waitpid(pid, &status, 0);
	posix_spawn_file_actions_destroy(&actions);
	if (system("exit 0"))
		exit(5);
}

/* In the middle of a leaf that has no frame, and of a function's beginning and end. */
static volatile int ticks;
static timer_t timer;

static void tick(int sig)
{
	struct itimerspec soon = { .it_value.tv_nsec = 100000 + 777 * ticks };

	(void)sig;
	site();
	ticks++;
	timer_settime(timer, 0, &soon, NULL);
}

static NOINLINE void interrupted(void)
{
	struct sigevent by = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	unsigned x = 1;

	signal(SIGUSR1, tick);
	timer_create(CLOCK_MONOTONIC, &by, &timer);
	raise(SIGUSR1);
	while (ticks < 30)
		x = leaf(x) + leaf(x + 1);
	timer_delete(timer);
	KEEP(x);
}

static void at_exit(void)
{
	site();
}

static void quick_exit_of_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		at_quick_exit(at_exit);
		quick_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* A library whose functions are bound by resolvers, and when they are called first. */
static NOINLINE void plugins(void)
{
	for (; *plugin; plugin++) {
		void *p = dlopen(*plugin, RTLD_LAZY);
		int (*run)(int (*)(void)) = NULL;

		if (p)
			*(void **)&run = dlsym(p, "run");
		if (!run || !run(site))
			_exit(4);
		dlclose(p);
	}
}

int main(int argc, char **argv)
{
	plugin = argv + 1;
	setvbuf(stdout, NULL, _IOFBF, 4096);
	atexit(at_exit);
	on_exit((void (*)(int, void *))at_exit, NULL);
	tail(5);
	no_return();
	sized(100 + zero);
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx"))
		vectors(2);
	realigned(100 + zero);
#endif
	/* all so far has frame pointers if it is to have some */
	if (argc > 1 && !strcmp(argv[1], "plain"))
		return 0;
#ifdef __x86_64__
	stepped(100 + zero, argv);
#endif
	libc();
	threads();
	children();
	interrupted();
	quick_exit_of_child();
	plugins();
	printf("ends\n");
	return 0;
}
