#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check-real.sh - the test suites of real programs, built without and with iocc:
# each test has the same result.  What `make check-real` runs; takes long.
# (lua's and dash's source packages have no test suite.)
. "${0%/*}/lib/tap.sh"
. "${0%/*}/lib/family.sh"
. "${0%/*}/lib/real.sh"

# suite PACKAGE COMPILER: build and test in the current directory
suite()
{
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
	esac
}

# results LOG: a line for each test of a suite, without times
results()
{
	sed -n -e 's/  *([0-9.]* *ms[^)]*) */ /' -e '/^\(PASS\|FAIL\|SKIP\|XFAIL\|XPASS\|ERROR\): /p' \
		-e '/^[^ ]*\.\.\. /p' -e '/errors out of/p' "$1" | sort
}

chmod 755 "$T"
[ $# -gt 0 ] || set -- bzip2 gzip xz-utils sqlite3
for package; do
	if [ "$package" = sqlite3 ] && ! ls /usr/lib/*/libtcl8.6.a >/dev/null 2>&1; then
		skip "$package" 'no libtcl8.6.a (Debian: tcl-dev)'
		continue
	fi
	real_fetch "$package"
	for kind in plain traced; do
		diag "$package, $kind"
		compiler=$CC
		[ $kind = plain ] || compiler=$IOCC
		rm -rf "${T:?}/$package"
		cp -Rp "$real/$package/source" "$T/$package"
		mkdir -p "$T/logs" && chmod 1777 "$T/logs"
		(
			cd "$T/$package" || exit
			IOTRACE_DIR=$T/logs IOTRACE_LIMIT=100000000
			export IOTRACE_DIR IOTRACE_LIMIT
			suite "$package" "$compiler"
		) >"$T/$kind.log" 2>&1 </dev/null
		results "$T/$kind.log" >"$T/$kind"
	done
	if ok "$package: has results" test -s "$T/plain"; then
		same "$package: $(grep -c . "$T/plain") tests have the same results" "$T/traced" "$T/plain"
		ok "$package: there are logs" test -n "$(find "$T/logs" -name '*.iotrace' -print -quit)"
	else
		tail -n 30 "$T/plain.log" | sed 's/^/#	/'
	fi
	rm -rf "$T/logs" "${T:?}/$package"
done
done_testing
