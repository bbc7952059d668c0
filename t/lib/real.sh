# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
#
# real.sh - real programs from Debian's source packages, after tap.sh and
# family.sh.  Sources are fetched once into real/ of the build tree, and built
# there twice, without and with iocc.

real=$top_builddir/real

# Lines for apt: the system's own mirrors of Debian, as sources.  Nothing of the
# system's configuration changes.
real_sources()
{
	codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	cat /dev/null /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
		awk -v c="$codename" '
			$1 != "deb" { next }
			{
				options = ""
				i = 2
				if ($i ~ /^\[/) {
					do
						options = options $i " "
					while ($i++ !~ /\]$/)
				}
				if ($(i + 1) ~ "^" c "(-updates|-security|/updates)?$" && $(i + 2) == "main")
					print "deb-src " options $i, $(i + 1), "main"
			}'
	for stanzas in /etc/apt/sources.list.d/*.sources; do
		[ -f "$stanzas" ] && awk -v c="$codename" -v RS= '
			{
				n = split($0, line, "\n")
				types = uris = suites = key = ""
				for (i = 1; i <= n; i++) {
					value = line[i]
					sub(/^[^:]*:[ \t]*/, "", value)
					if (line[i] ~ /^Types:/) types = value
					if (line[i] ~ /^URIs:/) uris = value
					if (line[i] ~ /^Suites:/) suites = value
					if (line[i] ~ /^Signed-By: *\//) key = "[signed-by=" value "] "
				}
				if (types !~ /(^| )deb( |$)/)
					next
				n = split(suites, suite, " ")
				for (i = 1; i <= n; i++)
					if (suite[i] ~ "^" c "(-updates|-security|/updates)?$")
						print "deb-src " key uris, suite[i], "main"
			}' "$stanzas"
	done
	return 0
}

# apt-get with lists and sources of our own
real_apt()
{
	apt-get -q -o Dir::Etc::SourceList="$real/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::State::Lists="$real/apt/lists" -o Dir::Cache="$real/apt/cache" \
		-o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 "$@" </dev/null
}

# Fetches the lists of our own, once.
real_update()
{
	[ ! -f "$real/apt/updated" ] || return 0
	real_sources >"$real/apt/sources.list"
	sed 's/^deb-src/deb/' "$real/apt/sources.list" >>"$real/apt/sources.list.tmp"
	cat "$real/apt/sources.list.tmp" >>"$real/apt/sources.list"
	rm "$real/apt/sources.list.tmp"
	real_apt update && : >"$real/apt/updated"
}

# real_unpack NAME PACKAGE...: what is in these packages, in $real/NAME/root
real_unpack()
{
	real_name=$1
	shift
	[ -d "$real/$real_name/root" ] && return 0
	command -v apt-get >/dev/null || skip_all "no apt-get to fetch $*"
	mkdir -p "$real/apt/lists/partial" "$real/apt/cache/archives/partial" "$real/$real_name/debs"
	if ! (
		flock 9
		real_update
		cd "$real/$real_name/debs" && real_apt download "$@" &&
			for real_deb in *.deb; do
				dpkg-deb -x "$real_deb" ../root.tmp || exit
			done
	) 9>"$real/lock" >"$T/fetch" 2>&1; then
		diag_file "$T/fetch" 100
		skip_all "cannot get $*"
	fi
	mv "$real/$real_name/root.tmp" "$real/$real_name/root"
}

