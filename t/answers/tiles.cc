/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tiles.cc - adds up the light of all tiles of a map, which have no order of their own.
 *
 * build: iocxx
 * input: head -c 16M /dev/zero >map.tiles
 */
#include <algorithm>
#include <fstream>
#include <iostream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

constexpr int tile_size = 8192, tiles = 2048;

class map
{
	std::ifstream in;
	std::vector<char> buf;
	int next = 0;

public:
	explicit map(const char *path) : in(path, std::ios::binary)
	{
	}

	/* Some tiles, the first of which has a number */
	const char *get(int number, int n)
	{
		auto size = static_cast<std::size_t>(n) * tile_size;

		if (buf.size() < size)
			buf.resize(size);
		if (number != next)
			in.seekg(std::streamoff{tile_size} * number);
		in.read(buf.data(), static_cast<std::streamsize>(size)); /* FINDING scattered map.tiles */
		next = number + n;
		if (!in)
			throw std::runtime_error("map.tiles");
		return buf.data();
	}
};

static int light(const char *tile)
{
	return tile[0] + tile[tile_size / 2];
}

int main()
{
	map m("map.tiles");
	int sum = 0;

#ifdef FIXED
	const int at_once = 128;

	for (int number = 0; number < tiles; number += at_once) {
		const char *some = m.get(number, at_once);

		for (int i = 0; i < at_once; i++)
			sum += light(some + i * tile_size);
	}
#else
	std::vector<int> order(tiles);

	std::iota(order.begin(), order.end(), 0);
	std::shuffle(order.begin(), order.end(), std::mt19937(1));
	for (int number : order)
		sum += light(m.get(number, 1)); /* FINDING scattered map.tiles */
#endif
	std::cout << sum << '\n';
	return 0;
}
