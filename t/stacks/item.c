/* SPDX-License-Identifier: BSD-3-Clause */
/* item.c - what item.f90 calls. */
#include "site.h"

void site_of_item(void);
void begin_items(void);

void site_of_item(void)
{
	if (!site("item"))
		_exit(5);
}

void begin_items(void)
{
	begin();
}
