/* SPDX-License-Identifier: BSD-3-Clause */
/* exceptions.cc - C++: streams, and exceptions that leave libc's functions in
   the middle of a walk. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static int visited;

static int visit(const char *path, const struct stat *, int)
{
	int fd = open(path, O_RDONLY);

	close(fd);
	if (++visited == 2)
		throw std::runtime_error("out of ftw");
	return 0;
}

static int compare(const void *, const void *)
{
	if (write(1, "compare\n", 8) < 0)
		abort();
	throw 17;
}

static int filter(const struct dirent *d)
{
	if (!strcmp(d->d_name, ".."))
		throw std::string("out of scandir");
	return 1;
}

static ssize_t cookie_write(void *, const char *, size_t)
{
	throw 5L;
}

static void callbacks()
{
	int numbers[] = { 3, 1, 2 };
	struct dirent **list;
	cookie_io_functions_t io = {};

	try {
		ftw(".", visit, 5);
	} catch (const std::exception &e) {
		std::cout << e.what() << std::endl;
	}
	try {
		qsort(numbers, 3, sizeof(numbers[0]), compare);
	} catch (int n) {
		std::cout << "out of qsort " << n << std::endl;
	}
	try {
		scandir(".", &list, filter, nullptr);
	} catch (const std::string &s) {
		std::cout << s << std::endl;
	}
	io.write = cookie_write;
	try {
		FILE *f = fopencookie(nullptr, "w", io);

		setvbuf(f, nullptr, _IONBF, 0);
		fputs("text", f);
	} catch (long n) {
		std::cout << "out of fputs " << n << std::endl;
	}
}

static void streams()
{
	std::ofstream out("o");
	std::string word;
	int n;

	for (int i = 0; i < 2000; i++)
		out << i << " lines\n";
	out.close();
	std::ifstream in("o");
	in >> n >> word;
	std::cout << n << word << in.tellg() << '\n';
	in.seekg(-10, std::ios::end);
	std::getline(in, word);
	std::cout << word << '\n';
	std::ifstream missing("missing");
	std::cout << missing.is_open() << '\n';
}

int main()
{
	std::vector<std::thread> threads;

	streams();
	callbacks();
	for (int i = 0; i < 4; i++)
		threads.emplace_back([i] {
			std::ofstream("t" + std::to_string(i)) << "thread\n";
		});
	for (auto &t : threads)
		t.join();
	std::cerr << "to standard error\n";
	std::cout << "not flushed by us";
	return 0;
}
