# SPDX-License-Identifier: BSD-3-Clause
# gen.awk - the one generator: from the tables of calls and kinds and the names that libc.a has, all
# that is written more than once.
#
#	awk -v out=DIR -v templates=TABLE -f gen.awk -f gen-wrap.awk -f gen-desc.awk -f gen-mpi.awk \
#		-f template.awk KINDS... NM CALLS...
#	awk -v out=DIR -v form=dynamic ... KINDS... NM CALLS...
#	awk -v out=DIR -v form=musl ... KINDS... NM CALLS... MUSL.DEF
#
# This part reads them; gen-wrap.awk and gen-mpi.awk write the wrappers, for which template.awk
# fills in wrapper-*.c.in, gen-desc.awk the rest.
#
# KINDS are kinds.def and its parts, CALLS are the files with the calls.
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
#	next-names.h	a line IOT_NEXT(NAME) for each name, IOT_ENTRY(NAME) behind it if a program
#			may have that name itself, IOT_OLD(NAME, VERSION) where
#			that version of it is another function
#	wrap.list	a line NAME; for each name, for the linker to export
#	old-names.h	a line IOT_OLD_NAME(NAME, VERSION, WRAPPER) for each old version
#	versions.map	for libiotrace.so
# All of POSIX awk and nothing beyond it.

BEGIN {
	FS = "|"
	nrows = 0
}

function die(why)
{
	printf "gen.awk: %s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
	failed = 1
	exit 1
}

