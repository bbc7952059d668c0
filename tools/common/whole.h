/* SPDX-License-Identifier: BSD-3-Clause */
/* whole.h - an output that is there when it is complete, or not at all. */
#ifndef WHOLE_H
#define WHOLE_H

/* The name under which it is to be written; dies if it can't be made.  What has no file of
   its own, a terminal or a pipe, keeps its name. */
const char *iot_output_begin(const char *name);
/* The same for a format that takes a directory; dies if there is something of that name. */
const char *iot_output_begin_directory(const char *name);
/* It is complete: it gets its name, in place of what had it. */
void iot_output_end(void);

#endif
