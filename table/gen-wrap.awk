# SPDX-License-Identifier: BSD-3-Clause
# gen-wrap.awk - gen.awk's part that writes the wrappers: a file in C for each
# entry point of libc, and the names that it has.

function arg(i)
{
	# open's mode is there only with O_CREAT or O_TMPFILE
	if (pk[i] == "mode" && pk[i - 1] == "oflags")
		return pn[i - 1] " & IOT_HAS_MODE ? " pn[i] " : 0"
	if (code[pk[i]] == "NONE" && pk[i] != "text")
		return "0"
	if (code[pk[i]] ~ /^TIME/)
		return "waits"
	if (ctype[pk[i]] ~ /\*$/)
		return "(uintptr_t)" pn[i]
	return "(uint64_t)" pn[i]
}

function arglist(n,    i, s, m)
{
	for (i = 1; i <= n; i++)
		if (code[pk[i]] != "-")
			s = s (m++ ? ", " : "") arg(i)
	return s == "" ? "0" : s
}

# the descriptor that a call is about, as a C expression
function about(r, n,    i)
{
	for (i = 1; i <= n; i++) {
		if (pk[i] == "fd")
			return pn[i]
		if (pk[i] == "FILE" && value(r, "idle") != "")
			return "(" value(r, "idle") " ? iot_fileno_if_there(" pn[i] ") : iot_fileno(" pn[i] "))"
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

# the stream whose buffer is followed, as a C expression; "" if none is
function followed(r, n,    i)
{
	if (form != "dynamic" || way(r) ~ /NONE|DIRECT/)
		return ""
	for (i = 1; i <= n; i++)
		if (pk[i] == "FILE")
			return pn[i]
	return has(r, "stdin") ? "stdin" : has(r, "stdout") ? "stdout" : "(FILE *)NULL"
}

# what a hot row moved through it, as a C expression of its result
function moved(r, n,    i)
{
	if (result[r] == "chars")
		return "(size_t)ret"
	if (result[r] == "char")
		return "ret == -1 ? 0 : " fixed_bytes(r)
	for (i = 1; i <= n; i++)
		if (pk[i] == "itemsize")
			return "ret * " pn[i]
}

function is_public(name)
{
	return form == "dynamic" || name !~ /^_/ || (name in row && !has(row[name], "backend")) || (name in chk_named) ||
	    name ~ /^(_Exit|_IO_getc|_IO_putc|__getdelim|__f?xstat(at)?64|__lxstat64|__fxstatat64)$/ ||
	    name ~ /_chk$/
}

# name, flags and mode of a hot row that opens a file
function opened(n)
{
	return pn[n - 2] ", (uint32_t)" pn[n - 1] ", " arg(n)
}

# what is asked for in items of more than a byte
function may_fill(n,    i)
{
	for (i = 1; i <= n; i++)
		if (pk[i] == "itemsize")
			return pn[i] " > 1 ? " pn[i] " * " pn[i + 1] " : 0"
	return 0
}

# The body of a hot row: the fast way, or the other if that can't be had.
function emit_hot(r, n, f, rt, sep, params, ap,    size, full, low, fixed, seq, it, i, args, fd, fp, in_, idle)
{
	idle = value(r, "idle")
	fp = followed(r, n)
	in_ = way(r) == "IN" ? "true" : "false"
	size = "(uint32_t)ret"
	full = "ret >= 0"
	low = "IOT_UNKNOWN"
	fixed = "false"
	seq = has(r, "seq") ? "true" : "false"
	args = names(n) ap
	# what is idle is left to the other way
	fd = kind_named(n, "FILE") != "" ? "iot_fileno(" kind_named(n, "FILE") ")" : about(r, n)
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
			full = (idle == "" ? it " && " : "") "!((" it " | " pn[i] ") >> 32) && ret == " pn[i]
			low = it
			fixed = "true"
		}
		if (pk[i] == "offset")
			low = "(uint64_t)" pn[i]
	}
	printf "IOT_FAST %s%sbody(real_fn *real, uint32_t internal%s)\n{\n", rt, sep, params > f
	print "\tstruct iot_hot hot IOT_HOT_CLEANUP;\n\tstruct iot_thread *t;" > f
	if (fp != "")
		print "\tstruct iot_stream was;" > f
	printf "\t%s%sret;\n\n\thot.t = NULL;\n", rt, sep > f
	printf "\tif (internal || %s%s%s!iot_likely(iot_hot_enter(&hot, IOT_ID_%s, IOT_%s, %s, %s, %s, %s,\n\t\t\t\t\t\t__builtin_frame_address(0)))%s)\n\t\treturn iot_at_leisure(real, internal, __builtin_frame_address(0)%s);\n",
	    idle != "" ? "iot_unlikely(" idle ") || " : "", has(r, "strbuf") ? "iot_is_strbuf(stream) || " : "",
	    fp != "" ? "!iot_stream_quick(" fp ", " in_ (it == "" || in_ == "false" ? "" : ") || (" it " > 1 && " size " > iot_stream_unread(" fp ")") ") || " : "", rowname[r], toupper(family[r]), seq,
	    has(r, "thin") ? "1" : "0", fd == "-1" ? "false" : "true", fd,
	    fp == "" ? "" : " || !iot_stream_alone(&hot, " fp ")", (args == "" ? "" : ", ") args > f
	print "\tt = hot.t;" > f
	if (fp != "")
		printf "\tiot_stream_look(&was, t, %s);\n", fp > f
	printf "\tret = real(%s);\n", args > f
	if (result[r] == "fd")
		printf "\thot.t = NULL;\n\tif (iot_unlikely(%s!iot_hot_opened(t, IOT_ID_%s, hot.start, hot.stack, ret, %s))) {\n",
		    pk[1] == "dirfd" ? pn[1] " != AT_FDCWD || " : "", rowname[r], opened(n) > f
	else if (result[r] == "pos")
		printf "\tif (iot_unlikely(!iot_hot_sought(&hot, IOT_ID_%s, (long)ret, (long)%s, %s))) {\n",
		    rowname[r], pn[n - 1], pn[n] > f
	else
		printf "\tif (iot_unlikely(%s!iot_hot_leave(&hot, IOT_ID_%s, %s, (long)ret, %s, %s, %s, %s))) {\n",
		    fp == "" ? "" : "!iot_stream_still(&was, " fp ", " in_ ", " moved(r, n) ") || ",
		    rowname[r], seq, size, full, low, fixed > f
	printf "\t\tconst uint64_t words[] = { %s };\n\n", arglist(n) > f
	if (fp != "")
		print "\t\thot.t = NULL;\n\t\tiot_stream_unasked(&was);" > f
	printf "\t\tiot_hot_give_up(hot, t, &IOT_DESC_NAME(%s), %s, __builtin_frame_address(0), (long)ret, words,\n\t\t\t\t%s);\n\t}\n\treturn ret;\n}\n\n",
	    rowname[r], fd, fp == "" ? "NULL" : "&was" > f
}

