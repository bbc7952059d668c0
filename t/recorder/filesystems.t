#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# File systems of all types that this machine lets us have, some for root alone: the log has
# each one's type, as statfs(2) has it, and block size, and the bytes of the files there; and
# what only some of them can do: blocks that files share, large pages, memory as storage.
# shellcheck disable=SC2016 # scripts for other shells
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

cat >files.c <<'EOT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE (2L << 20)

static char data[4096];

static int move(int fd)
{
	return fd < 0 || write(fd, data, 1000) != 1000 || pwrite(fd, data, 100, 5000) != 100 ||
	       lseek(fd, 500, SEEK_SET) != 500 || read(fd, data, sizeof(data)) != 4096 || close(fd);
}

/* Three ways to have a file's blocks in a second file, which is read then. */
static int share(int fd)
{
	struct file_clone_range range = { .src_fd = fd, .src_length = 4096, .dest_offset = 8192 };
	int copy = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
	off_t from = 4096, to = 16384;

	return fd < 0 || copy < 0 || write(fd, data, 4096) != 4096 || write(fd, data, 4096) != 4096 ||
	       ioctl(copy, FICLONE, fd) || ioctl(copy, FICLONERANGE, &range) ||
	       copy_file_range(fd, &from, copy, &to, 4096, 0) != 4096 || pread(copy, data, 4096, 16384) != 4096 ||
	       lseek(copy, 8192, SEEK_HOLE) != 12288 || unlink("copy") || close(copy) || close(fd);
}

/* The second of two blocks that are the same goes to where the first one lies. */
static int dedupe(int fd)
{
	union {
		struct file_dedupe_range range;
		char room[sizeof(struct file_dedupe_range) + sizeof(struct file_dedupe_range_info)];
	} same = { .range = { .src_length = 4096, .dest_count = 1 } };

	same.range.info[0] = (struct file_dedupe_range_info){ .dest_fd = fd, .dest_offset = 4096 };
	return fd < 0 || write(fd, data, 4096) != 4096 || write(fd, data, 4096) != 4096 ||
	       ioctl(fd, FIDEDUPERANGE, &same) || same.range.info[0].status != FILE_DEDUPE_RANGE_SAME ||
	       same.range.info[0].bytes_deduped != 4096 || close(fd);
}

static int punch(int fd)
{
	return fd < 0 || write(fd, data, 4096) != 4096 || write(fd, data, 4096) != 4096 ||
	       fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) || lseek(fd, 0, SEEK_DATA) != 4096 ||
	       pread(fd, data, 4096, 0) != 4096 || close(fd);
}

/* A file of the lower directory: who has it open goes on reading it there when it is copied up. */
static int copy_up(int fd)
{
	int was = open("old", O_RDONLY), is;

	if (fd < 0 || was < 0 || read(was, data, 4096) != 4096)
		return 1;
	is = open("old", O_RDWR);
	return is < 0 || pwrite(is, data, 100, 5000) != 100 || pread(is, data, 3000, 4096) != 3000 ||
	       read(was, data, 4096) != 4096 || close(was) || close(is) || close(fd);
}

/* No page is touched, so that none need be reserved. */
static int huge(int fd)
{
	void *p;

	if (fd < 0 || ftruncate(fd, 2 * HUGE) || write(fd, data, 1000) >= 0 || pread(fd, data, 4096, HUGE) != 4096)
		return 1;
	p = mmap(NULL, HUGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, HUGE);
	return p == MAP_FAILED || munmap(p, HUGE) || close(fd);
}

/* The processor's stores are to be the disk's: only memory that stays can do that. */
static int sync_map(int fd)
{
	void *p;

	if (fd < 0 || ftruncate(fd, 4096))
		return 2;
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE | MAP_SYNC, fd, 0);
	if (p == MAP_FAILED)
		return 77;
	*(char *)p = 1;
	return munmap(p, 4096) || close(fd);
}

/* WHAT DIRECTORY; the directory "memory" is a file in memory */
int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*does)(int);
		unsigned memory;
	} ways[] = { { "move", move, 0 }, { "share", share, 0 }, { "huge", huge, MFD_HUGETLB }, { "sync", sync_map, 0 },
		     { "dedupe", dedupe, 0 }, { "punch", punch, 0 }, { "copy-up", copy_up, 0 } };

	for (size_t i = 0; argc == 3 && i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(argv[1], ways[i].name))
			return ways[i].does(!strcmp(argv[2], "memory") ? memfd_create("kinds", ways[i].memory) :
					    chdir(argv[2]) ? -1 : open("file", O_RDWR | O_CREAT | O_TRUNC, 0600));
	return 99;
}
EOT
ok 'files is built' "$IOCC" -static -O2 files.c -o files

