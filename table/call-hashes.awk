# SPDX-License-Identifier: BSD-3-Clause
# call-hashes.awk - from the table of calls a number for each name of a call and of a system
# call, for lib/core/setting.c: the names themselves would be in each traced program.
BEGIN {
	for (i = 1; i < 128; i++)
		ord[sprintf("%c", i)] = i
}
function put(s,    i, h)
{
	if (s in seen)
		return
	seen[s] = 1
	for (i = 1; i <= length(s); i++)
		h = (h * 33 + ord[substr(s, i, 1)]) % 4294967296
	printf "%.0fu, /* %s */\n", h, s
}
/^[a-z]+\t/ && $1 != "chk" {
	call = $3
	sub(/\(.*/, "", call)
	n = $0 ~ /\[/ ? split($0, a, /[][ ]/) : 0
	for (i = 1; i <= n; i++) {
		if (a[i] ~ /^as=/)
			call = substr(a[i], 4)
		else if (a[i] ~ /^sys=/)
			put(substr(a[i], 5))
	}
	put(call)
}
