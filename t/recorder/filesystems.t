#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# File systems of all types that this machine lets us have without privileges: the log has
# each one's type, as statfs(2) has it, and block size, and the bytes of the files there.
# shellcheck disable=SC2016 # scripts for other shells
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

cat >files.c <<'EOT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char data[4096];

/* DIRECTORY..., or "memory" for a file in memory */
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int fd = !strcmp(argv[i], "memory") ? memfd_create("kinds", 0) :
			 chdir(argv[i]) ? -1 : open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);

		if (fd < 0 || write(fd, data, 1000) != 1000 || pwrite(fd, data, 100, 5000) != 100 ||
		    lseek(fd, 500, SEEK_SET) != 500 || read(fd, data, sizeof(data)) != 4096 || close(fd))
			return i;
	}
	return 0;
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
			name["858458f6"] = "ramfs"; name["2fc12fc1"] = "zfs"; name["f2f52010"] = "f2fs"
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
	moved "$1"
}

# in_directory DESCRIPTION DIRECTORY
in_directory()
{
	rm -rf logs && mkdir logs
	where "$2" >want
	stat -c %d "$2" >want.dev
	ok "$1: the program works" env IOTRACE_DIR="$T/logs" ./files "$2"
	rm -f "$2/file"
	agrees "$1"
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

# mounted DESCRIPTION MOUNT-COMMAND...: at $T/mnt, in a name space of our own; fails, and
# asserts nothing, if that may not be mounted; said has why
mounted()
{
	about=$1
	shift
	rm -rf logs mnt && mkdir logs mnt
	unshare -rm "$@" >said 2>&1 </dev/null || return
	IOTRACE_DIR=$T/logs unshare -rm sh -c '"$@" && stat -f -c "%t %s" mnt >want && stat -c %d mnt >want.dev &&
		./files mnt' sh "$@" >said 2>&1 </dev/null
	is "$about: the program works" $? 0 || diag_file said
	agrees "$about"
	return 0
}

mkdir lower upper work
mounted tmpfs mount -t tmpfs none mnt || skip 'tmpfs' "it can't be mounted here: $(tail -n 1 said)"
mounted ramfs mount -t ramfs none mnt || skip 'ramfs' "it can't be mounted here: $(tail -n 1 said)"
mounted overlayfs mount -t overlay -o "lowerdir=$T/lower,upperdir=$T/upper,workdir=$T/work" none mnt ||
	skip 'overlayfs' "it can't be mounted here: $(tail -n 1 said)"

rm -rf logs && mkdir logs
ok 'memory: the program works' env IOTRACE_DIR="$T/logs" ./files memory
moved memory
like 'memory: named as the kernel names it' calls '"path":"/memfd:kinds'
done_testing
