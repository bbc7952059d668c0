# SPDX-License-Identifier: BSD-3-Clause
# rows.awk - the list of what declares itself: rows that stand each in the file that they are about.
#
#	awk -v macro='RULE|LINES' -f rows.awk analysis/rules/*.c
#
# A row begins with MACRO(NAME, NUMBER, and NAME is that of its file.  Printed is ROW(NAME, "NAME") of
# each, by their numbers, with a - for each _ in the text; all but the first can be told apart as
# OTHER_ROW.  With form=page it is a list for a page of the manual, with what the head of each file says
# that it is.  A file without such a row, or with one that is wrong, is an error: the compiler checks the rest.
function wrong(where, what)
{
	print where ": " what >"/dev/stderr"
	failed = 1
}

function begin_file(    name)
{
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.c$/, "", name)
	file[++files] = FILENAME
	name_of[FILENAME] = name
}

FNR == 1 {
	begin_file()
}

FNR == 2 && $2 == name_of[FILENAME] ".c" {
	about[FILENAME] = toupper(substr($4, 1, 1)) substr($0, index($0, " - ") + 4)
	sub(/ *\*\/$/, "", about[FILENAME])
}

$0 ~ "^(" macro ")\\(" {
	where = FILENAME ":" FNR
	split($0, part, /[(,] */)
	if (FILENAME in number)
		wrong(where, "the file has a row already")
	if (part[2] != name_of[FILENAME])
		wrong(where, "the row's name is " part[2] ", and not that of the file, " name_of[FILENAME])
	if (part[3] !~ /^[1-9][0-9]*$/)
		wrong(where, "'" part[3] "' is no number that says where the row stands among the others")
	else if (part[3] in taken)
		wrong(where, part[3] " is the number of " taken[part[3]])
	number[FILENAME] = part[3]
	taken[part[3]] = name_of[FILENAME]
}

END {
	for (i = 1; i <= files; i++)
		if (!(file[i] in number))
			wrong(file[i], "has no row: " macro "(" name_of[file[i]] ", NUMBER, ...)")
		else if (!(file[i] in about))
			wrong(file[i] ":2", "does not say what the file is: /* " name_of[file[i]] ".c - ... */")
	if (!files)
		wrong("rows.awk", "no files")
	if (failed)
		exit 1
	if (form != "page") {
		print "/* Made by rows.awk of the rows in the files of these names. */"
		print "#ifndef OTHER_ROW\n#define OTHER_ROW(name, text) ROW(name, text)\n#endif"
	}
	# few enough to look for the next one each time
	for (last = 0; files; files--) {
		next_one = ""
		for (i in number)
			if (number[i] + 0 > last && (next_one == "" || number[i] + 0 < number[next_one] + 0))
				next_one = i
		last = number[next_one] + 0
		text = name_of[next_one]
		gsub(/_/, "-", text)
		if (form == "page")
			print ".TP\n.B " text "\n" about[next_one]
		else
			print (first++ ? "OTHER_ROW(" : "ROW(") name_of[next_one] ", \"" text "\")"
	}
	if (form != "page")
		print "#undef ROW\n#undef OTHER_ROW"
}