# the name of the parameter of that kind; "" if there is none
function kind_named(n, kind,    i)
{
	for (i = 1; i <= n; i++)
		if (pk[i] == kind)
			return pn[i]
	return ""
}

# the call, with another value in place of the parameter of that kind
function swapped(call, n, kind, other,    name)
{
	name = kind_named(n, kind)
	if (name != "")
		sub(name, other, call)
	return call
}

# the call of libc's function
function real_call(r, n, ap,    i, s)
{
	s = "real(" names(n) ap ")"
	s = swapped(s, n, "envp", "env")
	if (has(r, "shell"))
		s = swapped(s, n, "command", "run")
	if (value(r, "env") != "")
		return "env == __environ ? " s " : real_env(" names(n) ", env)"
	if (!has(r, "caller"))
		return s
	s = ""
	for (i = 1; i <= 3; i++)
		s = s ", " (i > n ? "0" : "(uintptr_t)" pn[i])
	return "(" rtype[result[r]] ")iot_as_caller((void *)real, __builtin_return_address(0)" s ")"
}

function is_hot(r)
{
	if (form == "dynamic" && (way(r) == "DIRECT" || fixed_bytes(r) == "IOT_S_ASK"))
		return 0
	return has(r, "hot") || result[r] == "chars"
}

# the row's desc, or that of one of the rows in alt=ROW:EXPR;ROW:EXPR
function which(r,    i, n, part, s)
{
	n = split(value(r, "alt"), part, ";")
	for (i = 1; i <= n; i++)
		s = s substr(part[i], index(part[i], ":") + 1) " ? &IOT_DESC_NAME(" \
		    substr(part[i], 1, index(part[i], ":") - 1) ") : "
	return s "&IOT_DESC_NAME(" rowname[r] ")"
}

