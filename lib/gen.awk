# SPDX-License-Identifier: BSD-3-Clause
# gen.awk - the one generator: from calls.def and the names that libc.a has, all
# that is written more than once.
#
#	awk -v out=DIR -f gen.awk NM CALLS.DEF
#	awk -v out=DIR -v form=dynamic -f gen.awk NM CALLS.DEF
#
# NM is what `nm -A -f sysv -g --defined-only libc.a` prints or, for the dynamic
# form, `nm -D --defined-only libc.so.6`.  Into DIR go
#	w_*.c		the wrappers, a file for each entry point of libc
#	sources		the names of these files
#	desc_*.h	what the encoder and the log's schema know of a row
#	raw-rows.h	what syscall(2) can stand for
#	wrap.list	a line --wrap=NAME for each name, for the linker
#	calls-table.h	rows, names and exceptions for tools and tests
#	calls.txt	what iotrace-calls(7) says of them, see emit_docs
# and in the dynamic form, whose wrappers have the names of the calls themselves,
#	next-names.h	a line IOT_NEXT(NAME) for each name
#	wrap.list	a line NAME; for each name, for the linker to export
#	versions.map	for libiotrace.so
# All of POSIX awk and nothing beyond it.

BEGIN {
	FS = "|"
	# kind -> C type, what the encoder makes of it (- = not in the log)
	split("fd int FD;fd2 int FD2;dirfd int DIRFD;FILE void* FILE;DIR void* DIR;" \
	    "path constchar* PATH;relpath constchar* RELPATH;link constchar* STR;str constchar* STR;" \
	    "size size_t SIZE;itemsize size_t ITEMSIZE;items size_t ITEMS;buflen size_t -;flag int -;" \
	    "valist va_list -;offset int64_t OFFSET;buf void* NONE;text constchar* NONE;byte int NONE;" \
	    "iov void* IOV;iovcnt int INT;msg void* MSG;mmsg void* NONE;mmsgcnt uint32_t UINT;" \
	    "addr void* ADDR;addrlen uint32_t UINT;pfds void* NONE;nfds unsignedlong WORD;" \
	    "offp int64_t* OFFP;aiocb void* AIOCB;pipefds int* PIPEFDS;int int INT;uint uint32_t UINT;" \
	    "long long WORD;ulong unsignedlong WORD;ptr void* WORD;mode uint32_t UINT;" \
	    "dev unsignedlong WORD;pid int INT;uid uint32_t UINT;gid uint32_t UINT;oflags int INT;" \
	    "accmode int INT;atflags int INT;whence int INT;prot int INT;mapflags int INT;" \
	    "fcntl int INT;ioctl unsignedlong WORD;domain int INT;socktype int INT;msgflags int INT;" \
	    "lockop int INT;advice int INT;cloneflags int INT;fallocmode int INT;spliceflags uint32_t UINT;" \
	    "renameflags uint32_t UINT;rwflags int INT;epollop int INT;xattrflags int INT;shuthow int INT;" \
	    "msyncflags int INT;statxmask uint32_t UINT;syncrange uint32_t UINT;dlflags int INT;cookiefns cookie_io_functions_t NONE", k, ";")
	for (i in k) {
		split(k[i], f, " ")
		ctype[f[1]] = f[2]
		code[f[1]] = f[3]
	}
	for (i in ctype) {
		gsub(/const/, "const ", ctype[i])
		gsub(/unsigned/, "unsigned ", ctype[i])
		gsub(/\*/, " *", ctype[i])
	}
	split("bytes long BYTES;items size_t ITEMS;count int COUNT;long long COUNT;wtext void* WTEXT;fd int FD;FILE void* FILE;DIR void* DIR;" \
	    "status int STATUS;errcode int ERRCODE;eof int EOF;nonneg int NONNEG;char int CHAR;" \
	    "chars int CHARS;pos int64_t POS;map void* MAP;ptr void* PTR;text char* TEXT;cwd char* CWD;" \
	    "dirent void* DIRENT;pid int PID;mask uint32_t MASK;void void VOID;noreturn void NORETURN", k, ";")
	for (i in k) {
		split(k[i], f, " ")
		sub(/\*/, " *", f[2])
		rtype[f[1]] = f[2]
		rcode[f[1]] = f[3]
	}
	nrows = 0
}

