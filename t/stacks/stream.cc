// SPDX-License-Identifier: BSD-3-Clause
// stream.cc - calls from below libstdc++: a stream's buffer, a sort, an exception's end.
#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <thread>
#include <vector>

#include "site.h"

struct Buffer : std::streambuf {
	int overflow(int c) override
	{
		site("overflow");
		return c == traits_type::eof() ? 0 : c;
	}
	std::streamsize xsputn(const char *, std::streamsize n) override
	{
		site("xsputn");
		return n;
	}
	int sync() override
	{
		site("sync");
		return 0;
	}
};

struct Left {
	~Left() { site("destructor"); }
};

static void throws()
{
	Left left;

	throw 1;
}

static void writes()
{
	Buffer buffer;
	std::ostream out(&buffer);
	std::vector<int> v = { 3, 1, 2 };

	out << 12345 << ' ' << 2.5 << "text" << std::endl;
	out.write("bytes", 5).flush();
	std::sort(v.begin(), v.end(), [](int a, int b) { site("sort"); return a < b; });
	try {
		throws();
	} catch (int) {
		site("catch");
	}
}

int main()
{
	begin();
	writes();
	std::thread(writes).join();
}
