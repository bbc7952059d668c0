/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bakery.cc - keeps what a bakery sells, and when.
 *
 * build: iocxx
 * as: ledger
 */
#include <cstdlib>
#include <fstream>

struct sale {
	int minute, what, pence;
};

static std::ostream &operator<<(std::ostream &to, const sale &s)
{
	return to << s.minute << ';' << s.what << ';' << s.pence << '\n'; /* FINDING unbuffered|small-writes|single-bytes sales.csv */
}

static void keep(std::ostream &to, int sales)
{
	for (int i = 0; i < sales; i++)
		to << sale{i / 3, i % 9, 100 + i * 7 % 300}; /* FINDING unbuffered|small-writes|single-bytes sales.csv */
}

int main()
{
	std::ofstream to;

#ifndef FIXED
	to.rdbuf()->pubsetbuf(nullptr, 0);
#endif
	to.open("sales.csv");
	if (!to)
		return 1;
	keep(to, 3000);
	return 0;
}
