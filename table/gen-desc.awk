# SPDX-License-Identifier: BSD-3-Clause
# gen-desc.awk - gen.awk's part that tells others of the rows: the encoder and the
# log's schema, syscall(2)'s wrapper, the documentation and the linker.

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

function schema(r, n,    i, s, fl)
{
	fl = has(r, "callback") ? "callback" : has(r, "collective") ? "collective" : "-"
	s = family[r] " " called(r) " " (value(r, "sys") == "" ? "-" : value(r, "sys")) " " fl " " result[r]
	for (i = 1; i <= n; i++)
		if (code[pk[i]] != "-")
			s = s " " pn[i] ":" (pk[i] in log_name ? log_name[pk[i]] : pk[i])
	if (result[r] == "dirent")
		s = s " name:str"
	for (i = 1; i <= n; i++)
		s = s found[pk[i]]
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
	if (has(r, "unlocked"))
		fl = fl " | IOT_D_UNLOCKED"
	if (has(r, "unread"))
		fl = fl " | IOT_D_UNREAD"
	if (has(r, "stderr") || value(r, "stderr") != "")
		fl = fl " | IOT_D_COUNTED"
	if (has(r, "quiet"))
		fl = fl " | IOT_D_QUIET"
	if (form == "musl" && (value(r, "sys") == "" || has(r, "thin")) && !has(r, "callback"))
		fl = fl " | IOT_D_INNER"
	if (form == "musl" && value(r, "sys") == "" && family[r] ~ /^(posix|stdio|dir)$/)
		fl = fl " | IOT_D_PARTS"
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
		s = s "\t.opening = " (i ? i : nth_of(n, "fmode")) ",\n"
	}
	if (has(r, "puts")) {
		i = nth_of(n, "rwflags")
		s = s "\t.puts = " (i ? i : 1) ",\n"
	}
	if (value(r, "sys") != "")
		s = s "\t.sys = IOT_SYS(" value(r, "sys") "),\n"
	if (has(r, "own") || has(r, "polls"))
		s = s "\t.own = " (has(r, "own") ? "IOT_OWN_INSIDE" : "IOT_OWN_POLLS") ",\n"
	i = way(r)
	if (i != "NONE")
		s = s "\t.stream = IOT_S_" i ",\n\t.bytes = " fixed_bytes(r) ",\n"
	s = s "\t.flags = " fl ",\n\t.n = " m ",\n\t.kind = { " (m ? k : "0") " },\n};\n"
	return s
}

# The desc of a row in a file of its own, for whoever records that call.
function emit_desc(r,    f)
{
	f = out "/desc_" rowname[r] ".h"
	print "/* Generated from calls.def by gen.awk: do not edit. */" > f
	print "#pragma once" > f
	printf "enum { IOT_ID_%s = %d };\n", rowname[r], id[r] > f
	print desc(r, parse(logged(r))) mpi_words_macro(r) > f
	close(f)
}

# Whether the row has the parameters of its system call: where several rows make
# the same one, that is the row of its name, or the one that says so (raw).
function is_raw(r,    s)
{
	s = value(r, "sys")
	if (has(r, "raw"))
		return 1
	return s != "" && (rowname[r] == s || !(s in row)) && !has(r, "thin") && !has(r, "noraw") &&
	    !has(r, "hand") && !has(r, "vfork") &&
	    !has(r, "exec") && value(r, "as") == "" && result[r] != "errcode"
}

# An expression of a row's parameters, as one of the words a[] of its system call.
function of_words(r, expr,    n, i, at, word, s)
{
	n = parse(params[r])
	for (i = 1; i <= n; i++)
		at[pn[i]] = i
	while (match(expr, /[A-Za-z_][A-Za-z_0-9]*/)) {
		word = substr(expr, RSTART, RLENGTH)
		if (word in at)
			word = "((" ctype[pk[at[word]]] ")a[" at[word] - 1 "])"
		s = s substr(expr, 1, RSTART - 1) word
		expr = substr(expr, RSTART + RLENGTH)
	}
	return s expr
}

# What syscall(2) can stand for, and when a call is about memory of no file.
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
	print "\n#define IOT_RAW_MEMORY(X) \\" > f
	for (r = 1; r <= nrows; r++)
		if (seen[value(r, "sys")] == r && value(r, "memory") != "")
			printf "\tX(%s, %s) \\\n", value(r, "sys"), of_words(r, value(r, "memory")) > f
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
				s = s " " (code[pk[i]] ~ /^(NONE|MMSG)$/ ? "..." : pn[i])
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

# The version of a name by which old programs mean another function than new ones
# do; "" if they mean the same.
function old_version(name,    n, i, at)
{
	n = name in version ? split(old[name], at, " ") : 0
	for (i = 1; i <= n; i++)
		if (substr(at[i], 1, index(at[i], ":") - 1) != group[name])
			return substr(at[i], index(at[i], ":") + 1)
	return ""
}

# Names that stand for different functions: each version of them is one of ours.  Functions of
# other libraries have these libraries' versions, and no default: who was linked with the
# library means that version, and no one else finds them.
function emit_versions(    name, n, i, at, nodes, theirs, f, hide, v)
{
	for (name in listed) {
		if (name in guest) {
			theirs[guest[name]]
			absent = absent " " name ";"
			printf "IOT_OLD_NAME(%s, %s, %s)\n", name, guest[name], name > (out "/old-names.h")
		}
		if (old_version(name) == "")
			continue
		nodes[version[name]] = nodes[version[name]] " " name ";"
		n = split(old[name], at, " ")
		for (i = 1; i <= n; i++) {
			v = substr(at[i], index(at[i], ":") + 1)
			nodes[v] = nodes[v] ""
			printf "IOT_OLD_NAME(%s, %s, %s)\n", name, v,
			    v == old_version(name) ? was[name] : "__wrap_" name > (out "/old-names.h")
		}
	}
	f = out "/versions.map"
	printf "" > f
	# GNU ld lists sections' ends although they are hidden
	hide = " local: __start_iot_calls; __stop_iot_calls; __start_iot_kernel; __stop_iot_kernel;" \
		" __start_iot_text; __stop_iot_text; __start_iot_hot; __stop_iot_hot;" absent
	for (i in nodes) {
		print i " {" (nodes[i] == "" ? "" : " global:" nodes[i]) hide " };" > f
		hide = ""
	}
	# what is hidden in a version is hidden in no other
	for (i in theirs)
		print i " { };" > f
	close(f)
}