function die(why)
{
	printf "gen.awk: %s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
	failed = 1
	exit 1
}

function join(g, name)
{
	group[name] = g
	members[g] = members[g] " " name
}

function leave(name,    g, i)
{
	g = group[name]
	i = index(members[g] " ", " " name " ")
	members[g] = substr(members[g], 1, i - 1) substr(members[g], i + length(name) + 1)
}

# --- libc.so's names: group = address; versions that other libraries of libc use
# among themselves are not for us, old ones that differ are NAME@VERSION ---------
FNR == NR && form == "dynamic" {
	FS = " "
	$0 = $0
	FS = "|"
	i = index($3, "@")
	name = substr($3, 1, i - 1)
	if ($2 !~ /[TWi]/ || !i || $3 ~ /@GLIBC_PRIVATE$/)
		next
	if ($3 ~ /@@/)
		version[name] = substr($3, i + 2)
	else
		old[name] = old[name] " " $1
	if ($3 ~ /@@/) {
		if (name in group)
			leave(name)
		join($1, name)
	} else if (!(name in group)) {
		join($1, name)
	}
	next
}

# --- libc.a's names: group = member, section and address --------------------
FNR == NR {
	n = split($1, a, ":")
	if (n < 3 || ($3 !~ /[TWi]/))
		next
	name = a[n]
	gsub(/ /, "", name)
	section = $7
	gsub(/[ \t]/, "", section)
	if (section !~ /^\.text/ || name ~ /^DW\.ref/)
		next
	g = a[n - 1] ":" section ":" $2
	gsub(/ /, "", g)
	if (!(name in group))
		join(g, name)
	next
}

/^#/ || /^[ \t]*$/ { next }

