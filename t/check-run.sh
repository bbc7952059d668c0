#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check-run.sh - programs that are not built again, under `iotrace run`: the test
# suites of python3 and perl say what they say without it, and of the servers
# PostgreSQL, nginx and MariaDB the log says what their own statistics say.  strace
# says the same as --syscalls of a Go program.  A part of what `make check-real` runs.
#
#	check-run.sh [python3|perl|postgresql|nginx|mariadb|go...]
#
# Packages that are not installed are fetched and unpacked in the build tree.
. "${0%/*}/lib/tap.sh"
. "${0%/*}/lib/real.sh"

run=$top_builddir/tools/iotrace-run
chmod 755 "$T"

# under COMMAND...: under `iotrace run`, or not, as $kind says; from the server's
# processes, which may be another user's, logs go to $T/logs
under()
{
	if [ "$kind" = plain ]; then
		"$@"
	else
		IOTRACE_LIMIT=100000000 "$run" -o "$T/logs" -- "$@"
	fi
}

# compare NAME: what results_NAME makes of suite_NAME's output, without and with
compare()
{
	for kind in plain traced; do
		diag "$1, $kind"
		rm -rf "${T:?}/work"
		mkdir -p "$T/work" "$T/logs" && chmod 1777 "$T/logs"
		case $1 in
		python3)
			(cd "$T/work" && suite_python3) >"$real/$1.$kind.log" 2>&1 </dev/null
			results_python3 <"$real/$1.$kind.log" ;;
		perl)
			(cd "$T/work" && suite_perl) >"$real/$1.$kind.log" 2>&1 </dev/null
			results_perl <"$real/$1.$kind.log" ;;
		esac | sort >"$T/$kind"
	done
	ok "$1: has results" test -s "$T/plain"
	same "$1: $(grep -c . "$T/plain") tests have the same results" "$T/traced" "$T/plain"
	ok "$1: there are logs" test -n "$(find "$T/logs" -name '*.iotrace' -print -quit)"
	rm -rf "$T/logs"
}

# --- python3: Debian has its tests in a package of their own -------------------
# Without us as well, test_4_daemon_threads stays in Python's shutdown now and then, and
# ThreadedVSOCKSocketStreamTest waits for ever in virtual machines
suite_python3()
{
	cp -R "$python_tests" test && cp -Rn "$real/python3/root$python_tests/." test &&
		PYTHONPATH=$PWD under /usr/bin/python3 -m test --junit-xml "$T/junit" \
			-i test_4_daemon_threads -i ThreadedVSOCKSocketStreamTest test_io test_os \
			test_subprocess test_mmap test_threading test_socket test_asyncio
	# a line for each <testcase>, with what is in it
	sed 's/<testcase /\
&/g' "$T/junit"
	rm -f "$T/junit"
}

results_python3()
{
	sed -n 's/^<testcase name="\([^"]*\)"[^>]*>\(.*\)/\1 \2/p' | awk '
		# these list their descriptors, and the log has one
		/test_pass_fds_redirected|test_close_fds_when_max_fd_is_lowered/ { next }
		{ print $1, ($0 ~ /<failure/ ? "failed" : $0 ~ /<error/ ? "error" : $0 ~ /<skipped/ ? "skipped" : "ok") }'
}

check_python3()
{
	python_tests=$(/usr/bin/python3 -c 'import os, test; print(os.path.dirname(test.__file__))')
	real_unpack python3 "lib$(/usr/bin/python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')-testsuite"
	compare python3
}

# --- perl: the source's tests of I/O, with the perl that is installed -----------
perl_modules='dist/IO ext/Fcntl ext/FileCache ext/IPC-Open3 ext/PerlIO-encoding ext/PerlIO-scalar
	ext/PerlIO-via cpan/Socket'

suite_perl()
{
	# shellcheck disable=SC2086 # several directories
	for dir in $perl_modules; do
		cp -R "$real/perl/source/$dir" . && mkdir -p "${dir##*/}/lib"
		cp "$real/perl/source/t"/*.pl "${dir##*/}"
		cp "$real/perl/source/t"/*.pl "${dir##*/}/t"
		(
			cd "${dir##*/}" || exit
			for test in t/*.t; do
				echo "== $dir/$test"
				taint=$(sed -n '1s/^#!.* \(-T\).*/\1/p' "$test")
				under perl ${taint:+"$taint"} "$test"
			done
		)
	done
	mkdir lib && cp -R "$real/perl/source/t" t || return
	perl -e 'print map { "$_\n" } grep { -d } @INC' | while read -r dir; do
		cp -Rn "$dir/." lib 2>/dev/null
	done
	cd t && ln -sf "$(command -v perl)" perl
	for test in io/*.t op/chdir.t op/exec.t op/filetest.t op/fork.t op/glob.t op/readline.t op/sselect.t \
		op/stat.t op/sysio.t; do
		echo "== $test"
		under ./perl "$test"
	done
}

# names of temporary files, addresses, process ids and times do not count
results_perl()
{
	awk '/^== / { test = $2 } /^(not )?ok [0-9]/ { print test, $0 }' | sed -e 's/tmp_[A-Z]*_[A-Z]*/tmp/g' \
		-e 's,/tmp/[A-Za-z0-9_]*,/tmp/N,' -e 's/0x[0-9a-f]*/ADDRESS/g' -e 's/[0-9][0-9][0-9][0-9][0-9]*/N/g'
}

