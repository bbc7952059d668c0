# SPDX-License-Identifier: BSD-3-Clause
# gen-mpi.awk - gen.awk's part for the rows of mpi.def: wrappers
# whose types are those of the mpi.h that they are compiled with.

# Of a row of mpi-comm.def.
function logged_comm(r,    s, p)
{
	s = params[r]
	p = ", " s
	if (p ~ /, mcount[cs]? / || value(r, "size") != "" || has(r, "completes") || has(r, "starts"))
		s = s ", lsize size"
	if ((p ~ /, mrequest / && !has(r, "completes") && !has(r, "lasting")) || has(r, "starts"))
		s = s ", mpiop op"
	if (has(r, "completes"))
		s = s ", mpidone op, lissued issued, since elapsed"
	if (has(r, "goes"))
		s = s ", lop op"
	if (has(r, "starts") || has(r, "goes"))
		s = s ", linit init"
	if (p ~ /, mmessage / && p !~ /, mon /)
		s = s ", lcomm comm, lpeer source, ltag tag"
	if (has(r, "completes") || has(r, "starts") || has(r, "goes"))
		s = s ", lcomm comm, lpeer peer, ltag tag"
	if (has(r, "several"))
		s = s ", lcompleted completed"
	if (p ~ /, m(on|gone|message|win|wingone) / || has(r, "completes") || has(r, "starts") || has(r, "goes"))
		s = s ", commsize comm_size, commrank comm_rank"
	sub(/^, /, "", s)
	return s
}

# The row's parameters, and what the log has beyond them.
function logged(r,    s, p)
{
	s = params[r]
	if (family[r] == "mpi")
		return logged_comm(r)
	if (family[r] != "mpiio")
		return s
	p = ", " s
	if (has(r, "pointer") || has(r, "ends"))
		s = s ", loffset offset"
	if (p ~ /, (mcount|mcountc) / || has(r, "ends"))
		s = s ", lsize size"
	if (p ~ /, mfile .*, mrequest / || has(r, "split"))
		s = s ", mpiop op"
	if (has(r, "completes"))
		s = s ", mfile fh, loffset offset, lsize size"
	if (has(r, "completes") || has(r, "ends"))
		s = s ", mpidone op, lissued issued, since elapsed"
	if (has(r, "several"))
		s = s ", lcompleted completed"
	if (p ~ /, mfile(p|new)? /)
		s = s ", commsize comm_size, commrank comm_rank" (p ~ /, amode / ? "" : ", lamode amode, view view")
	sub(/^, /, "", s)
	return s
}

# Where a value of the log comes from: a parameter, or what kinds.def says is given for it.
function mpi_word(i, n_params,    s, kind)
{
	if (code[pk[i]] == "NONE")
		return "0"
	if (!(pk[i] in given))
		return (ctype[pk[i]] ~ /\*$/ ? "(uintptr_t)" : "(uint64_t)") pn[i]
	s = given[pk[i]]
	while (match(s, /@[a-z]+@/)) {
		kind = substr(s, RSTART + 1, RLENGTH - 2)
		s = substr(s, 1, RSTART - 1) mpi_param(n_params, kind) substr(s, RSTART + RLENGTH)
	}
	gsub(/@/, pn[i], s)
	return s
}

function mpi_words(r, n,    i, m, list)
{
	m = parse(logged(r))
	for (i = 1; i <= m; i++)
		if (code[pk[i]] != "-")
			list = list (list == "" ? "" : ", ") mpi_word(i, n)
	parse(params[r])
	return list == "" ? "0" : list
}

# the first parameter of that kind
function mpi_param(n, kind,    i)
{
	for (i = 1; i <= n; i++)
		if (pk[i] ~ "^" kind "$")
			return pn[i]
	return ""
}

# what both sorts of bodies have
function mark_mpi(r, n)
{
	mark["ROW"] = rowname[r]
	mark["PARAMS"] = decl(n)
	mark["ARGS"] = names(n)
	mark["WORDS"] = mpi_words(r, n)
	mark["status"] = mpi_param(n, "mstatus")
	mark["request"] = mpi_param(n, "mrequest")
}

function mpi_body(r, n, f)
{
	mark_mpi(r, n)
	mark["file"] = mpi_param(n, "mfile")
	mark["ENTER"] = pk[1] == "mfile" ? "enter" : "begin"
	mark["FILE"] = pk[1] == "mfile" ? " " pn[1] "," : ""
	mark["info"] = mpi_param(n, "minfo")
	mark["offset"] = mpi_param(n, "voffset")
	mark["pointer"] = mark["offset"] == "" && has(r, "pointer") ? 1 : ""
	mark["type"] = mpi_param(n, "dtype")
	mark["count"] = mpi_param(n, "mcountc?")
	mark["split"] = has(r, "split") ? 1 : ""
	mark["ends"] = has(r, "ends") ? 1 : ""
	fill("wrapper-mpiio", f)
}

# Of a row of mpi-comm.def: the size that it gives.
function comm_size(r, n,    size, i)
{
	size = value(r, "size")
	if (size == "" && mpi_param(n, "mcountc?") != "")
		size = (mpi_param(n, "(mpeer|msource)") == "" ? "iot_mpi_asked(&m,"  : "iot_mpi_message(&m," mpi_param(n, "(mpeer|msource)") ",") \
		    mpi_param(n, "mcountc?") "," mpi_param(n, "mdt") ")"
	for (i = 1; i <= n; i++)
		if (pk[i] == "mcounts")
			sub("," pn[i] ",", ",IOT_MPI_COUNTS(" pn[i] "),", size)
	gsub(/,/, ", ", size)
	return size
}

