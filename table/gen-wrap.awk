# SPDX-License-Identifier: BSD-3-Clause
# gen-wrap.awk - gen.awk's part that writes the wrappers: a file in C for each
# entry point of libc, and the names that it has.

# text of which only the length is recorded, as it is before the call
function is_text(kind) { return kind == "text" || kind == "line" }

function arg(i)
{
	# open's mode is there only with O_CREAT or O_TMPFILE
	if (pk[i] == "mode" && pk[i - 1] == "oflags")
		return pn[i - 1] " & IOT_HAS_MODE ? " pn[i] " : 0"
	if (code[pk[i]] == "NONE")
		return "0"
	if (is_text(pk[i]))
		return "length"
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
		if (pk[i] == "uring")
			return "iot_uring_fd(" pn[i] ")"
		if (pk[i] == "ringfd")
			return "iot_uring_fd_of(" pn[i] ", " (pn[i + 1] == "opcode" ? "opcode >> 31" : "flags & IOT_ENTER_REGISTERED") ")"
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
	if (has(r, "stderr"))
		return "iot_fileno(stderr)"
	if (value(r, "stderr") != "")
		return value(r, "stderr") " ? iot_fileno(stderr) : -1"
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
	return has(r, "stdin") ? "stdin" : has(r, "stdout") ? "stdout" : has(r, "stderr") || value(r, "stderr") != "" ? "stderr" : "(FILE *)NULL"
}

# what a hot row moved through it, as a C expression of its result
function moved(r, n,    i)
{
	if (result[r] == "chars")
		return "(size_t)ret"
	if (result[r] == "char")
		return "ret == -1 ? 0 : " fixed_bytes(r)
	if (result[r] == "nonneg")
		return "ret < 0 ? 0 : length"
	if (result[r] == "text")
		return "length"
	if (result[r] == "bytes")
		return "ret < 0 ? 0 : (size_t)ret"
	for (i = 1; i <= n; i++)
		if (pk[i] == "itemsize")
			return "ret * " pn[i]
}

