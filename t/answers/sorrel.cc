// SPDX-License-Identifier: BSD-3-Clause
/*
 * sorrel.cc - weighs leaves and writes what they weigh, by a stream that is told to keep nothing.
 *
 * build: iocxx -static
 * as: ledger
 */
#include <fstream>
#include <memory>
#include <string>

static std::unique_ptr<std::ofstream> leaves_to(const std::string &name)
{
	auto out = std::make_unique<std::ofstream>();

#ifndef FIXED
	out->rdbuf()->pubsetbuf(nullptr, 0); // FINDING unbuffered leaves.csv
#endif
	out->open(name);
	return out;
}

static void weigh(std::ostream &out, int n)
{
	for (int i = 0; i < n; i++)
		out << i << ',' << i * 0.25 << '\n'; // FINDING unbuffered leaves.csv
}

int main()
{
	auto summary = leaves_to("leaves.csv");
	weigh(*summary, 50000);
}
