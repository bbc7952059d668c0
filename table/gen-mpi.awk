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

function mpi_words(r, n,    i, m, s, list)
{
	m = parse(logged(r))
	for (i = 1; i <= m; i++)
		if (code[pk[i]] != "-")
			list = list (list == "" ? "" : ", ") mpi_word(i, n)
	s = "\t\tconst uint64_t words[] = { " (list == "" ? "0" : list) " };\n\n"
	parse(params[r])
	return s
}

# the first parameter of that kind
function mpi_param(n, kind,    i)
{
	for (i = 1; i <= n; i++)
		if (pk[i] ~ "^" kind "$")
			return pn[i]
	return ""
}

function mpi_body(r, n, f,    status, offset, count, type, info)
{
	status = mpi_param(n, "mstatus")
	offset = mpi_param(n, "voffset")
	count = mpi_param(n, "mcountc?")
	type = mpi_param(n, "dtype")
	info = mpi_param(n, "minfo")
	printf "static int body(real_fn *real, void *frame, %s)\n{\n", decl(n) > f
	print "\tstruct iot_call call IOT_CLEANUP;\n\tstruct iot_mpi m;" > f
	if (info != "")
		print "\tchar hints[IOT_MPI_INFO];" > f
	if (status != "")
		print "\tMPI_Status own;" > f
	printf "\tint ret;\n\n\tif (!iot_mpi_%s))\n\t\treturn real(%s);\n",
	    (pk[1] == "mfile" ? "enter" : "begin") "(&call, &m, &IOT_DESC_NAME(" rowname[r] ")," \
	    (pk[1] == "mfile" ? " " pn[1] "," : "") " frame", names(n) > f
	if (offset != "")
		printf "\tiot_mpi_at(&m, %s, %s);\n", mpi_param(n, "mfile"), offset > f
	else if (has(r, "pointer"))
		printf "\tiot_mpi_at_pointer(&m, %s);\n", mpi_param(n, "mfile") > f
	if (status != "")
		printf "\tif (%s == MPI_STATUS_IGNORE)\n\t\t%s = &own;\n", status, status > f
	if (has(r, "ends"))
		print "\tiot_mpi_split_ends(&m);" > f
	printf "\tret = real(%s);\n\tiot_mpi_back(&m, ret);\n", names(n) > f
	if (type != "")
		printf "\tiot_mpi_typed(&m, %s);\n", type > f
	if (count != "")
		printf "\tiot_mpi_asked(&m, %s, %s);\n", count, type > f
	if (info != "")
		printf "\tiot_mpi_hints(&m, hints, %s);\n", info > f
	if (status != "")
		printf "\tiot_mpi_moved(&m, %s);\n", status > f
	if (has(r, "split"))
		print "\tiot_mpi_split_begun(&m, &call, ret);" > f
	if (mpi_param(n, "mrequest") != "")
		printf "\tiot_mpi_issued(&m, &call, ret, %s);\n", mpi_param(n, "mrequest") > f
	printf "\t{\n%s\t\tiot_mpi_leave(&call, &m, words);\n\t}\n\treturn ret;\n}\n\n", mpi_words(r, n) > f
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

function comm_before(n, f)
{
	if (mpi_param(n, "mstatus") != "")
		printf "\tif (%s == MPI_STATUS_IGNORE)\n\t\t%s = &own;\n", mpi_param(n, "mstatus"), mpi_param(n, "mstatus") > f
	if (mpi_param(n, "mgone") != "")
		printf "\tiot_mpi_comm_goes(&m, %s);\n", mpi_param(n, "mgone") > f
	if (mpi_param(n, "mwingone") != "")
		printf "\tiot_mpi_win_goes(&m, %s);\n", mpi_param(n, "mwingone") > f
	if (mpi_param(n, "mmessage") != "" && mpi_param(n, "mon") == "")
		printf "\tiot_mpi_matched(&m, %s);\n", mpi_param(n, "mmessage") > f
}

# Calls that look for something are not recorded if they find nothing.
function comm_found(n, f,    found, flag)
{
	flag = mpi_param(n, "flagp")
	if (flag != "") {
		printf "\tcall.silent |= !m.error && !*%s;\n", flag > f
		found = "\tif (!m.error && *" flag ")\n\t"
	}
	if (mpi_param(n, "mstatus") != "")
		printf "%s\tiot_mpi_received(&m, %s);\n", found, mpi_param(n, "mstatus") > f
	if (mpi_param(n, "mmessage") != "" && mpi_param(n, "mon") != "")
		printf "%s\tiot_mpi_match(&m, %s);\n", found, mpi_param(n, "mmessage") > f
}

function comm_after(r, n, f,    peer, tag)
{
	if (mpi_param(n, "mon") != "")
		printf "\tiot_mpi_on_comm(&m, %s);\n", mpi_param(n, "mon") > f
	if (mpi_param(n, "mwin") != "")
		printf "\tiot_mpi_on_win(&m, %s);\n", mpi_param(n, "mwin") > f
	if (mpi_param(n, "mrootinfo") != "")
		printf "\tif (%s == m.comm_rank)\n", mpi_param(n, "mroot") > f
	if (mpi_param(n, "m(root)?info") != "")
		printf "\tiot_mpi_hints(&m, hints, %s);\n", mpi_param(n, "m(root)?info") > f
	if (mpi_param(n, "mcommp") != "")
		printf "\tiot_mpi_comm_made(&m, %s);\n", mpi_param(n, "mcommp") > f
	if (mpi_param(n, "mwinp") != "")
		printf "\tiot_mpi_win_made(&m, %s);\n", mpi_param(n, "mwinp") > f
	if (comm_size(r, n) != "")
		printf "\t%s;\n", comm_size(r, n) > f
	comm_found(n, f)
	if (has(r, "goes"))
		printf "\tiot_mpi_goes_on(&m, %s);\n", mpi_param(n, "mstarted") > f
	if (has(r, "starts"))
		printf "\tiot_mpi_starts(&m, &call, %s);\n", mpi_param(n, "mrequest") > f
	if (mpi_param(n, "mrequest") == "" || has(r, "starts"))
		return
	peer = mpi_param(n, "(mpeer|msource)")
	tag = mpi_param(n, "m(send)?tag")
	if (peer != "")
		printf "\tiot_mpi_with(&m, %s, %s);\n", peer, (tag == "" ? "IOT_MPI_NONE" : tag) > f
	if (has(r, "receives"))
		print "\tm.receives = true;" > f
	if (mpi_param(n, "mcoming") != "")
		printf "\tiot_mpi_comm_comes(&m, %s, %s);\n", mpi_param(n, "mon"), mpi_param(n, "mcoming") > f
	printf "\tiot_mpi_%s(&m, &call, ret, %s);\n", (has(r, "lasting") ? "lasting" : "issued"), mpi_param(n, "mrequest") > f
}

# The same of a row of mpi-comm.def.
function comm_body(r, n, f)
{
	printf "static __attribute__((noinline)) int body(real_fn *real, void *frame, %s)\n{\n", decl(n) > f
	print "\tstruct iot_call call IOT_CLEANUP;\n\tstruct iot_mpi m;" > f
	if (mpi_param(n, "mstatus") != "")
		print "\tMPI_Status own;" > f
	if (mpi_param(n, "m(root)?info") != "")
		print "\tchar hints[IOT_MPI_INFO];" > f
	printf "\tint ret;\n\n\tif (!iot_mpi_talks(&call, &m, &IOT_DESC_NAME(%s), frame))\n\t\treturn real(%s);\n", \
	    rowname[r], names(n) > f
	comm_before(n, f)
	printf "\tret = real(%s);\n\tiot_mpi_back(&m, ret);\n", names(n) > f
	comm_after(r, n, f)
	printf "\t{\n%s\t\tiot_mpi_leave(&call, &m, words);\n\t}\n\treturn ret;\n}\n\n", mpi_words(r, n) > f
}

# One entry point: MPI_X, or PMPI_X, of which either may be another library's.
function mpi_entry(r, n, name, f,    args)
{
	args = n ? ", " names(n) : ""
	printf "extern real_fn real_%s __asm__(\"__real_%s\");\n", name, name > f
	printf "int wrap_%s(%s) __asm__(\"__wrap_%s\");\n", name, decl(n), name > f
	printf "int wrap_%s(%s)\n{\n", name, decl(n) > f
	# most programs have them by the million, and not recorded
	if (family[r] == "mpi")
		printf "\tif (!iot_mpi_waits())\n\t\treturn real_%s(%s);\n", name, names(n) > f
	printf "\treturn %s(real_%s, __builtin_frame_address(0)%s);\n}\n",
	    has(r, "hand") ? "iot_hand_" rowname[r] : "body", name, args > f
	printf "IOT_EXPORT(%s)\n\n", name > f
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
function mpi_words_macro(r,    s)
{
	if (family[r] !~ /^mpi/ || !(has(r, "hand") || has(r, "event")))
		return ""
	s = mpi_words(r, parse(params[r]))
	sub(/^[^{]*/, "", s)
	sub(/;\n*$/, "", s)
	return "#define IOT_WORDS_" rowname[r] " " s "\n"
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
