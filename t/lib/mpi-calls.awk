# SPDX-License-Identifier: BSD-3-Clause
# mpi-calls.awk - of the lines that iotrace-cat --format=json prints of the family mpi, what
# t/mpi/say.h has programs say of their calls: NAME KEY=VALUE..., with the keys that are
# there of these, in this order.
BEGIN {
	n = split("comm win newcomm command group lock assertion target_rank target_disp dest sendtag " \
	    "source recvtag root peer tag partition size op init issued", keys, " ")
}

function value(key,    s)
{
	if (!match($0, "\"" key "\":"))
		return ""
	s = substr($0, RSTART + RLENGTH)
	if (substr(s, 1, 1) == "\"") {
		s = substr(s, 2)
		sub(/".*/, "", s)
	} else
		sub(/[,}].*/, "", s)
	return s
}

{
	line = value("call")
	for (i = 1; i <= n; i++)
		if (value(keys[i]) != "")
			line = line " " keys[i] "=" value(keys[i])
	if (line ~ /^(MPI_(Recv|Probe|Iprobe|Mprobe|Improbe|Mrecv|Wait|Test)|mpi_complete) /)
		line = line " ret=" value("ret")
	print line
}