# where PATH: what the log is to say of the file system there
where()
{
	stat -f -c '%t %s' "$1"
}

# moved DESCRIPTION: the log has what the program did
moved()
{
	"$IOTRACE_CAT" --format=json -e write,pwrite,read logs >calls
	is "$1: bytes and offsets" \
		"$(sed -n 's/.*"call":"\([a-z]*\)".*"offset":\([0-9]*\).*"ret":\([0-9]*\).*/\1:\2:\3/p' calls | tr '\n' ' ')" \
		'write:0:1000 pwrite:5000:100 read:500:4096 '
}

# agrees DESCRIPTION: the log has the file system of which want and want.dev tell
agrees()
{
	"$IOTRACE_CAT" --about --format=json logs >about
	"$AWK" -v want="$(cat want)" -v dev="$(cat want.dev)" '
		BEGIN {
			name["ef53"] = "ext2/3/4"; name["58465342"] = "xfs"; name["9123683e"] = "btrfs"
			name["1021994"] = "tmpfs"; name["794c7630"] = "overlayfs"; name["65735546"] = "fuse"
			name["858458f6"] = "ramfs"; name["958458f6"] = "hugetlbfs"; name["2fc12fc1"] = "zfs"; name["f2f52010"] = "f2fs"
			split(want, w, " ")
			type = w[1] in name ? name[w[1]] : "0x" w[1]
		}
		index($0, "\"dev\":" dev ",") && /"device"/ {
			found = 1
			if (!index($0, "\"type\":\"" type "\"") || !index($0, "\"blksize\":" w[2]))
				print "not " type ", " w[2] ": " $0
		}
		END { if (!found) print "nothing about device " dev }' about >wrong
	none "$1: type and block size" wrong
}

# in_directory DESCRIPTION DIRECTORY
in_directory()
{
	rm -rf logs && mkdir logs
	where "$2" >want
	stat -c %d "$2" >want.dev
	ok "$1: the program works" env IOTRACE_DIR="$T/logs" ./files move "$2"
	rm -f "$2/file"
	agrees "$1"
	moved "$1"
}

mkdir here
in_directory 'where tests are' "$T/here"
shm=$(mktemp -d /dev/shm/iotrace-XXXXXX 2>/dev/null)
if [ -n "$shm" ]; then
	in_directory '/dev/shm' "$shm"
	rmdir "$shm"
else
	fail '/dev/shm: nothing can be made there'
fi

# mounted DESCRIPTION WHAT MOUNT-COMMAND...: at $T/mnt, in a name space of our own, for ./files
# WHAT; fails, and asserts nothing, if that may not be mounted; said has why
name_space='unshare -rm'
mounted()
{
	about=$1 what=$2
	shift 2
	rm -rf logs mnt && mkdir logs mnt
	# shellcheck disable=SC2086 # a command with options
	$name_space sh -c '"$@" && umount mnt' sh "$@" >said 2>&1 </dev/null || return
	# shellcheck disable=SC2086
	WHAT=$what IOTRACE_DIR=$T/logs $name_space sh -c '"$@" && stat -f -c "%t %s" mnt >want &&
		stat -c %d mnt >want.dev && ./files "$WHAT" mnt; status=$?; umount mnt; exit $status' sh "$@" >said 2>&1 </dev/null
	is "$about: the program works" $? 0 || diag_file said
	agrees "$about"
	[ "$what" != move ] || moved "$about"
	return 0
}

mkdir lower upper work
mounted tmpfs move mount -t tmpfs none mnt || skip 'tmpfs' "it can't be mounted here: $(tail -n 1 said)"
mounted ramfs move mount -t ramfs none mnt || skip 'ramfs' "it can't be mounted here: $(tail -n 1 said)"
mounted overlayfs move mount -t overlay -o "lowerdir=$T/lower,upperdir=$T/upper,workdir=$T/work" none mnt ||
	skip 'overlayfs' "it can't be mounted here: $(tail -n 1 said)"
head -c 8192 /dev/zero >lower/old
rm -rf upper work && mkdir upper work
if mounted 'overlayfs, copied up' copy-up mount -t overlay -o "lowerdir=$T/lower,upperdir=$T/upper,workdir=$T/work" none mnt; then
	"$IOTRACE_CAT" --format=json -P '/mnt/old$' -e read,pwrite,pread logs >calls
	is 'overlayfs, copied up: bytes and offsets, of one file' \
		"$(sed -n 's/.*"call":"\([a-z]*\)".*"offset":\([0-9]*\).*"ret":\([0-9]*\).*/\1:\2:\3/p' calls | tr '\n' ' ')" \
		'read:0:4096 pwrite:5000:100 pread:4096:3000 read:4096:4096 '
