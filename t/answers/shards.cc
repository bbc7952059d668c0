/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shards.cc - eight threads work through shards; one of them watches how much is done.
 *
 * build: iocxx -static -pthread
 * as: visits
 */
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

static void note(const char *name, int line)
{
#ifdef FIXED
	static std::ofstream to(name);
#else
	std::ofstream to(name, std::ios::app); /* FINDING reopened watch.log */
#endif

	to << "shard " << line << '\n';
}

static long work(int shard)
{
	FILE *f = fopen(("shard." + std::to_string(shard)).c_str(), "w");
	std::vector<char> some(1 << 18);
	long sum = 0;

	if (!f)
		exit(1);
	for (int i = 0; i < 400; i++) {
		sum += shard * i;
		if (shard == 5)
			note("watch.log", i); /* FINDING reopened watch.log */
	}
	fwrite(some.data(), 1, some.size(), f);
	fclose(f);
	return sum;
}

int main()
{
	std::vector<std::thread> threads;

	for (int i = 0; i < 8; i++)
		threads.emplace_back(work, i);
	for (auto &t : threads)
		t.join();
	return 0;
}
