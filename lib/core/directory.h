/* SPDX-License-Identifier: BSD-3-Clause */
/* directory.h - where logs go: what IOTRACE_DIR may have in it. */
#ifndef IOT_DIRECTORY_H
#define IOT_DIRECTORY_H

#include <stdbool.h>

struct iot_text;

#pragma GCC visibility push(hidden)
/* Puts value there with %u (user), %h (host), %j (batch job), %r (rank), %p (process), %n
   (program) and %% replaced.  Other letters stay as they are. */
void iot_directory_put(struct iot_text *x, const char *value);
/* Opens it (O_PATH), an absolute path; if make, with those above it made that are missing,
   for the owner alone.  Returns -errno on failure: -ELOOP if a link on the way is another
   user's in a directory that everybody may write. */
int iot_directory_open(const char *dir, bool make);
#pragma GCC visibility pop

#endif
