/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c - a page that is no larger than it may be. */
#include "config.h"

#include "page.h"

/* Anew with less, as long as the page would be too large: what is left out are single calls, and
   how exactly times are known. */
void report_fit(struct report *r, report_draw_fn *draw, void *run, const struct report_before *before)
{
	const size_t fewest_bins = 50, page = report_page_size();
	struct iota_picture_options *o = &report_options.picture;

	for (;;) {
		struct iota_picture *p = draw(run), *other = before->draw ? before->draw(before->run) : NULL;

		r->data.len = 0;
		report_data(r, p, before, other);
		iota_picture_free(p);
		if (other)
			iota_picture_free(other);
		if (page + r->data.len <= report_options.most_bytes || (!o->calls && o->bins <= fewest_bins))
			return;
		o->calls = o->calls < 1000 ? 0 : o->calls / 4;
		o->bins = o->bins / 2 < fewest_bins ? fewest_bins : o->bins / 2;
		o->arcs /= 4;
		o->points = o->points / 2 < fewest_bins ? fewest_bins : o->points / 2;
	}
}
