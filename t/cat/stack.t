#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# -k: stacks with functions and lines while the executable is the one that ran,
# and addresses with one line of explanation when it is not.
use strict;
use warnings;
no warnings 'portable';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use MkLog;
use CatTest;

my $cc = $ENV{CC} // 'cc';
my $prog = "$dir/prog";
spew("$dir/prog.c", <<'END');
int twice(int x);
int
twice(int x)
{
	return 2 * x;
}
int main(void)
{
	return twice(4);
}
END
sub compile
{
	my ($options) = @_;
	system("$cc -g -O0 -fno-inline $options -o '$prog' '$dir/prog.c' 2>'$dir/cc.err'") == 0
		or die "$cc can't compile: " . slurp("$dir/cc.err");
}
# { name => address } and the executable segment, as readelf has them
sub layout
{
	my %at;
	for (`nm '$prog'`) { $at{$3} = hex $1 if /^([0-9a-f]+) (\w) (\w+)$/; }
	my ($seg) = grep { /LOAD.*R E/ } `readelf -lW '$prog'`;
	my ($off, $addr, $size) = $seg =~ /LOAD\s+(0x\w+)\s+(0x\w+)\s+\S+\s+(0x\w+)/;
	my ($id) = `readelf -nW '$prog' 2>/dev/null` =~ /Build ID: (\w+)/ ? ($1) :
		map { /Build ID: (\w+)/ ? $1 : () } `readelf -nW '$prog'`;
	return { at => \%at, off => hex $off, addr => hex $addr, size => hex $size, id => pack 'H*', $id };
}
sub log_of
{
	my ($x, $bias, $id) = @_;
	my $l = MkLog->new;
	my $page = $x->{addr} & ~4095;
	$l->block(records => [ MkLog::stack(5, $x->{at}{twice} + $bias + 5, $x->{at}{main} + $bias + 5, 0x10),
		MkLog::map_def($page + $bias, $page + $bias + $x->{size} + 8192, $x->{off} & ~4095, $id, $prog),
		$l->general('unlink', start => 0, ret => 0, stack => 5, args => [ \'/x' ]),
		$l->general('unlink', start => 200, ret => 0, stack => 5, args => [ \'/x' ]) ]);
	return $l->save("$dir/x.iotrace");
}
my ($out, $err, $status);

