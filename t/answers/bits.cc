/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bits.cc - decodes a stream of codes of variable length.
 *
 * build: iocxx -static
 * as: samples
 * input: head -c 30000 /dev/urandom >codes.bin
 */
#include <fstream>
#include <iostream>
#include <map>

class bit_reader
{
	std::ifstream in;
	int bits = 0, left = 0;

public:
	explicit bit_reader(const char *path)
	{
#ifndef FIXED
		in.rdbuf()->pubsetbuf(nullptr, 0); /* FINDING unbuffered|single-bytes codes.bin */
#endif
		in.open(path, std::ios::binary);
	}

	/* -1 at the end */
	int bit()
	{
		if (!left) {
			bits = in.get(); /* FINDING unbuffered|single-bytes codes.bin */
			if (!in)
				return -1;
			left = 8;
		}
		return bits >> --left & 1;
	}
};

/* As many ones as stand in front of a nought */
static int code(bit_reader &from)
{
	for (int n = 0;; n++) {
		int bit = from.bit();

		if (bit < 0)
			return -1;
		if (bit == 0)
			return n;
	}
}

int main()
{
	bit_reader from("codes.bin");
	std::map<int, int> seen;
	int c;

	while ((c = code(from)) >= 0)
		seen[c]++;
	for (auto [n, times] : seen)
		std::cout << n << ' ' << times << '\n';
	return 0;
}