# real_fetch PACKAGE: its upstream source in $real/PACKAGE/source.  Tests that
# run side by side take turns.
real_fetch()
{
	[ -d "$real/$1/source" ] && return 0
	command -v apt-get >/dev/null || skip_all "no apt-get to fetch the source of $1"
	mkdir -p "$real/apt/lists/partial" "$real/apt/cache" "$real/$1"
	(
		flock 9
		real_update
		# mirrors may lack what their newest lists have
		cd "$real/$1" && { real_apt source --download-only "$1" ||
			real_apt source --download-only "$1/$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)"; }
	) 9>"$real/lock" >"$T/fetch" 2>&1
	rm -rf "$real/$1/source.tmp"
	if ! dpkg-source --skip-patches -x "$real/$1"/*.dsc "$real/$1/source.tmp" >>"$T/fetch" 2>&1; then
		diag_file "$T/fetch" 100
		skip_all "cannot get the source of $1"
	fi
	mv "$real/$1/source.tmp" "$real/$1/source"
}

# How each is built, in its source directory: real_make PACKAGE COMPILER; and
# what comes out.
real_executable()
{
	case $1 in
	dash) echo src/dash ;;
	lua5.4) echo src/lua ;;
	xz-utils) echo src/xz/xz ;;
	*) echo "$1" ;;
	esac
}

real_make()
{
	case $1 in
	bzip2)
		make CC="$2" CFLAGS='-g -O2 -D_FILE_OFFSET_BITS=64' LDFLAGS=-static bzip2
		;;
	dash)
		./configure --disable-dependency-tracking --enable-static CC="$2" CFLAGS='-g -O2' && make -j2
		;;
	fio)
		# fio asks io_uring by instructions
		case $2 in
		*iocc) set -- fio "$2 --iotrace-syscalls --iotrace-faults" ;;
		esac
		./configure --cc="$2" --build-static --disable-native --disable-numa --disable-rdma --disable-rados \
			--disable-rbd --disable-http --disable-gfapi --disable-pmem && make -j2 fio
		;;
	gzip)
		./configure --disable-dependency-tracking CC="$2" LDFLAGS=-static && make -j2
		;;
	lua5.4)
		make -C src lua CC="$2" CFLAGS='-g -O2 -DLUA_COMPAT_5_3 -DLUA_USE_POSIX' LIBS='-lm -static'
		;;
	sqlite3)
		# what is generated needs to be so once only
		cp ../plain/sqlite3.[ch] ../plain/shell.c . 2>/dev/null ||
			{ ./configure --disable-tcl --disable-readline && make sqlite3.c shell.c; }
		# optimised it would take four times as long
		"$2" -g -O0 -DSQLITE_THREADSAFE=1 -c shell.c &
		"$2" -g -O0 -DSQLITE_THREADSAFE=1 -c sqlite3.c && wait &&
			"$2" -static -o sqlite3 sqlite3.o shell.o -lpthread -lm
		;;
	xz-utils)
		./configure --disable-dependency-tracking --disable-shared --disable-nls --disable-doc --disable-scripts \
			--disable-lzmadec --disable-lzmainfo --disable-lzma-links --disable-xzdec CC="$2" CFLAGS='-g -O1' &&
			make -j2 -C src/liblzma && make -j2 -C src/xz LDFLAGS=-all-static
		;;
	esac
}

# newer FILE THAN...
newer()
{
	real_file=$1
	shift
	[ -e "$real_file" ] && [ -z "$(find "$@" -newer "$real_file" 2>/dev/null)" ]
}

# real_build PACKAGE: copies of the source in $real/PACKAGE/plain and .../traced,
# built without and with iocc; again if what iocc links is newer
real_build()
{
	real_fetch "$1"
	real_path=$(real_executable "$1")
	real_exe=${real_path##*/}
	for real_kind in plain traced; do
		real_dir=$real/$1/$real_kind
		mkdir -p "$T/$real_kind"
		if [ $real_kind = plain ]; then
			real_cc=$CC
			real_made=$real_dir/$real_path
		else
			real_cc=$IOCC
			real_made="$IOCC $top_builddir/lib/libiotrace.a"
		fi
		# shellcheck disable=SC2086 # two names
		if ! newer "$real_dir/$real_path" $real_made; then
			rm -rf "$real_dir"
			cp -Rp "$real/$1/source" "$real_dir"
			(cd "$real_dir" && real_make "$1" "$real_cc") >"$real_dir.log" 2>&1 </dev/null
		fi
		# under the same name, as it shows in messages
		if ! cp "$real_dir/$real_path" "$T/$real_kind/$real_exe"; then
			fail "$1: builds ($real_kind)"
			tail -n 30 "$real_dir.log" | sed 's/^/#	/'
			done_testing
		fi
	done
	pass "$1: builds with and without iocc"
}

# real_run DESCRIPTION [ARGUMENT...]: both, in their own directories; what they
# leave there has to be the same as well
real_run()
{
	real_what=$1
	shift
	rm -rf "$T/logs"
	compare_runs "$real_what" "$T/plain/$real_exe" "$T/traced/$real_exe" "$@"
	ok "$real_what: files are the same" diff -r "$T/in-plain" "$T/in-traced"
}

# real_input NAME: a file for both to work on, of 2 MB that compress somewhat
real_input()
{
	mkdir -p "$T/in-plain" "$T/in-traced"
	"$AWK" 'BEGIN { srand(1); for (i = 0; i < 40000; i++) printf "%d line %d of a text %f\n", i, i % 97, rand() }' >"$T/in-plain/$1"
	cp -p "$T/in-plain/$1" "$T/in-traced/$1"
}
