/* SPDX-License-Identifier: BSD-3-Clause */
/* analyse.c - logs are opened, summed up in each way that a page shows, and drawn. */
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

/* In order, once more. */
struct iota_picture *report_logs_draw(void *run)
{
	struct iotr_set *set = ((struct report_logs *)run)->set;
	struct iota_picture *p = iota_picture_new(((struct report_logs *)run)->a, &report_options.picture);
	const struct iotr_call *call;

	iotr_set_rewind(set);
	iot_progress_begin(set, true);
	while ((call = iotr_set_next(set))) {
		iot_progress();
		if (iot_filter_pass(call))
			iota_picture_add(p, call);
	}
	iot_progress_end();
	iota_picture_end(p);
	return p;
}
