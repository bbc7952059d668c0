/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oats.cc - prints what fields yield, by a printer for each format.
 *
 * build: iocxx -static
 * as: quarry
 */
#include <fstream>
#include <iomanip>
#include <memory>
#include <ostream>
#include <vector>

struct field { int id; double yield; };

struct printer {
	virtual ~printer() = default;
	virtual void print(std::ostream &, const field &) const = 0;
};

struct csv : printer {
	void print(std::ostream &o, const field &f) const override
	{
		o << f.id << ',' << std::setprecision(4) << f.yield << '\n'; /* FINDING flushed|unbuffered|small-writes|line-buffered oats.csv */
	}
};

static void all(std::ostream &o, const printer &p, const std::vector<field> &v)
{
	for (const auto &f : v)
		p.print(o, f); /* FINDING flushed|unbuffered|small-writes|line-buffered oats.csv */
}

int main()
{
	std::vector<field> v;
	for (int i = 0; i < 5000; i++)
		v.push_back({i, i * 0.37});
	std::unique_ptr<printer> p = std::make_unique<csv>();
	std::ofstream o("oats.csv"), copy("oats.copy");
#ifndef FIXED
	o << std::unitbuf;
#endif
	all(o, *p, v);
	all(copy, *p, v);
}
