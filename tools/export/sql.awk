# SPDX-License-Identifier: BSD-3-Clause
# sql.awk - SQL as the lines of a string in C, without its comments.  COMMON and SPENT are what
# sums have in common, which views would otherwise say again and again.
BEGIN {
	spent = "sum(io) AS io, sum(moving) AS moving, sum(metadata) AS metadata, " \
		"sum(syncing) AS syncing, sum(waiting) AS waiting, sum(memory) AS memory"
	common = "sum(calls) AS calls, sum(syscalls) AS syscalls, sum(errors) AS errors, " \
		"sum(read_calls) AS reads, sum(read) AS read, sum(write_calls) AS writes, " \
		"sum(written) AS written, sum(lib_read) AS lib_read, sum(lib_written) AS lib_written, " \
		"sum(self) AS self, max(max) AS max, " spent
}
{
	sub(/ *-- .*/, "")
	if (/^[ \t]*$/)
		next
	gsub(/COMMON/, common)
	gsub(/SPENT/, spent)
	gsub(/"/, "\\\"")
	printf "\"%s\\n\"\n", $0
}
