#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check-real.sh - the test suites of real programs, built without and with iocc:
# each test has the same result; and t/real/*.t of those that take too long for make
# check.  What `make check-real` runs; takes long.
# (lua's and dash's source packages have no test suite.)
#
#	check-real.sh [PACKAGE...]
#
# What a suite says without iocc is kept in real/PACKAGE/results of the build tree.
. "${0%/*}/lib/tap.sh"
. "${0%/*}/lib/family.sh"
. "${0%/*}/lib/real.sh"

# Parts of git's suite: repositories, objects, packs, fetch and push, clone, gc,
# commands that run others, checkout filters
git_tests='t0001-init.sh t0021-conversion.sh t0061-run-command.sh t1006-cat-file.sh t1050-large.sh'
git_tests=$git_tests' t3200-branch.sh t5300-pack-object.sh t5304-prune.sh t5510-fetch.sh'
git_tests=$git_tests' t5516-fetch-push.sh t5601-clone.sh t6500-gc.sh t7700-repack.sh'

# suite PACKAGE COMPILER: build and test in the current directory; the first four
# as static programs, the others as dynamic ones
suite()
{
	# what configure wants to hear from root
	FORCE_UNSAFE_CONFIGURE=1
	export FORCE_UNSAFE_CONFIGURE
	case $1 in
	bzip2)
		real_make bzip2 "$2" && make CC="$2" LDFLAGS=-static bzip2recover &&
			make CC="$2" LDFLAGS=-static test && echo 'PASS: bzip2 test'
		;;
	gzip)
		real_make gzip "$2" && make -k check
		;;
	xz-utils)
		./configure --disable-dependency-tracking --disable-shared --disable-nls --disable-doc \
			CC="$2" CFLAGS='-g -O2' && make -j2 LDFLAGS=-all-static &&
			make -k check LDFLAGS=-all-static
		;;
	sqlite3)
		# the tests are run by a Tcl interpreter with sqlite in it, which
		# does not like to be root
		set -- "$1" "$2" "$(ls /usr/lib/*/libtcl8.6.a)"
		./configure --disable-shared CC="$2" CFLAGS='-g -O1' && make sqlite3.c &&
			make testfixture BCC="$CC" LIBTCL="-all-static $3 -lz -lpthread -lm" || return
		chmod -R a+rwX .
		if [ "$(id -u)" -eq 0 ]; then
			setpriv --reuid=65534 --regid=65534 --clear-groups ./testfixture test/extraquick.test
		else
			./testfixture test/extraquick.test
		fi
		;;
	coreutils)
		./configure -q --disable-dependency-tracking --disable-nls CC="$2" CFLAGS='-g -O1' &&
			make -j2 && make -k -j2 check RUN_EXPENSIVE_TESTS=no
		;;
	tar)
		./configure -q --disable-dependency-tracking --disable-nls CC="$2" CFLAGS='-g -O1' &&
			make -j2 && make check
		;;
	git)
		set -- CC="$2" CFLAGS='-g -O1' NO_GETTEXT=1 NO_TCLTK=1 NO_PYTHON=1 NO_CURL=1 NO_EXPAT=1 NO_OPENSSL=1
		make -j2 "$@" && make -k -C t test "$@" T="$git_tests"
		;;
	esac
}

# Tests that look for what we add:
#	tests/ls/stat-free-symlinks	counts what strace sees of ls' stat calls
we_show='stat-free-symlinks'

# results LOG: a line for each test of a suite, without times
results()
{
	sed -n -e "/$we_show/d" -e 's/  *([0-9.]* *ms[^)]*) */ /' -e '/^\(PASS\|FAIL\|SKIP\|XFAIL\|XPASS\|ERROR\): /p' \
		-e '/^[^ ]*\.\.\. /p' -e '/errors out of/p' -e '/^ *[0-9]*: .* \(ok\|skipped\|FAILED\|expected\)/p' \
		-e 's/^\*\*\* \(t[0-9].*\) \*\*\*$/\1/p' -e '/^\(not \)\{0,1\}ok [0-9]/p' "$1" | sort
}

# run_suite PACKAGE KIND COMPILER: leaves the results in $T/KIND
run_suite()
{
	diag "$1, $2"
	rm -rf "${T:?}/$1"
	cp -Rp "$real/$1/source" "$T/$1"
	mkdir -p "$T/logs" && chmod 1777 "$T/logs"
	(
		cd "$T/$1" || exit
		IOTRACE_DIR=$T/logs IOTRACE_LIMIT=100000000
		export IOTRACE_DIR IOTRACE_LIMIT
		suite "$1" "$3"
	) >"$real/$1/$2.log" 2>&1 </dev/null
	results "$real/$1/$2.log" >"$T/$2"
	rm -rf "${T:?}/$1"
}

chmod 755 "$T"
[ $# -gt 0 ] || set -- bzip2 gzip xz-utils dash lua5.4 sqlite3 coreutils tar git
# compared NAME: what t/real/NAME.t says
compared()
{
	ok "$package: $1.t" env top_builddir="$top_builddir" sh "$top_srcdir/t/real/$1.t"
}

for package; do
	case $package in
	dash | lua5.4)
		compared "${package%5.4}"
		continue
		;;
	esac
	if [ "$package" = sqlite3 ] && ! ls /usr/lib/*/libtcl8.6.a >/dev/null 2>&1; then
		skip "$package" 'no libtcl8.6.a (Debian: tcl-dev)'
		continue
	fi
	real_fetch "$package"
	if [ ! -s "$real/$package/results" ]; then
		run_suite "$package" plain "$CC"
		cp "$T/plain" "$real/$package/results"
	fi
	if ok "$package: has results" test -s "$real/$package/results"; then
		run_suite "$package" traced "$IOCC"
		same "$package: $(grep -c . "$real/$package/results") tests have the same results" \
			"$T/traced" "$real/$package/results"
		ok "$package: there are logs" test -n "$(find "$T/logs" -name '*.iotrace' -print -quit)"
	else
		tail -n 30 "$real/$package/plain.log" | sed 's/^/#	/'
	fi
	rm -rf "$T/logs"
	case $package in
	bzip2 | gzip | sqlite3 | xz-utils) compared "${package%-utils}" ;;
	esac
done
done_testing
