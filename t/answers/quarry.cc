/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quarry.cc - a logger whose lines end with std::endl; a report that does not.
 *
 * build: iocxx
 * as: ledger
 */
#include <fstream>
#include <string>
template <typename T> struct Channel {
	T &out;
	template <typename... A> void line(const A &...a)
	{
		(out << ... << a);
#ifdef FIXED
		out << '\n';
#else
		out << std::endl; /* FINDING flushed steps.log */
#endif
	}
};
static void simulate(Channel<std::ofstream> &log, int n)
{
	double x = 1;
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 100; k++)
			x = x * 0.999 + k;
		log.line("step ", i, " x ", x); /* FINDING flushed steps.log */
	}
}
int main()
{
	std::ofstream log("steps.log"), report("report.txt");
	Channel<std::ofstream> channel = { log };
	simulate(channel, 20000);
	for (int i = 0; i < 20000; i++)
		report << "row " << i << '\n';
	return 0;
}
