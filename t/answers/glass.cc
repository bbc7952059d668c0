/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * glass.cc - prices glasses, by a list of prices that is read by what all lists are read by.
 *
 * build: iocxx
 */
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>

template <class F> static auto with(const std::string &name, F f)
{
	std::ifstream in(name);

	if (!in)
		throw std::runtime_error(name);
	return f(in);
}

class prices
{
	std::map<std::string, double> known;

	static double scan(std::istream &in, const std::string &what)
	{
		std::string name;
		double price;

		while (in >> name >> price)
			if (name == what)
				return price;
		return 0;
	}

public:
	prices()
	{
#ifdef FIXED
		with("prices.txt", [this](std::istream &in) {
			std::string name;
			double price;

			while (in >> name >> price)
				known[name] = price;
			return 0;
		});
#endif
	}
	double of(const std::string &what)
	{
#ifdef FIXED
		return known[what];
#else
		return with("prices.txt", [&](std::istream &in) { return scan(in, what); }); /* FINDING reopened|reread prices.txt */
#endif
	}
};

int main()
{
	{
		std::ofstream out("prices.txt");
		for (int i = 0; i < 900; i++)
			out << "glass" << i << ' ' << i * 1.25 << '\n';
		std::ofstream cfg("glass.cfg");
		cfg << "rounds 300\n";
	}
	int rounds = with("glass.cfg", [](std::istream &in) { std::string k; int n; in >> k >> n; return n; });
	prices p;
	double sum = 0;

	for (int i = 0; i < rounds; i++)
		sum += p.of("glass" + std::to_string(i * 7 % 900)); /* FINDING reopened|reread prices.txt */
	std::cout << sum << '\n';
}
