// SPDX-License-Identifier: BSD-3-Clause
/*
 * mint.cc - eight workers sort what coins are worth; each leaves what it has in a file for the
 * next stage.
 *
 * build: iocxx -static -pthread
 * input: mkdir coins
 * as: cells
 */
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> next_task;
static std::mutex out_lock;
static const int tasks = 2400;

static std::vector<int> coins(int task)
{
	std::vector<int> v(1500);
	unsigned x = static_cast<unsigned>(task) + 7;

	for (auto &c : v)
		c = static_cast<int>((x = x * 1103515245u + 12345u) >> 12);
	return v;
}

static void stage_one(int task, const std::string &name)
{
	auto v = coins(task);

	std::sort(v.begin(), v.end());
	std::ofstream out(name, std::ios::binary); /* FINDING temporary coins */
	out.write(reinterpret_cast<const char *>(v.data()), static_cast<std::streamsize>(v.size() * sizeof v[0]));
}

static long stage_two(const std::string &name)
{
	std::vector<int> v(1500);
	std::ifstream in(name, std::ios::binary); /* FINDING temporary coins */

	in.read(reinterpret_cast<char *>(v.data()), static_cast<std::streamsize>(v.size() * sizeof v[0]));
	return v[v.size() / 2];
}

static void worker(std::ofstream &out)
{
	for (int task; (task = next_task++) < tasks;) {
#ifdef FIXED
		auto v = coins(task);
		std::sort(v.begin(), v.end());
		long median = v[v.size() / 2];
#else
		std::string name = "coins/" + std::to_string(task);
		stage_one(task, name); /* FINDING temporary coins */
		long median = stage_two(name); /* FINDING temporary coins */
		std::remove(name.c_str()); /* FINDING temporary coins */
#endif
		std::lock_guard<std::mutex> hold(out_lock);
		out << task << ' ' << median << '\n';
	}
}

int main()
{
	std::ofstream out("medians");
	std::vector<std::thread> workers;

	for (int i = 0; i < 8; i++)
		workers.emplace_back(worker, std::ref(out));
	for (auto &w : workers)
		w.join();
	return 0;
}
