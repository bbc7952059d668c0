// SPDX-License-Identifier: BSD-3-Clause
/*
 * iris.cc - classifies flowers; another program looks by the time of a file whether it is alive.
 *
 * build: iocxx
 * input: awk 'BEGIN { for (i = 0; i < 20000; i++) print i % 7 + 0.1, i % 5 + 0.2, i % 3 + 0.3, i % 2 + 0.4 }' >iris.dat
 * as: visits
 */
#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

namespace fs = std::filesystem;

struct Flower {
	double v[4];
};

static std::vector<Flower> load(const fs::path &path)
{
	std::vector<Flower> all;
	std::ifstream in(path);

	for (Flower f; in >> f.v[0] >> f.v[1] >> f.v[2] >> f.v[3];)
		all.push_back(f);
	return all;
}

class Heart {
	fs::path path;
public:
	explicit Heart(fs::path p) : path(std::move(p)) { std::ofstream(path) << "alive\n"; }
	void beat() const { fs::last_write_time(path, fs::file_time_type::clock::now()); } /* FINDING metadata iris.alive */
};

static int nearest(const Flower &f, const std::vector<Flower> &centres)
{
	int best = 0;
	double least = 1e300;

	for (size_t i = 0; i < centres.size(); i++) {
		double d = 0;
		for (int k = 0; k < 4; k++)
			d += std::pow(f.v[k] - centres[i].v[k], 2);
		if (d < least)
			least = d, best = static_cast<int>(i);
	}
	return best;
}

int main()
{
	auto flowers = load("iris.dat");
	std::vector<Flower> centres(flowers.begin(), flowers.begin() + 12);
	Heart heart("iris.alive");
	std::ofstream out("iris.classes");

	for (int round = 0; round < 2; round++) {
		std::vector<int> sizes(centres.size());
		for (size_t i = 0; i < flowers.size(); i++) {
			int c = nearest(flowers[i], centres);
			sizes[c]++;
#ifdef FIXED
			if (i % 5000 == 0)
#endif
				heart.beat(); /* FINDING metadata iris.alive */
			if (round == 1)
				out << c << '\n';
		}
	}
	return 0;
}
