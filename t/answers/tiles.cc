/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tiles.cc - draws the tiles of a map in the order in which a viewer passes them.
 *
 * build: iocxx
 * input: head -c 16M /dev/zero >map.tiles
 */
#include <cstdint>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <vector>

constexpr int tile_size = 8192, tiles = 2048;

class map
{
#ifdef FIXED
	std::vector<char> all;
#else
	std::ifstream in;
	std::vector<char> tile;
#endif

public:
	explicit map(const char *path)
#ifndef FIXED
	    : in(path, std::ios::binary), tile(tile_size)
#endif
	{
#ifdef FIXED
		std::ifstream in(path, std::ios::binary);

		all.resize(std::size_t{tile_size} * tiles);
		in.read(all.data(), static_cast<std::streamsize>(all.size()));
		if (!in)
			throw std::runtime_error(path);
#endif
	}

	const char *get(int number)
	{
#ifdef FIXED
		return all.data() + std::size_t{tile_size} * number;
#else
		in.seekg(std::streamoff{tile_size} * number);
		in.read(tile.data(), tile_size); /* FINDING scattered map.tiles */
		if (!in)
			throw std::runtime_error("tile");
		return tile.data();
#endif
	}
};

int main()
{
	map m("map.tiles");
	std::uint32_t at = 1;
	int light = 0;

	for (int i = 0; i < 2000; i++) {
		at = at * 1664525 + 1013904223;
		light += m.get(static_cast<int>(at >> 21))[0];
	}
	std::cout << light << '\n';
	return 0;
}
