/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * depots.cc - sorts parcels into the lists of their depots.  The lists that were used last stay
 * open.  Each depot also has rules, a file that is looked at when its list is opened.
 *
 * build: iocxx
 * as: lockers
 * input: mkdir depots; for i in $(seq 0 99); do echo "rule $i" >depots/$i.rule; done
 */
#include <cstdio>
#include <fcntl.h>
#include <list>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace
{

constexpr int parcels = 2400;
constexpr int depots = 80;
constexpr std::size_t kept = 20;

struct List {
	explicit List(int depot)
	    : file(std::fopen(("depots/" + std::to_string(depot) + ".list").c_str(), "a"))
	{
		if (!file)
			throw std::runtime_error("no list");
	}
	~List()
	{
		std::fclose(file);
	}
	List(const List &) = delete;
	List &operator=(const List &) = delete;
	std::FILE *file;
};

bool has_rule(int depot)
{
	char c = 0;
	const std::string name = "depots/" + std::to_string(depot) + ".rule";
	const int fd = open(name.c_str(), O_RDONLY); /* FINDING leaked depots depots/~ */

	if (fd < 0 || read(fd, &c, 1) != 1)
		return false;
#ifdef FIXED
	close(fd);
#endif
	return c == 'r';
}

class Lists
{
public:
	std::FILE *of(int depot)
	{
		auto at = open_.find(depot);

		if (at == open_.end()) {
			if (open_.size() == kept) {
				open_.erase(order_.back());
				order_.pop_back();
			}
			if (!has_rule(depot))
				throw std::runtime_error("no rule");
			at = open_.emplace(depot, std::make_unique<List>(depot)).first;
		} else {
			order_.remove(depot);
		}
		order_.push_front(depot);
		return at->second->file;
	}

private:
	std::map<int, std::unique_ptr<List>> open_;
	std::list<int> order_;
};

Lists *lists = new Lists; // to the end

} // namespace

int main()
{
	unsigned long next = 1;

	for (int i = 0; i < parcels; i++) {
		next = next * 6364136223846793005UL + 1442695040888963407UL;
		const int depot = i / (parcels / depots) + static_cast<int>(next >> 60);
		std::string parcel(2000, static_cast<char>('a' + i % 26));
		std::fprintf(lists->of(depot), "%d %s\n", i, parcel.c_str());
	}
	return std::fflush(nullptr);
}
