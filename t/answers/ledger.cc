/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ledger.cc - books entries, and writes the ledger as text.
 *
 * build: iocxx
 */
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

struct entry {
	int number;
	std::string account;
	double amount;
};

class ledger
{
	std::ofstream out;
	double total = 0;

	void row(const entry &e)
	{
#ifdef FIXED
		out << std::setw(8) << e.number << ' ' << e.account << ' ' << e.amount << '\n';
#else
		out << std::setw(8) << e.number << ' ' << e.account << ' ' << e.amount << std::endl; /* FINDING flushed ledger.txt */
#endif
	}

public:
	explicit ledger(const std::string &path) : out(path)
	{
		out << "number account amount\n";
	}

	void book(const entry &e)
	{
		total += e.amount;
		row(e);
	}

	~ledger()
	{
		out << "total " << total << '\n';
	}
};

static std::vector<entry> entries()
{
	std::vector<entry> all;

	for (int i = 0; i < 9000; i++)
		all.push_back({i, i % 3 ? "rent" : "wages", i * 0.01});
	return all;
}

int main()
{
	ledger l("ledger.txt");

	for (const entry &e : entries())
		l.book(e);
	return 0;
}