# What is about requests: what the call begins, or goes on with.
function mark_request(r, n,    issues)
{
	mark["goes"] = has(r, "goes") ? mpi_param(n, "mstarted") : ""
	mark["starts"] = has(r, "starts") ? mark["request"] : ""
	issues = mark["request"] != "" && mark["starts"] == ""
	if (!issues)
		mark["request"] = ""
	mark["with"] = issues ? mpi_param(n, "(mpeer|msource)") : ""
	mark["TAG"] = mpi_param(n, "m(send)?tag")
	if (mark["TAG"] == "")
		mark["TAG"] = "IOT_MPI_NONE"
	mark["receives"] = issues && has(r, "receives") ? 1 : ""
	mark["comes"] = issues ? mpi_param(n, "mcoming") : ""
	mark["ISSUED"] = has(r, "lasting") ? "lasting" : "issued"
}

# The same of a row of mpi-comm.def.
function comm_body(r, n, f,    message)
{
	mark_mpi(r, n)
	message = mpi_param(n, "mmessage")
	mark["on"] = mpi_param(n, "mon")
	mark["matched"] = mark["on"] == "" ? message : ""
	mark["match"] = mark["on"] == "" ? "" : message
	mark["gone"] = mpi_param(n, "mgone")
	mark["made"] = mpi_param(n, "mcommp")
	mark["win"] = mpi_param(n, "mwin")
	mark["win_gone"] = mpi_param(n, "mwingone")
	mark["win_made"] = mpi_param(n, "mwinp")
	mark["info"] = mpi_param(n, "m(root)?info")
	mark["of_root"] = mpi_param(n, "mrootinfo") == "" ? "" : mpi_param(n, "mroot")
	mark["size"] = comm_size(r, n)
	# calls that look for something are not recorded if they find nothing
	mark["flag"] = mpi_param(n, "flagp")
	mark["FOUND"] = mark["flag"] == "" ? "" : "\tif (!m.error && *" mark["flag"] ")\n\t"
	mark_request(r, n)
	fill("wrapper-mpi", f)
}

# One entry point: MPI_X, or PMPI_X, of which either may be another library's.
function mpi_entry(r, n, name, f)
{
	mark["NAME"] = name
	mark["PARAMS"] = decl(n)
	mark["ARGS"] = names(n)
	mark["PASSED"] = n ? ", " names(n) : ""
	mark["BODY"] = has(r, "hand") ? "iot_hand_" rowname[r] : "body"
	# most programs have them by the million, and not recorded
	mark["waits"] = family[r] == "mpi" ? 1 : ""
	fill("wrapper-mpi-entry", f)
	list_name(name)
	printf "IOT_NAME(\"%s\", \"%s\", \"\")\n", name, rowname[r] > table
	known_as[rowname[r]] = known_as[rowname[r]] " " name
}

# What Open MPI has before MPI has it is MPIX_X.
function emit_mpi(r,    small, kind, x)
{
	emit_mpi_as(r, rowname[r])
	if (family[r] != "mpi")
		return
	x = rowname[r]
	sub(/^MPI/, "MPIX", x)
	if (x != rowname[r])
		emit_mpi_as(r, x)
	for (kind in large) {
		small[kind] = ctype[kind]
		ctype[kind] = large[kind]
	}
	emit_mpi_as(r, rowname[r] "_c")
	for (kind in large)
		ctype[kind] = small[kind]
}

function emit_mpi_as(r, name,    n, f)
{
	if (!(name in group))
		return
	n = parse(params[r])
	f = out "/w_" name ".c"
	print "w_" name ".c" > (out "/sources")
	printf "/* Generated from mpi.def by gen.awk: do not edit. */\n#include \"iompi.h\"\n\n" > f
	printf "#include \"desc_%s.h\"\n\ntypedef int real_fn(%s);\n", rowname[r], decl(n) > f
	if (has(r, "hand"))
		printf "int iot_hand_%s(real_fn *, void *%s);\n\n", rowname[r], (n ? ", " decl(n) : "") > f
	else if (family[r] == "mpi")
		comm_body(r, n, f)
	else
		mpi_body(r, n, f)
	mpi_entry(r, n, name, f)
	mpi_entry(r, n, "P" name, f)
	close(f)
}

# For wrappers that are written by hand: the words of the row's records.
function mpi_words_macro(r)
{
	if (family[r] !~ /^mpi/ || !(has(r, "hand") || has(r, "event")))
		return ""
	return "#define IOT_WORDS_" rowname[r] " { " mpi_words(r, parse(params[r])) " }\n"
}

# Which ids are MPI's; others' code may run in the first of them.
function emit_mpi_ids(    r, f)
{
	f = out "/mpi-ids.h"
	printf "/* Generated from mpi.def by gen.awk: do not edit. */\n" > f
	for (r = 1; r <= nrows && has(r, "callback"); r++)
		;
	printf "#define IOT_MPI_FIRST %d\n#define IOT_MPI_FIRST_INNER %d\n#define IOT_MPI_LAST %d\n", id[1], id[r], id[nrows] > f
	close(f)
}