/^inline/ {
	# inline FUNCTION SYSCALL reason
	line = $0
	split(line, f, /[ \t]+/)
	reason = line
	sub(/^inline[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", reason)
	inlines[++ninlines] = "IOT_INLINE(\"" f[2] "\", \"" f[3] "\", \"" reason "\")"
	next
}

# watch NAME...: no rows, but there are hand-written wrappers; NAME=SYSCALL where
# the function makes that call itself
/^watch/ {
	n = split($0, f, /[ \t]+/)
	for (i = 2; i <= n; i++) {
		split(f[i] "=", w, "=")
		if (!(w[1] in group)) {
			absent = absent " " w[1] ";"
			continue
		}
		list_name(w[1])
		watched[++nwatched] = "IOT_NAME(\"" w[1] "\", \"" w[1] "\", \"" w[2] "\")"
	}
	next
}

# chk NAME(PARAMS) -> BASE(ARGS) if CONDITION
/^chk/ {
	line = $0
	sub(/^chk[ \t]+/, "", line)
	i = index(line, " -> ")
	j = index(line, " if ")
	chk_proto[++nchks] = substr(line, 1, i - 1)
	chk_call[nchks] = substr(line, i + 4, j - i - 4)
	chk_cond[nchks] = substr(line, j + 4)
	next
}

{
	# FAMILY  RESULT NAME(PARAMS)  [ATTRIBUTES]
	line = $0
	r = ++nrows
	if (!match(line, /^[a-z]+[ \t]+/))
		die("no family")
	family[r] = substr(line, 1, RLENGTH)
	gsub(/[ \t]/, "", family[r])
	line = substr(line, RLENGTH + 1)
	match(line, /^[A-Za-z]+ /)
	result[r] = substr(line, 1, RLENGTH - 1)
	if (!(result[r] in rtype))
		die("unknown result " result[r])
	line = substr(line, RLENGTH + 1)
	match(line, /^[A-Za-z0-9_]+/)
	rowname[r] = substr(line, 1, RLENGTH)
	if (rowname[r] in row)
		die(rowname[r] " is there twice")
	row[rowname[r]] = r
	line = substr(line, RLENGTH + 2)
	i = index(line, ")")
	params[r] = substr(line, 1, i - 1)
	line = substr(line, i + 1)
	attrs[r] = " "
	if (match(line, /\[.*\]/))
		attrs[r] = " " substr(line, RSTART + 1, RLENGTH - 2) " "
	id[r] = r
}

# --- helpers over rows -------------------------------------------------------
function has(r, a) { return index(attrs[r], " " a " ") > 0 }

function value(r, a,    s, i)
{
	i = index(attrs[r], " " a "=")
	if (!i)
		return ""
	s = substr(attrs[r], i + length(a) + 2)
	return substr(s, 1, index(s, " ") - 1)
}

# index of the first parameter of that kind, from 1 among those that are encoded
function nth_of(n, kind,    i, m)
{
	for (i = 1; i <= n; i++) {
		m += code[pk[i]] != "-"
		if (pk[i] == kind)
			return m
	}
	return 0
}

function list_name(name)
{
	if (name in listed)
		return
	listed[name] = 1
	print (form == "dynamic" ? "\t" name ";" : "--wrap=" name) > (out "/wrap.list")
	if (form == "dynamic")
		printf "IOT_NEXT(%s)\n", name > (out "/next-names.h")
}

function called(r,    as) { as = value(r, "as"); return as == "" ? rowname[r] : as }

# splits PARAMS into pk[], pn[]; returns how many
function parse(list,    n, i, f, part)
{
	n = split(list, part, /,[ ]*/)
	if (list == "")
		n = 0
	for (i = 1; i <= n; i++) {
		split(part[i], f, " ")
		pk[i] = f[1]
		pn[i] = f[2]
		if (!(pk[i] in ctype)) {
			printf "gen.awk: unknown kind %s in %s\n", pk[i], list > "/dev/stderr"
			failed = 1
			exit 1
		}
	}
	return n
}

function decl(n,    i, s)
{
	for (i = 1; i <= n; i++) {
		s = s (i > 1 ? ", " : "") ctype[pk[i]]
		s = s (s ~ /\*$/ ? "" : " ") pn[i]
	}
	return s == "" ? "void" : s
}

function names(n,    i, s)
{
	for (i = 1; i <= n; i++)
		s = s (i > 1 ? ", " : "") pn[i]
	return s
}

function schema(r, n,    i, s, fl)
{
	fl = has(r, "callback") ? "callback" : "-"
	s = family[r] " " called(r) " " (value(r, "sys") == "" ? "-" : value(r, "sys")) " " fl " " result[r]
	for (i = 1; i <= n; i++)
		if (code[pk[i]] != "-")
			s = s " " pn[i] ":" pk[i]
	if (result[r] == "dirent")
		s = s " name:str"
	return s
}

function desc(r, n,    i, s, k, m, fl)
{
	fl = "0"
	if (has(r, "thin"))
		fl = fl " | IOT_D_THIN"
	if (has(r, "backend"))
		fl = fl " | IOT_D_BACKEND"
	if (has(r, "seq"))
		fl = fl " | IOT_D_SEQ"
	if (has(r, "outer"))
		fl = fl " | IOT_D_OUTER"
	m = 0
	for (i = 1; i <= n; i++)
		if (code[pk[i]] != "-") {
			k = k (m ? ", " : "") "IOT_K_" code[pk[i]]
			m++
		}
	s = "IOT_DESC(" rowname[r] ") = {\n"
	s = s "\t.schema = \"" schema(r, n) "\",\n"
	s = s "\t.id = " id[r] ",\n\t.family = IOT_" toupper(family[r]) ",\n"
	s = s "\t.result = IOT_R_" rcode[result[r]] ",\n"
	if (value(r, "effect") != "")
		s = s "\t.effect = IOT_E_" toupper(value(r, "effect")) ",\n"
	if (value(r, "effect") ~ /^(open|reopen|append)$/) {
		i = nth_of(n, "oflags")
		s = s "\t.opening = " (i ? i : nth_of(n, "str")) ",\n"
	}
	s = s "\t.flags = " fl ",\n\t.n = " m ",\n\t.kind = { " (m ? k : "0") " },\n};\n"
	return s
}

function arg(i)
{
	# open's mode is there only with O_CREAT or O_TMPFILE
	if (pk[i] == "mode" && pk[i - 1] == "oflags")
		return pn[i - 1] " & 020000100 ? " pn[i] " : 0"
	if (code[pk[i]] == "NONE")
		return "0"
	if (ctype[pk[i]] ~ /\*$/)
		return pk[i] == "offp" ? pn[i] "_was" : "(uintptr_t)" pn[i]
	return "(uint64_t)" pn[i]
}

function arglist(n,    i, s, m)
{
	for (i = 1; i <= n; i++)
		if (code[pk[i]] != "-")
			s = s (m++ ? ", " : "") arg(i)
	return s == "" ? "0" : s
}

# The desc of a row in a file of its own, for whoever records that call.
function emit_desc(r,    f)
{
	f = out "/desc_" rowname[r] ".h"
	print "/* Generated from calls.def by gen.awk: do not edit. */" > f
	printf "enum { IOT_ID_%s = %d };\n", rowname[r], id[r] > f
	print desc(r, parse(params[r])) > f
	close(f)
}

# the descriptor that a call is about, as a C expression
function about(r, n,    i)
{
	for (i = 1; i <= n; i++) {
		if (pk[i] == "fd")
			return pn[i]
		if (pk[i] == "FILE")
			return "iot_fileno(" pn[i] ")"
		if (pk[i] == "DIR")
			return "iot_dirfd(" pn[i] ")"
		if (pk[i] == "aiocb")
			return "iot_aio_fd(" pn[i] ")"
	}
	if (has(r, "stdin"))
		return "iot_fileno(stdin)"
	if (has(r, "stdout"))
		return "iot_fileno(stdout)"
	return "-1"
}

function is_public(name)
{
	return form == "dynamic" || name !~ /^_/ || (name in row && !has(row[name], "backend")) || (name in chk_named) ||
	    name ~ /^(_Exit|_IO_getc|_IO_putc|__getdelim|__f?xstat(at)?64|__lxstat64|__fxstatat64)$/ ||
	    name ~ /_chk$/
}

# --- output --------------------------------------------------------------------
# name, flags and mode of a hot row that opens a file
function opened(n)
{
	return pn[n - 2] ", (uint32_t)" pn[n - 1] ", " arg(n)
}

# The body of a hot row: the fast way, or the other if that can't be had.
function emit_hot(r, n, f, rt, sep, params, ap,    size, full, low, fixed, seq, it, i, args, fd)
{
	size = "(uint32_t)ret"
	full = "ret >= 0"
	low = "IOT_UNKNOWN"
	fixed = "false"
	seq = has(r, "seq") ? "true" : "false"
	args = names(n) ap
	fd = about(r, n)
	if (result[r] == "status") {
		size = 0
		full = "ret == 0"
	}
	for (i = 1; i <= n; i++) {
		if (pk[i] == "size") {
			size = pn[i]
			full = "ret == (long)" pn[i]
		}
		if (pk[i] == "itemsize")
			it = pn[i]
		if (pk[i] == "items") {
			size = it " * " pn[i]
			full = it " && !((" it " | " pn[i] ") >> 32) && ret == " pn[i]
			low = it
			fixed = "true"
		}
		if (pk[i] == "offset")
			low = "(uint64_t)" pn[i]
	}
	printf "IOT_FAST %s%sbody(real_fn *real, uint32_t internal%s)\n{\n", rt, sep, params > f
	print "\tstruct iot_hot hot IOT_HOT_CLEANUP;\n\tstruct iot_thread *t;" > f
	printf "\t%s%sret;\n\n\thot.t = NULL;\n", rt, sep > f
	printf "\tif (internal || %s!iot_likely(iot_hot_enter(&hot, IOT_ID_%s, IOT_%s, %s, %s, %s, %s,\n\t\t\t\t\t\t__builtin_frame_address(0))))\n\t\treturn iot_at_leisure(real, internal, __builtin_frame_address(0)%s);\n",
	    has(r, "strbuf") ? "iot_is_strbuf(stream) || " : "", rowname[r], toupper(family[r]), seq,
	    has(r, "thin") ? "1" : "0", fd == "-1" ? "false" : "true", fd, (args == "" ? "" : ", ") args > f
	print "\tt = hot.t;" > f
	printf "\tret = real(%s);\n", args > f
	if (result[r] == "fd")
		printf "\thot.t = NULL;\n\tif (iot_unlikely(%s!iot_hot_opened(t, IOT_ID_%s, hot.start, hot.stack, ret, %s))) {\n",
		    pk[1] == "dirfd" ? pn[1] " != AT_FDCWD || " : "", rowname[r], opened(n) > f
	else
		printf "\tif (iot_unlikely(!iot_hot_leave(&hot, IOT_ID_%s, %s, (long)ret, %s, %s, %s, %s))) {\n",
		    rowname[r], seq, size, full, low, fixed > f
	printf "\t\tconst uint64_t words[] = { %s };\n\n", arglist(n) > f
	printf "\t\tiot_hot_give_up(hot, t, &IOT_DESC_NAME(%s), %s, (long)ret, words);\n\t}\n\treturn ret;\n}\n\n", rowname[r], fd > f
}

# the call of libc's function
function real_call(r, n, ap,    i, s)
{
	s = "real(" names(n) ap ")"
	sub(/envp/, "env", s)
	if (value(r, "env") != "")
		return "env == environ ? " s " : real_env(" names(n) ", env)"
	if (!has(r, "caller"))
		return s
	s = ""
	for (i = 1; i <= 3; i++)
		s = s ", " (i > n ? "0" : "(uintptr_t)" pn[i])
	return "(" rtype[result[r]] ")iot_as_caller((void *)real, __builtin_return_address(0)" s ")"
}

function is_hot(r)
{
	return has(r, "hot") || result[r] == "chars"
}

function emit_body(r, n, f,    i, rt, sep, hot, ap, frame, params)
{
	rt = rtype[result[r]]
	sep = rt ~ /\*$/ ? "" : " "
	hot = is_hot(r)
	ap = value(r, "printf") != "" ? ", ap" : ""
	params = (n ? ", " decl(n) : "") (ap == "" ? "" : ", va_list ap")
	frame = hot ? "frame" : "__builtin_frame_address(0)"
	if (hot)
		printf "static __attribute__((noinline, noclone))\n%s%siot_at_leisure(real_fn *real, uint32_t internal, void *frame%s)\n{\n", rt, sep, params > f
	else
		printf "IOT_FAST %s%sbody(real_fn *real, uint32_t internal%s)\n{\n", rt, sep, params > f
	printf "\tstruct iot_call call IOT_CLEANUP;\n" > f
	if (rt != "void")
		printf "\t%s%sret;\n", rt, sep > f
	for (i = 1; i <= n; i++)
		if (pk[i] == "offp")
			printf "\tuint64_t %s_was = iot_offset_at(%s);\n", pn[i], pn[i] > f
		else if (pn[i] == "envp")
			printf "\tchar **env = IOT_CHILD_ENV(envp);\n" > f
	if (value(r, "env") != "")
		printf "\tchar **env = IOT_CHILD_ENV(environ);\n" > f
	print "" > f
	if (has(r, "strbuf"))
		printf "\tif (iot_is_strbuf(stream)) {\n\t\tcall.t = NULL;\n\t\treturn real(%s%s);\n\t}\n", names(n), ap > f
	if (result[r] == "noreturn") {
		printf "\tif (iot_enter(&call, &IOT_DESC_NAME(%s), internal, -1, %s)) {\n\t\tconst uint64_t words[] = { %s };\n\n\t\tiot_noreturn(&call, words);\n\t}\n\treal(%s);\n}\n\n",
		    rowname[r], frame, arglist(n), names(n) > f
		return
	}
	printf "\tif (!iot_enter(&call, &IOT_DESC_NAME(%s), internal, %s, %s))\n", rowname[r], about(r, n), frame > f
	if (rt == "void")
		printf "\t{\n\t\treal(%s);\n\t\treturn;\n\t}\n", names(n) > f
	else
		printf "\t\treturn %s;\n", real_call(r, n, ap) > f
	if (value(r, "effect") ~ /^(close|reopen)$/)
		printf "\tiot_closes(&call);\n" > f
	if (value(r, "nosys") != "")
		printf "\tcall.no_syscall = %s;\n", value(r, "nosys") > f
	if (has(r, "exec"))
		printf "\t{\n\t\tconst uint64_t words[] = { %s };\n\n\t\tiot_noreturn(&call, words);\n\t}\n", arglist(n) > f
	printf "\t%s%s;\n", (rt == "void" ? "" : "ret = "), real_call(r, n, ap) > f
	printf "\t{\n\t\tconst uint64_t words[] = { %s };\n\n\t\tiot_leave(&call, %s, words);\n\t}\n", arglist(n),
	    (rt == "void" ? "0" : "(long)ret") > f
	print (rt == "void" ? "}\n" : "\treturn ret;\n}\n") > f
	if (hot)
		emit_hot(r, n, f, rt, sep, params, ap)
}

# One C function under all the names of a class, the first of which it bears.
function emit_entries(r, n, f, list, internal,    m, nm, i, rt, fn, p, sep, real)
{
	m = split(list, nm, " ")
	if (!m)
		return
	# libc's own calls go to a name that no program defines
	real = internal ? "real_internal" : "real_public"
	printf "extern real_fn %s __asm__(\"__real_%s\");\n", real,
	    value(r, "printf") != "" ? value(r, "printf") : nm[1] > f
	rt = rtype[result[r]]
	sep = rt ~ /\*$/ ? "" : " "
	fn = internal ? "wrap_internal" : "wrap_public"
	p = decl(n)
	if (value(r, "printf") != "" || has(r, "variadic"))
		p = p ", ..."
	printf "%s%s%s(%s) __asm__(\"__wrap_%s\");\n", rt, sep, fn, p, nm[1] > f
	printf "%s%s%s%s(%s)\n{\n", is_hot(r) && !internal ? "__attribute__((hot)) " : "", rt, sep, fn, p > f
	if (value(r, "printf") != "" || has(r, "variadic")) {
		printf "\tva_list ap;\n\t%s%sret;\n\n\tva_start(ap, %s);\n", rt, sep, pn[n] > f
		if (has(r, "hand"))
			printf "\tret = iot_hand_%s(%s, %s, __builtin_frame_address(0), %s, ap);\n", rowname[r], real,
			    internal ? "IOT_INTERNAL" : "0", names(n) > f
		else
			printf "\tret = body(%s, %s, %s, ap);\n", real, internal ? "IOT_INTERNAL" : "0", names(n) > f
		print "\tva_end(ap);\n\treturn ret;\n}" > f
	} else if (has(r, "hand")) {
		printf "\t%siot_hand_%s(%s, %s, __builtin_frame_address(0)%s);\n}\n", rt == "void" ? "" : "return ",
		    rowname[r], real, internal ? "IOT_INTERNAL" : "0", (n ? ", " names(n) : "") > f
	} else {
		printf "\t%sbody(%s, %s%s);\n}\n", rt == "void" ? "" : "return ", real,
		    internal ? "IOT_INTERNAL" : "0", (n ? ", " names(n) : "") > f
	}
	printf "IOT_EXPORT(%s)\n", nm[1] > f
	for (i = 2; i <= m; i++)
		printf "IOT_ALIAS(%s, %s)\n", nm[1], nm[i] > f
	print "" > f
}

function note_names(r, list,    m, nm, i)
{
	m = split(list, nm, " ")
	for (i = 1; i <= m; i++) {
		list_name(nm[i])
		printf "IOT_NAME(\"%s\", \"%s\", \"%s\")\n", nm[i], called(r), value(r, "sys") > table
		known_as[called(r)] = known_as[called(r)] " " nm[i]
	}
}

# One entry point of libc for row r: all names of group g that are r's.
function emit_group(r, g, nth,    n, m, nm, i, pub, inte, f, rp, rt)
{
	m = split(members[g], nm, " ")
	for (i = 1; i <= m; i++) {
		# a name is its own row's, or else that of the first row that comes by
		if (nm[i] != rowname[r] && (nm[i] in row || nm[i] in claimed))
			continue
		claimed[nm[i]] = 1
		# the first is the one that is called: a library that has a read of its
		# own need not have a __read
		if (is_public(nm[i]) && nm[i] == rowname[r])
			pub = nm[i] (pub == "" ? "" : " ") pub
		else if (is_public(nm[i]))
			pub = pub (pub == "" ? "" : " ") nm[i]
		else
			inte = inte (inte == "" ? "" : " ") nm[i]
	}
	n = parse(params[r])
	f = out "/w_" rowname[r] (nth ? "-" nth : "") ".c"
	print "w_" rowname[r] (nth ? "-" nth : "") ".c" > (out "/sources")
	printf "/* Generated from calls.def by gen.awk: do not edit. */\n#include \"wrap.h\"\n\n" > f
	printf "#include \"desc_%s.h\"\n", rowname[r] > f
	if (value(r, "env") != "" || params[r] ~ / envp/)
		print "#include \"child-env.h\"" > f
	if (has(r, "vfork"))
		print "#include \"vfork.h\"" > f
	print "" > f
	if (has(r, "vfork")) {
		printf "IOT_VFORK(\"__wrap_%s\")\nIOT_EXPORT(%s)\n", rowname[r], rowname[r] > f
		m = split(pub " " inte, nm, " ")
		for (i = 1; i <= m; i++)
			if (nm[i] != rowname[r])
				printf "IOT_ALIAS(%s, %s)\n", rowname[r], nm[i] > f
	} else {
		rp = decl(n)
		rt = rtype[result[r]]
		if (value(r, "printf") != "")
			rp = rp ", va_list ap"
		else if (has(r, "variadic"))
			rp = rp ", ..."
		printf "typedef %s%sreal_fn(%s);\n", rt, (rt ~ /\*$/ ? "" : " "), rp > f
		if (has(r, "hand"))
			printf "%s%siot_hand_%s(real_fn *, uint32_t, void *%s%s);\n\n", rt, (rt ~ /\*$/ ? "" : " "),
			    rowname[r], (n ? ", " decl(n) : ""),
			    (has(r, "variadic") ? ", va_list" : "") > f
		else {
			if (value(r, "env") != "")
				printf "extern int real_env(%s, char **env) __asm__(\"__real_%s\");\n\n", decl(n),
				    value(r, "env") > f
			emit_body(r, n, f)
		}
		emit_entries(r, n, f, pub, 0)
		emit_entries(r, n, f, inte, 1)
	}
	close(f)
	note_names(r, pub " " inte)
}

function emit_row(r,    g, nth, m, also, i, done)
{
	m = split(rowname[r] "," value(r, "also"), also, ",")
	for (i = 1; i <= m; i++) {
		g = group[also[i]]
		if (also[i] == "" || g == "" || index(done, " " g " "))
			continue
		done = done " " g " "
		emit_group(r, g, nth++)
	}
}

function trim(s) { gsub(/^ +| +$/, "", s); gsub(/ /, ",", s); return s }

# fortified forms: the plain one's wrapper if the check holds, else libc's own
function emit_chk(c,    i, name, n, f, base, r, rt, args, sep, m, nm)
{
	i = index(chk_proto[c], "(")
	name = substr(chk_proto[c], 1, i - 1)
	if (!(name in group))
		return
	base = substr(chk_call[c], 1, index(chk_call[c], "(") - 1)
	args = substr(chk_call[c], index(chk_call[c], "("))
	r = row[base]
	rt = rtype[result[r]]
	sep = rt ~ /\*$/ ? "" : " "
	f = out "/w_" name ".c"
	print "w_" name ".c" > (out "/sources")
	n = parse(params[r])
	printf "/* Generated from calls.def by gen.awk: do not edit. */\n#include \"wrap.h\"\n\n" > f
	printf "extern %s%splain(%s) __asm__(\"__wrap_%s\");\n", rt, sep, decl(n), base > f
	n = parse(substr(chk_proto[c], i + 1, length(chk_proto[c]) - i - 1))
	printf "extern %s%sreal(%s) __asm__(\"__real_%s\");\n", rt, sep, decl(n), name > f
	printf "%s%swrap(%s) __asm__(\"__wrap_%s\");\n", rt, sep, decl(n), name > f
	printf "%s%swrap(%s)\n{\n\tif (!(%s))\n\t\treturn real(%s);\n\treturn plain%s;\n}\n", rt, sep, decl(n),
	    chk_cond[c], names(n), args > f
	printf "IOT_EXPORT(%s)\n", name > f
	m = split(members[group[name]], nm, " ")
	for (i = 1; i <= m; i++)
		if (nm[i] != name)
			printf "IOT_ALIAS(%s, %s)\n", name, nm[i] > f
	close(f)
	note_names(r, members[group[name]])
}

# Whether the row has the parameters of its system call: where several rows make
# the same one, that is the row of its name.
function is_raw(r,    s)
{
	s = value(r, "sys")
	return s != "" && (rowname[r] == s || !(s in row)) && !has(r, "thin") && !has(r, "noraw") &&
	    !(has(r, "hand") && s !~ /^(close|dup2|dup3|close_range)$/) && !has(r, "vfork") &&
	    !has(r, "exec") && value(r, "as") == "" && result[r] != "errcode"
}

# What syscall(2) can stand for.
function emit_raw(    r, f, n, s, seen)
{
	f = out "/raw-rows.h"
	printf "/* Generated from calls.def by gen.awk: do not edit. */\n" > f
	for (r = 1; r <= nrows; r++)
		if (is_raw(r) && !(value(r, "sys") in seen)) {
			seen[value(r, "sys")] = r
			printf "#include \"desc_%s.h\"\n", rowname[r] > f
		}
	print "#define IOT_RAW_ROWS(X) \\" > f
	for (r = 1; r <= nrows; r++)
		if (seen[value(r, "sys")] == r)
			printf "\tX(%s, %s) \\\n", value(r, "sys"), rowname[r] > f
	print "\n" > f
	close(f)
}

# What doc/calls.awk makes a page of, a line each, fields separated by |:
#	call|FAMILY|NAME|SYSCALL|RESULT|PARAMS|NAMES
#	watch|NAME|SYSCALL
#	inline|FUNCTION|SYSCALL|REASON
# PARAMS are those that tools print, with ... for the program's memory; NAMES
# are all that libc has for a call, its own included.
function emit_docs(    r, f, i, n, s, part)
{
	f = out "/calls.txt"
	for (r = 1; r <= nrows; r++) {
		if (value(r, "as") != "")
			continue
		n = parse(params[r])
		s = ""
		for (i = 1; i <= n; i++)
			if (code[pk[i]] != "-")
				s = s " " (code[pk[i]] == "NONE" ? "..." : pn[i])
		printf "call|%s|%s|%s|%s|%s|%s\n", family[r], rowname[r], value(r, "sys"), result[r], s,
		    (has(r, "event") ? " -" : known_as[rowname[r]]) > f
	}
	for (i = 1; i <= nwatched; i++) {
		split(watched[i], part, "\"")
		printf "watch|%s|%s\n", part[2], part[6] > f
	}
	for (i = 1; i <= ninlines; i++) {
		split(inlines[i], part, "\"")
		printf "inline|%s|%s|%s\n", part[2], part[4], part[6] > f
	}
	close(f)
}

# Names of which old programs want another function than new ones: ours stand for
# the new alone.
function emit_versions(    name, n, i, at, nodes, f, hide)
{
	f = out "/versions.map"
	printf "" > f
	for (name in listed) {
		n = split(old[name], at, " ")
		for (i = 1; i <= n; i++)
			if (at[i] != group[name] && name in version) {
				nodes[version[name]] = nodes[version[name]] " " name ";"
				break
			}
	}
	# GNU ld lists a section's ends although they are hidden
	hide = " local: __start_iot_calls; __stop_iot_calls;" absent
	for (i in nodes) {
		print i " { global:" nodes[i] hide " };" > f
		hide = ""
	}
	close(f)
}

END {
	if (failed)
		exit 1
	for (i = 1; i <= nchks; i++)
		chk_named[substr(chk_proto[i], 1, index(chk_proto[i], "(") - 1)] = 1
	table = out "/calls-table.h"
	printf "/* Generated from calls.def by gen.awk: do not edit. */\n" > table
	print "#ifdef IOT_ROW" > table
	for (r = 1; r <= nrows; r++)
		printf "IOT_ROW(\"%s\", \"%s\", \"%s\", \"%s\")\n", called(r), family[r], value(r, "sys"), trim(attrs[r]) > table
	print "#endif\n#ifdef IOT_NAME" > table
	for (r = 1; r <= nrows; r++) {
		emit_desc(r)
		emit_row(r)
	}
	for (i = 1; i <= nchks; i++)
		emit_chk(i)
	for (i = 1; i <= nwatched; i++)
		print watched[i] > table
	print "#endif\n#ifdef IOT_INLINE" > table
	for (i = 1; i <= ninlines; i++)
		print inlines[i] > table
	print "#endif" > table
	emit_raw()
	emit_docs()
	if (form == "dynamic")
		emit_versions()
}
