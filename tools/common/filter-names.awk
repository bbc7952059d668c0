# SPDX-License-Identifier: BSD-3-Clause
# filter-names.awk - from table/calls.def the names that -e takes: calls,
# system calls and families, as strings in C.
function name(s)
{
	if (!(s in seen))
		printf "\"%s\",\n", s
	seen[s] = 1
}
/^[a-z]+\t/ && $1 != "chk" {
	name($1)
	call = $3
	sub(/\(.*/, "", call)
	attributes = $0
	sub(/.*\[/, "", attributes)
	sub(/\].*/, "", attributes)
	n = $0 ~ /\[/ ? split(attributes, a, " ") : 0
	for (i = 1; i <= n; i++) {
		if (a[i] ~ /^as=/)
			call = substr(a[i], 4)
		else if (a[i] ~ /^sys=/)
			name(substr(a[i], 5))
	}
	name(call)
}