function emit_body(r, n, f,    i, rt, sep, hot, ap, frame, params, fp)
{
	fp = followed(r, n)
	rt = rtype[result[r]]
	sep = rt ~ /\*$/ ? "" : " "
	hot = is_hot(r)
	ap = value(r, "printf") != "" ? ", ap" : ""
	params = (n ? ", " decl(n) : "") (ap == "" ? "" : ", va_list ap")
	frame = hot ? "frame" : "__builtin_frame_address(0)"
	if (hot)
		printf "static __attribute__((noinline, noclone, cold))\n%s%siot_at_leisure(real_fn *real, uint32_t internal, void *frame%s)\n{\n", rt, sep, params > f
	else
		printf "IOT_FAST %s%sbody(real_fn *real, uint32_t internal%s)\n{\n", rt, sep, params > f
	printf "\tstruct iot_call call IOT_CLEANUP;\n" > f
	if (fp != "")
		printf "\tstruct iot_stream was;\n%s", way(r) == "FLUSH" ? "\tstruct iot_moved all;\n" : "" > f
	if (rt != "void")
		printf "\t%s%sret;\n", rt, sep > f
	for (i = 1; i <= n; i++)
		if (pk[i] == "envp")
			# fexecve turns down NULL
			printf "\tchar **env = %sIOT_CHILD_ENV(%s);\n", index(value(r, "nosys"), "!" pn[i]) ? "!" pn[i] " ? NULL : " : "", pn[i] > f
	if (value(r, "env") != "")
		printf "\tchar **env = IOT_CHILD_ENV(__environ);\n" > f
	if (has(r, "shell"))
		print "\tstruct iot_child_command made IOT_CHILD_COMMAND_CLEANUP;\n\tconst char *run = iot_child_command(&made, " kind_named(n, "command") ");" > f
	print "" > f
	if (has(r, "strbuf"))
		printf "\tif (iot_is_strbuf(stream)) {\n\t\tcall.t = NULL;\n\t\treturn real(%s%s);\n\t}\n", names(n), ap > f
	if (value(r, "before") != "")
		printf "\t%s;\n", value(r, "before") > f
	if (result[r] == "noreturn") {
		printf "\tif (iot_enter(&call, &IOT_DESC_NAME(%s), internal, -1, %s)) {\n\t\tconst uint64_t words[] = { %s };\n\n\t\tiot_noreturn(&call, words);\n\t}\n\treal(%s);\n}\n\n",
		    rowname[r], frame, arglist(n), names(n) > f
		return
	}
	if (value(r, "memory") != "")
		printf "\tif (%s && iot_no_memory()) {\n\t\tcall.t = NULL;\n\t\treturn %s;\n\t}\n", value(r, "memory"), real_call(r, n, ap) > f
	printf "\tif (!iot_enter(&call, %s, internal, %s, %s))%s\n", which(r), about(r, n), frame, has(r, "exec") ? " {" : "" > f
	if (has(r, "exec"))
		print "\t\tiot_window_seal(iot_mine());" > f
	if (rt == "void")
		printf "\t{\n\t\treal(%s);\n\t\treturn;\n\t}\n", names(n) > f
	else
		printf "\t\treturn %s;\n%s", real_call(r, n, ap), has(r, "exec") ? "\t}\n" : "" > f
	if (fp != "")
		printf "\t%siot_stream_before(&was, &call, %s, %s, %s);\n",
		    value(r, "idle") == "" ? "" : "if (!(" value(r, "idle") "))\n\t\t", fp, may_fill(n),
		    way(r) == "FLUSH" ? "&all" : "NULL" > f
	if (value(r, "effect") ~ /^(close|reopen)$/)
		printf "\tiot_closes(&call);\n" > f
	for (i = 1; i <= n; i++)
		if (value(r, "effect") == "moves" && pk[i] ~ /^fd2?$/)
			printf "\tiot_fd_shared(%s);\n", pn[i] > f
	if (value(r, "nosys") != "")
		printf "\tcall.no_syscall = %s;\n", value(r, "nosys") > f
	if (has(r, "exec"))
		printf "\t{\n\t\tconst uint64_t words[] = { %s };\n\n\t\tiot_noreturn(&call, words);\n\t}\n", arglist(n) > f
	for (i = 1; i <= n; i++)
		if (code[pk[i]] ~ /^TIME/)
			printf "\tuint64_t waits = iot_fetch_time(call.t, %s, %s);\n\n", pn[i], pk[i] == "tval" ? 1000 : 1 > f
	printf "\t%s%s;\n", (rt == "void" ? "" : "ret = "), real_call(r, n, ap) > f
	printf "\t{\n\t\tconst uint64_t words[] = { %s };\n\n\t\tiot_leave(&call, %s, words);\n\t}\n", arglist(n),
	    (rt == "void" ? "0" : "(long)ret") > f
	print (rt == "void" ? "}\n" : "\treturn ret;\n}\n") > f
	if (hot)
		emit_hot(r, n, f, rt, sep, params, ap)
}

