/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orders.c - works through orders and keeps a journal of what happened to each.
 *
 * build: iocc
 */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>

#define ORDERS 6000

static FILE *journal;

static void note(const char *what, ...)
{
	va_list args;

	va_start(args, what);
	vfprintf(journal, what, args);
	va_end(args);
	fputc('\n', journal);
#ifndef FIXED
	fflush(journal); /* FINDING flushed orders.log */
#endif
}

static int price(int order)
{
	return order * 7 % 1000;
}

static void handle(int order)
{
	int stock = order % 17;

	note("order %d: received, price %d", order, price(order));
	if (!stock) {
		note("order %d: sold out", order);
		return;
	}
	note("order %d: sent, %d left", order, stock - 1);
}

int main(void)
{
	journal = fopen("orders.log", "w");
	if (!journal)
		err(1, "orders.log");
	note("begins");
	for (int i = 0; i < ORDERS; i++)
		handle(i);
	note("ends");
	if (fclose(journal))
		err(1, "orders.log");
	return 0;
}
