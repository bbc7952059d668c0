# SPDX-License-Identifier: BSD-3-Clause
# mpi-calls.awk - of the lines that iotrace-cat --format=json prints of the family mpi, what
# t/mpi/say.h has programs say of their calls: NAME KEY=VALUE..., with the keys that are
# there of these, in this order.  json.awk comes before.
BEGIN {
	n = split("comm win newcomm command group lock assertion target_rank target_disp dest sendtag " \
	    "source recvtag root peer tag partition size op init issued", keys, " ")
}

{
	line = value("call")
	for (i = 1; i <= n; i++)
		if (value(keys[i]) != "-")
			line = line " " keys[i] "=" value(keys[i])
	if (line ~ /^(MPI_(Recv|Probe|Iprobe|Mprobe|Improbe|Mrecv|Wait|Test)|mpi_complete) /)
		line = line " ret=" value("ret")
	print line
}
