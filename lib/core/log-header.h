/* SPDX-License-Identifier: BSD-3-Clause */
/* log-header.h - the text that a log begins with: log-header.c. */
#ifndef IOT_LOG_HEADER_H
#define IOT_LOG_HEADER_H

#pragma GCC visibility push(hidden)

const char *iot_exe(void);
const char *iot_program(void);
struct iot_text;
struct utsname;
/* settings: puts those that are in force, of which config.c knows. */
void iot_header_text(struct iot_text *x, const struct utsname *uts, void (*settings)(struct iot_text *x));

#pragma GCC visibility pop

#endif
