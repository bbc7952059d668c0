# SPDX-License-Identifier: BSD-3-Clause
# kinds.awk - kinds.def and its parts into <iotrace/kinds.h>, the numbers that programs are compiled with.
BEGIN {
	FS = "[(), ]+"
	print "/* SPDX-License-Identifier: BSD-3-Clause */"
	print "/* kinds.h - kinds of parameters and results of calls; made from kinds.def. */"
	print "#ifndef IOTRACE_KINDS_H"
	print "#define IOTRACE_KINDS_H"
	print ""
	print "enum iotr_kind {"
}
/^IOT_(KIND|RESULT)\(/ {
	if ($2 in had)
		taken = FILENAME ":" FNR ": " $2 " is the number of " had[$2]
	had[$2] = $3
	last = $2 > last ? $2 + 0 : last
	printf "\tIOTR_KIND_%s = %d,%s\n", $3, $2, $4 == "-" ? "" : " /* " $4 " */"
}
END {
	print "};"
	print ""
	print "#endif"
	if (taken != "") {
		print taken ", the next one is " last + 1 >"/dev/stderr"
		exit 1
	}
}
