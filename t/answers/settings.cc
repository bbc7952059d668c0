/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.cc - reads its settings once, from where they are first found, and works by them.
 *
 * build: iocxx
 * input: mkdir -p etc; seq -f 'key%g = value' 1 50 >etc/settings; seq 1 50000 >records.txt
 */
#include <fstream>
#include <iostream>
#include <map>
#include <string>

static std::map<std::string, std::string> settings()
{
	std::map<std::string, std::string> all;
	std::string key, equals, value;

	for (const char *path : {"home/settings", "site/settings", "etc/settings"}) {
		std::ifstream in(path);

		if (!in)
			continue;
		while (in >> key >> equals >> value)
			all[key] = value;
		break;
	}
	return all;
}

int main()
{
	auto all = settings();
	std::ifstream in("records.txt");
	std::ofstream out("chosen.txt");
	std::string line;

	while (std::getline(in, line))
		if (all.count("key" + line.substr(0, 2)))
			out << line << '\n';
	return all.size() == 50 && out ? 0 : 1;
}
