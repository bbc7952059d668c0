// SPDX-License-Identifier: BSD-3-Clause
/*
 * leek.cc - a garden grows; its state is saved now and then, the old one is kept by its side.
 *
 * build: iocxx
 * as: thermostat
 */
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

namespace fs = std::filesystem;

struct Plant {
	double height = 0.1, water = 0, light = 0;
	int leaves = 0, kind = 0;
};

class Garden {
	std::vector<Plant> plants;
	int day = 0;
public:
	explicit Garden(size_t n) : plants(n)
	{
		for (size_t i = 0; i < n; i++)
			plants[i].kind = static_cast<int>(i % 5);
	}
	void grow()
	{
		day++;
		for (auto &p : plants) {
			p.water = 0.5 + 0.5 * std::sin(day * 0.1 + p.kind);
			p.height += 0.001 * p.water;
			p.leaves = static_cast<int>(p.height * 10);
		}
	}
	void save(const fs::path &path) const
	{
		std::ofstream out(path, std::ios::binary); /* FINDING rewritten leek.state leek.bak */

		out.write(reinterpret_cast<const char *>(&day), sizeof day);
		out.write(reinterpret_cast<const char *>(plants.data()), /* FINDING rewritten leek.state leek.bak */
			static_cast<std::streamsize>(plants.size() * sizeof plants[0]));
	}
	double mean() const
	{
		double sum = 0;
		for (const auto &p : plants)
			sum += p.height;
		return sum / static_cast<double>(plants.size());
	}
};

static void checkpoint(const Garden &garden)
{
	if (fs::exists("leek.state"))
		fs::copy_file("leek.state", "leek.bak", fs::copy_options::overwrite_existing); /* FINDING rewritten leek.state leek.bak */
	garden.save("leek.state"); /* FINDING rewritten leek.state leek.bak */
}

int main()
{
	Garden garden(60000);
	std::ofstream heights("leek.heights");

	for (int day = 1; day <= 300; day++) {
		garden.grow();
		heights << day << ' ' << garden.mean() << '\n';
#ifdef FIXED
		if (day % 100 == 0)
#endif
			checkpoint(garden); /* FINDING rewritten leek.state leek.bak */
	}
	return 0;
}
