/* SPDX-License-Identifier: BSD-3-Clause */
/* rank.h - which rank of a parallel job this process is: rank.c. */
#ifndef IOT_RANK_H
#define IOT_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_rank {
	int32_t rank;			/* -1: of no job, or not known */
	int32_t size;			/* of the job; 0: not known */
	uint32_t n_clocks;		/* payloads of IOT_DEF_CLOCK, for logs that are begun later */
	uint64_t clock[2][3];
};
extern struct iot_rank iot_rank;
void iot_rank_find(char **env);
int32_t iot_env_number(char **env, const char *name);

#pragma GCC visibility pop

#endif
