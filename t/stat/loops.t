#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Helpers that have one caller: the line of a finding is where the loop is, whatever the
# compiler has made of it.
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

# --- programs: SITE NAME is where the first finding about the file NAME has to point ---
cat >c.c <<'EOT_C'
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define N 1500

static char block[N * 16];

static int create(const char *name)
{
	return open(name, O_CREAT | O_TRUNC | O_RDWR, 0644);
}

static void put(int fd, const char *p, size_t n)
{
	if (write(fd, p, n) < 0)
		_exit(1);
}

static void plain(int fd)
{
	for (int i = 0; i < N; i++)
		put(fd, block + 16 * i, 16); /* SITE plain */
}

/* goes on with what is left */
static void put_rest(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t k = write(fd, p, n);

		if (k <= 0)
			_exit(1);
		p += k;
		n -= (size_t)k;
	}
}

static void rest(int fd)
{
	for (int i = 0; i < N; i++)
		put_rest(fd, block + 16 * i, 16); /* SITE rest */
}

/* goes on after a signal, and with what is left */
static size_t put_again(int fd, const char *p, size_t n)
{
	size_t done = 0;
	ssize_t k;

	while (done < n) {
		do
			k = write(fd, p + done, n - done);
		while (k < 0 && errno == EINTR);
		if (k < 0)
			return done;
		done += (size_t)k;
	}
	return done;
}

static void again(int fd)
{
	for (int i = 0; i < N; i++)
		if (put_again(fd, block + 16 * i, 16) != 16) /* SITE again */
			_exit(1);
}

/* nothing but the loop, and called once */
static void here(int fd, int n)
{
	for (int i = 0; i < n; i++)
		if (write(fd, block + i, 16) != 16) /* SITE here */
			_exit(1);
}

static void two_deeper(int fd, int i)
{
	if (pwrite(fd, block, 10, 20 * i) < 0)
		_exit(1);
}

static void one_deeper(int fd, int i)
{
	two_deeper(fd, i);
	block[i] = (char)i;
}

static void deep(int fd)
{
	for (int i = N; i-- > 0;)
		one_deeper(fd, i); /* SITE deep */
}

static volatile int what = 3;

/* a table of jumps */
static void table(int fd)
{
	for (int i = 0; i < 16 * N; i++) {
		switch ((i + what) % 8) {
		case 0: block[0]++; break;
		case 1: block[1] -= 3; break;
		case 2: block[2] *= 5; break;
		case 3: block[5] |= 9; break;
		case 4: block[7] ^= 1; break;
		case 5: block[9] = block[0]; break;
		case 6:
			if (write(fd, block, 16) != 16) /* SITE table */
				_exit(1);
			break;
		default: block[11]--;
		}
	}
}

/* reads on until the end: the result says only when that is */
static long stream(int fd)
{
	char some[24];
	off_t at = 0;
	ssize_t k;
	long sum = 0;

	while ((k = pread(fd, some, sizeof(some), at)) > 0) { /* SITE stream */
		at += k;
		sum += some[0];
	}
	return sum;
}

int main(void)
{
	int fd;

	plain(create("plain"));
	rest(create("rest"));
	again(create("again"));
	here(create("here"), N);
	deep(create("deep"));
	table(create("table"));
	fd = create("stream");
	if (write(fd, block, sizeof(block)) < 0 || write(fd, block, sizeof(block)) < 0)
		return 1;
	return stream(fd) == 42;
}
EOT_C

cat >cc.cc <<'EOT_CC'
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

struct Sink {
	int fd;
	explicit Sink(const char *name) : fd(open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644)) {}
	~Sink() { close(fd); }
	template <class T> void put(const T &x)
	{
		if (write(fd, &x, sizeof(x)) != sizeof(x))
			throw std::runtime_error("write");
	}
};

struct Grain {
	double weight, width;
};

static void members(const std::vector<Grain> &all)
{
	Sink sink("members");
	for (const auto &g : all)
		sink.put(g); // SITE members
}

static void append(const std::string &name, const std::string &text)
{
	std::ofstream f(name, std::ios::app); // SITE reopen: to be kept open, whoever calls
	f << text;
}

static void reopen()
{
	for (int i = 0; i < 200; i++)
		append("reopen", std::to_string(i) + '\n');
}

int main()
{
	members(std::vector<Grain>(2000));
	reopen();
	return 0;
}
EOT_CC

cat >f.F90 <<'EOT_F'
module parts
	implicit none
contains
	subroutine put(u, x)
		integer, intent(in) :: u
		real(8), intent(in) :: x
		write(u) x
	end subroutine

	subroutine save_all(name, a)
		character(*), intent(in) :: name
		real(8), intent(in) :: a(:)
		integer :: u, i
		open(newunit=u, file=name, access='stream', form='unformatted', status='replace')
		do i = 1, size(a)
			call put(u, a(i)) ! SITE elements
		end do
		close(u)
	end subroutine
end module

program f
	use parts
	implicit none
	real(8) :: a(3000)
	a = 1
	call save_all('elements', a)
end program
EOT_F

# sites SOURCE: what it says of itself
sites()
{
	sed -n 's/.*SITE \([a-z]*\).*/\1/p' "$1" | sort | while read -r name; do
		echo "$name $1:$(grep -n "SITE $name" "$1" | cut -d: -f1)"
	done
}

# found SOURCE: the same from the first finding about each of the files
found()
{
	"$IOTRACE_STAT" --no-progress --rule=minor=off --format=json logs >json 2>said || diag "$(cat said)"
	perl -MJSON::PP -0777 -ne '
		for my $f (@{ decode_json($_)->{findings} }) {
			my ($path, $site) = ($f->{path} // "", $f->{site} // {});
			next if $f->{severity} eq "info" or $path !~ s,.*/,, or $seen{$path}++;
			push @found, "$path " . ($site->{file} // "") =~ s,.*/,,r . ":" . ($site->{line} // "");
		}
		print map { "$_\n" } sort @found' json
}

# whole COMPILER SOURCE: at both levels
whole()
{
	for level in -O0 -O2; do
		rm -rf logs
		mkdir logs
		ok "$2, $level: built" "$top_builddir/compiler-wrappers/$1" -g "$level" -o program "$2"
		IOTRACE_DIR=logs ok "$2, $level: runs" ./program
		is "$2, $level: lines" "$(found)" "$(sites "$2")"
	done
}

whole iocc c.c
whole iocxx cc.cc
if [ -n "${FC:-}" ]; then
	whole iof90 f.F90
	COLUMNS=100 "$IOTRACE_STAT" --rule=minor=off logs >text
	like 'Fortran: a procedure has its own name' text '^ +save_all \(f\.F90:[0-9]+\) < f? ?'
else
	skip 'Fortran' 'no gfortran'
fi
done_testing
