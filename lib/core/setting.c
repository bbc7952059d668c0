/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.c - see setting.h. */
#include <string.h>

#include "setting.h"

static const struct range {
	char setting[17];
	uint64_t min, max;
} ranges[] = {
	{ "IOTRACE_STACK", 0, 64 },
	{ "IOTRACE_BUFFER", 16384, 1 << 24 },
	{ "IOTRACE_LIMIT", 0, 1ULL << 60 },
	{ "IOTRACE_SYSCALLS", 0, 1 },
	{ "IOTRACE_MERGE", 0, 1 },
	{ "IOTRACE_MPI_POLL", 0, 1 },
	{ "IOTRACE_MEMORY", 0, 1 },
};

const char *iot_setting_number(const char *setting, const char *value, uint64_t *to)
{
	const struct range *r = ranges;
	const char *s = value, *unit;
	uint64_t v = 0;

	while (strcmp(r->setting, setting) != 0)
		r++;
	for (; *s >= '0' && *s <= '9' && v < (1ULL << 50); s++)
		v = v * 10 + (uint64_t)(*s - '0');
	if (s > value && *s && (unit = strchr("kMGT", *s)) && !s[1]) {
		v <<= 10 * (unit - "kMGT" + 1);
		s++;
	}
	if (s == value || *s)
		return "not a number";
	if (v < r->min || v > r->max)
		return "out of range";
	*to = v;
	return NULL;
}

const char *iot_setting_families(const char *value, uint32_t *to)
{
	/* in the order of iot.h's enum */
	static const char names[][8] = { "posix", "stdio", "dir",   "aio",     "mem",
					 "proc",  "net",   "mpiio", "fortran", "user", "mpi" };
	const uint32_t n_families = sizeof(names) / sizeof(names[0]);
	const char *s = value;
	uint32_t mask = 0;

	for (;;) {
		size_t n = strcspn(s, ",");
		uint32_t i;

		for (i = 0; i < n_families; i++)
			if (n == strnlen(names[i], sizeof(names[i])) && !memcmp(s, names[i], n))
				break;
		if (i == n_families)
			return "families are posix,stdio,dir,aio,mem,proc,net,mpiio,fortran,user,mpi";
		mask |= 1u << i;
		if (!s[n])
			break;
		s += n + 1;
	}
	*to = mask;
	return NULL;
}

const char *iot_setting_stack_by(const char *value, uint32_t *to)
{
	/* in the order of iot.h's enum */
	static const char ways[][7] = { "auto", "fp", "tables" };

	for (uint32_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!strcmp(value, ways[i])) {
			*to = i;
			return NULL;
		}
	}
	return "none of auto, fp and tables";
}
