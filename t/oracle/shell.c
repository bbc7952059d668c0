/* SPDX-License-Identifier: BSD-3-Clause */
/* shell.c - the shell forks, and executes what is not built in. */
#include <stdlib.h>

int main(void)
{
	return system("cat </dev/null; cat </dev/null") != 0;
}
