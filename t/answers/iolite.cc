// SPDX-License-Identifier: BSD-3-Clause
/*
 * iolite.cc - polishes stones, and watches how much memory it takes.
 *
 * build: iocxx
 * as: visits
 */
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

static long memory()
{
	std::ifstream in("/proc/self/statm"); /* FINDING reopened statm */
	long size = 0, resident = 0;
	in >> size >> resident;
	return resident;
}

int main()
{
	std::vector<double> shine;
	long most = 0;
	std::ofstream out("shine.dat");

	for (int i = 0; i < 10000; i++) {
		shine.push_back(std::sqrt(i));
#ifdef FIXED
		if (i % 1000 == 0)
#endif
			most = std::max(most, memory()); /* FINDING reopened statm */
	}
	for (double x : shine)
		out << x << '\n';
	return most == 0;
}
