/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tides.cc - reads the heights of tides, one after the other.
 *
 * build: iocxx
 * input: head -c 640000 /dev/zero >tides.bin
 */
#include <cstdio>
#include <cstdlib>
#include <fstream>

struct tide {
	double when, height;
};

class tides {
	std::ifstream from;

public:
	explicit tides(const char *name) : from(name, std::ios::binary)
	{
		if (!from)
			exit(1);
	}
	bool get(long number, tide &t)
	{
#ifndef FIXED
		from.seekg(number * (long)sizeof(t)); /* FINDING skimmed|reread|scattered|idle-seeks tides.bin */
#else
		(void)number;
#endif
		return static_cast<bool>(from.read((char *)&t, sizeof(t))); /* FINDING reread|scattered tides.bin */
	}
};

int main()
{
	tides all("tides.bin");
	tide t;
	double sum = 0;

	for (long i = 0; all.get(i, t); i++) /* FINDING skimmed|reread|scattered|idle-seeks tides.bin */
		sum += t.height;
	printf("%g\n", sum);
	return 0;
}
