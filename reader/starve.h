/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * starve.h - what happens when memory runs out.
 *
 * Inside of the library an allocation never returns NULL: it goes back to the public function
 * that the program called, which tells the program.
 *
 *	int iotr_x(struct iotr_set *set)
 *	{
 *		struct iotr_guard guard;
 *		int got;
 *
 *		if (!IOTR_TRY(&guard))
 *			return iotr_starved(set);
 *		got = x(set);
 *		iotr_guard_end(&guard);
 *		return got;
 *	}
 *
 * What was being made is lost then, and may be half done.  So the set is of no more use: all
 * that may be done is to free it.  Lists and tables keep what they have while they grow, so
 * that freeing finds them whole.
 */
#ifndef IOTR_STARVE_H
#define IOTR_STARVE_H

#include <setjmp.h>

#include "log-data.h"

struct iotr_guard {
	jmp_buf back;
	struct iotr_guard *outer; /* of a function that called the program's, which called us */
};

void iotr_guard_begin(struct iotr_guard *guard);
void iotr_guard_end(struct iotr_guard *guard);
#define IOTR_TRY(guard) (iotr_guard_begin(guard), !_setjmp((guard)->back))

/* -1, and the set has failed, which is said. */
int iotr_starved(struct iotr_set *set);
/* The same for one log, or before there is one. */
int iotr_starved_log(struct iotr_log *log);
void iotr_say_starved(iotr_message_fn *fn, void *arg, const char *file);

#endif
