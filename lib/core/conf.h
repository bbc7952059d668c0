/* SPDX-License-Identifier: BSD-3-Clause */
/* conf.h - what the settings of iotrace(7) come to: config.c.  Which there are: setting.def. */
#ifndef IOT_CONF_H
#define IOT_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "desc.h"
#include "gate.h"
#include "setting.h"

#pragma GCC visibility push(hidden)

enum { IOT_STACK_BY_AUTO, IOT_STACK_BY_FP, IOT_STACK_BY_TABLES };
struct iot_config {
	char dir[4096];			/* logs go there */
	uint32_t mode;			/* of a log */
	uint64_t limit;			/* bytes of a log, 0 = none */
	uint32_t stack_depth, stack_by;
	uint32_t families;		/* of which calls are recorded, a bit each */
	uint32_t whole;			/* of which all are */
	uint32_t buffer;		/* bytes of a block */
	uint64_t longer;		/* ticks: shorter calls are left out */
	bool merge;			/* the ranks' logs */
	bool memory;			/* of no file: its calls, too */
	bool drop;			/* what would make the program wait (slow-disk.c) */
	bool mpi_poll;			/* has records */
	bool faults;			/* page faults have */
	bool cache;			/* what the page cache has is looked at */
	bool watch_rings;		/* by a task of our own */
	bool dir_given, has_paths, has_exclude, has_stack_paths, syscalls;
};
extern struct iot_config iot_config;
bool iot_config_read(void);
/* Once iot_pauses has changed, or the time of IOTRACE_AFTER has come. */
void iot_config_settle(void);
uint32_t iot_config_path(const char *path, uint32_t len);
/* Whether a call of a family that is not whole is recorded. */
bool iot_config_wants(const struct iot_desc *desc);
/* Whether a call is.  What the program itself tells is, whatever somebody else switches. */
static inline bool iot_is_wanted(const struct iot_desc *desc)
{
	return (iot_whole >> desc->family & 1 || iot_config_wants(desc)) &&
	       (iot_likely(!iot_switched_off()) || desc->family == IOT_USER);
}
/* What the administrator's file has for it and is in force; NULL: nothing. */
const char *iot_config_default(enum iot_setting setting);
bool iot_config_asks(enum iot_setting setting, bool if_wrong);
/* The settings that are in force, as the log's header has them. */
struct iot_text;
void iot_config_text(struct iot_text *x);

#pragma GCC visibility pop

#endif
