#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check-aio.sh - programs that do asynchronous I/O, under `iotrace run`: fio, Debian's and one that is
# static and linked by iocc, by its engines
# posixaio, libaio and io_uring counts the requests and bytes that the log has, and comes to the
# same latencies, and so do its engines sync, psync, vsync, pvsync and pvsync2; of splice the bytes are the same;
# qemu-img bench asks for as many requests as the log has, and each completes once; what LMDB and SQLite do with memory that is a
# file's is what strace sees, and what RocksDB writes to its log is what is in it.
# A part of what `make check-real` runs.
#
#	check-aio.sh [fio|fio-static|qemu-img|lmdb|sqlite|rocksdb...]
#
# Programs that are not installed are fetched and unpacked in the build tree.
. "${0%/*}/lib/tap.sh"
. "${0%/*}/lib/real.sh"

run=$top_builddir/tools/iotrace-run

# fio_runs NAME DEPTH RUN OPTION...: RUN has options of iotrace run, or nothing
fio_runs()
{
	name=$1
	depth=$2
	how=$3
	shift 3
	rm -rf "$T/logs" "$T/work"
	mkdir "$T/logs" "$T/work"
	# fio would write it first
	head -c 16777216 /dev/zero | tr '\0' x >"$T/work/data"
	# shellcheck disable=SC2086 # options, or none
	(cd "$T/work" && timeout 300 "$run" $how -o "$T/logs" -- "$fio" --name=job --filename=data --rw=randrw \
		--size=16m --bs=4k --number_ios=2000 --lat_percentiles=1 --iodepth="$depth" --output-format=json \
		--output="$T/fio.json" "$@") >"$T/out" 2>&1
	is "$name: runs" "$?" 0 || diag_file "$T/out"
}

# fio_table: what fio and the log count; what differs is in $T/differs
fio_table()
{
	perl "$top_srcdir/t/real/fio.pl" "$T/fio.json" "$T/logs" "$depth" ${calls:+"$calls"} >"$T/table" 2>"$T/differs"
	diag "$tap_about$name"
	diag "$(cat "$T/table")"
}

# The same, and the log has what fio counts; calls, if it is not empty, are those that read and write
# at once
calls=
fio_agrees()
{
	fio_runs "$@"
	fio_table
	none "$name: the log has what fio counts" "$T/differs"
}

# fio_counts: what fio says that it has read and written, how many times
fio_counts()
{
	perl -MJSON::PP -0777 -ne 's/^[^{]*//; my $j = decode_json($_)->{jobs}[0];
		print $j->{read}{total_ios} + $j->{write}{total_ios}' "$T/fio.json"
}

# The same of requests that nobody may see in time: then they are counted as lost
fio_polled()
{
	fio_runs "$@"
	"$IOTRACE_CAT" --format=json -e request,completion "$T/logs" >"$T/records" 2>"$T/said"
	# of a completion whose request was lost nobody knows the file
	seen=$(grep -c '"operation":"\(pread\|pwrite\|unknown\)' "$T/records")
	lost=$(sed -n 's/.*: \([0-9]*\) calls were not recorded (requests or completions of an io_uring.*/\1/p' "$T/said")
	is "$name: requests and completions are in the log, or counted" $((seen + ${lost:-0})) $((2 * $(fio_counts)))
	fio_table
	if [ "${lost:-0}" -gt 0 ]; then
		diag "of them $lost are lost"
		return
	fi
	none "$name: the log has what fio counts" "$T/differs"
}

# fio_maps NAME OPTION...: each page that is written has a fault, but for those that the kernel maps
# together with one, as it does for another program too
fio_maps()
{
	name=$1
	shift
	rm -rf "$T/logs" "$T/work"
	mkdir "$T/logs" "$T/work"
	head -c 16777216 /dev/zero | tr '\0' x >"$T/work/data"
	"$T/stores" "$T/work/data" >"$T/expected"
	(cd "$T/work" && timeout 300 "$run" --faults -o "$T/logs" -- "$fio" --name=job --filename=data --rw=write \
		--size=16m --bs=4k --output-format=json --output="$T/fio.json" "$@") >"$T/out" 2>&1
	is "$name: runs" "$?" 0 || diag_file "$T/out"
	"$IOTRACE_CAT" --format=json -e page_fault -P '/data$' "$T/logs" 2>"$T/said" | grep WRITE |
		sed 's/.*"offset":\([0-9]*\).*/\1/' | sort -un >"$T/faults"
	diag "$name: $(wc -l <"$T/faults") pages by the log, $(wc -l <"$T/expected") by getrusage"
	same "$name: pages fault as for a program that asks getrusage" "$T/faults" "$T/expected"
	none "$name: nothing is missing" "$T/said"
}

