/* SPDX-License-Identifier: BSD-3-Clause */
/* posix-meta.c - names, metadata, extended attributes, temporary files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/quota.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "show.h"

int pivot_root(const char *new_root, const char *put_old);

static char buf[PATH_MAX];
static int dir;

static void asking(void)
{
	struct stat st;
	struct stat64 st64;
	GNU(struct statx sx);
	struct statfs fs;
	struct statfs64 fs64;
	struct statvfs vfs;
	struct statvfs64 vfs64;
	int fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);

	SHOW(stat("f", &st));
	SHOW(stat64("missing", &st64));
	SHOW(lstat("f", &st));
	SHOW(lstat64("f/f", &st64));
	SHOW(fstat(fd, &st));
	SHOW(fstat64(-1, &st64));
	SHOW(fstatat(dir, "f", &st, 0));
	SHOW(fstatat64(AT_FDCWD, "", &st64, AT_EMPTY_PATH));
	SHOW(fstatat(98, "f", &st, AT_SYMLINK_NOFOLLOW));
	GNU(SHOW(statx(AT_FDCWD, "f", 0, STATX_BASIC_STATS, &sx)));
	GNU(SHOW(statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &sx)));
	GNU(SHOW(statx(AT_FDCWD, "missing", 0, STATX_ALL, &sx)));
	SHOW(statfs(".", &fs));
	SHOW(statfs64("missing", &fs64));
	SHOW(fstatfs(fd, &fs));
	SHOW(fstatfs64(-1, &fs64));
	SHOW(statvfs(".", &vfs));
	SHOW(statvfs64("missing", &vfs64));
	SHOW(fstatvfs(fd, &vfs));
	SHOW(fstatvfs64(-1, &vfs64));
	SHOW(access("f", R_OK | W_OK));
	SHOW(access("missing", F_OK));
	SHOW(faccessat(dir, "f", R_OK, 0));
	SHOW(faccessat(dir, "missing", X_OK, AT_EACCESS));
	SHOW(euidaccess("f", R_OK));
	SHOW(eaccess("missing", R_OK));
	PTR(getcwd(buf, sizeof(buf)));
	PTR(getcwd(buf, 2));
	PTR(getcwd(buf, HIDE(0)));
	free(getcwd(NULL, 0));
	PTR(realpath("f", buf));
	PTR(realpath("missing/f", buf));
	SHOW(pathconf("f", _PC_NAME_MAX));
	close(fd);
}

static void changing(void)
{
	struct timespec ts[2] = { { .tv_sec = 1000 }, { .tv_sec = 2000, .tv_nsec = 5 } };
	struct timeval tv[2] = { { .tv_sec = 1000 }, { .tv_sec = 2000, .tv_usec = 5 } };
	struct utimbuf ut = { 5, 6 };
	int fd = open("f", O_RDWR);

	SHOW(chmod("f", 0640));
	SHOW(chmod("missing", 0640));
	SHOW(fchmod(fd, 0600));
	SHOW(fchmod(-1, 0600));
	SHOW(fchmodat(dir, "f", 0644, 0));
	SHOW(fchmodat(dir, "missing", 0644, 0));
	SHOW(chown("f", -1, -1));
	SHOW(lchown("missing", -1, -1));
	SHOW(fchown(fd, -1, -1));
	SHOW(fchown(-1, -1, -1));
	SHOW(fchownat(dir, "f", -1, -1, AT_SYMLINK_NOFOLLOW));
	SHOW(fchownat(97, "f", -1, -1, 0));
	SHOW(utime("f", &ut));
	SHOW(utimes("f", tv));
	SHOW(utimes("missing", NULL));
	SHOW(lutimes("f", tv));
	SHOW(futimes(fd, tv));
	SHOW(futimesat(dir, "f", tv));
	SHOW(futimens(fd, ts));
	SHOW(futimens(-1, ts));
	SHOW(utimensat(dir, HIDE((const char *)NULL), ts, 0));
	SHOW(utimensat(dir, "f", ts, AT_SYMLINK_NOFOLLOW));
	SHOW(utimensat(dir, "missing", NULL, 0));
	SHOW(umask(027));
	SHOW(umask(022));
	close(fd);
}

static void naming(void)
{
	SHOW(link("f", "g"));
	SHOW(link("f", "g"));
	SHOW(linkat(dir, "f", dir, "h", 0));
	SHOW(linkat(dir, "missing", dir, "h", 0));
	SHOW(symlink("f", "l"));
	SHOW(symlink("f", "l"));
	SHOW(symlinkat("some where", dir, "m"));
	SHOW(symlinkat("f", 96, "m"));
	SHOW(readlink("l", buf, sizeof(buf)));
	SHOW(readlink("f", buf, sizeof(buf)));
	SHOW(readlinkat(dir, "m", buf, 4));
	SHOW(readlinkat(dir, "missing", buf, 4));
	SHOW(rename("g", "g2"));
	SHOW(rename("missing", "g2"));
	SHOW(renameat(dir, "g2", dir, "g3"));
	SHOW(renameat(dir, "missing", AT_FDCWD, "g3"));
	GNU(SHOW(renameat2(dir, "g3", dir, "g4", RENAME_NOREPLACE)));
	GNU(SHOW(renameat2(dir, "g4", dir, "h", RENAME_NOREPLACE)));
	/* as renameat() */
	GNU(SHOW(renameat2(dir, "missing", dir, "h", 0)));
	SHOW(unlink("g4"));
	SHOW(unlink("g4"));
	SHOW(unlinkat(dir, "h", 0));
	SHOW(unlinkat(dir, "f", AT_REMOVEDIR));
	SHOW(mkdir("d", 0755));
	SHOW(mkdir("d", 0755));
	SHOW(mkdirat(dir, "e", 0700));
	SHOW(mkdirat(dir, "missing/e", 0700));
	SHOW(remove("d"));
	SHOW(remove("l"));
	SHOW(remove("missing"));
	SHOW(rmdir("e"));
	SHOW(rmdir("f"));
	SHOW(mkfifo("p", 0600));
	SHOW(mkfifo("p", 0600));
	SHOW(mkfifoat(dir, "q", 0600));
	SHOW(mknod("n", S_IFREG | 0600, 0));
	SHOW(mknod("n", S_IFREG | 0600, 0));
	SHOW(mknodat(dir, "o", S_IFREG | 0600, makedev(0, 0)));
	SHOW(mknodat(95, "o", S_IFREG | 0600, 0));
	SHOW(chdir(".."));
	SHOW(chdir("missing"));
	SHOW(fchdir(dir));
	SHOW(fchdir(-1));
	SHOW(chroot("missing"));
	SHOW(mount("missing", "missing", "nofs", 0, NULL));
	SHOW(umount("missing"));
	SHOW(umount2("missing", 0));
	SHOW(pivot_root("missing", "missing"));
	SHOW(acct("missing"));
	SHOW(swapon("missing", 0));
	SHOW(swapoff("missing"));
	SHOW(quotactl(0x800001, "missing", 0, NULL));