check_perl()
{
	real_fetch perl
	compare perl
}

# --- PostgreSQL ------------------------------------------------------------------
# as_postgres COMMAND...: it does not want to be root
as_postgres()
{
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$T/pg" PATH="$pg:$PATH" "$@"
	else
		env HOME="$T/pg" PATH="$pg:$PATH" "$@"
	fi
}

sql()
{
	as_postgres psql -X -A -t -h "$T/pg" -U postgres -c "$1" postgres
}

statistics()
{
	sql 'select sum(blks_read) from pg_stat_database; select wal_write, wal_sync from pg_stat_wal'
}

# records CALL PATTERN [SIZE]: how many in the log there are of that call on such
# paths between the two times
records()
{
	"$IOTRACE_CAT" --format=json -e "$1" "$T/logs" | perl -MJSON::PP -ne '
		BEGIN { ($path, $from, $to, $size) = splice @ARGV, 0, 4; $n = 0 }
		$r = decode_json($_);
		$n++ if ($r->{path} // "") =~ $path && $r->{start} > $from && $r->{start} < $to &&
		    (!$size || ($r->{ret} // 0) == $size);
		END { print "$n\n" }' "$2" "$from" "$to" "${3:-0}"
}

now()
{
	date +%s%N
}

start_postgres()
{
	IOTRACE_STACK=0 as_postgres "$run" -o "$T/logs" -- postgres -D "$T/pg/data" -k "$T/pg" \
		-c listen_addresses= -c autovacuum=off -c jit=off -c wal_writer_delay=10s -c bgwriter_lru_maxpages=0 \
		-c checkpoint_timeout=1h -c max_wal_size=4GB >>"$T/pg/log" 2>&1 </dev/null &
	server=$!
	n=0
	until sql 'select 1' >/dev/null 2>&1 || [ $((n += 1)) -gt 30 ]; do
		sleep 1
	done
}

stop_postgres()
{
	as_postgres pg_ctl -D "$T/pg/data" -m fast -w stop >/dev/null
	wait "$server"
}

# measure PGBENCH...: its run lies between the times $from and $to, and the
# statistics $blocks, $writes, $syncs and $blocks_then, $writes_then, $syncs_then
measure()
{
	# at the second time what asking needs is in memory
	statistics >/dev/null
	sleep 2
	statistics | tr '\n|' '  ' >"$T/both"
	sleep 2
	from=$(now)
	ok "postgresql: $*" as_postgres "$@" -h "$T/pg" -U postgres -c 4 -j 2 postgres
	sleep 3
	to=$(now)
	statistics | tr '\n|' '  ' >>"$T/both"
	diag "blocks read, WAL writes and syncs, before and after: $(cat "$T/both")"
	read -r blocks writes syncs blocks_then writes_then syncs_then <"$T/both"
}

check_postgresql()
{
	for pg in /usr/lib/postgresql/*/bin; do
		:
	done
	if [ ! -x "$pg/pgbench" ]; then
		real_unpack postgresql postgresql-15 postgresql-client-15 libpq5
		pg=$real/postgresql/root/usr/lib/postgresql/15/bin
		LD_LIBRARY_PATH=$(echo "$real"/postgresql/root/usr/lib/*-linux-gnu)
		export LD_LIBRARY_PATH
	fi
	mkdir -p "$T/pg" "$T/logs" && chmod 1777 "$T/pg" "$T/logs"
	ok 'postgresql: initdb' as_postgres "$run" -o "$T/logs" -- initdb -U postgres -D "$T/pg/data"
	ok 'postgresql: initdb has logs' test -n "$(find "$T/logs" -name 'initdb.*.iotrace')"
	rm -rf "$T/logs"/*
	start_postgres
	ok 'postgresql: starts' sql 'select 1'
	ok 'postgresql: pgbench -i' as_postgres "$run" -o "$T/logs" -- pgbench -q -i -s 5 -h "$T/pg" -U postgres postgres

	# cold buffers, and nobody but us; a block that a table grows by counts as read,
	# so that nothing is written while these are counted
	stop_postgres
	rm -rf "$T/logs"/*
	start_postgres
	ok 'postgresql: starts again' sql 'select 1'
	measure pgbench -S -t 500
	is 'postgresql: blocks read' "$(records pread '/pg/data/(base|global)/' 8192)" $((blocks_then - blocks))
	measure pgbench -t 250
	is 'postgresql: writes of the write-ahead log' "$(records pwrite '/pg_wal/[0-9A-F]{24}$')" $((writes_then - writes))
	is 'postgresql: syncs of the write-ahead log' "$(records fdatasync '/pg_wal/[0-9A-F]{24}$')" $((syncs_then - syncs))
	stop_postgres
	rm -rf "$T/logs" "$T/pg"
}

# --- nginx -----------------------------------------------------------------------
check_nginx()
{
	real_unpack nginx nginx wrk libluajit-5.1-2
	root=$real/nginx/root
	mkdir -p "$T/www/html" "$T/logs"
	echo 'a page' >"$T/www/html/index.html"
	cat >"$T/www/conf" <<-CONF
		daemon off; worker_processes 2; pid $T/www/pid; error_log $T/www/error.log;
		events { worker_connections 256; }
		http {
			access_log $T/www/access.log combined; sendfile on; keepalive_requests 100000;
			client_body_temp_path $T/www/t1; proxy_temp_path $T/www/t2; fastcgi_temp_path $T/www/t3;
			uwsgi_temp_path $T/www/t4; scgi_temp_path $T/www/t5;
			server { listen unix:$T/www/socket; listen 127.0.0.1:18089; root $T/www/html; }
		}
	CONF
	[ "$(id -u)" -ne 0 ] || sed -i '1s/^/user root; /' "$T/www/conf"
	IOTRACE_STACK=0 "$run" -o "$T/logs" -- "$root/usr/sbin/nginx" -p "$T/www" -c "$T/www/conf" >"$T/www/out" 2>&1 &
	server=$!
	sleep 2
	ok 'nginx: wrk' env LD_LIBRARY_PATH="$(echo "$root"/usr/lib/*-linux-gnu)" \
		"$root/usr/bin/wrk" -t 2 -c 16 -d 5s http://127.0.0.1:18089/
	diag_file "$T/.said" 12
	sleep 1
	kill -QUIT "$(cat "$T/www/pid")"
	wait "$server"
	from=0 to=$(now)
	lines=$(wc -l <"$T/www/access.log")
	ok 'nginx: it served more than a thousand pages' test "$lines" -gt 1000
	is 'nginx: the page was opened for each line of access.log' "$(records open,openat '/www/html/index.html$')" "$lines"
	is 'nginx: each line was written by itself' "$(records write '/www/access.log$')" "$lines"
	is 'nginx: their bytes are those of the file' \
		"$("$IOTRACE_CAT" --format=json -e write "$T/logs" | perl -MJSON::PP -ne '
			$r = decode_json($_); $n += $r->{ret} if ($r->{path} // "") =~ m{/access\.log$}; END { print $n }')" \
		"$(wc -c <"$T/www/access.log")"
	rm -rf "$T/logs" "$T/www"
}

# --- MariaDB, with a thread for each connection that ends with it -----------------
# value NAME: of what the server counts, how much it grew from $T/before to $T/after
value()
{
	cat "$T/before" "$T/after" | awk -v name="$1" '$1 == name { n = $2 - n } END { print n + 0 }'
}

# succeeded OPTION...: how many calls between the two times did not fail, of those
# that iotrace-cat chooses by these
succeeded()
{
	"$IOTRACE_CAT" --format=json "$@" "$T/logs" | perl -MJSON::PP -ne '
		BEGIN { ($from, $to) = splice @ARGV, 0, 2; $n = 0 }
		$r = decode_json($_);
		$n++ if $r->{start} > $from && $r->{start} < $to && !$r->{errno};
		END { print "$n\n" }' "$from" "$to"
}

check_mariadb()
{
	real_unpack mariadb mariadb-server-core mariadb-client-core mariadb-client libaio1 liburing2
	root=$real/mariadb/root
	LD_LIBRARY_PATH=$(echo "$root"/usr/lib/*-linux-gnu):$(echo "$root"/lib/*-linux-gnu)
	export LD_LIBRARY_PATH
	mkdir -p "$T/logs" "$T/db"
	set -- --no-defaults --socket="$T/db/socket" --user=root
	ok 'mariadb: makes its tables' sh "$root/usr/bin/mariadb-install-db" --no-defaults --basedir="$root/usr" \
		--datadir="$T/db/data" --user="$(id -un)" --auth-root-authentication-method=normal --skip-test-db
	IOTRACE_STACK=0 "$run" -o "$T/logs" -- "$root/usr/sbin/mariadbd" --no-defaults --user="$(id -un)" \
		--basedir="$root/usr" --datadir="$T/db/data" --socket="$T/db/socket" --pid-file="$T/db/pid" \
		--lc-messages-dir="$root/usr/share/mysql" --skip-networking --thread-handling=one-thread-per-connection \
		--thread-cache-size=0 --innodb-use-native-aio=0 >"$T/db/log" 2>&1 </dev/null &
	server=$!
	n=0
	until "$root/usr/bin/mariadb" "$@" -e 'create database x' 2>/dev/null || [ $((n += 1)) -gt 30 ]; do
		sleep 1
	done
	"$root/usr/bin/mariadb" "$@" -e 'create table x.i (a int) engine=innodb; create table x.m (a int, b int) engine=myisam'
	# for the threads that began the server to have come to rest
	sleep 2
	"$root/usr/bin/mariadb" "$@" -N -B -e 'show global status' >"$T/before"
	from=$(now)
	ok 'mariadb: 4000 connections' "$root/usr/bin/mariadb-slap" "$@" --create-schema=x --concurrency=8 \
		--number-of-queries=8000 --detach=2 --delimiter=';' \
		--query='insert into i values (1);insert into m values (1, 2)'
	"$root/usr/bin/mariadb" "$@" -N -B -e 'show global status' >"$T/after"
	to=$(now)
	ok 'mariadb: so it says' test "$(value Threads_created)" -ge 4000
	is 'mariadb: threads' "$(succeeded -e pthread_create)" "$(value Threads_created)"
	is 'mariadb: connections' "$(succeeded -e accept4)" "$(value Connections)"
	is "mariadb: writes of InnoDB's log" "$(succeeded -e pwrite -P /ib_logfile0)" "$(value Innodb_log_writes)"
	is "mariadb: InnoDB's syncs" "$(succeeded -e fsync,fdatasync -P '/(ib[^/]*|undo[0-9]*|.*\.ibd)$')" "$(value Innodb_data_fsyncs)"
	is "mariadb: rows of a table" "$(succeeded -e pwrite -P '/m\.MYD$')" 4000
	is 'mariadb: each by a thread of its own' "$("$IOTRACE_CAT" --format=json -e pwrite -P '/m\.MYD$' "$T/logs" |
		sed 's/.*"tid":\([0-9]*\).*/\1/' | sort -u | grep -c .)" 4000
	"$root/usr/bin/mariadb" "$@" -e shutdown
	wait "$server"
	is 'mariadb: ends well' $? 0
	is 'mariadb: the bytes of the rows' "$("$IOTRACE_STAT" --format=json -e pwrite -P '/m\.MYD$' "$T/logs" |
		sed -n 's/.*"total":{[^}]*"written":\([0-9]*\).*/\1/p')" "$(wc -c <"$T/db/data/x/m.MYD")"
	rm -rf "$T/logs" "$T/db"
}

# --- Go, which makes its system calls itself, on stacks of its own -----------------
check_go()
{
	if ! go=$(command -v go); then
		real_unpack go golang-1.19-go golang-1.19-src
		go=$real/go/root/usr/lib/go-1.19/bin/go
	fi
	ok 'go: builds a program with C in it' env GOPATH="$T/gopath" GOCACHE="$T/gocache" \
		"$go" build -o "$T/threads" "$top_srcdir/t/dispatch/threads.go"
	for kind in plain traced; do
		rm -rf "$T/work" "$T/logs" && mkdir "$T/work" "$T/logs"
		(
			cd "$T/work" || exit
			if [ $kind = plain ]; then
				"$T/threads"
				echo $? >"$T/logs/status"
			else
				"$top_srcdir/t/lib/oracle" --syscalls --dir="$T/logs" --report="$T/report" -- "$T/threads"
			fi
		) >"$T/$kind" 2>&1
		agrees=$?
		(cat "$T/logs/status" && cd "$T/work" && cksum -- *) >>"$T/$kind"
	done
	same 'go: says and writes the same' "$T/traced" "$T/plain"
	is 'go: agrees with strace' "$agrees" 0 || diag_file "$T/report"
	like 'go: many threads, many calls' "$T/report" '^[0-9]{4,} calls agree in [0-9]{2,} threads, 0 differ'
	rm -rf "$T/logs" "$T/gocache" "$T/gopath"
}

[ $# -gt 0 ] || set -- python3 perl postgresql nginx mariadb go
for program; do
	case $program in
	python3) check_python3 ;;
	perl) check_perl ;;
	postgresql) check_postgresql ;;
	nginx) check_nginx ;;
	mariadb) check_mariadb ;;
	go) check_go ;;
	*) fail "$program: not among python3, perl, postgresql, nginx, mariadb, go" ;;
	esac
done
done_testing
