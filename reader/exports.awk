# SPDX-License-Identifier: BSD-3-Clause
# exports.awk - the public headers into a version script: the functions that they declare, and no others.
/^[a-z].*[ *]iotr_[a-z0-9_]+\(/ && !/^typedef/ {
	match($0, /iotr_[a-z0-9_]+\(/)
	names[++n] = substr($0, RSTART, RLENGTH - 1)
}
END {
	print "IOTRACE_READ_0 {"
	print "global:"
	for (i = 1; i <= n; i++)
		print "\t" names[i] ";"
	print "local:"
	print "\t*;"
	print "};"
	exit n == 0
}