function is_public(name)
{
	return form == "dynamic" || name !~ /^_/ || (name in row && !has(row[name], "backend")) || (name in chk_named) ||
	    name ~ /^(_Exit|_IO_getc|_IO_putc|__getdelim|__f?xstat(at)?64|__lxstat64|__fxstatat64)$/ ||
	    name ~ /_chk$/ || name ~ /^__io_uring_/
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

# What of a hot row's body is about how much it moves, in wrapper-hot.c.in.
function mark_hot(r, n, fp,    i, in_, size, full, low, fixed, it, idle)
{
	idle = value(r, "idle")
	in_ = way(r) == "IN" ? "true" : "false"
	size = "(uint32_t)ret"
	full = "ret >= 0"
	low = "IOT_UNKNOWN"
	fixed = "false"
	if (result[r] == "status") {
		size = 0
		full = "ret == 0"
	}
	for (i = 1; i <= n; i++) {
		if (pk[i] == "size") {
			size = pn[i]
			full = "ret == (long)" pn[i]
		}
		if (is_text(pk[i])) {
			size = "length"
			full = "ret == iot_text_result(length, " (pk[i] == "line" ? "true" : "false") ")"
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
	mark["told"] = result[r] == "text" ? 1 : ""
	if (mark["told"]) {
		low = "(uint32_t)" size
		fixed = "true"
		size = "length"
		full = "ret"
	}
	mark["SLOW"] = (idle != "" ? "iot_unlikely(" idle ") || " : "") (has(r, "strbuf") ? "iot_is_strbuf(" kind_named(n, "FILE") ") || " : "")
	if (fp != "")
		mark["SLOW"] = mark["SLOW"] "!iot_stream_quick(" fp ", " in_ (it == "" || in_ == "false" ? "" : \
		    ") || (" it " > 1 && " size " > iot_stream_unread(" fp ")") ") || "
	mark["SHARED"] = fp == "" ? "" : " || !iot_stream_alone(&hot, " fp ")"
	mark["DISTURBED"] = fp == "" ? "" : "!iot_stream_still(&was, " fp ", " in_ ", " moved(r, n) ") || "
	mark["RELATIVE"] = pk[1] == "dirfd" ? pn[1] " != AT_FDCWD || " : ""
	mark["opens"] = result[r] == "fd" ? opened(n) : ""
	mark["seeks"] = result[r] == "pos" ? "(long)" pn[n - 1] ", " pn[n] : ""
	mark["moves"] = mark["opens"] mark["seeks"] == "" ? size ", " full ", " low ", " fixed : ""
}

# The body of a hot row: the fast way, or the other if that can't be had.
function emit_hot(r, n, f, fp)
{
	mark["FAMILY"] = toupper(family[r])
	mark["SEQ"] = has(r, "seq") ? "true" : "false"
	mark["THIN"] = has(r, "thin") ? "1" : "0"
	# what is idle is left to the other way
	if (kind_named(n, "FILE") != "")
		mark["FD"] = "iot_fileno(" kind_named(n, "FILE") ")"
	mark["HAS_FD"] = mark["FD"] == "-1" ? "false" : "true"
	mark["PASSED"] = (mark["ARGS"] == "" ? "" : ", ") mark["ARGS"]
	mark["WAS"] = fp == "" ? "NULL" : "&was"
	mark_hot(r, n, fp)
	fill("wrapper-hot", f)
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
		return "IOT_FITTING(env, __environ, env == __environ ? " s " : real_env(" names(n) ", env))"
	if (kind_named(n, "envp") != "")
		return "IOT_FITTING(env, " kind_named(n, "envp") ", " s ")"
	if (!has(r, "caller"))
		return s
	s = ""
	for (i = 1; i <= 3; i++)
		s = s ", " (i > n ? "0" : "(uintptr_t)" pn[i])
	return "(" rtype[result[r]] ")iot_as_caller((void *)real, __builtin_return_address(0)" s ")"
}

# its type, to be followed by a name
function typed(r,    s) { s = rtype[result[r]]; return s ~ /\*$/ ? s : s " " }

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

function emit_body(r, n, f,    i, hot, ap, fp, void)
{
	fp = followed(r, n)
	void = rtype[result[r]] == "void"
	hot = is_hot(r)
	ap = value(r, "printf") != "" ? ", ap" : ""
	mark["ROW"] = rowname[r]
	mark["TYPE"] = typed(r)
	mark["PARAMS"] = (n ? ", " decl(n) : "") (ap == "" ? "" : ", va_list ap")
	mark["ARGS"] = names(n) ap
	mark["WORDS"] = arglist(n)
	mark["FRAME"] = hot ? "frame" : "__builtin_frame_address(0)"
	mark["before"] = value(r, "before")
	mark["FD"] = about(r, n)
	mark["stream"] = fp
	if (result[r] == "noreturn") {
		fill("wrapper-noreturn", f)
		return
	}
	mark["hot"] = hot ? 1 : ""
	mark["ret"] = void ? "" : 1
	mark["RESULT"] = void ? "0" : "(long)ret"
	mark["DESC"] = which(r)
	mark["REAL_CALL"] = real_call(r, n, ap)
	mark["flush"] = fp != "" && way(r) == "FLUSH" ? 1 : ""
	mark["ALL"] = way(r) == "FLUSH" ? "&all" : "NULL"
	mark["MAY_FILL"] = may_fill(n)
	mark["IF_BUSY"] = value(r, "idle") == "" ? "" : "if (!(" value(r, "idle") "))\n\t\t"
	mark["envp"] = kind_named(n, "envp")
	# fexecve turns down NULL
	mark["NO_ENVP"] = mark["envp"] != "" && index(value(r, "nosys"), "!" mark["envp"]) ? "!" mark["envp"] " ? NULL : " : ""
	mark["env"] = value(r, "env")
	mark["shell"] = has(r, "shell") ? kind_named(n, "command") : ""
	mark["strbuf"] = has(r, "strbuf") ? kind_named(n, "FILE") : ""
	mark["memory"] = value(r, "memory")
	mark["closes"] = value(r, "effect") ~ /^(close|reopen)$/ ? 1 : ""
	mark["nosys"] = value(r, "nosys")
	mark["begun"] = value(r, "begun")
	mark["cached"] = has(r, "cached") ? 1 : ""
	mark["done"] = value(r, "done")
	mark["exec"] = has(r, "exec") ? 1 : ""
	mark["shared"] = mark["time"] = mark["TIME_UNIT"] = mark["text"] = mark["NEWLINE"] = ""
	for (i = 1; i <= n; i++) {
		if (value(r, "effect") == "moves" && pk[i] ~ /^fd2?$/)
			mark["shared"] = mark["shared"] " " pn[i]
		if (is_text(pk[i])) {
			mark["text"] = pn[i]
			mark["NEWLINE"] = pk[i] == "line" ? " + 1" : ""
		}
		if (code[pk[i]] ~ /^TIME/) {
			mark["time"] = pn[i]
			mark["TIME_UNIT"] = pk[i] == "tval" ? 1000 : 1
		}
	}
	fill("wrapper-body", f)
	if (hot)
		emit_hot(r, n, f, fp)
}

# One C function under all the names of a class, the first of which it bears.
function emit_entries(r, n, f, list, internal,    m, nm, i, old_one)
{
	m = split(list, nm, " ")
	if (!m)
		return
	old_one = internal ? "" : old_version(nm[1])
	# libc's own calls go to a name that no program defines
	mark["REAL_NAME"] = internal ? "real_internal" : "real_public"
	mark["REAL"] = old_one == "" ? mark["REAL_NAME"] : "real_meant(__builtin_return_address(0))"
	mark["LIBC"] = value(r, "printf") != "" ? value(r, "printf") : nm[1]
	mark["FUNCTION"] = internal ? "wrap_internal" : "wrap_public"
	mark["INTERNAL"] = internal ? "IOT_INTERNAL" : "0"
	mark["NAME"] = nm[1]
	mark["old"] = old_one
	mark["TYPE"] = typed(r)
	mark["TYPE_OLD"] = rtype[result[r]] " "
	mark["HOT"] = is_hot(r) && !internal ? "__attribute__((hot)) " : ""
	mark["PARAMS"] = decl(n)
	mark["DOTS"] = value(r, "printf") != "" || has(r, "variadic") ? ", ..." : ""
	mark["SET_RET"] = rtype[result[r]] == "void" ? "" : "ret = "
	mark["LAST"] = pn[n]
	mark["RETURN"] = rtype[result[r]] == "void" ? "" : "return "
	mark["returns"] = mark["DOTS"] == "" || mark["RETURN"] == "" ? "" : 1
	mark["BODY"] = has(r, "hand") ? "iot_hand_" rowname[r] : "body"
	mark["FRAME"] = has(r, "hand") ? ", __builtin_frame_address(0)" : ""
	mark["PASSED"] = n ? ", " names(n) : ""
	mark["after"] = mark["DOTS"] == "" && !has(r, "hand") ? value(r, "after") : ""
	mark["plain"] = mark["DOTS"] mark["after"] == "" ? 1 : ""
	mark["names"] = mark["others"] = ""
	for (i = 1; i <= m; i++) {
		if (i > 1)
			mark["others"] = mark["others"] " " nm[i]
		if (old_one != "") {
			mark["names"] = mark["names"] " " nm[i]
			was[nm[i]] = "__wrap_old_" nm[1]
		}
	}
	if (old_one != "")
		printf "IOT_OLD(%s, %s)\n", nm[1], old_one > (out "/next-names.h")
	fill("wrapper-entry", f)
}

function note_names(r, list,    m, nm, i)
{
	m = split(list, nm, " ")
	for (i = 1; i <= m; i++) {
		list_name(nm[i])
		printf "IOT_NAME(\"%s\", \"%s\", \"%s\")\n", nm[i], called(r), value(r, has(r, "uring") ? "makes" : "sys") > table
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
	if (has(r, "uring"))
		print "#include \"uring.h\"" > f
	if (value(r, "done") ~ /^iot_posix_/)
		print "#include \"posix-aio.h\"" > f
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
	if (has(r, "event") || (has(r, "extern") && !has(r, "uring")) || !(rowname[r] in row) || (has(r, "dynamic") && form != "dynamic"))
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

# fortified forms
function emit_chk(c,    i, name, n, f, base, r, rt, m, nm)
{
	i = index(chk_proto[c], "(")
	name = substr(chk_proto[c], 1, i - 1)
	if (!(name in group))
		return
	base = substr(chk_call[c], 1, index(chk_call[c], "(") - 1)
	r = row[base]
	rt = rtype[result[r]]
	f = out "/w_" name ".c"
	print "w_" name ".c" > (out "/sources")
	printf "/* Generated from calls.def by gen.awk: do not edit. */\n#include \"wrap.h\"\n\n" > f
	mark["TYPE"] = rt (rt ~ /\*$/ ? "" : " ")
	mark["PLAIN"] = base
	mark["PLAIN_PARAMS"] = decl(parse(params[r]))
	mark["PASSED"] = substr(chk_call[c], index(chk_call[c], "("))
	mark["NAME"] = name
	n = parse(substr(chk_proto[c], i + 1, length(chk_proto[c]) - i - 1))
	mark["PARAMS"] = decl(n)
	mark["NAMES"] = names(n)
	mark["HOLDS"] = chk_cond[c]
	mark["others"] = ""
	m = split(members[group[name]], nm, " ")
	for (i = 1; i <= m; i++)
		if (nm[i] != name)
			mark["others"] = mark["others"] " " nm[i]
	fill("wrapper-fortified", f)
	close(f)
	note_names(r, members[group[name]])
}
