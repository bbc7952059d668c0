/* SPDX-License-Identifier: BSD-3-Clause */
/* Most of what libc does with descriptors, for a look at its code. */
#define _GNU_SOURCE
#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <locale.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <pwd.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

extern char **environ;

static void streams(const char *name)
{
	FILE *f = fopen(name, "w+");
	char line[80];

	if (!f)
		return;
	fprintf(f, "%s %d\n", name, 1);
	fputs("x", f);
	fwrite(name, 1, 1, f);
	fseek(f, 0, SEEK_SET);
	if (fgets(line, sizeof(line), f) && fscanf(f, "%79s", line) == 1)
		puts(line);
	fclose(f);
	f = popen("exit 0", "r");
	if (f)
		pclose(f);
	f = tmpfile();
	if (f) {
		fputwc(L'x', f);
		fwprintf(f, L"%d", 1);
		fclose(f);
	}
	dprintf(1, "x\n");
	perror("x");
	openlog("x", 0, LOG_USER);
	syslog(LOG_INFO, "x");
	closelog();
}

static void descriptors(const char *name)
{
	struct iovec v = { .iov_base = &(char[8]){ 0 }, .iov_len = 8 };
	int fd = open(name, O_RDWR | O_CREAT, 0600), p[2];
	off_t off = 0;

	if (fd < 0 || pipe(p) || pipe2(p, O_CLOEXEC))
		return;
	if (read(fd, v.iov_base, 8) + write(fd, v.iov_base, 8) + pread(fd, v.iov_base, 8, 0) +
	    pwrite(fd, v.iov_base, 8, 0) + readv(fd, &v, 1) + writev(fd, &v, 1) +
	    preadv(fd, &v, 1, 0) + pwritev(fd, &v, 1, 0) + preadv2(fd, &v, 1, 0, 0) +
	    pwritev2(fd, &v, 1, 0, 0) < 0)
		perror(name);
	lseek(fd, 0, SEEK_SET);
	sendfile(p[1], fd, &off, 8);
	splice(p[0], NULL, p[1], NULL, 8, 0);
	tee(p[0], p[1], 8, 0);
	copy_file_range(fd, NULL, fd, NULL, 0, 0);
	posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL);
	posix_fallocate(fd, 0, 8);
	fallocate(fd, 0, 0, 8);
	if (ftruncate(fd, 8) || truncate(name, 8))
		perror(name);
	fsync(fd);
	fdatasync(fd);
	syncfs(fd);
	flock(fd, LOCK_SH);
	if (lockf(fd, F_TEST, 0))
		perror(name);
	fcntl(fd, F_SETFD, fcntl(fd, F_GETFD));
	ioctl(fd, FIONREAD, &p[0]);
	close(dup(fd));
	dup2(fd, p[0]);
	dup3(fd, p[1], O_CLOEXEC);
	isatty(fd);
	ttyname(fd);
	closefrom(100);
	close_range(100, 200, 0);
	munmap(mremap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0), 4096, 8192, MREMAP_MAYMOVE), 8192);
}

static int visit(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)path, (void)st, (void)type, (void)f;
	return 0;
}

static void names(const char *name)
{
	struct statvfs vfs;
	struct dirent **list;
	char buf[4096];
	struct stat st;
	glob_t g;
	DIR *d;

	stat(name, &st);
	lstat(name, &st);
	fstatat(AT_FDCWD, name, &st, 0);
	statvfs(name, &vfs);
	access(name, R_OK);
	faccessat(AT_FDCWD, name, R_OK, AT_EACCESS);
	chmod(name, 0600);
	utimensat(AT_FDCWD, name, NULL, 0);
	utime(name, NULL);
	getxattr(name, "user.x", buf, sizeof(buf));
	if (readlink(name, buf, sizeof(buf)) < 0 && !realpath(name, buf) && !getcwd(buf, sizeof(buf)))
		perror(name);
	rename(name, name);
	mkfifo("x", 0600);
	mkstemp(strcpy(buf, "XXXXXX"));
	mkdtemp(strcpy(buf, "XXXXXX"));
	remove(name);
	mount("x", "x", "x", 0, NULL);
	d = opendir(".");
	if (d) {
		readdir(d);
		rewinddir(d);
		closedir(d);
	}
	scandir(".", &list, NULL, alphasort);
	nftw(".", visit, 10, 0);
	glob("*", 0, NULL, &g);
	shm_unlink("x");
	shm_open("x", O_RDWR, 0600);
	mq_open("/x", O_RDONLY);
}

static void waiting(void)
{
	struct epoll_event ev = { .events = EPOLLIN };
	int e = epoll_create1(0), s[2];
	sigset_t set;
	fd_set fds;

	sigemptyset(&set);
	epoll_ctl(e, EPOLL_CTL_ADD, eventfd(0, 0), &ev);
	epoll_wait(e, &ev, 1, 0);
	inotify_add_watch(inotify_init1(0), ".", IN_OPEN);
	signalfd(-1, &set, 0);
	timerfd_create(CLOCK_MONOTONIC, 0);
	poll(NULL, 0, 0);
	FD_ZERO(&fds);
	select(0, &fds, NULL, NULL, &(struct timeval){ 0 });
	if (!socketpair(AF_UNIX, SOCK_STREAM, 0, s)) {
		send(s[0], "x", 1, 0);
		recv(s[1], &e, 1, 0);
		sendmsg(s[0], &(struct msghdr){ 0 }, 0);
		recvmsg(s[0], &(struct msghdr){ 0 }, MSG_DONTWAIT);
		shutdown(s[0], SHUT_RDWR);
		accept(s[0], NULL, NULL);
		bind(s[0], NULL, 0);
		listen(s[0], 1);
		connect(s[0], NULL, 0);
	}
	openpty(&s[0], &s[1], NULL, NULL, NULL);
	tcdrain(s[0]);
	tcsetattr(s[0], TCSANOW, &(struct termios){ 0 });
}

static void *thread(void *arg)
{
	static char buf[8];
	struct aiocb cb = { .aio_fildes = 0, .aio_buf = buf, .aio_nbytes = 1 };
	const struct aiocb *list[] = { &cb };

	aio_read(&cb);
	aio_suspend(list, 1, NULL);
	aio_return(&cb);
	return arg;
}

static void processes(void)
{
	char *argv[] = { "true", NULL };
	pthread_t t;
	pid_t pid;

	if (!pthread_create(&t, NULL, thread, NULL))
		pthread_join(t, NULL);
	if (!posix_spawnp(&pid, "true", NULL, NULL, argv, environ))
		waitpid(pid, NULL, 0);
	if (system("exit 0"))
		abort();
	pid = fork();
	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	if (!vfork())
		_exit(0);
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "");
	tzset();
	streams(argv[argc - 1]);
	descriptors(argv[argc - 1]);
	names(argv[argc - 1]);
	waiting();
	processes();
	quick_exit(0);
}
