# SPDX-License-Identifier: BSD-3-Clause
# json.awk - what a line that iotrace-cat --format=json prints has under a key; "-": nothing.
function value(key,    s)
{
	if (!match($0, "\"" key "\":"))
		return "-"
	s = substr($0, RSTART + RLENGTH)
	if (substr(s, 1, 1) == "\"") {
		s = substr(s, 2)
		sub(/".*/, "", s)
	} else
		sub(/[,}].*/, "", s)
	return s
}
