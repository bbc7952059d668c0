/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * audit.cc - a small server's requests, of which each leaves a trace.
 *
 * build: iocxx -static
 * as: visits
 */
#include <fstream>
#include <memory>
#include <string>

class trail
{
	std::string path;
#ifdef FIXED
	std::ofstream out;
#endif

public:
	explicit trail(std::string to) : path(std::move(to))
	{
#ifdef FIXED
		out.open(path, std::ios::app);
#endif
	}

	void leave(const std::string &who, const std::string &what)
	{
#ifndef FIXED
		std::ofstream out(path, std::ios::app); /* FINDING reopened trail.log */
#endif
		out << who << ": " << what << '\n';
	}
};

class server
{
	trail &t;
	long balance = 0;

public:
	explicit server(trail &with) : t(with)
	{
	}

	void pay(int user, int amount)
	{
		balance += amount;
		t.leave(std::to_string(user), "pays " + std::to_string(amount));
	}

	void ask(int user)
	{
		t.leave(std::to_string(user), "asks, " + std::to_string(balance));
	}
};

int main()
{
	trail t("trail.log");
	server s(t);

	for (int i = 0; i < 4000; i++)
		if (i % 4)
			s.pay(i % 97, i);
		else
			s.ask(i % 97);
	return 0;
}
