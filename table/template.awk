# SPDX-License-Identifier: BSD-3-Clause
# template.awk - gen.awk's part that fills in templates, *.c.in in the directory `templates`.
#
#	@MARK@		stands for mark["MARK"]
#	@MARK?@		at the beginning of a line: only if that is not empty;  @MARK!@: only if it is
#	@MARK*@		lines that begin so: again for each word of it
#
# Comments at its head are the template's own.

function read_template(name,    f, line, n)
{
	f = templates "/" name ".c.in"
	while ((getline line < f) > 0)
		if (n || line !~ /^\/\*.*\*\/$/)
			template[name, ++n] = line
	close(f)
	template[name] = n
	if (!n) {
		printf "gen.awk: %s: no such template\n", f > "/dev/stderr"
		exit failed = 1
	}
}

function marked(name)
{
	if (!(name in mark)) {
		printf "gen.awk: nobody has set @%s@\n", name > "/dev/stderr"
		exit failed = 1
	}
	return mark[name]
}

function filled(line,    s)
{
	while (match(line, /@[A-Za-z_]+@/)) {
		s = s substr(line, 1, RSTART - 1) marked(substr(line, RSTART + 1, RLENGTH - 2))
		line = substr(line, RSTART + RLENGTH)
	}
	return s line
}

# lines of the template that are for each word of mark name; returns the last of them
function fill_each(template_name, i, name, f,    n, word, k, j, start, line, all)
{
	start = "@" name "*@"
	all = marked(name)
	n = split(all, word, " ")
	for (k = 1; k <= n || k == 1; k++)
		for (j = i; index(line = template[template_name, j], start) == 1; j++)
			if (n) {
				mark[name] = word[k]
				print filled(substr(line, length(start) + 1)) > f
			}
	mark[name] = all
	return j - 1
}

function fill(name, f,    i, line, condition, what)
{
	if (!(name in template))
		read_template(name)
	for (i = 1; i <= template[name]; i++) {
		line = template[name, i]
		condition = ""
		if (match(line, /^@[A-Za-z_]+[?!*]@/)) {
			what = substr(line, 2, RLENGTH - 3)
			condition = substr(line, RLENGTH - 1, 1)
			line = substr(line, RLENGTH + 1)
		}
		if (condition == "*")
			i = fill_each(name, i, what, f)
		else if (condition == "" || (marked(what) != "") == (condition == "?"))
			print filled(line) > f
	}
}
