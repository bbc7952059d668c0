/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.cc - counts words, and keeps what it has sorted in the meantime.
 *
 * build: iocxx -static
 * as: raven
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

static std::vector<std::string> some(int run)
{
	std::vector<std::string> words;

	for (int i = 0; i < 30000; i++)
		words.push_back("word" + std::to_string((i * 7919 + run) % 30011));
	std::sort(words.begin(), words.end());
	return words;
}

#ifndef FIXED
static void spill(const std::vector<std::string> &words, int run)
{
	std::string name = "run." + std::to_string(run);
	std::ofstream to(name);

	for (const auto &w : words)
		to << w << '\n'; /* FINDING discarded in run.~ */
	to.close(); /* FINDING discarded in run.~ */
	std::remove(name.c_str());
}
#endif

int main()
{
	size_t all = 0;

	for (int run = 0; run < 8; run++) {
		auto words = some(run);

		all += words.size();
#ifndef FIXED
		spill(words, run); /* FINDING discarded in run.~ */
#endif
	}
	printf("%zu\n", all);
	return 0;
}
