/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curlew.cc - before each song the stream is set to its end, where it is anyhow: it writes what it
 * has.
 *
 * build: iocxx
 * as: frames
 */
#include <fstream>

struct Songs {
	std::ofstream f{"songs.txt"};

	void to_end()
	{
		f.seekp(0, std::ios::end); /* FINDING idle-seeks songs.txt */
	}

	void put(int i)
	{
		f << i << " cur-lee\n";
	}

	void sing()
	{
		for (int i = 0; i < 80000; i++) {
#ifndef FIXED
			to_end();
#endif
			put(i);
		}
	}
};

int main()
{
	Songs().sing();
	return 0;
}
