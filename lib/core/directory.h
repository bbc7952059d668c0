/* SPDX-License-Identifier: BSD-3-Clause */
/* directory.h - where logs go: what IOTRACE_DIR may have in it. */
#ifndef IOT_DIRECTORY_H
#define IOT_DIRECTORY_H

struct iot_text;

#pragma GCC visibility push(hidden)
/* Puts value there with %u (user), %h (host), %j (batch job), %r (rank), %p (process), %n
   (program) and %% replaced.  Other letters stay as they are. */
void iot_directory_put(struct iot_text *x, const char *value);
/* Makes it and those above it, for the owner alone.  Returns 0 or -errno. */
long iot_directory_make(const char *path);
#pragma GCC visibility pop

#endif
