/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * census.c - stores the people of a town in a table, which a library keeps.
 *
 * build: iocc
 * as: notes
 * library: rows.c
 */
#include "rows.h"

#define PEOPLE 25000

int main(void)
{
	struct rows *people = rows_create("people.tab");

	for (int i = 0; i < PEOPLE; i++) {
		struct row person = {.key = i, .value = {i % 90, i * 7 % 1000, i % 12}};

		rows_add(people, &person); /* FINDING small-writes people.tab */
	}
	rows_close(people);
	return 0;
}
