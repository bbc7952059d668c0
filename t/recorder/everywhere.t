#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What files can do (positions, vectors, O_APPEND, O_SYNC, O_DSYNC, O_DIRECT, flags of a call, holes, modes of
# fallocate(2), shared blocks, truncation), on each type of file system that this machine lets us have, by programs that
# are static, dynamic, preloaded and whose system calls the kernel tells of: the log has each call's file, offset,
# size and result.
# shellcheck disable=SC2016 # scripts for other shells
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
PATH=$PATH:/usr/sbin:/sbin

src=$top_srcdir/t/recorder/everywhere.c
# shellcheck disable=SC2086 # CC may have options
ok 'compiles' $CC -g -O1 -o everywhere-preloaded "$src" || done_testing
cp everywhere-preloaded everywhere-dispatched
ok 'compiles with iocc' "$IOCC" -g -O1 -o everywhere-dynamic "$src"
ok 'compiles with iocc -static' "$IOCC" -static -g -O1 -o everywhere-static "$src"

# within DIRECTORY: all forms, one after the other; in a name space of its own maybe
cat >within <<'EOT'
for form in static dynamic preloaded dispatched; do
	case $form in
	preloaded) with=$top_builddir/tools/iotrace-run ;;
	dispatched) with="$top_builddir/tools/iotrace-run --syscalls" ;;
	*) with= ;;
	esac
	mkdir "$T/logs/$form"
	IOTRACE_DIR=$T/logs/$form $with "$T/everywhere-$form" "$1" >"$T/said-$form" 2>"$T/err-$form"
	echo $? >"$T/status-$form"
done
EOT

# agree DESCRIPTION
agree()
{
	for form in static dynamic preloaded dispatched; do
		is "$1, $form: runs" "$(cat "status-$form" "err-$form")" 0
		"$IOTRACE_CAT" --format=json "logs/$form" >json
		"$top_srcdir/t/recorder/everywhere.pl" "said-$form" json >differs 2>&1
		none "$1, $form: files, offsets, sizes and results" differs
	done
}

# in_directory DESCRIPTION DIRECTORY
in_directory()
{
	rm -rf logs && mkdir logs
	sh within "$2"
	agree "$1"
}

# mounted DESCRIPTION MOUNT-COMMAND...: at mnt
mounted()
{
	about=$1
	shift
	rm -rf logs mnt && mkdir logs mnt
	# shellcheck disable=SC2086 # a command with options
	if ! $name_space sh -c '"$@" && umount mnt' sh "$@" >said 2>&1 </dev/null; then
		skip "$about" "it can't be mounted here: $(tail -n 1 said)"
		return
	fi
	# shellcheck disable=SC2086
	$name_space sh -c '"$@" && { sh within mnt; umount mnt; }' sh "$@" >said 2>&1 </dev/null
	agree "$about"
}

# made TYPE SIZE
made()
{
	truncate -s "$2" image
	if "mkfs.$1" -q image >said 2>&1; then
		mounted "$1" mount -o loop image mnt
	else
		skip "$1" "it can't be made here: $(tail -n 1 said)"
	fi
	rm -f image
}

mkdir here lower upper work
in_directory 'where tests are' "$T/here"
in_directory 'memory' memory
name_space='unshare -rm'
mounted tmpfs mount -t tmpfs none mnt
mounted ramfs mount -t ramfs none mnt
mounted overlayfs mount -t overlay -o "lowerdir=$T/lower,upperdir=$T/upper,workdir=$T/work" none mnt
mounted FUSE bindfs "$T/here" mnt
name_space='unshare -m'
made ext4 64M
made xfs 300M
made btrfs 128M
done_testing