function kind_is(name, type, recorded)
{
	ctype[name] = type
	code[name] = recorded
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

# --- kinds.def: of each kind the C type, what the encoder makes of it (- = not in the
# log), what the log calls it, and what it has of it behind the arguments ------------
FNR == 1 {
	in_kinds = FILENAME ~ /kinds[^\/]*\.def$/
	nth_file += !in_kinds
}

in_kinds {
	if (!/^IOT_[A-Z]+\(.*\)$/)
		next
	what = substr($0, 1, index($0, "(") - 1)
	line = substr($0, length(what) + 2)
	split(substr(line, 1, length(line) - 1), f, /, */)
	if (what == "IOT_KIND" && f[7] != "-")
		kind_is(f[3], f[7], f[8])
	else if (what == "IOT_FORM") {
		kind_is(f[1], f[3], f[4])
		if (f[2] != "-")
			log_name[f[1]] = f[2]
	} else if (what == "IOT_LARGE")
		large[f[1]] = f[2]
	else if (what == "IOT_FOUND")
		found[f[1]] = " " f[2]
	else if (what == "IOT_GIVEN") {
		given[f[1]] = line
		gsub(/^[^"]*"|"\)$/, "", given[f[1]])
	}
	else if (what == "IOT_RESULT" || what == "IOT_RETURN") {
		i = what == "IOT_RESULT" ? 3 : 2
		rtype[f[i]] = f[i + 2]
		rcode[f[i]] = f[i + 3]
	}
	next
}

# --- libc.so's names: group = address; versions that other libraries of libc use
# among themselves are not for us, old ones that differ are NAME@VERSION ---------
nth_file == 1 && form == "dynamic" {
	FS = " "
	$0 = $0
	FS = "|"
	i = index($3, "@")
	name = i ? substr($3, 1, i - 1) : $3
	if ($2 !~ /[TWi]/ || $3 ~ /@GLIBC_PRIVATE$/)
		next
	if ($3 ~ /@@/)
		version[name] = substr($3, i + 2)
	else
		old[name] = old[name] " " $1 ":" substr($3, i + 1)
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
nth_file == 1 {
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

# attributes NAME [ATTRIBUTES]: a row is another system call, or none, in this libc
/^attributes/ {
	split($0, f, /[ \t]+/)
	if (!(f[2] in row))
		die("no row " f[2])
	match($0, /\[.*\]/)
	had = attrs[row[f[2]]]
	attrs[row[f[2]]] = " " substr($0, RSTART + 1, RLENGTH - 2) " "
	# what holds of the call in any libc
	n = split("effect memory seq puts polls unread", always, " ")
	for (i = 1; i <= n; i++)
		if (had ~ (" " always[i] "[ =]") && !has(row[f[2]], "absent") && attrs[row[f[2]]] !~ (" " always[i] "[ =]"))
			die(f[2] ": " always[i] " is missing")
	if (has(row[f[2]], "absent"))
		delete row[f[2]]
	next
}

/^inline/ {
	# inline FUNCTION SYSCALL reason
	line = $0
	split(line, f, /[ \t]+/)
	reason = line
	sub(/^inline[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", reason)
	inlines[++ninlines] = "IOT_INLINE(\"" f[2] "\", \"" f[3] "\", \"" reason "\")"
	next
}

# watch NAME...: no rows, but there are hand-written wrappers, in static executables
# alone if it is watch-static, in dynamic ones if it is watch-dynamic; NAME=SYSCALL where
# the function makes that call itself
/^watch/ {
	if ($0 ~ (form == "dynamic" ? "^watch-static" : "^watch-dynamic"))
		next
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

# extern ROW NAME...: names that libc has not.  Those of libaio are plain words: only who
# links it is given wrappers for them.
/^extern/ {
	n = split($0, f, /[ \t]+/)
	for (i = 3; i <= n; i++) {
		if (family[row[f[2]]] == "fortran" || form == "dynamic")
			list_name(f[i])
		print f[i] > (out "/extern-names-" family[row[f[2]]])
		externs[++nexterns] = "IOT_NAME(\"" f[i] "\", \"" f[2] "\", \"" value(row[f[2]], "sys") "\")"
		# what libraries keep to themselves is nothing to look up
		if (f[i] !~ /^_gfortrani_/)
			known_as[f[2]] = known_as[f[2]] " " f[i]
	}
	next
}

# version VERSION NAME...: of a library that a program may lack
/^version/ {
	n = split($0, f, /[ \t]+/)
	for (i = 3; i <= n; i++)
		guest[f[i]] = f[2]
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
	id[r] = r + first
	if (has(r, "uring"))
		join("liburing:" rowname[r], value(r, "name") == "" ? rowname[r] : value(r, "name"))
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

function list_name(name)
{
	if (name in listed)
		return
	listed[name] = 1
	print (form == "dynamic" ? "\t" name ";" : "--wrap=" name) > (out "/wrap.list")
	if (form == "dynamic")
		printf "IOT_NEXT(%s)\n", name > (out "/next-names.h")
	if (form == "dynamic" && is_free(name))
		printf "IOT_ENTRY(%s)\n", name > (out "/next-names.h")
}

# whether a program may have something of its own by that name
function is_free(name) { return name !~ /^(_|io_|P?MPIX?_)/ }

# which way bytes go through a stream's buffer, and how many if that is always so
function way(r)
{
	if (has(r, "in") || value(r, "in") != "")
		return "IN"
	if (has(r, "out") || value(r, "out") != "")
		return "OUT"
	return has(r, "flush") ? "FLUSH" : has(r, "seek") ? "SEEK" : has(r, "direct") ? "DIRECT" : "NONE"
}

function fixed_bytes(r,    v)
{
	v = value(r, "in") value(r, "out")
	return v == "" ? 0 : v == "?" ? "IOT_S_ASK" : v
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

function trim(s) { gsub(/^ +| +$/, "", s); gsub(/ /, ",", s); return s }

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
		if (family[r] ~ /^mpi/)
			emit_mpi(r)
		else
			emit_row(r)
	}
	for (i = 1; i <= nchks; i++)
		emit_chk(i)
	for (i = 1; i <= nexterns; i++)
		print externs[i] > table
	for (i = 1; i <= nwatched; i++)
		print watched[i] > table
	print "#endif\n#ifdef IOT_INLINE" > table
	for (i = 1; i <= ninlines; i++)
		print inlines[i] > table
	print "#endif" > table
	if (family[nrows] ~ /^mpi/)
		emit_mpi_ids()
	emit_raw()
	emit_docs()
	if (form == "dynamic")
		emit_versions()
}