# The body of a function with an old version that does something else, and which of
# them a caller means.
function emit_old(r, n, f, m, nm,    i, rt, version)
{
	version = old_version(nm[1])
	rt = rtype[result[r]]
	printf "IOT_OLD(%s, %s)\n", nm[1], version > (out "/next-names.h")
	printf "extern real_fn real_old __asm__(\"__real_old_%s\");\n", nm[1] > f
	print "static real_fn *real_meant(const void *caller)\n{" > f
	for (i = 1; i <= m; i++) {
		was[nm[i]] = "__wrap_old_" nm[1]
		printf "\tif (iot_caller_means(caller, \"%s\", \"%s\"))\n\t\treturn real_old;\n", nm[i], version > f
	}
	print "\treturn real_public;\n}\n" > f
	printf "%s wrap_old(%s) __asm__(\"__wrap_old_%s\") __attribute__((visibility(\"hidden\")));\n", rt, decl(n), nm[1] > f
	printf "%s wrap_old(%s)\n{\n\t%s%s(real_old, 0%s%s);\n}\n\n", rt, decl(n), rt == "void" ? "" : "return ",
	    has(r, "hand") ? "iot_hand_" rowname[r] : "body", has(r, "hand") ? ", __builtin_frame_address(0)" : "",
	    n ? ", " names(n) : "" > f
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
	if (!internal && old_version(nm[1]) != "") {
		emit_old(r, n, f, m, nm)
		real = "real_meant(__builtin_return_address(0))"
	}
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
	} else if (value(r, "after") != "") {
		printf "\t%s%sret = body(%s, %s, %s);\n\n\t%s(ret, %s);\n\treturn ret;\n}\n", rt, sep, real,
		    internal ? "IOT_INTERNAL" : "0", names(n), value(r, "after"), names(n) > f
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
	m = split(value(r, "alt"), nm, ";")
	for (i = 1; i <= m; i++)
		printf "#include \"desc_%s.h\"\n", substr(nm[i], 1, index(nm[i], ":") - 1) > f
	if (m || value(r, "after") != "")
		print "#include \"differs.h\"" > f
	if (value(r, "env") != "" || params[r] ~ /(^| )envp / || has(r, "shell"))
		print "#include \"child-env.h\"" > f
	if (has(r, "exec"))
		print "#include \"window.h\"" > f
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
	# no function of libc's, although it may have one of that name
	if (has(r, "event") || has(r, "extern") || !(rowname[r] in row) || (has(r, "dynamic") && form != "dynamic"))
		return
	m = split((value(r, "name") != "" ? value(r, "name") : rowname[r]) "," value(r, "also"), also, ",")
	for (i = 1; i <= m; i++) {
		g = group[also[i]]
		if (also[i] == "" || g == "" || index(done, " " g " "))
			continue
		done = done " " g " "
		emit_group(r, g, nth++)
	}
}

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
