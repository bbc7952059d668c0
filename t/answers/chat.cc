/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chat.cc - a model of talking agents, which keeps what they say.
 *
 * build: iocxx
 * as: ledger
 */
#include <cstdlib>
#include <fstream>
#include <string>

class transcript {
	std::ofstream to;

public:
	explicit transcript(const char *name) : to(name)
	{
#ifndef FIXED
		to << std::unitbuf;
#endif
		if (!to)
			exit(1);
	}
	void add(int who, int whom, const std::string &what)
	{
		to << who << " to " << whom << ": " << what << '\n'; /* FINDING flushed|unbuffered|small-writes talk.txt */
	}
};

int main()
{
	static const char *const words[] = {"yes", "no", "perhaps", "why"};
	transcript talk("talk.txt");

	for (int i = 0; i < 4000; i++)
		talk.add(i % 17, i % 5, words[i % 4]); /* FINDING flushed|unbuffered|small-writes talk.txt */
	return 0;
}
