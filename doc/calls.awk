# SPDX-License-Identifier: BSD-3-Clause
# calls.awk - fills doc/iotrace-calls.7.in with what gen.awk found:
#
#	awk -v libc=LIBC.A -f calls.awk CALLS.TXT LEFT-OUT.TXT DIFFERENCES.TXT KINDS.DEF... \
#		FAMILIES.DEF TEMPLATE
#
# A line .\" @SECTION@ of the template becomes that section's entries.
BEGIN { FS = "|" }

function troff(s)
{
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	gsub(/'/, "\\(aq", s)
	return s
}

# a list of words, to be broken between them and never within
function words(s,    n, w, i, t)
{
	n = split(s, w, " ")
	for (i = 1; i <= n; i++)
		t = t (i > 1 ? ",\n" : "") "\\%" troff(w[i])
	return t
}

# what kinds.def says of a kind in a log; those that differ in their name alone are one entry
function kind(list, name, says)
{
	if (!((list, says) in kinds))
		order[list] = order[list] "\n" says
	kinds[list, says] = kinds[list, says] " " name
}

function print_kinds(list,    n, i, says, names)
{
	n = split(order[list], says, "\n")
	for (i = 2; i <= n; i++) {
		names = substr(kinds[list, says[i]], 2)
		gsub(/ /, ", ", names)
		printf ".TP\n.B %s\n%s\n", names, troff(says[i])
	}
}

function entry(name, syscall, result, params, names,    n, p, i, w, others)
{
	printf ".TP\n\\fB%s\\fP(", name
	n = split(params, p, " ")
	for (i = 1; i <= n; i++)
		printf "%s%s", (i > 1 ? ", " : ""), (p[i] == "..." ? "..." : "\\fI" p[i] "\\fP")
	printf ") = \\fI%s\\fP\n", result
	if (names == " -")
		print "An event, no function of libc."
	else if (names == "")
		print "Not in this C library."
	else
		print (syscall == "" ? "No system call of its own." : "System call " troff(syscall) ".")
	n = split(names, w, " ")
	for (i = 1; i <= n; i++)
		if (w[i] != name && w[i] != "-")
			others = others " " w[i]
	if (others != "")
		print "Also\n" words(others) "."
}

# of MPI's there are none here
function print_family(name,    i, f, any)
{
	for (i = 1; i <= ncalls; i++)
		if (family[i] == name) {
			if (!any++)
				printf ".SS %s: %s\n", name, troff(heading[name])
			split(line[i], f, "|")
			entry(f[3], f[4], f[5], f[6], f[7])
		}
}

FILENAME == ARGV[1] && $1 == "call" {
	family[++ncalls] = $2
	line[ncalls] = $0
	next
}
FILENAME == ARGV[1] && $1 == "watch" {
	watch = watch " " $2
	next
}
FILENAME == ARGV[1] && $1 == "inline" {
	inline[++ninlines] = $0
	next
}
FILENAME == ARGV[3] {
	if ($0 !~ /^#/ && split($0, f, "\t") == 3) {
		other[++nother] = f[1]
		how[nother] = f[2] == "missing" ? "No record" : "Different: " substr(f[2], 7)
		cause[nother] = f[3]
	}
	next
}
FILENAME ~ /kinds[^\/]*\.def$/ {
	if (!/^IOT_(KIND|RESULT|RETURN)\(.*\)$/)
		next
	says = $0
	gsub(/^[^"]*"|"\)$/, "", says)
	split($0, f, /[(,] */)
	if (/^IOT_KIND/ && f[4] != "-")
		kind("kinds", f[4], says)
	else if (/^IOT_RESULT/)
		kind("results", f[4], says)
	else if (/^IOT_RETURN/)
		kind("results", f[3], says)
	next
}
FILENAME ~ /families\.def$/ {
	if (!/^IOT_FAMILY\(.*\)$/)
		next
	says = $0
	gsub(/^[^"]*"|"\)$/, "", says)
	split($0, f, /[(,] */)
	families[++nfamilies] = f[3]
	heading[f[3]] = says
	next
}
FILENAME == ARGV[2] {
	if ($0 !~ /^#/ && match($0, /^[A-Za-z0-9_]+[ \t]+/)) {
		left[++nleft] = substr($0, 1, RLENGTH)
		gsub(/[ \t]/, "", left[nleft])
		reason[nleft] = substr($0, RLENGTH + 1)
	}
	next
}

/^\.\\" @[a-z-]+@$/ {
	section = $0
	gsub(/^.*" @|@$/, "", section)
	if (section == "kinds" || section == "results") {
		print_kinds(section)
		next
	}
	if (section == "watched") {
		print words(watch) "."
		next
	}
	if (section == "inline") {
		for (i = 1; i <= ninlines; i++) {
			split(inline[i], f, "|")
			printf ".TP\n\\fB%s\\fP, %s\n%s\n", f[2], (f[3] == "?" ? "any call" : troff(f[3])), troff(f[4])
		}
		next
	}
	if (section == "dynamic") {
		for (i = 1; i <= nother; i++)
			printf ".TP\n\\fB%s\\fP\n%s: %s.\n", other[i], how[i], troff(cause[i])
		next
	}
	if (section == "left-out") {
		if (!nleft)
			print "None: every name of libc.a on the lists that the tests have, and every other\nname for the same code, has a wrapper."
		for (i = 1; i <= nleft; i++)
			printf ".TP\n\\fB%s\\fP\n%s\n", left[i], troff(reason[i])
		next
	}
	if (section == "calls") {
		for (i = 1; i <= nfamilies; i++)
			print_family(families[i])
		next
	}
	printf "calls.awk: %s: no such section\n", section > "/dev/stderr"
	exit 1
}
{
	gsub(/@libc_a@/, troff(libc))
	print
}
END {
	for (i = 1; i <= ncalls; i++)
		if (!(family[i] in heading)) {
			printf "calls.awk: %s: no such family\n", family[i] > "/dev/stderr"
			exit 1
		}
}