my @cases = ([ 'static', '-static -no-pie -Wl,--build-id', 0 ], [ 'pie', '-pie -fPIE -Wl,--build-id', 0x555555554000 ]);
my $has_lld = system('ld.lld --version >/dev/null 2>&1') == 0;
# whose code begins in the page of the file that what is before it ends in, elsewhere in memory
push @cases, [ 'lld', '-pie -fPIE -fuse-ld=lld -Wl,--build-id', 0x555555554000 ] if $has_lld;
SKIP: {
	skip 'lld: no ld.lld (Debian: lld)', 1 if !$has_lld;
	compile($cases[-1][1]);
	my $x = layout();
	ok($x->{off} & 4095 && ($x->{addr} & ~4095) != ($x->{off} & ~4095), 'lld: code begins within a page of the file');
}
for my $case (@cases) {
	my ($name, $options, $bias) = @$case;
	compile($options);
	my $x = layout();
	my $log = log_of($x, $bias, $x->{id});
	my @pc = map { sprintf '0x%x', $x->{at}{$_} + $bias + 5 } qw(twice main);
	($out, $err, $status) = cat('-k', $log);
	like($out, qr{\Aunlink\("/x"\) = 0 <0.0000001\d\d>
 > twice \(\Q$dir\E/prog\.c:[2345]\) \[$pc[0]\]
 > main \(\Q$dir\E/prog\.c:[789]\) \[$pc[1]\]
 > \? \[0x10\]
unlink}, "$name: functions and lines");
	is("$err$status", '0', "$name: no complaint");
	my $stack = cat_json('-k', $log)->[0]{stack};
	is($stack->[0]{func}, 'twice', "$name: func");
	is($stack->[0]{pc}, $x->{at}{twice} + $bias + 5, "$name: pc");
	like($stack->[1]{file}, qr/prog\.c$/, "$name: file");
	like($stack->[1]{line}, qr/^[789]$/, "$name: line");
	is_deeply($stack->[2], { pc => 16 }, "$name: an address of nothing");
	ok(!exists cat_json($log)->[0]{stack}, "$name: stacks are for -k");

	$log = log_of($x, $bias, 'x' x 20);
	($out, $err, $status) = cat('-k', $log);
	is($err, "iotrace-cat: $log: $prog is not the file that ran (another build id): its addresses stay numbers\n",
	   "$name: another build id, one line");
	is($status, 0, "$name: which is no damage");
	my $off = sprintf '0x%x', $x->{at}{twice} + 5 - ($x->{addr} & ~4095) + ($x->{off} & ~4095);
	like($out, qr/^ > \Q$prog\E\+$off \[$pc[0]\]$/m, "$name: module and offset instead");

	system("strip '$prog'");
	($out, $err, $status) = cat('-k', log_of($x, $bias, $x->{id}));
	like($err, qr/\A[^\n]*: \Q$prog\E is stripped: [^\n]*\n\z/, "$name: stripped, one line");
	like($out, qr/^ > \Q$prog\E\+$off \[$pc[0]\]$/m, "$name: stripped");

	unlink $prog;
	($out, $err, $status) = cat('-k', log_of($x, $bias, $x->{id}));
	like($err, qr/\A[^\n]*: \Q$prog\E can't be opened \(No such file or directory\)[^\n]*\n\z/, "$name: gone, one line");
	system('mkfifo', $prog);
	($out, $err, $status) = cat('-k', log_of($x, $bias, $x->{id}));
	like($err, qr/not a regular file/, "$name: a FIFO by its name");
	unlink $prog;
}
# Executables that lie elsewhere
{
	compile('-static -no-pie -Wl,--build-id');
	my $x = layout();
	my $log = log_of($x, 0, $x->{id});
	system("mkdir -p '$dir/copy$dir' && mv '$prog' '$dir/copy$prog'") == 0 or die;
	($out, $err, $status) = cat('-k', "--symfs=$dir/copy", $log);
	like($out, qr{^ > twice \(\Q$dir\E/prog\.c:\d\)}m, '--symfs: functions and lines');
	is($err, '', '--symfs: no complaint');
	my $stat = $cat =~ s/cat$/stat/r;
	like(`'$stat' -k --symfs='$dir/copy' --format=json '$log'`, qr{"site":"twice \(\Q$dir\E/prog\.c:\d\)"}, '--symfs: iotrace-stat');
	($out, $err, $status) = cat('-k', $log);
	like($err, qr{\A[^\n]*: \Q$prog\E can't be opened}, '--symfs: needed');
	($out, $err, $status) = cat('-k', "--symfs=$dir", $log);
	like($err, qr{\A[^\n]*: \Q$dir$prog\E can't be opened}, '--symfs: the file that was looked for');
	($out, $err, $status) = cat('-k', "--symfs=$dir/none", $log);
	is("$err$status", "iotrace-cat: --symfs=$dir/none: No such file or directory\n2", '--symfs: no such directory');
}
# Debug information that debuginfod's clients have fetched: no server is asked
{
	my @cache = ([ 'DEBUGINFOD_CACHE_PATH' => "$dir/cache" ], [ XDG_CACHE_HOME => "$dir/xdg", '/debuginfod_client' ],
		[ HOME => "$dir/home", '/.cache/debuginfod_client' ], [ HOME => "$dir/old", '/.debuginfod_client_cache' ]);

	delete local @ENV{qw(DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH XDG_CACHE_HOME)};
	local $ENV{HOME} = "$dir/nobody";
	compile('-static -no-pie -Wl,--build-id');
	my $x = layout();
	my $log = log_of($x, 0, $x->{id});
	system("objcopy --only-keep-debug '$prog' '$dir/debuginfo' && strip '$prog'") == 0 or die;
	($out, $err, $status) = cat('-k', $log);
	like($err, qr/is stripped/, 'debuginfod: not fetched');
	for (@cache) {
		my ($name, $value, $below) = @$_;
		my $to = $value . ($below // '') . '/' . unpack 'H*', $x->{id};
		local $ENV{$name} = $value;
		system("mkdir -p '$to' && : >'$to/debuginfo'") == 0 or die;
		($out, $err, $status) = cat('-k', $log);
		like($err, qr/is stripped/, "debuginfod, $to: not to be had");
		system("cp '$dir/debuginfo' '$to'") == 0 or die;
		($out, $err, $status) = cat('-k', $log);
		like($out, qr{^ > twice \(\Q$dir\E/prog\.c:\d\)}m, "debuginfod, $to: functions and lines");
		is($err, '', "debuginfod, $to: no complaint");
	}
}
# Without debug information: the names of what a stripped library exports, and where in them
{
	system("$cc -O0 -fPIC -shared -nostdlib -Wl,--build-id -o '$prog' '$dir/prog.c' 2>'$dir/cc.err'") == 0 or die;
	my $x = layout();
	my $log = log_of($x, 0x555555554000, $x->{id});
	for my $how ('not stripped', 'stripped') {
		system('strip', $prog) if $how eq 'stripped';
		($out, $err, $status) = cat('-k', $log);
		like($out, qr/^ > twice \[.*\n > main \[.*\n > \? /m, "no debug information, $how: functions");
		is($err, '', "no debug information, $how: no complaint");
		my $stat = $cat =~ s/cat$/stat/r;
		like(`'$stat' -k --format=json '$log'`, qr{"site":"twice \+ 0x5"}, "no debug information, $how: where in them");
	}
	unlink $prog;
}
# A call that clang made of two has no line: none is said, and not line 0
SKIP: {
	skip 'a call without a line: no clang (Debian: clang)', 4 if system('clang --version >/dev/null 2>&1');
	spew("$dir/prog.c", <<'END');
#include <unistd.h>
__attribute__((noinline)) long put(int fd, int how, const char *a, const char *b)
{
	long n;

	if (how)
		n = write(fd, a, 3);
	else
		n = write(fd, b, 3);
	return n * 3 + 1;
}
int main(int argc, char **argv)
{
	return put(argc, argc > 1, argv[0], "two") - 10;
}
END
	system("clang -g -O2 -Wl,--build-id -no-pie -o '$prog' '$dir/prog.c'") == 0 or die;
	my ($call) = `objdump -d --disassemble=put '$prog'` =~ /\scall.*\n\s*([0-9a-f]+):/;
	my $x = layout();
	my $log = MkLog->new;
	my $page = $x->{addr} & ~4095;
	$log->block(records => [ MkLog::stack(5, hex $call),
		MkLog::map_def($page, $page + $x->{size} + 8192, $x->{off} & ~4095, $x->{id}, $prog),
		$log->general('unlink', start => 0, ret => 0, stack => 5, args => [ \'/x' ]) ]);
	$log = $log->save("$dir/x.iotrace");
	($out, $err, $status) = cat('-k', $log);
	like($out, qr{^ > put \(\Q$dir\E/prog\.c\) \[0x$call\]$}m, 'a call without a line: text');
	is("$err$status", '0', 'a call without a line: no complaint');
	is_deeply(cat_json('-k', $log)->[0]{stack},
		  [ { pc => hex $call, func => 'put', file => "$dir/prog.c", module => $prog, module_offset => (hex $call) - $page + ($x->{off} & ~4095) } ],
		  'a call without a line: JSON');
	my $stat = $cat =~ s/cat$/stat/r;
	like(`'$stat' -k --format=json '$log'`, qr{"site":"put \(\Q$dir\E/prog\.c\)"}, 'a call without a line: iotrace-stat');
}
# C++ functions have the names of their source, if there is a demangler
SKIP: {
	my $cxx = $ENV{CXX} // 'c++';
	skip 'iotrace-cat was built without libiberty', 1 if slurp(($ENV{top_builddir} // ".") . "/config.h") !~ /^#define HAVE_LIBIBERTY/m;
	spew("$dir/prog.cc", <<'END');
namespace deep {
template <class T> struct Box { T twice(T x, const char *name); };
template <class T> __attribute__((noinline)) T Box<T>::twice(T x, const char *name)
{
	return 2 * x + !name;
}
}
int main()
{
	return deep::Box<int>().twice(4, "x");
}
END
	system("$cxx -g -O0 -static -Wl,--build-id -o '$prog' '$dir/prog.cc' 2>'$dir/cc.err'") == 0
		or die slurp("$dir/cc.err");
	my $x = layout();
	my ($name) = grep { /twice/ } keys %{$x->{at}};
	$x->{at}{twice} = $x->{at}{$name};
	($out, $err, $status) = cat('-k', log_of($x, 0, $x->{id}));
	like($out, qr{^ > deep::Box<int>::twice\(int, char const\*\) \(\Q$dir\E/prog\.cc:}m, 'C++ names');
}
# Functions that were expanded in others: as binutils' addr2line says of the same address
SKIP: {
	skip 'no addr2line', 3 unless `addr2line --version 2>/dev/null`;
	spew("$dir/prog.c", <<'END');
extern volatile int v;
volatile int v;
#define INLINE static inline __attribute__((always_inline))
INLINE void innermost(int x)
{
	v = x;
	v += x;
}
INLINE void middle(int x)
{
	v++;
	innermost(x + v);
}
__attribute__((noinline)) int twice(int x)
{
	middle(x);
	return v;
}
int main(void)
{
	return twice(4);
}
END
	for my $option (qw(-O0 -O1 -O2 -O3)) {
		system("$cc -g $option -static -Wl,--build-id -o '$prog' '$dir/prog.c' 2>'$dir/cc.err'") == 0
			or die slurp("$dir/cc.err");
		my $x = layout();
		my ($end) = map { hex((split)[0]) + hex((split)[1]) } grep { / twice$/ }
			map { s/^(\w+) (\w+) \w (\w+)$/$1 $2 $3/r } grep { !/main/ } `nm -S '$prog'`;
		my (@want, @got);
		for my $at ($x->{at}{twice} .. $end - 1) {
			# a return address belongs to the instruction before it
			my $hex = sprintf '0x%x', $at;
			my @line = `addr2line -i -f -e '$prog' $hex`;
			chomp @line;
			s/ \(discriminator \d+\)// for @line;
			push @want, join ' ', @line;
			my $l = MkLog->new;
			my $page = $x->{addr} & ~4095;
			$l->block(records => [ MkLog::stack(5, $at + 1),
				MkLog::map_def($page, $page + $x->{size} + 8192, $x->{off} & ~4095, $x->{id}, $prog),
				$l->general('unlink', start => 0, ret => 0, stack => 5, args => [ \'/x' ]) ]);
			my $stack = cat_json('-k', $l->save("$dir/x.iotrace"))->[0]{stack};
			push @got, join ' ', map { ($_->{func}, "$_->{file}:$_->{line}") } @$stack;
			# all but the function itself are marked
			$got[-1] .= ' badly marked' if grep { !!$stack->[$_]{inlined} != ($_ < $#$stack) } 0 .. $#$stack;
		}
		is_deeply(\@got, \@want, "$option: expanded functions, at " . @want . ' addresses');
		ok((grep { /innermost .*middle .*twice/ } @got), "$option: three at one address");
	}
}
# The line that made a call is the program's: not a header's, not that of libc's start
spew("$dir/prog.c", <<'END');
int twice(int x);
int
twice(int x)
{
	return 2 * x;
}
int __libc_start_call_main(void);
int __libc_start_call_main(void)
{
	return twice(4);
}
int main(void)
{
	return __libc_start_call_main();
}
END
for my $case ([ '-g', qr/^twice \(\Q$dir\E\/prog\.c:\d+\)$/, 'with lines' ], [ '', qr/^twice \+ 0x5$/, 'without' ]) {
	my ($options, $want, $name) = @$case;
	system("$cc $options -O0 -c -o '$dir/prog.o' '$dir/prog.c'") == 0 or die;
	spew("$dir/start.c", "int __libc_start_call_main(void);\nvoid _start(void) { __libc_start_call_main(); }\n");
	system("$cc $options -O0 -nostdlib -static -Wl,--build-id -o '$prog' '$dir/start.c' '$dir/prog.o'") == 0 or die;
	my $x = layout();
	my $page = $x->{addr} & ~4095;
	for my $from ([ 'its innermost function', qw(twice __libc_start_call_main _start) ],
		      [ 'and start-up code has none', qw(_start) ]) {
		my ($what, @names) = @$from;
		my $l = MkLog->new;
		$l->block(records => [ MkLog::stack(5, map { $x->{at}{$_} + 5 } @names),
			MkLog::map_def($page, $page + $x->{size} + 8192, $x->{off} & ~4095, $x->{id}, $prog),
			$l->general('unlink', start => 0, ret => 0, stack => 5, args => [ \'/x' ]) ]);
		my $json = `'@{[$cat =~ s/cat$/stat/r]}' -k --format=json '@{[$l->save("$dir/x.iotrace")]}'`;
		my ($site) = $json =~ /"site":"([^"]*)"/;
		if (@names > 1) {
			like($site, $want, "site, $name: $what");
		} else {
			like($site, qr/^_start /, "site, $name: $what");
		}
	}
}
done_testing;
