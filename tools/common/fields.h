/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.h - what several tools print of a call. */
#ifndef FIELDS_H
#define FIELDS_H

#include "tool.h"

/* "unfinished" and so on; NULL for a call that is finished and was seen */
const char *iot_status_name(const struct iotr_call *call);
/* Does the call have a descriptor to show?  It may have been -1. */
bool iot_fd_known(const struct iotr_call *call, int *fd);
/* Whether the call does not look at its parameter i, as open at a mode without
   O_CREAT: strace leaves those out, and so do we. */
bool iot_is_ignored(const struct iotr_call *call, unsigned i);
/* The call's parameter i, as what comes before it says what it is: fcntl's third one. */
struct iotr_param iot_param_of(const struct iotr_call *call, unsigned i);
/* The names of what the call returned, if that is a number of the kind: fcntl's flags, seals, ...;
   how long they are, or 0. */
size_t iot_result_names(const struct iotr_call *call, char *buf, size_t size);
/* Arguments that are neither descriptor, path, offset nor size, as a JSON object: false if there
   are none; written behind lead. */
bool iot_json_args(struct out *o, const struct iotr_call *call, const char *lead);
/* Text in quotes */
void iot_json_string(struct out *o, const char *s, size_t n);
/* addr.c: a socket address as text */
size_t iot_address(const char *bytes, size_t len, char *buf, size_t size);

#endif
