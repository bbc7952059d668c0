# SPDX-License-Identifier: BSD-3-Clause
# invalid.awk - from the tables of MPI's calls and the names that an MPI has, C: each call
# with arguments that are good, and with each of them in turn replaced by one that is not.
#
#	awk -f invalid.awk NAMES MPI.DEF COMM.DEF >cases.h
#
# A line CASE(NUMBER, TEXT, CALL) each.
function kind(name, good, bad1, bad2)
{
	base[name] = good
	bad[name, 1] = bad1
	bad[name, 2] = bad2
}

BEGIN {
	kind("buf", "buf", "NULL")
	kind("mcount", "1", "-1")
	kind("mcountc", "1", "-1")
	kind("mdt", "MPI_INT", "MPI_DATATYPE_NULL", "uncommitted")
	kind("dtype", "MPI_INT", "MPI_DATATYPE_NULL", "uncommitted")
	kind("etype", "MPI_INT", "MPI_DATATYPE_NULL", "uncommitted")
	kind("mpeer", "MPI_PROC_NULL", "99", "-77")
	kind("msource", "MPI_PROC_NULL", "99", "-77")
	kind("mroot", "0", "99")
	kind("mtag", "0", "-77")
	kind("msendtag", "0", "-77")
	kind("mon", "MPI_COMM_SELF", "MPI_COMM_NULL", "cart")
	kind("mcomm", "MPI_COMM_SELF", "MPI_COMM_NULL")
	kind("mcommp", "&made", "NULL")
	kind("mcoming", "&made", "NULL")
	kind("mgone", "&no_comm", "NULL", "&cart")
	kind("mop", "MPI_SUM", "MPI_OP_NULL")
	kind("mgroup", "group", "MPI_GROUP_NULL")
	kind("mgroupn", "group", "MPI_GROUP_NULL")
	kind("mcounts", "counts", "NULL")
	kind("mdispls", "at", "NULL")
	kind("maints", "aints", "NULL")
	kind("mtypes", "types", "NULL")
	kind("mstatus", "&status", "MPI_STATUS_IGNORE")
	kind("mstatuses", "&status", "MPI_STATUSES_IGNORE")
	kind("mrequest", "&request", "NULL", "&lasting")
	kind("mrequests", "&request", "NULL", "&lasting")
	kind("mstarted", "MPI_REQUEST_NULL", "lasting")
	kind("mmessage", "&message", "NULL")
	kind("mfile", "fh", "MPI_FILE_NULL")
	kind("mfilep", "&fh", "&no_file", "NULL")
	kind("mfilenew", "&no_file", "NULL")
	kind("minfo", "MPI_INFO_NULL")
	kind("mrootinfo", "MPI_INFO_NULL")
	kind("voffset", "0", "-77")
	kind("moffset", "0", "-77")
	kind("moffsetp", "&offset", "NULL")
	kind("amode", "MPI_MODE_CREATE | MPI_MODE_RDWR", "0", "MPI_MODE_RDWR | MPI_MODE_RDONLY")
	kind("mwhence", "MPI_SEEK_SET", "77")
	kind("intp", "&number", "NULL")
	kind("flagp", "&number", "NULL")
	kind("aintp", "aints", "NULL")
	kind("countp", "&large", "NULL")
	kind("merrhandler", "MPI_ERRORS_RETURN", "MPI_ERRHANDLER_NULL")
	kind("handle", "(void *)buf", "NULL")
	kind("path", "\"invalid.other\"", "\"none/such\"", "NULL")
	kind("str", "\"native\"", "\"none\"", "NULL")
	kind("massert", "0", "-1")
	kind("mlock", "MPI_LOCK_SHARED", "77")
	kind("mwin", "win", "MPI_WIN_NULL")
	kind("mwinp", "&no_win", "NULL")
	kind("mwingone", "&no_win", "NULL")
	kind("mbytes", "64", "-1")
	kind("munit", "1", "-1")
	kind("mdisp", "0", "-77")
	kind("int", "1", "-1")
	# what begins, ends or connects processes, what waits for ever for others, and graphs,
	# whose arrays are no good ones here
	left_out = "Init|Init_thread|Finalize|Session_.*|Abort|Comm_spawn.*|Comm_accept|Comm_connect|" \
	    "Comm_join|Graph_create|Dist_graph_create.*|Comm_create_from_group|Intercomm_create.*|Register_datarep.*|Win_wait|Comm_disconnect|" \
	    "File_call_errhandler"
}

FILENAME == ARGV[1] {
	# of a static library: FILE:MEMBER:NAME |...
	name = $0
	sub(/[ \t]*\|.*/, "", name)
	sub(/.*[^A-Za-z_0-9]/, "", name)
	there[name] = 1
	next
}

function put(what,    i, s)
{
	for (i = 1; i <= n; i++)
		s = s (i > 1 ? ", " : "") arg[i]
	printf "CASE(%d, \"%s %s\", %s(%s))\n", ++number, call, what, call, s
}

/^mpi/ && match($0, /MPI_[A-Za-z_]*\(/) {
	call = substr($0, RSTART, RLENGTH - 1)
	s = substr($0, RSTART + RLENGTH)
	s = substr(s, 1, index(s, ")") - 1)
	if (!(call in there) || call ~ "^MPI_(" left_out ")$")
		next
	n = split(s, part, /, /)
	for (i = 1; i <= n; i++) {
		split(part[i], f, " ")
		k[i] = f[1]
		if (!(k[i] in base)) {
			printf "#error \"invalid.awk: what is %s?\"\n", k[i]
			next
		}
		arg[i] = base[k[i]]
		if (k[i] == "mon" && call ~ /eighbor/)	# others have no neighbours
			arg[i] = "cart"
	}
	put("as it should be")
	for (i = 1; i <= n; i++)
		for (j = 1; j <= 2; j++)
			if (bad[k[i], j] != "") {
				was = arg[i]
				arg[i] = bad[k[i], j]
				text = arg[i]
				gsub(/"/, "'", text)
				put("argument " i " " text)
				arg[i] = was
			}
}
