/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * poems.cc - counts the lines of poems that rhyme.
 *
 * build: iocxx
 * as: tokens
 * input: seq 1 9000 | sed 's/$/ roses are red, violets are blue/' >poems.txt
 */
#include <cstdio>
#include <fstream>
#include <string>

static bool rhymes(const std::string &line, const std::string &with)
{
	return line.size() > 2 && with.size() > 2 && !line.compare(line.size() - 2, 2, with, with.size() - 2, 2);
}

static long count(std::istream &from)
{
	std::string last, line;
	long n = 0;

	while (std::getline(from, line)) { /* FINDING small-reads poems.txt */
		n += rhymes(line, last);
		last.swap(line);
	}
	return n;
}

int main()
{
	std::ifstream from;
#ifndef FIXED
	static char some[80];

	from.rdbuf()->pubsetbuf(some, sizeof(some));
#endif
	from.open("poems.txt");
	if (!from)
		return 1;
	printf("%ld\n", count(from)); /* FINDING small-reads poems.txt */
	return 0;
}
