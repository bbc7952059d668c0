#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check-aio.sh - programs that do asynchronous I/O, under `iotrace run`: fio by its engines
# posixaio, libaio and io_uring counts the requests and bytes that the log has, and comes to the
# same latencies; qemu-img bench asks for as many requests as the log has, and each completes once.
# A part of what `make check-real` runs.
#
#	check-aio.sh [fio|qemu-img...]
#
# Programs that are not installed are fetched and unpacked in the build tree.
. "${0%/*}/lib/tap.sh"
. "${0%/*}/lib/real.sh"

run=$top_builddir/tools/iotrace-run

# fio_agrees NAME DEPTH SYSCALLS OPTION...: SYSCALLS is --syscalls or nothing
fio_agrees()
{
	name=$1
	depth=$2
	syscalls=$3
	shift 3
	rm -rf "$T/logs" "$T/work"
	mkdir "$T/logs" "$T/work"
	# shellcheck disable=SC2086 # an option, or none
	(cd "$T/work" && timeout 300 "$run" $syscalls -o "$T/logs" -- "$fio" --name=job --filename=data --rw=randrw \
		--size=16m --bs=4k --number_ios=2000 --lat_percentiles=1 --iodepth="$depth" --output-format=json \
		--output="$T/fio.json" "$@") >"$T/out" 2>&1
	is "$name: runs" "$?" 0 || diag_file "$T/out"
	perl "$top_srcdir/t/real/fio.pl" "$T/fio.json" "$T/logs" "$depth" >"$T/differs" 2>&1
	none "$name: the log has what fio counts" "$T/differs"
}

check_fio()
{
	if ! fio=$(command -v fio); then
		real_unpack fio fio
		fio=$real/fio/root/usr/bin/fio
	fi
	for threads in '' --thread; do
		for depth in 1 8 64; do
			fio_agrees "fio, posixaio, $depth $threads" "$depth" '' --ioengine=posixaio ${threads:+"$threads"}
			fio_agrees "fio, libaio, $depth $threads" "$depth" '' --ioengine=libaio ${threads:+"$threads"}
			fio_agrees "fio, io_uring, $depth $threads" "$depth" --syscalls --ioengine=io_uring ${threads:+"$threads"}
		done
		fio_agrees "fio, posixaio, dispatched $threads" 8 --syscalls --ioengine=posixaio ${threads:+"$threads"}
		fio_agrees "fio, libaio, the ring read in user space $threads" 16 '' --ioengine=libaio \
			--userspace_reap ${threads:+"$threads"}
		fio_agrees "fio, io_uring, registered $threads" 16 --syscalls --ioengine=io_uring --fixedbufs \
			--registerfiles ${threads:+"$threads"}
	done
	# requests that fio submits by instructions
	rm -rf "$T/logs" && mkdir "$T/logs"
	(cd "$T/work" && timeout 300 "$run" -o "$T/logs" -- "$fio" --name=job --filename=data --rw=randread --size=16m \
		--bs=4k --number_ios=2000 --ioengine=io_uring --iodepth=8 --output=/dev/null)
	"$IOTRACE_CAT" "$T/logs" >/dev/null 2>"$T/said"
	like 'fio, io_uring without --syscalls: what is missing is counted, and the remedy named' "$T/said" \
		'[1-9][0-9]* .*io_uring.*--syscalls'
}

# qemu_agrees NAME SYSCALLS REQUESTS OPTION...: each request is there, and completes once
qemu_agrees()
{
	name=$1
	syscalls=$2
	requests=$3
	shift 3
	rm -rf "$T/logs"
	mkdir "$T/logs"
	# shellcheck disable=SC2086 # an option, or none
	timeout 300 "$run" $syscalls -o "$T/logs" -- "$qemu" bench -c "$requests" -d 8 -f raw -w "$@" "$T/work/disk" \
		>"$T/out" 2>&1
	is "$name: runs" "$?" 0 || diag_file "$T/out"
	"$IOTRACE_CAT" --format=json -P /disk -e request,completion,pwrite "$T/logs" 2>"$T/said" |
		perl -MJSON::PP -ne '$c = decode_json($_); next if ($c->{args}{operation} // "write") !~ /write/;
			$n{$c->{call}}++; $b += $c->{ret} if $c->{call} ne "request";
			$again++ if $c->{call} eq "completion" && $once{$c->{args}{op}}++;
			END { printf "%d %d %d again %d", $n{request} // $n{pwrite} // 0, $n{completion} // $n{pwrite} // 0,
				$b, $again // 0 }' >"$T/counts"
	is "$name: each request completes, once" "$(cat "$T/counts")" "$requests $requests $((requests * 4096)) again 0"
	none "$name: nothing is missing" "$T/said"
}

check_qemu()
{
	if ! qemu=$(command -v qemu-img); then
		real_unpack qemu-img qemu-utils
		qemu=$real/qemu-img/root/usr/bin/qemu-img
	fi
	rm -rf "$T/work" && mkdir "$T/work"
	truncate -s 64M "$T/work/disk"
	qemu_agrees 'qemu-img, threads' '' 500 -i threads
	qemu_agrees 'qemu-img, native' '' 500 -i native -t none
	qemu_agrees 'qemu-img, native, many' '' 20000 -i native -t none
	qemu_agrees 'qemu-img, io_uring' --syscalls 500 -i io_uring
}

[ $# -gt 0 ] || set -- fio qemu-img
for program; do
	case $program in
	fio) check_fio ;;
	qemu-img) check_qemu ;;
	*) fail "$program: not among fio, qemu-img" ;;
	esac
done
done_testing
