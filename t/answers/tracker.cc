/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracker.cc - eight threads look for tracks in frames; one parses its calibration meanwhile.
 *
 * build: iocxx -static -pthread
 * as: samples
 * input: head -c 8M /dev/zero >frames.raw; seq 1 1500 >calibration.txt
 */
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

class source {
	int fd;
	off_t at = 0;

public:
	explicit source(const char *name) : fd(open(name, O_RDONLY))
	{
		if (fd < 0)
			exit(1);
	}
	~source() { close(fd); }
	template <typename T> size_t get(T *to, size_t n)
	{
		ssize_t got = pread(fd, to, n * sizeof(T), at); /* FINDING single-bytes calibration.txt */

		if (got > 0)
			at += got;
		return got > 0 ? (size_t)got / sizeof(T) : 0;
	}
	void go_to(off_t where) { at = where; }
};

static long calibrate()
{
	source from("calibration.txt");
	long sum = 0;
#ifdef FIXED
	std::vector<char> all(1 << 16);
	size_t n = from.get(all.data(), all.size());

	for (size_t i = 0; i < n; i++)
		sum += all[i];
#else
	char c;

	while (from.get(&c, 1)) /* FINDING single-bytes calibration.txt */
		sum += c;
#endif
	return sum;
}

static long track(int number)
{
	source from("frames.raw");
	std::vector<float> frame(1 << 18);
	long sum = number == 6 ? calibrate() : 0; /* FINDING single-bytes calibration.txt */

	from.go_to((off_t)number << 20);
	from.get(frame.data(), frame.size());
	for (float f : frame)
		sum += f > 0;
	return sum;
}

int main()
{
	std::vector<std::thread> threads;

	for (int i = 0; i < 8; i++)
		threads.emplace_back(track, i);
	for (auto &t : threads)
		t.join();
	return 0;
}
