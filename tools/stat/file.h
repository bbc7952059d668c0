/* SPDX-License-Identifier: BSD-3-Clause */
/* file.h - what file.c has for main.c. */
#ifndef STAT_FILE_H
#define STAT_FILE_H

#include "../../analysis/detail.h"
#include "stat.h"

/* --file=REGEX; and whether there was one. */
void iot_stat_file_option(const char *text);
bool iot_stat_file_given(void);
/* After iota_done: reads the calls once more. */
struct iota_details *iot_stat_file_read(struct iota *a, struct iotr_set *set);
void iot_stat_file_text(struct out *o, const struct iota_details *details);
void iot_stat_file_json(struct out *o, const struct iota_details *details);

/* requests.c: the first ones; begin: of the job */
void iot_stat_requests_text(struct out *o, const struct iota_requests *r, uint64_t begin, size_t most);
void iot_stat_requests_json(struct out *o, const struct iota_requests *r);

#endif
