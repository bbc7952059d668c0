/* SPDX-License-Identifier: BSD-3-Clause */
/* log-header.h - the text that a log begins with: log-header.c. */
#ifndef IOT_LOG_HEADER_H
#define IOT_LOG_HEADER_H

#pragma GCC visibility push(hidden)

const char *iot_exe(void);
const char *iot_program(void);
struct iot_text;
struct utsname;
void iot_header_text(struct iot_text *x, const struct utsname *uts);

#pragma GCC visibility pop

#endif
