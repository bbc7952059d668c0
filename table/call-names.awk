# SPDX-License-Identifier: BSD-3-Clause
# call-names.awk - from the table of calls the names of calls and system calls that users may
# give, for C:
#
#	-v form=strings		as strings: what -e of the tools takes, beside families
#	-v form=hashes		as numbers, for lib/core/setting.c: the names themselves would be
#				in each traced program
BEGIN {
	for (i = 1; i < 128; i++)
		ord[sprintf("%c", i)] = i
}
function hash(s,    i, h)
{
	for (i = 1; i <= length(s); i++)
		h = (h * 33 + ord[substr(s, i, 1)]) % 4294967296
	return h
}
function put(s)
{
	if (s in seen)
		return
	seen[s] = 1
	if (form == "hashes")
		printf "%.0fu, /* %s */\n", hash(s), s
	else
		printf "\"%s\",\n", s
}
/^[a-z]+\t/ && $1 != "chk" {
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
			put(substr(a[i], 5))
	}
	put(call)
}
