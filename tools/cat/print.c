/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c - calls in the format that was chosen, what goes before them and behind them. */
#include "config.h"

#include "cat.h"

void iot_print_call(const struct iotr_call *call)
{
	iot_options.format->call(&iot_stdout, call);
}

void iot_begin(const struct iotr_set *set)
{
	if (iot_options.format->begin && (iotr_set_size(set) || iot_options.follow))
		iot_options.format->begin(&iot_stdout, set);
}

void iot_end(const struct iotr_set *set)
{
	if (iot_options.format->end && (iotr_set_size(set) || iot_options.follow))
		iot_options.format->end(&iot_stdout, set);
	iot_out_flush(&iot_stdout);
	if (iotr_set_size(set))
		iot_filter_end();
}
