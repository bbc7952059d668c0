/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option.h - options of the command line: those that all tools have, and values of all
 * kinds, which are read and refused in the same way and words everywhere.
 *
 * option is the option as the user knows it, "--top"; a value that is none ends the tool
 * with a message that says what would be one.
 */
#ifndef OPTION_H
#define OPTION_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* argp_parse, with --help, -h and --version; returns the index of the first argument. */
int iot_options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

uint64_t iot_option_number(const char *option, const char *text, uint64_t min, uint64_t max);
/* Bytes, with a unit if wanted: 64K, 1g, 2MiB; powers of 1024. */
uint64_t iot_option_size(const char *option, const char *text);
/* ns, of seconds or with a unit: 10ms, 1.5s, 2min, 1h. */
uint64_t iot_option_duration(const char *option, const char *text);
/* SECONDS since the log of the process was begun, @SECONDS since the epoch, or a date. */
struct iot_moment {
	bool given;
	bool absolute; /* ns since the epoch, else since its log was begun */
	int64_t ns;
};
struct iot_moment iot_option_moment(const char *option, const char *text);
/* Which of the names, of which the last is followed by NULL, it is. */
unsigned iot_option_choice(const char *option, const char *text, const char *const *names);
/* The name of a file that is written: any but an empty one. */
const char *iot_option_file(const char *option, const char *text);
/* Calls fn with every part of a list with commas. */
void iot_option_each(const char *list, const char *option,
		     void (*fn)(char *part, const char *option));

#endif