else
	skip 'overlayfs, copied up' "it can't be mounted here: $(tail -n 1 said)"
fi
mounted FUSE move bindfs "$T/here" mnt || skip 'FUSE' "it can't be mounted here: $(tail -n 1 said)"

# huge_is_there DESCRIPTION: the log has what ./files huge did
huge_is_there()
{
	"$IOTRACE_CAT" logs >text
	like "$1: no bytes are written" text 'write\(.*, 1000\) = -1 EINVAL'
	like "$1: a hole is read" text 'pread\(.*, 4096, 2097152\) = 4096'
	like "$1: and mapped" text 'mmap\(NULL, 2097152, .*, MAP_SHARED.MAP_NORESERVE, [0-9]+, 2097152\) = 0x'
}
# These only root's own name space may mount.
name_space='unshare -m'
if mounted hugetlbfs huge mount -t hugetlbfs -o pagesize=2M none mnt; then
	huge_is_there hugetlbfs
else
	skip 'hugetlbfs' "it can't be mounted here: $(tail -n 1 said)"
fi

# shared TYPE SIZE: blocks that two files have in common; fails as mounted does
shared()
{
	truncate -s "$2" "$1.img"
	if ! "mkfs.$1" -q "$1.img" >said 2>&1 || ! mounted "$1" move mount -o loop "$1.img" mnt; then
		rm -f "$1.img"
		return 1
	fi
	mounted "$1, reflinks" share mount -o loop "$1.img" mnt
	"$IOTRACE_CAT" --format=json -e ioctl,copy_file_range,pread logs >calls
	is "$1, reflinks: what shares blocks, and what is read of them" \
		"$(sed -n 's/.*"call":"\([a-z_]*\)".*"ret":\([0-9]*\).*/\1:\2/p' calls | tr '\n' ' ')" \
		'ioctl:0 ioctl:0 copy_file_range:4096 pread:4096 '
	is "$1, reflinks: by their names, to the file that has them now" \
		"$(grep -c '"path":"[^"]*/copy".*FICLONE' calls) $(grep -c '"path":"[^"]*/copy".*FICLONERANGE' calls)" '2 1'
	mounted "$1, deduplicated" dedupe mount -o loop "$1.img" mnt
	"$IOTRACE_CAT" --format=json -e ioctl logs >calls
	is "$1, deduplicated: by its name" "$(grep '"path":"[^"]*/file"' calls | grep FIDEDUPERANGE | grep -c '"ret":0')" 1
	rm -f "$1.img"
	return 0
}
PATH=$PATH:/usr/sbin:/sbin
shared xfs 300M || skip 'xfs' "it can't be mounted here: $(tail -n 1 said)"
shared btrfs 128M || skip 'btrfs' "it can't be mounted here: $(tail -n 1 said)"

# TEST_DAX=DIRECTORY: one of a file system that was mounted with -o dax
rm -rf logs && mkdir logs
IOTRACE_DIR="$T/logs" ./files sync "${TEST_DAX:-$T/here}"
status=$?
"$IOTRACE_CAT" -e mmap logs >text
like 'MAP_SYNC: has its name' text 'mmap\(.*, MAP_SHARED_VALIDATE.MAP_SYNC, '
if [ $status = 77 ] && [ -z "${TEST_DAX:-}" ]; then
	like 'MAP_SYNC: what a disk refuses has its error' text 'MAP_SYNC, .* = -1 EOPNOTSUPP'
	skip 'DAX' 'no file system here lies in persistent memory; TEST_DAX=DIRECTORY names one'
else
	is 'DAX: the mapping is made' "$status" 0
fi

rm -rf logs && mkdir logs
ok 'memory: the program works' env IOTRACE_DIR="$T/logs" ./files move memory
moved memory
like 'memory: named as the kernel names it' calls '"path":"/memfd:kinds'
rm -rf logs && mkdir logs
ok 'a hole in memory: the program works' env IOTRACE_DIR="$T/logs" ./files punch memory
"$IOTRACE_CAT" logs >text
like 'a hole in memory: is punched' text 'fallocate\([0-9]+, FALLOC_FL_KEEP_SIZE.FALLOC_FL_PUNCH_HOLE, 0, 4096\) = 0'
like 'a hole in memory: what lies behind it is found' text 'lseek\([0-9]+, 0, SEEK_DATA\) = 4096'
like 'a hole in memory: and it is read' text 'pread\([0-9]+, .*, 4096, 0\) = 4096'
rm -rf logs && mkdir logs
ok 'large pages of memory: the program works' env IOTRACE_DIR="$T/logs" ./files huge memory
huge_is_there 'large pages of memory'
done_testing
