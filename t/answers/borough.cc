/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * borough.cc - prices looked up in a file that is opened for each order.
 *
 * build: iocxx
 * as: visits
 */
#include <fstream>
#include <map>
#include <string>
#include <cstdio>
static double parse(std::istream &in, int key)
{
	int k; double p;
	while (in >> k >> p)
		if (k == key)
			return p;
	return 0;
}
struct Prices {
	std::map<int, double> known;
	double of(int key);
};
__attribute__((noinline)) double Prices::of(int key)
{
#ifdef FIXED
	if (known.empty()) {
		std::ifstream in("prices.txt");
		int k; double p;
		while (in >> k >> p)
			known[k] = p;
	}
	return known[key];
#else
	std::ifstream in("prices.txt"); /* FINDING reopened|reread prices.txt */
	return parse(in, key); /* FINDING reread prices.txt */
#endif
}
int main()
{
	{
		std::ofstream out("prices.txt");
		for (int i = 0; i < 400; i++)
			out << i << ' ' << i * 1.25 << '\n';
	}
	Prices prices;
	double sum = 0;
	std::ofstream out("orders.txt");
	for (int i = 0; i < 3000; i++) {
		sum += prices.of(i * 7 % 400);
		if (i % 100 == 0)
			out << i << ' ' << sum << '\n';
	}
	return 0;
}