#ifdef __GLIBC__
	SHOW(fsopen("nofs", 0));
	SHOW(fsconfig(-1, FSCONFIG_SET_FLAG, "ro", NULL, 0));
	SHOW(fsmount(-1, 0, 0));
	SHOW(fspick(AT_FDCWD, "missing", 0));
	SHOW(close(SHOW(open_tree(AT_FDCWD, ".", OPEN_TREE_CLOEXEC))));
	SHOW(open_tree(dir, "missing", 0));
	SHOW(move_mount(AT_FDCWD, "missing", AT_FDCWD, "missing", 0));
#endif
}

static void attributes(void)
{
	int fd = open("f", O_RDWR);

	SHOW(setxattr("f", "user.a", "value", 5, 0));
	SHOW(lsetxattr("f", "user.b", "value", 5, XATTR_CREATE));
	SHOW(fsetxattr(fd, "user.c", "value", 5, 0));
	SHOW(setxattr("missing", "user.a", "value", 5, 0));
	SHOW(getxattr("f", "user.a", buf, sizeof(buf)));
	SHOW(lgetxattr("f", "user.missing", buf, sizeof(buf)));
	SHOW(fgetxattr(fd, "user.c", buf, sizeof(buf)));
	SHOW(fgetxattr(-1, "user.c", buf, sizeof(buf)));
	SHOW(listxattr("f", buf, sizeof(buf)));
	SHOW(llistxattr("f", buf, 1));
	SHOW(flistxattr(fd, buf, sizeof(buf)));
	SHOW(removexattr("f", "user.a"));
	SHOW(lremovexattr("f", "user.b"));
	SHOW(fremovexattr(fd, "user.c"));
	SHOW(fremovexattr(fd, "user.c"));
	close(fd);
}

static void handles(void)
{
	struct {
		struct file_handle h;
		char space[128];
	} u;
	int mount;

	u.h.handle_bytes = 128;
	SHOW(name_to_handle_at(AT_FDCWD, "f", &u.h, &mount, 0));
	OK(open_by_handle_at(dir, &u.h, O_RDONLY));
	u.h.handle_bytes = 0;
	SHOW(name_to_handle_at(AT_FDCWD, "f", &u.h, &mount, 0));
	SHOW(open_by_handle_at(-1, &u.h, O_RDONLY));
}

static void temporary(void)
{
	char t[] = "t1-XXXXXX", u[] = "t2-XXXXXX.c", v[] = "t3-XXXXXX", w[] = "t4-XXXXXX.c";
	char d[] = "t5-XXXXXX", bad[] = "t6";
	char a[] = "t7-XXXXXX", b[] = "t8-XXXXXX.c", e[] = "t9-XXXXXX", f[] = "t0-XXXXXX.c";

	SHOW(mkstemp(t));
	SHOW(mkstemps(u, 2));
	SHOW(mkostemp(v, O_APPEND));
	SHOW(mkostemps(w, 2, O_CLOEXEC));
	SHOW(mkstemp64(a));
	SHOW(mkstemps64(b, 2));
	SHOW(mkostemp64(e, O_APPEND));
	SHOW(mkostemps64(f, 2, O_CLOEXEC));
	PTR(mkdtemp(d));
	SHOW(mkstemp(bad));
	PTR(mkdtemp(bad));
	unlink(t), unlink(u), unlink(v), unlink(w), rmdir(d);
	unlink(a), unlink(b), unlink(e), unlink(f);
	snprintf(buf, sizeof(buf), "/iotrace-test-%ld", (long)getpid());
	OK(shm_open(buf, O_RDWR | O_CREAT, 0600));
	OK(shm_unlink(buf));
	OK(shm_unlink(buf));
	OK(shm_open("/iotrace/missing", O_RDWR, 0600));
}

int main(void)
{
	dir = open(".", O_RDONLY | O_DIRECTORY);
	asking();
	changing();
	naming();
	attributes();
	handles();
	temporary();
	return 0;
}
