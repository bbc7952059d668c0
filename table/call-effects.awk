# SPDX-License-Identifier: BSD-3-Clause
# call-effects.awk - from the tables of calls what each call does with files, for analysis/kind.c:
#	EFFECT(name, does, moves, writes, others)	does= and others
#	SHARES(name, what)				shares=
#	ROLES(name, bits)				is=, and what other attributes come to; also by
#							the system call's name, as syscall(2) has it
# README explains these attributes.

BEGIN {
	# how many bytes were moved, by the kind of result, unless does=WHAT:HOW says otherwise
	moves["bytes"] = moves["chars"] = moves["text"] = "RESULT"
	moves["items"] = "ITEMS"
	moves["char"] = "ONE"
	moves["status"] = moves["nonneg"] = "SIZE"
	n = split("read write copy end issued", word, " ")
	for (i = 1; i <= n; i++)
		transfers[word[i]] = 1
	# a call with such a result may well move data: its row says whether it does
	n = split("bytes chars char items text wtext nonneg", word, " ")
	for (i = 1; i <= n; i++)
		counts[word[i]] = 1
}

function upper(s) { gsub(/-/, "_", s); return toupper(s) }

function put(macro, name, what,    key)
{
	key = macro " " name
	if (key in put_already && put_already[key] != what)
		die(name " has two of " macro)
	else if (!(key in put_already))
		printf "%s(%s, %s)\n", macro, name, what
	put_already[key] = what
}

function is(name, role,    key)
{
	key = name " " role
	if (key in is_already)
		return
	is_already[key] = 1
	if (!(name in roles))
		named[++n_named] = name
	roles[name] = roles[name] (roles[name] != "" ? " | " : "") "IOTA_" upper(role)
}

function die(why)
{
	printf "call-effects.awk: %s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
	failed = 1
	exit 1
}

/^[a-z]+\t/ && $1 !~ /^(chk|extern|inline|version|watch)$/ {
	name = $3
	sub(/\(.*/, "", name)
	does = shares = sys = what = ""
	others = "false"
	polls = 0
	n = match($0, /\[.*\]/) ? split(substr($0, RSTART + 1, RLENGTH - 2), a, " ") : 0
	for (i = 1; i <= n; i++) {
		if (a[i] ~ /^as=/)
			name = substr(a[i], 4)
		else if (a[i] ~ /^does=/)
			does = substr(a[i], 6)
		else if (a[i] ~ /^shares=/)
			shares = substr(a[i], 8)
		else if (a[i] ~ /^sys=/)
			sys = substr(a[i], 5)
		else if (a[i] ~ /^is=/)
			what = what "," substr(a[i], 4)
		else if (a[i] == "others")
			others = "true"
		else if (a[i] == "effect=rename")
			what = what ",unnames"
		else if (a[i] == "seek")
			what = what ",moves-stream"
		polls = polls || a[i] == "polls"
	}
	if (does != "") {
		split(does ":", d, ":")
		how = d[2] != "" ? d[2] : d[1] in transfers && $2 in moves ? moves[$2] : "NOTHING"
		writes = d[1] == "write" || d[1] == "flush" ? "true" : "false"
		put("EFFECT", name, (d[1] == "flush" ? "OTHER" : upper(d[1])) ", " upper(how) ", " writes ", " others)
		said[name] = 1
	} else if ($2 in counts && $1 != "mpi") # messages are no files
		asked[name] = FILENAME ":" FNR
	if (does == "remove")
		what = what ",unnames"
	if (does == "wait" && polls)
		what = what ",polls"
	n = split(what, a, ",")
	for (i = 1; i <= n; i++)
		if (a[i] != "") {
			is(name, a[i])
			if (sys != "")
				is(sys, a[i])
		}
	if (shares != "")
		put("SHARES", name, upper(shares))
}

END {
	for (name in asked)
		if (!failed && !(name in said)) {
			printf "call-effects.awk: %s: %s needs does=WHAT, or does=other if it moves no data\n",
				asked[name], name > "/dev/stderr"
			failed = 1
		}
	for (i = 1; i <= n_named && !failed; i++)
		printf "ROLES(%s, %s)\n", named[i], roles[named[i]]
	exit failed
}
