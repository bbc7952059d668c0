/* SPDX-License-Identifier: BSD-3-Clause */
/* whole.h - an output that is there when it is complete, or not at all. */
#ifndef WHOLE_H
#define WHOLE_H

#include <stdbool.h>

/* The name under which it is to be written; dies if it can't be made.  What has no file of
   its own, a terminal or a pipe, keeps its name. */
const char *iot_output_begin(const char *name);
/* The same for a format that takes a directory.  Dies if there is something of that name, unless it is
   a directory in which is_ours says of all names that an earlier run has made them; NULL: none
   is replaced. */
const char *iot_output_begin_directory(const char *name, bool is_ours(const char *name));
/* It is complete: it gets its name, in place of what had it. */
void iot_output_end(void);

#endif