fio_engines()
{
	# shellcheck disable=SC2086 # CC may have options
	ok 'stores compiles' $CC -O1 -o "$T/stores" "$top_srcdir/t/real/stores.c" || return
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
		fio_polled "fio, io_uring, polled by the kernel $threads" 16 '--syscalls --watch-rings' --ioengine=io_uring \
			--sqthread_poll ${threads:+"$threads"}
		for calls in read,write pread,pwrite preadv,pwritev preadv2,pwritev2 'readv,writev?'; do
			case $calls in
			read,*) engine=sync ;;
			pread,*) engine=psync ;;
			preadv,*) engine=pvsync ;;
			preadv2,*) engine=pvsync2 ;;
			*) engine=vsync ;;
			esac
			fio_agrees "fio, $engine $threads" 1 '' --ioengine=$engine ${threads:+"$threads"}
		done
		# with vmsplice() a request is two calls, of which fio.pl compares the bytes alone
		calls='splice?'
		fio_agrees "fio, splice $threads" 1 '' --ioengine=splice ${threads:+"$threads"}
		calls=
		fio_maps "fio, mmap $threads" --ioengine=mmap ${threads:+"$threads"}
	done
	# requests that fio submits by instructions
	rm -rf "$T/logs" && mkdir "$T/logs"
	(cd "$T/work" && timeout 300 "$run" -o "$T/logs" -- "$fio" --name=job --filename=data --rw=randread --size=16m \
		--bs=4k --number_ios=2000 --ioengine=io_uring --iodepth=8 --output=/dev/null)
	"$IOTRACE_CAT" "$T/logs" >/dev/null 2>"$T/said"
	like 'fio, io_uring without --syscalls: what is missing is counted, and the remedy named' "$T/said" \
		'[1-9][0-9]* .*io_uring.*--syscalls'
}

check_fio()
{
	if ! fio=$(command -v fio); then
		real_unpack fio fio
		fio=$real/fio/root/usr/bin/fio
	fi
	if ! "$fio" --version >/dev/null 2>&1; then
		skip 'fio' "no $fio that runs here (Debian: fio)"
		return
	fi
	fio_engines
}

