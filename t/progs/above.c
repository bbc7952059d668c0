/* SPDX-License-Identifier: BSD-3-Clause */
/* above.c - functions above system calls: names, terminals, tables of mounts and users; and
   what few programs call. */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <mntent.h>
#include <pwd.h>
#include <semaphore.h>
#include <shadow.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>
#include <wordexp.h>

#include "show.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#ifdef __GLIBC__
/* without prototypes in all versions */
extern int init_module(void *, unsigned long, const char *), delete_module(const char *, unsigned int);
extern int process_mrelease(int, unsigned int);
#endif

static void names(void)
{
	char buf[PATH_MAX], template[] = "nameXXXXXX", *s;

	close(open("some", O_WRONLY | O_CREAT, 0600));
	PTR(realpath("some", buf));
	PTR(s = realpath("./some", NULL));
	free(s);
	PTR(realpath("none", buf));
	GNU(PTR(s = canonicalize_file_name("some")));
	GNU(free(s));
	PTR(s = get_current_dir_name());
	free(s);
	GNU(PTR(getwd(buf)));
	PTR(mktemp(template));
	PTR(tmpnam(NULL));
	GNU(PTR(tmpnam_r(buf)));
	PTR(s = tempnam(".", "pre"));
	free(s);
	OK(ftok("some", 1));
	SHOW(ftok("none", 1));
	OK(pathconf("some", _PC_NAME_MAX));
	OK(fpathconf(0, _PC_NAME_MAX));
	OK(pathconf("some", _PC_LINK_MAX));
}

static void terminals(void)
{
	char buf[100];
	int fd;

	OK(fd = posix_openpt(O_RDWR | O_NOCTTY));
	OK(grantpt(fd));
	OK(unlockpt(fd));
	PTR(ptsname(fd));
	SHOW(ptsname_r(fd, buf, sizeof(buf)));
	OK(ttyname_r(fd, buf, sizeof(buf)));
	PTR(ttyname(0));
	close(fd);
	GNU(OK(fd = getpt()));
	GNU(close(fd));
}

static void tables(void)
{
	struct mntent entry = { "dev", "dir", "type", "opts", 0, 0 };
	struct passwd user = { "me", "x", 7, 7, "", "/", "/bin/sh" };
	struct group group = { "us", "x", 7, (char *[]){ NULL } };
	struct passwd *one_user;
	struct group *one_group;
	struct mntent read;
	char buf[200];
	wordexp_t words;
	FILE *f;

	PTR(f = setmntent("mounts", "w+"));
	SHOW(addmntent(f, &entry));
	rewind(f);
	PTR(getmntent(f));
	PTR(getmntent_r(f, &read, buf, sizeof(buf)));
	SHOW(endmntent(f));
	PTR(setmntent("none", "r"));
	f = fopen("users", "w+");
	SHOW(putpwent(&user, f));
	SHOW(putgrent(&group, f));
	rewind(f);
	PTR(fgetpwent(f));
	PTR(fgetgrent(f));
	rewind(f);
	GNU(SHOW(fgetpwent_r(f, &user, buf, sizeof(buf), &one_user)));
	GNU(SHOW(fgetgrent_r(f, &group, buf, sizeof(buf), &one_group)));
	GNU(SHOW(fgetgrent_r(f, &group, buf, sizeof(buf), &one_group)));
	fclose(f);
	SHOW(wordexp("some *", &words, 0));
	wordfree(&words);
	GNU(OK(lckpwdf()));
	GNU(OK(ulckpwdf()));
}

static void shared(void)
{
	struct shmid_ds ds;
	struct msqid_ds queue;
	struct {
		long type;
		char text[8];
	} m = { 1, "message" };
	char name[40];
	sem_t *sem;
	int id;
	void *p;

	snprintf(name, sizeof(name), "/iotrace-above-%d", getpid());
	PTR(sem = sem_open(name, O_CREAT | O_EXCL, 0600, 1));
	OK(sem_unlink(name));
	sem_close(sem);
	PTR(sem_open("/iotrace-above-none", 0));
	OK(id = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600));
	PTR(p = shmat(id, NULL, 0));
	SHOW(shmctl(id, IPC_STAT, &ds));
	SHOW(shmctl(id, IPC_RMID, NULL));
	SHOW(shmdt(p));
	SHOW(shmdt(HIDE((void *)4096)));
	OK(id = msgget(IPC_PRIVATE, IPC_CREAT | 0600));
	SHOW(msgsnd(id, &m, sizeof(m.text), 0));
	SHOW(msgrcv(id, &m, sizeof(m.text), 0, IPC_NOWAIT));
	SHOW(msgrcv(id, &m, sizeof(m.text), 0, IPC_NOWAIT));
	SHOW(msgctl(id, IPC_STAT, &queue));
	SHOW(msgctl(id, IPC_RMID, NULL));
}

/* By a list of arguments; those with a status end a process of their own. */
static void message(int nth, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (nth == 0)
		vwarn(format, ap);
	else if (nth == 1)
		vwarnx(format, ap);
	else if (nth == 2)
		verr(7, format, ap);
	else if (nth == 3)
		verrx(7, format, ap);
	else if (nth == 4)
		err(7, "%s", "err");
	else if (nth == 6)
		vsyslog(LOG_DEBUG, format, ap);
	else
		errx(7, "%s", "errx");
	va_end(ap);
}

static void last_words(int nth)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		message(nth, "%s", "last words");
	waitpid(pid, &status, 0);
	SHOW(WEXITSTATUS(status));
}

/* Messages on standard error. */
static void messages(void)
{
	siginfo_t info = { .si_signo = SIGSEGV, .si_code = SEGV_MAPERR };
	int fd = dup(2);

	dup2(open("messages", O_WRONLY | O_CREAT, 0600), 2);
	perror("perror");
	psignal(SIGSEGV, "psignal");
	psiginfo(&info, "psiginfo");
	warn("%s", "warn");
	warnx("%s", "warnx");
	message(0, "%s", "vwarn");
	message(1, "%s", "vwarnx");
	openlog("above", LOG_PERROR, LOG_USER);
	syslog(LOG_DEBUG, "%s", "syslog");
	message(6, "%s", "vsyslog");
	closelog();
	for (int i = 2; i < 6; i++)
		last_words(i);
	dup2(fd, 2);
}

/* Refused, but for one that asks. */
static void rare(void)
{
	void *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct iovec v = { p, 4096 };

	SHOW(ptrace(PTRACE_CONT, INT_MAX, 0, 0));
	OK(klogctl(10, NULL, 0));
	GNU(SHOW(remap_file_pages(p, 4096, 0, 0, 0)));
	GNU(SHOW(init_module(HIDE((void *)NULL), 0, "")));
	GNU(SHOW(delete_module("iotrace-none", O_NONBLOCK)));
#if defined(__GLIBC__) && __GLIBC__ * 100 + __GLIBC_MINOR__ >= 236
	SHOW(mount_setattr(-1, "none", 0, NULL, 0));
	SHOW(process_madvise(-1, &v, 1, MADV_COLD, 0));
	SHOW(process_mrelease(-1, 0));
#endif
	(void)v;
}

int main(void)
{
	names();
	terminals();
	tables();
	shared();
	messages();
	rare();
	return 0;
}
