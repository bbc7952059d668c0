/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estuary.c - events, which a library stores.
 *
 * build: iocc
 * library: estuary-lib.c
 * as: heron
 */
void estuary_note(int gauge, double level);
void estuary_export(const char *name, int n);
int main(void)
{
	for (int i = 0; i < 100; i++)
		estuary_note(i, i * 0.5);
	estuary_export("levels.csv", 4000);
	return 0;
}
