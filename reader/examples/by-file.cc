/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by-file.cc - calls by file, added up in parallel: "CALLS FILE", the most first.
 *
 *	c++ -std=c++17 by-file.cc -o by-file $(pkg-config --cflags --libs iotrace-read) -pthread
 *	./by-file *.iotrace
 *
 * A set belongs to one thread, so each thread has a set of its own for one log after the
 * other.  Calls of a file need no order: iotr_set_scan is the fast way.
 */
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <iotrace/read.h>

using Counts = std::map<std::string, unsigned long>;

struct FreeSet {
	void operator()(iotr_set *set) const { iotr_set_free(set); }
};

static std::mutex lock;

static void on_message(void *, iotr_severity, const char *file, const char *text)
{
	std::lock_guard<std::mutex> guard(lock);

	std::fprintf(stderr, "%s: %s\n", file, text);
}

static void on_call(void *arg, const iotr_call *call)
{
	const iotr_path *path;
	size_t len = 0;
	const char *name = iotr_call_path(call, &len, &path, nullptr);

	if (name)
		++(*static_cast<Counts *>(arg))[std::string(name, len)];
}

static Counts count_log(const char *file)
{
	std::unique_ptr<iotr_set, FreeSet> set(iotr_set_new(on_message, nullptr));
	Counts counts;

	if (set && iotr_set_add(set.get(), file) == 0)
		iotr_set_scan(set.get(), on_call, &counts);
	return counts;
}

int main(int argc, char **argv)
{
	std::atomic<int> next{1};
	std::vector<std::thread> threads;
	Counts sum;

	for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); i++) {
		threads.emplace_back([&] {
			for (int at; (at = next++) < argc;) {
				Counts counts = count_log(argv[at]);
				std::lock_guard<std::mutex> guard(lock);

				for (const auto &[file, n] : counts)
					sum[file] += n;
			}
		});
	}
	for (auto &thread : threads)
		thread.join();

	std::vector<std::pair<std::string, unsigned long>> rows(sum.begin(), sum.end());
	std::stable_sort(rows.begin(), rows.end(),
			 [](const auto &a, const auto &b) { return a.second > b.second; });
	for (const auto &[file, n] : rows)
		std::printf("%lu %s\n", n, file.c_str());
	return 0;
}
