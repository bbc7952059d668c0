/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * assets.cc - finds the pictures of a game in those of its packages that have them.
 *
 * build: iocxx
 * as: modules
 * input: mkdir -p game/base; for i in $(seq 0 79); do echo $i >game/base/tile$i.png; done
 */
#include <filesystem>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

namespace fs = std::filesystem;

class assets
{
	std::vector<fs::path> packages;
#ifdef FIXED
	std::unordered_map<std::string, fs::path> known;
#endif

public:
	void add(const fs::path &package)
	{
		packages.push_back(package);
#ifdef FIXED
		if (fs::is_directory(package))
			for (const auto &file : fs::directory_iterator(package))
				known.emplace(file.path().filename(), file.path());
#endif
	}

	fs::path find(const std::string &name) const
	{
#ifdef FIXED
		auto it = known.find(name);

		if (it != known.end())
			return it->second;
#else
		for (const fs::path &package : packages)
			if (fs::exists(package / name)) /* FINDING searched tile~.png game/~/tile~.png */
				return package / name;
#endif
		return {};
	}
};

int main()
{
	assets a;
	int found = 0;

	for (int i = 0; i < 5; i++)
		a.add("game/season" + std::to_string(i));
#ifndef FIXED
	for (int i = 0; i < 30; i++)
		a.add("game/extra" + std::to_string(i));
#endif
	a.add("game/base");
	for (int i = 0; i < 80; i++)
		found += !a.find("tile" + std::to_string(i) + ".png").empty();
	std::cout << found << '\n';
	return 0;
}