check_fio_static()
{
	real_build fio
	fio=$T/traced/fio
	tap_about='static: '
	fio_engines
	tap_about=
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
	diag "$name: requests, completions, bytes: $(cat "$T/counts")"
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

# maps_agree NAME FILE COMMAND...: mmap(), msync() and munmap() of FILE are as many as strace counts,
# and page faults are there
maps_agree()
{
	name=$1
	file=$2
	shift 2
	rm -rf "$T/logs" "$T/work"
	mkdir "$T/logs" "$T/work"
	(cd "$T/work" && strace -f -y -e trace=mmap,msync,munmap,mremap -o "$T/strace" "$@") >"$T/untraced" 2>&1
	rm -rf "$T/work"
	mkdir "$T/work"
	(cd "$T/work" && "$run" --faults -o "$T/logs" -- "$@") >"$T/out" 2>&1
	is "$name: runs" "$?" 0 || diag_file "$T/out"
	same "$name: says the same" "$T/out" "$T/untraced"
	# munmap and msync by their address
	perl -ne 'if (/mmap\(.*<.*\/'"$file"'>.* = (0x\w+)$/) { $n{mmap}++; $at{hex $1} = 1 }
		elsif (/(msync|munmap)\((0x\w+)/ && $at{hex $2}) { $n{$1}++ }
		END { print join(" ", map { "$_ " . ($n{$_} // 0) } qw(mmap msync munmap)), "\n" }' "$T/strace" >"$T/expected"
	"$IOTRACE_STAT" --file="/$file\$" --format=json "$T/logs" 2>"$T/said" >"$T/json"
	"$IOTRACE_CAT" --format=json -e mmap,msync,munmap "$T/logs" 2>"$T/said" | perl -MJSON::PP -ne '
		$c = decode_json($_);
		if ($c->{call} eq "mmap") { next if ($c->{path} // "") !~ m,/'"$file"'$,; $n{mmap}++; $at{$c->{ret}} = 1 }
		elsif ($at{$c->{args}{addr}}) { $n{$c->{call}}++ }
		END { print join(" ", map { "$_ " . ($n{$_} // 0) } qw(mmap msync munmap)), "\n" }' >"$T/counts"
	diag "$name: $(cat "$T/counts") by the log, $(cat "$T/expected") by strace"
	same "$name: maps, syncs and unmaps as strace counts" "$T/counts" "$T/expected"
	ok "$name: pages were touched" test "$("$IOTRACE_CAT" -e page_fault -P "/$file\$" "$T/logs" 2>/dev/null | wc -l)" -gt 1
	is "$name: iotrace-stat has what was synced for the file" \
		"$("$IOTRACE_STAT" --format=json "$T/logs" | perl -MJSON::PP -0777 -ne '
			($f) = grep { $_->{path} =~ m,/'"$file"'$, } @{ decode_json($_)->{files} }; print $f->{syncs} >= '"$(
				sed 's/.*msync \([0-9]*\).*/\1/' "$T/expected")"' ? "all" : $f->{syncs}')" all
}

check_lmdb()
{
	if ! printf '#include <lmdb.h>\nint main(void) { return 0; }\n' >"$T/has.c" ||
		! $CC -o "$T/has" "$T/has.c" -llmdb 2>/dev/null; then
		skip 'lmdb' 'no liblmdb-dev'
		return
	fi
	# shellcheck disable=SC2086 # CC may have options
	ok 'lmdb: compiles' $CC -O1 -o "$T/lmdb" "$top_srcdir/t/real/lmdb.c" -llmdb || return
	maps_agree 'lmdb' data.mdb "$T/lmdb" .
}

check_sqlite()
{
	command -v sqlite3 >/dev/null || {
		skip 'sqlite3, mapped' 'sqlite3 is not installed'
		return
	}
	cat >"$T/queries" <<-'EOT'
		PRAGMA mmap_size=67108864;
		CREATE TABLE t(n INTEGER PRIMARY KEY, s TEXT);
		WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000)
			INSERT INTO t SELECT n, hex(n * 7919) FROM c;
		SELECT count(*), sum(length(s)) FROM t;
		SELECT s FROM t WHERE n = 12345;
	EOT
	maps_agree 'sqlite3, mapped' test.db sqlite3 test.db ".read $T/queries"
}

check_rocksdb()
{
	if ! bench=$(command -v db_bench); then
		skip 'rocksdb' 'no db_bench (Debian: rocksdb-tools)'
		return
	fi
	rm -rf "$T/logs" "$T/work"
	mkdir "$T/logs" "$T/work"
	timeout 300 "$run" -o "$T/logs" -- "$bench" --benchmarks=fillseq,readrandom --num=20000 --db="$T/work" \
		--statistics >"$T/out" 2>&1
	is 'rocksdb: runs' "$?" 0 || diag_file "$T/out"
	log=$(find "$T/work" -name '0*.log')
	written=$("$IOTRACE_STAT" --format=json "$T/logs" | perl -MJSON::PP -0777 -ne '
		print map { $_->{written} } grep { $_->{path} =~ m,/0\d*\.log$, } @{ decode_json($_)->{files} }')
	is 'rocksdb: all of its log was written' "$written" "$(stat -c %s "$log")"
	# its own count is without a header of 7 bytes for each of 20,000 records
	counted=$(sed -n 's/^rocksdb.wal.bytes COUNT : //p' "$T/out")
	diag "rocksdb: $written bytes by the log, $counted and headers by itself"
	ok 'rocksdb: which is what it counts, and headers' test "$((counted + 140000))" -le "$(stat -c %s "$log")"
}

[ $# -gt 0 ] || set -- fio fio-static qemu-img lmdb sqlite rocksdb
for program; do
	case $program in
	fio) check_fio ;;
	fio-static) check_fio_static ;;
	qemu-img) check_qemu ;;
	lmdb) check_lmdb ;;
	sqlite) check_sqlite ;;
	rocksdb) check_rocksdb ;;
	*) fail "$program: not among fio, fio-static, qemu-img, lmdb, sqlite, rocksdb" ;;
	esac
done
done_testing
