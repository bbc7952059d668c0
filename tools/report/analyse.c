/* SPDX-License-Identifier: BSD-3-Clause */
/* analyse.c - logs are opened and summed up, in each way that a page shows. */
#include "config.h"

#include "../stat/by-time.h"
#include "page.h"

static void on_call(void *a, const struct iotr_call *call)
{
	iot_progress();
	iota_call(a, call, iot_filter_pass(call));
}

struct iota *iot_stat_analyse(struct iotr_set *set, char **logs)
{
	unsigned wanted = IOTA_FINDINGS | (iot_filter_given ? 0 : IOTA_NAMES), i;
	struct iota *a;

	iot_symfs_set(set);
	iotr_set_mute(set); /* lines are there where there are some */
	iot_logs_add(set, logs);
	iot_filter_check(set);
	if (!iotr_set_size(set))
		return NULL;
	for (i = 0; i < IOTA_N_TABLES; i++) {
		iot_stat_options.shown[i] = true;
		wanted |= IOTA_IN(i);
	}
	a = iota_new(wanted);
	iot_stat_time_begin(a, set);
	iot_progress_begin(set, true);
	iotr_set_scan(set, on_call, a);
	iot_progress_end();
	iota_end(a);
	iota_done(a, IOTA_F_SELF);
	return a;
}
