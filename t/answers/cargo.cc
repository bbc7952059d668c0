/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cargo.cc - looks through manifests for those that have a head.
 *
 * build: iocxx -static
 * as: gate
 * input: for i in $(seq 40); do { [ $((i % 2)) = 1 ] || echo head; echo $i; } >cargo.$i; done
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

static FILE *open_manifest(int number)
{
	FILE *f = fopen(("cargo." + std::to_string(number)).c_str(), "r"); /* FINDING leaked in cargo.~ */

	if (!f)
		exit(1);
	return f;
}

static bool has_head(int number)
{
	FILE *f = open_manifest(number); /* FINDING leaked in cargo.~ */
	char line[40];

	if (!fgets(line, sizeof(line), f) || strcmp(line, "head\n") != 0) {
#ifdef FIXED
		fclose(f);
#endif
		return false;
	}
	fclose(f);
	return true;
}

int main()
{
	int heads = 0;

	for (int i = 1; i <= 40; i++)
		heads += has_head(i); /* FINDING leaked in cargo.~ */
	printf("%d\n", heads);
	return 0;
}
