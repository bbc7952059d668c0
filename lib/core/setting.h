/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setting.h - the settings of iotrace(7) and the values that they may have: the recorder
 * goes by them, and iotrace run refuses what the recorder would ignore.  (Patterns are
 * regex.h's.)
 */
#ifndef IOT_SETTING_H
#define IOT_SETTING_H

#include <stdbool.h>
#include <stdint.h>

enum iot_setting_kind {
	IOT_IS_SWITCH, IOT_IS_NUMBER, IOT_IS_SIZE, IOT_IS_TIME, IOT_IS_WORD, IOT_IS_RANKS, IOT_IS_REGEX, IOT_IS_CALLS,
	IOT_IS_TEXT, IOT_IS_OTHER,
};

#define SETTING(word, name, kind, values, fallback) IOT_SET_##word,
enum iot_setting {
#include "setting.def"
	IOT_N_SETTINGS,
	IOT_NO_SETTING = IOT_N_SETTINGS
};
#undef SETTING

#pragma GCC visibility push(hidden)
/* Which one a text NAME=VALUE, or NAME, is about; or IOT_NO_SETTING. */
enum iot_setting iot_setting_find(const char *text);
/* Whose name that of the text is likely to be a slip of; or IOT_NO_SETTING. */
enum iot_setting iot_setting_near(const char *text);
const char *iot_setting_name(enum iot_setting setting);
enum iot_setting_kind iot_setting_kind(enum iot_setting setting);

/* These return NULL, or what is wrong with the value and leave *to alone.  The text of the
   first one is good until it is called again. */
/* A switch, number, size, time or word; value NULL: the default. */
const char *iot_setting_number(enum iot_setting setting, const char *value, uint64_t *to);
/* A list as 0-3,7: whether the rank is in it. */
const char *iot_setting_ranks(const char *value, uint32_t rank, bool *to);
/* A list of families and calls.  each, if it is not NULL, is told each word that is no
   family's name. */
struct iot_setting_calls {
	uint32_t families;		/* those of the list, 1 << IOT_POSIX and so on */
	bool all_but;			/* it says what is left out: !mem,!poll */
	bool has_names;			/* of calls */
};
typedef void iot_setting_name_fn(const char *name, uint32_t len);
const char *iot_setting_calls(const char *value, struct iot_setting_calls *to, iot_setting_name_fn *each);
#pragma GCC visibility pop

#endif
