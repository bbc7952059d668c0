/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - what the recorder says on the program's standard error. */
#ifndef IOT_REPORT_H
#define IOT_REPORT_H

#pragma GCC visibility push(hidden)

/* One line: what was wrong, with what, and what happens now. */
void iot_report(const char *what, const char *detail, const char *then);

/* The same, a line for a job: ranks other than 0, and processes of which one that they come
   from was recorded, say nothing. */
void iot_report_once(const char *what, const char *detail, const char *then);
/* About settings of the environment, a line for a job: ranks other than 0, and processes of which one that they
   come from was recorded with the same NAME=VALUE, say nothing.  then: what happens now. */
void iot_report_setting(const char *name, const char *value, const char *why, const char *then);
/* entry: NAME=VALUE of the environment, whose name is like that of a setting. */
void iot_report_slip(const char *entry, const char *name);
#pragma GCC visibility pop

#endif
